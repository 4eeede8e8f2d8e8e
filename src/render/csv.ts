import type { EventRecord } from '../api/documents.ts';
import { inBatches, type JoinedRenderer } from './joined.ts';
import { byStart, type ListedEvent } from './records.ts';

type CellValue = string | number | boolean | null | undefined;
type Cell = ((record: EventRecord) => CellValue) | null;

/** A new field of an event or of its details is a compile error here. */
type Columns =
  | Exclude<keyof EventRecord, 'details' | 'extra'>
  | keyof NonNullable<EventRecord['details']>;

/** How a table writes each column, in this order. Null: the field of that name. */
const columns: Readonly<Record<Columns, Cell>> & Readonly<Record<string, Cell>> = {
  id: null,
  title: null,
  subject_id: ({ subject }) => subject.id,
  subject: ({ subject }) => subject.name,
  genre: null,
  category: null,
  // A spreadsheet would show an instant that is not real as a time of day.
  starts_at: ({ time_known, starts_at }) => (time_known ? starts_at : null),
  ends_at: ({ time_known, ends_at }) => (time_known ? ends_at : null),
  date: null,
  end_date: null,
  zone: null,
  time_known: null,
  precision: null,
  location: ({ location }) => location?.name,
  address: ({ location }) => location?.address,
  country: ({ location }) => location?.country,
  latitude: ({ location }) => location?.latitude,
  longitude: ({ location }) => location?.longitude,
  url: null,
  upcoming_until: null,
  over_at: null,
  status: null,
  tags: ({ tags }) => tags.join(' '),
  description: ({ details }) => details?.description,
  image: ({ details }) => details?.image?.url,
  attendance: ({ details }) => details?.attendance,
  organizer: ({ details }) => details?.organizer?.name,
  source: ({ details }) => details?.source,
  updated_at: null,
  // Spreadsheets read a date and a time only with a space between them.
  starts_local: ({ starts_local }) => starts_local?.replace('T', ' '),
};

const cells = Object.entries(columns).map(
  ([name, cell]) =>
    cell ?? ((record: EventRecord) => record[name as keyof EventRecord] as CellValue),
);

/**
 * Renders the events that are upcoming or under way as a table (RFC 4180). Own fields are between
 * two null characters in front of a row until those of all genres are known.
 */
export const csv: JoinedRenderer = {
  // Excel reads a table as UTF-8 only if it begins with a byte order mark.
  head: (_, extraKeys = []) => `\ufeff${[...Object.keys(columns), ...extraKeys].join(',')}\r\n`,
  widen: (rows, extraKeys) =>
    rows.replace(markedRow, (_, json: string | undefined, row: string) => {
      const extra = JSON.parse(json ?? '{}') as Extra;
      return `${row},${extraCells(extra, extraKeys).join(',')}\r\n`;
    }),
  separator: '',
  tail: '',
  *render({ upcoming, under_way }) {
    const events = under_way.length === 0 ? upcoming : [...under_way, ...upcoming].sort(byStart);
    for (const batch of inBatches(events)) yield batch.map(csvRow);
  },
};

/** A row with its own fields in front of it. */
const markedRow = /(?:\0([^\0]*)\0)?((?:[^"\r\0]|"[^"]*")+)\r\n/g;

function csvRow({ record }: ListedEvent): string {
  const { extra } = record;
  const row = cells.map((cell) => cellText(cell(record)));
  const mark = extra === null ? '' : `\0${JSON.stringify(extra)}\0`;
  return `${mark}${row.join(',')}\r\n`;
}

type Extra = NonNullable<EventRecord['extra']>;

function extraCells(extra: Extra, keys: readonly string[]): string[] {
  return keys.map((key) => {
    const value = extra[key];
    return cellText(Array.isArray(value) ? value.join(', ') : value);
  });
}

function cellText(value: CellValue): string {
  if (typeof value !== 'string') return String(value ?? '');
  // An apostrophe in an address would lead elsewhere.
  const text = value.startsWith('https://')
    ? value.replace(/;(?="*[=+\-@])/g, '%3B')
    : value.replace(formula, "$&'");
  if (/[",\r\n]/.test(text)) return `"${text.replaceAll('"', '""')}"`;
  return text;
}

/**
 * Where an apostrophe keeps spreadsheets from running a text as a formula: at its start, after a
 * semicolon and after a line break. Where a comma separates decimals, they split a table at these,
 * even inside quotation marks.
 */
const formula = /^(?=[=+\-@\t\r])|[;\n](?=(?:[^\S\n]|")*[=+\-@])/g;
