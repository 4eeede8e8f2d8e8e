import type { EventRecord } from '../api/documents.ts';
import { inBatches, type JoinedRenderer } from './joined.ts';
import { byStart, type ListedEvent } from './records.ts';

type Cell = (record: EventRecord) => string | number | boolean | null | undefined;

/** A new field of an event or of its details is a compile error here. */
type Columns =
  | Exclude<keyof EventRecord, 'details' | 'extra'>
  | keyof NonNullable<EventRecord['details']>;

/** How a table writes each column, in this order. */
const columns: Readonly<Record<Columns, Cell>> & Readonly<Record<string, Cell>> = {
  id: ({ id }) => id,
  title: ({ title }) => title,
  subject_id: ({ subject }) => subject.id,
  subject: ({ subject }) => subject.name,
  genre: ({ genre }) => genre,
  category: ({ category }) => category,
  // A spreadsheet would show an instant that is not real as a time of day.
  starts_at: ({ time_known, starts_at }) => (time_known ? starts_at : null),
  ends_at: ({ time_known, ends_at }) => (time_known ? ends_at : null),
  date: ({ date }) => date,
  end_date: ({ end_date }) => end_date,
  zone: ({ zone }) => zone,
  time_known: ({ time_known }) => time_known,
  precision: ({ precision }) => precision,
  location: ({ location }) => location?.name,
  address: ({ location }) => location?.address,
  country: ({ location }) => location?.country,
  latitude: ({ location }) => location?.latitude,
  longitude: ({ location }) => location?.longitude,
  url: ({ url }) => url,
  upcoming_until: ({ upcoming_until }) => upcoming_until,
  over_at: ({ over_at }) => over_at,
  status: ({ status }) => status,
  tags: ({ tags }) => tags.join(' '),
  description: ({ details }) => details?.description,
  image: ({ details }) => details?.image?.url,
  attendance: ({ details }) => details?.attendance,
  organizer: ({ details }) => details?.organizer?.name,
  source: ({ details }) => details?.source,
  updated_at: ({ updated_at }) => updated_at,
  // Spreadsheets read a date and a time only with a space between them.
  starts_local: ({ starts_local }) => starts_local?.replace('T', ' '),
};

const cells = Object.values(columns);

/**
 * Renders the events that are upcoming or under way as a table (RFC 4180). Own fields are between
 * two null characters in front of a row until those of all genres are known.
 */
export const csv: JoinedRenderer = {
  // Excel reads a table as UTF-8 only if it begins with a byte order mark.
  head: (_, extraKeys = []) => `\ufeff${[...Object.keys(columns), ...extraKeys].join(',')}\r\n`,
  widen: (rows, extraKeys) =>
    rows.replace(
      /(?:\0([^\0]*)\0)?((?:[^"\r\0]|"[^"]*")+)\r\n/g,
      (_, json: string | undefined, row: string) => {
        const extra = JSON.parse(json ?? '{}') as Extra;
        return `${row},${extraCells(extra, extraKeys).join(',')}\r\n`;
      },
    ),
  separator: '',
  tail: '',
  *render({ upcoming, under_way }) {
    const events = under_way.length === 0 ? upcoming : [...under_way, ...upcoming].sort(byStart);
    for (const batch of inBatches(events)) yield batch.map(csvRow);
  },
};

function csvRow({ record }: ListedEvent): string {
  const row = cells.map((cell) => cellText(cell(record))).join(',');
  return `${record.extra === null ? '' : `\0${JSON.stringify(record.extra)}\0`}${row}\r\n`;
}

type Extra = NonNullable<EventRecord['extra']>;

function extraCells(extra: Extra, keys: readonly string[]): string[] {
  const values = keys.map((key) => extra[key]);
  return values.map((value) => cellText(Array.isArray(value) ? value.join(', ') : value));
}

function cellText(value: ReturnType<Cell>): string {
  if (typeof value !== 'string') return String(value ?? '');
  // An apostrophe in an address would lead elsewhere.
  const isAddress = value.startsWith('https://');
  const text = isAddress ? value.replace(/;(?="*[=+\-@])/g, '%3B') : value.replace(formula, "$&'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Where an apostrophe keeps spreadsheets from running a text as a formula: at its start, after a
 * semicolon and after a line break. Where a comma separates decimals, they split a table at these,
 * even inside quotation marks.
 */
const formula = /^(?=[=+\-@\t\r])|[;\n](?=(?:[^\S\n]|")*[=+\-@])/g;
