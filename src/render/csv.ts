import type { EventRecord } from '../api/documents.ts';
import { csvColumns, frame } from '../api/formats/csv.ts';
import type { JoinedRenderer } from './joined.ts';

type Column = (typeof csvColumns)[number];
type Value = string | number | boolean | null | undefined;
type Cell = (record: EventRecord) => Value;

/** The fields of a record that a cell can hold. */
type PlainField = { [Field in keyof EventRecord]: EventRecord[Field] extends Value ? Field : never }[keyof EventRecord];

/** The columns that are no such field. */
const derived: Readonly<Record<Exclude<Column, PlainField>, Cell>> = {
  subject_id: ({ subject }) => subject.id,
  subject: ({ subject }) => subject.name,
  location: ({ location }) => location?.name,
  address: ({ location }) => location?.address,
  country: ({ location }) => location?.country,
  latitude: ({ location }) => location?.latitude,
  longitude: ({ location }) => location?.longitude,
};

/** A spreadsheet would show an instant that is not real as a time of day, so these are empty if only the date is. */
const ifTimeKnown: ReadonlySet<Column> = new Set(['starts_at', 'ends_at']);

const [first, ...others] = csvColumns.map((column): Cell => {
  if (column in derived) return derived[column as keyof typeof derived];
  const field = column as PlainField;
  return ifTimeKnown.has(column) ? (record) => (record.time_known ? record[field] : null) : (record) => record[field];
});

/** Renders a table with one event on each row. */
export const csv: JoinedRenderer = {
  from: 'genres',
  frame,
  *render({ batches }) {
    for (const batch of batches) yield batch.map(csvRow);
  },
};

/** Serializes a record as a row of a table with its line break (RFC 4180). */
function csvRow(record: EventRecord): string {
  let row = cellText(first?.(record));
  for (const cell of others) row += `,${cellText(cell(record))}`;
  return `${row}\r\n`;
}

/** Returns the text of a cell, which is empty for null. An apostrophe keeps spreadsheets from running a formula. */
function cellText(value: Value): string {
  if (typeof value !== 'string') return String(value ?? '');
  const text = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const formula = /^[=+\-@\t\r]/;
