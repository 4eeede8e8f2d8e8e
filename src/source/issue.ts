import { z } from 'zod';
import { eventFields, type CellField } from './json/event-fields.ts';
import { eventSchema } from './json/schemas.ts';
import type { EventSource } from './json/types.ts';

/*
 * The form "Announce an event". GitHub renders it from a YAML file, and writes the values as Markdown into the body of an
 * issue, with a heading for each field. The form and its reader are derived from the schema of an event.
 */

/** The event that an issue announces. Its values are as they were written; nothing is checked yet. */
export interface Announcement {
  readonly place: string;
  readonly subject: string;
  readonly event: EventSource;
}

interface FormField {
  readonly key: string;
  readonly label: string;
  readonly description: string;
  readonly placeholder: string;
  readonly isRequired: boolean;
}

const place: FormField = {
  key: 'place',
  label: 'Place in the catalogue',
  description: 'Its category and genre: two folders in data/ of this repository.',
  placeholder: 'sports/chess',
  isRequired: true,
};

const subject: FormField = {
  key: 'subject',
  label: 'Subject',
  description: 'What it is about: a show, a team, a fair. If it is already in the catalogue, write the same name.',
  placeholder: 'Night Ferry',
  isRequired: true,
};

/** Fields that the form does not ask for. A maintainer can add them. */
const hidden: ReadonlySet<CellField> = new Set(['id', 'cancelled', 'tags']);

function formFields(): readonly FormField[] {
  const event = (Object.keys(eventFields) as CellField[])
    .filter((key) => !hidden.has(key))
    .map((key): FormField => {
      const schema = eventSchema.shape[key];
      const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
      const { description = '', examples } = inner.meta() ?? {};
      return {
        key,
        label: key.charAt(0).toUpperCase() + key.slice(1),
        description,
        placeholder: Array.isArray(examples) ? String(examples[0]) : '',
        isRequired: inner === schema,
      };
    });
  return [place, subject, ...event];
}

/** The form as GitHub reads it: `.github/ISSUE_TEMPLATE/event.yml`. Strings are written as JSON, which YAML includes. */
export function issueForm(): string {
  const inputs = formFields().map(
    ({ key, label, description, placeholder, isRequired }) => `  - type: ${key === 'description' ? 'textarea' : 'input'}
    id: ${key}
    attributes:
      label: ${JSON.stringify(label)}
      description: ${JSON.stringify(description)}
${placeholder === '' ? '' : `      placeholder: ${JSON.stringify(placeholder)}\n`}    validations:
      required: ${isRequired}
`,
  );
  return `name: Announce an event
description: Suggest an event for the catalogue
title: "Event: "
body:
${inputs.join('')}`;
}

/** Upper bound; the form needs about 20. */
const maxCharacters = 20_000;

/** Reads the body of an issue made with the form. Returns a sentence if it is not a filled-in form. */
export function readIssue(body: string): Announcement | string {
  if (body.length > maxCharacters) return `found ${body.length} characters, more than ${maxCharacters}`;
  const answers = new Map<string, string>();
  const [, ...sections] = `\n${body.replace(/\r\n?/g, '\n')}`.split(/\n### /);
  const fields = formFields();
  for (const section of sections) {
    const [heading = '', ...lines] = section.split('\n');
    const field = fields.find(({ label }) => label === heading.trim());
    if (field === undefined) continue;
    if (answers.has(field.key)) return `found the heading "${field.label}" twice`;
    const answer = lines.join('\n').trim();
    answers.set(field.key, answer === '_No response_' ? '' : answer);
  }
  const missing = fields.find(({ key, isRequired }) => isRequired && !answers.get(key));
  if (missing !== undefined) return `found no "${missing.label}"`;
  const given = fields.filter(({ key }) => key in eventSchema.shape && answers.get(key));
  return {
    place: answers.get(place.key) ?? '',
    subject: answers.get(subject.key) ?? '',
    event: Object.fromEntries(given.map(({ key }) => [key, answers.get(key)])) as EventSource,
  };
}
