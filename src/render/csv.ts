import type { EventRecord } from '../api/documents.ts';
import { isoInstant } from '../catalogue/time/time.ts';
import { inBatches, type JoinedRenderer } from './joined.ts';
import { byStart, type ListedEvent } from './records.ts';

const columns = [
  'id',
  'title',
  'subject_id',
  'subject',
  'genre',
  'category',
  'starts_at',
  'ends_at',
  'date',
  'end_date',
  'zone',
  'time_known',
  'precision',
  'location',
  'address',
  'country',
  'latitude',
  'longitude',
  'url',
  'upcoming_until',
  'over_at',
  'status',
  'tags',
  'description',
  'image',
  'attendance',
  'organizer',
  'source',
  'updated_at',
  'starts_local',
] as const;
type Column = (typeof columns)[number];
type Value = string | number | boolean | null | undefined;
type Cell = (record: EventRecord, offset: number) => Value;

/** The fields of a record that a cell can hold. */
type PlainField = { [Field in keyof EventRecord]: EventRecord[Field] extends Value ? Field : never }[keyof EventRecord];

/** The columns that are no such field. */
const derived: Readonly<Record<Exclude<Column, PlainField> | 'starts_local', Cell>> = {
  subject_id: ({ subject }) => subject.id,
  subject: ({ subject }) => subject.name,
  location: ({ location }) => location?.name,
  address: ({ location }) => location?.address,
  country: ({ location }) => location?.country,
  latitude: ({ location }) => location?.latitude,
  longitude: ({ location }) => location?.longitude,
  tags: ({ tags }) => tags.join(' '),
  description: ({ details }) => details?.description,
  image: ({ details }) => details?.image?.url,
  attendance: ({ details }) => details?.attendance,
  organizer: ({ details }) => details?.organizer?.name,
  source: ({ details }) => details?.source,
  starts_local: startsLocal,
};

/** A spreadsheet would show an instant that is not real as a time of day, so these are empty if only the date is. */
const ifTimeKnown: ReadonlySet<Column> = new Set(['starts_at', 'ends_at']);

const [first, ...others] = columns.map((column): Cell => {
  if (column in derived) return derived[column as keyof typeof derived];
  const field = column as PlainField;
  return ifTimeKnown.has(column) ? (record) => (record.time_known ? record[field] : null) : (record) => record[field];
});

/** Renders the events that are upcoming or under way as a table (RFC 4180). */
export const csv: JoinedRenderer = {
  // Excel reads a table as UTF-8 only if it begins with a byte order mark.
  head: () => `\ufeff${columns.join(',')}\r\n`,
  separator: '',
  tail: '',
  *render({ upcoming, under_way }) {
    const events = under_way.length === 0 ? upcoming : [...under_way, ...upcoming].sort(byStart);
    for (const batch of inBatches(events)) yield batch.map(csvRow);
  },
};

/** The date, or the date and clock time where it happens: `2027-01-15` or `2027-01-15 21:00`. */
function startsLocal({ time_known, date, starts_at }: EventRecord, offset: number): string {
  if (!time_known) return date;
  const local = isoInstant(Date.parse(starts_at) + offset);
  return `${local.slice(0, 10)} ${local.slice(11, 16)}`;
}

function csvRow({ record, offset }: ListedEvent): string {
  let row = cellText(first?.(record, offset));
  for (const cell of others) row += `,${cellText(cell(record, offset))}`;
  return `${row}\r\n`;
}

function cellText(value: Value): string {
  if (typeof value !== 'string') return String(value ?? '');
  const text = value.startsWith('https://') ? safeAddress(value) : value.replace(formula, "$&'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Where an apostrophe keeps spreadsheets from running a text as a formula: at its start, after a semicolon and after a
 * line break. Where a comma separates decimals, they split a table at these, even inside quotation marks.
 */
const formula = /^(?=[=+\-@\t\r])|[;\n](?=(?:[^\S\n]|")*[=+\-@])/g;

/** Returns an address without such a place. An apostrophe in it would lead elsewhere. */
function safeAddress(url: string): string {
  return url.replace(/;(?="*[=+\-@])/g, '%3B');
}
