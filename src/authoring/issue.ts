import { languages, type Language } from '../catalogue/model.ts';
import { slug } from '../catalogue/id.ts';
import { shortHash, writableId } from '../readers/schema/event-ids.ts';
import { readEpochs } from '../readers/dates.ts';
import { readMoments } from '../readers/table/moments.ts';
import { listData, metadataFiles } from '../source/folder.ts';
import words from './issue-words.json' with { type: 'json' };
import type { EventSource } from '../readers/schema/source-types.ts';
import { readSource } from '../source/validate.ts';

/*
 * The form "Announce an event". GitHub renders it from a YAML file, and writes the answers as
 * Markdown into the body of an issue, with a heading for each field.
 */

/** The event that an issue announces. Its title is also the name of its subject. */
export interface Announcement {
  /** The name of a genre as it was written. */
  readonly genre: string;
  /** The id of its subject. */
  readonly subject: string;
  readonly event: EventSource;
}

const keys = ['title', 'when', 'where', 'link', 'genre', 'more'] as const;
type Key = (typeof keys)[number];

const required: ReadonlySet<Key> = new Set(['title', 'when', 'genre']);

interface FieldWords {
  readonly label: string;
  readonly description: string;
  readonly placeholder?: string;
}

/**
 * Returns the form as GitHub reads it. Strings are written as JSON, which YAML includes. `lang` is
 * a BCP 47 tag.
 */
export function issueForm(lang: string): string {
  const language = languages.find((tag) => tag === lang.split('-')[0]) ?? 'en';
  const { form } = words[language];
  return `name: ${JSON.stringify(form.name)}
description: ${JSON.stringify(form.description)}
title: ${JSON.stringify(form.title)}
body:
${keys.map((key) => formField(key, language)).join('')}`;
}

function formField(key: Key, language: Language): string {
  const { label, description, placeholder }: FieldWords = words[language][key];
  return `  - type: ${key === 'more' ? 'textarea' : 'input'}
    id: ${key}
    attributes:
      label: ${JSON.stringify(label)}
      description: ${JSON.stringify(description)}
${placeholder === undefined ? '' : `      placeholder: ${JSON.stringify(placeholder)}\n`}    validations:
      required: ${required.has(key)}
`;
}

/** Why an issue is refused, and what the sentence about it names. */
export interface IssueRefusal {
  readonly reason: keyof (typeof words)['en']['refusals'];
  readonly values: Readonly<Record<string, string>>;
}

/** Words a refusal in the language of the form that the issue was made with, else in English. */
export function refusalText(body: string, { reason, values }: IssueRefusal): string {
  const { form, refusals } = words[languageOf(body)];
  const placeholders: Readonly<Record<string, string>> = { form: form.name, ...values };
  const fill = (_text: string, name: string) => placeholders[name] ?? '';
  return refusals[reason].replace(/\{(\w+)\}/g, fill);
}

function languageOf(body: string): Language {
  return languages.find((tag) => body.includes(`### ${words[tag].when.label}`)) ?? 'en';
}

/** Reads the body of an issue made with the form in any language. */
export function readIssue(body: string): Announcement | IssueRefusal {
  const answers = new Map<Key, string>();
  const [, ...sections] = `\n${body.replace(/\r\n?/g, '\n')}`.split(/\n### /);
  for (const section of sections) {
    const [heading = '', ...lines] = section.split('\n');
    const key = keys.find((field) =>
      languages.some((language) => words[language][field].label === heading.trim()),
    );
    if (key === undefined) continue;
    if (answers.has(key))
      return {
        reason: 'twice',
        values: { label: heading.trim() },
      };
    const answer = lines.join('\n').trim();
    answers.set(key, answer === '_No response_' ? '' : answer);
  }
  const missing = keys.find((key) => required.has(key) && !answers.get(key));
  if (missing !== undefined)
    return {
      reason: 'missing',
      values: { label: words[languageOf(body)][missing].label },
    };
  const moments = readWhen(answers.get('when') ?? '');
  if ('reason' in moments) return moments;
  const { title = '', where, link, genre = '', more } = Object.fromEntries(answers);
  const fields = {
    location: where,
    url: link,
    description: more,
  };
  const filled = Object.fromEntries(Object.entries(fields).filter(([, value]) => value));
  const subject = writableId(slug(title) || `event-${shortHash(title)}`);
  const id = subject === slug(title) ? {} : { id: subject };
  return {
    genre,
    subject,
    event: { title, ...moments, ...filled, ...id },
  };
}

type Moments = Pick<EventSource, 'starts' | 'ends'>;

function readWhen(text: string): Moments | IssueRefusal {
  const values = { text };
  const [, first = '', second = ''] = /(?<!\d)(\d\d?)\/(\d\d?)\/\d/.exec(text) ?? [];
  if (first !== second && Number(first) <= 12 && Number(second) <= 12 && first !== '')
    return { reason: 'readings', values };
  const order = Number(second) > 12 ? 'm/d/y' : 'd.m.y';
  const { starts, ends, problems, leftOut } = readMoments({ starts: text }, order, '');
  const isRead = problems.starts === undefined && leftOut.length === 0;
  if (isRead && readEpochs(text) === null) return { starts, ...(ends && { ends }) };
  // A day and a month: 12.6., 12/6 or 12 June.
  const hasYear = /\d{4}|\d[./-]\d\d?[./-]\d/.test(text);
  return {
    reason: hasYear || !/\d/.test(text) ? 'date' : 'year',
    values,
  };
}

/**
 * Moves a clock time into the description: strangers know no zone, and without one a time is no
 * instant.
 */
export function withoutClock({ ends, ...event }: EventSource): EventSource {
  const [, date, time] = /^(.*)T([\d:]+)$/.exec(event.starts) ?? [];
  if (date === undefined)
    return {
      ...event,
      ...(ends !== undefined && { ends }),
    };
  const clock = ends === undefined ? time : `${time}–${ends.replace(/^.*T/, '')}`;
  return {
    ...event,
    starts: date,
    description: [clock, event.description ?? ''].join('\n\n').trim(),
  };
}

/**
 * Returns the folders of the genre that somebody means by its name, id or folder, as
 * `{category}/{genre}`. Refuses with all genres if there is none, or more than one.
 */
export function findGenre(
  data: string,
  text: string,
): readonly [category: string, genre: string] | IssueRefusal {
  const folder = {
    data,
    displayPath: (path: string) => path,
    report: () => {},
  };
  const folders = listData(data, folder.displayPath).categories.flatMap(({ genres }) => genres);
  const present = folders.filter(({ metadata }) => metadata === 'present');
  const genres = present.map(({ id, path }) => {
    return {
      id,
      path,
      name: readSource(folder, `${path}/${metadataFiles.genre}`, 'genre')?.name ?? id,
    };
  });
  const query = text.trim().toLowerCase();
  const matches = genres.filter(({ id, path, name }) =>
    [id, path, path.split('/')[1] ?? '', name.toLowerCase()].includes(query),
  );
  const [category = '', genre = ''] = matches[0]?.path.split('/') ?? [];
  if (matches.length === 1) return [category, genre];
  const names = (matches.length > 1 ? matches : genres).map(({ id, name }) =>
    matches.length > 1 ? id : name,
  );
  return {
    reason: 'genre',
    values: { text, genres: names.join(', ') },
  };
}
