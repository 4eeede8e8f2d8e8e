import { extraColumn } from '../extra.ts';
import {
  eventFields,
  placeFields,
  requiredEventFields,
  type CellField,
  type PlaceField,
} from '../json/event-fields.ts';
import type { Field } from '../rules.ts';
import words from './column-words.json' with { type: 'json' };

/** A column is the name of the subject, a field of the event, or a field of its location except the name. */
export type Column = 'subject' | CellField | PlaceField;

/** Further meanings of a column: the id of the subject, and the times that belong to `starts` and `ends`. */
const otherColumns = ['subject_id', 'time', 'end_time'] as const;
export type TableColumn = Column | (typeof otherColumns)[number] | `extra.${string}`;

/** The type and the rule of each column. */
export const fields: Readonly<Record<Column, Field>> = {
  subject: { type: 'string', format: 'name' },
  ...eventFields,
  ...placeFields,
};
export const placeColumns = Object.keys(placeFields) as readonly PlaceField[];
export const columns = Object.keys(fields) as readonly Column[];
export const required: readonly Column[] = ['subject', ...requiredEventFields];

export function isPlaceColumn(name: string): name is PlaceField {
  return (placeColumns as readonly string[]).includes(name);
}

export function isTableColumn(name: string): name is TableColumn {
  return Object.hasOwn(fields, name) || (otherColumns as readonly string[]).includes(name) || extraColumn.test(name);
}

const yes: ReadonlySet<string> = new Set(words.yes.split(', '));
const no: ReadonlySet<string> = new Set(words.no.split(', '));

/** Returns `true` or `false` for a word that says so, in the languages of spreadsheets. Returns other texts as they are. */
export function booleanOf(written: string): string {
  const word = written.toLowerCase();
  return yes.has(word) ? 'true' : no.has(word) ? 'false' : written;
}
