import { csvColumns } from '../../api/joined.ts';
import type { Event } from '../../catalogue/model.ts';
import { isoInstant } from '../../catalogue/time/time.ts';

type Cell = (event: Event) => string;

const none: Cell = () => '';

/** How a table gives each of its columns. What is null in JSON is empty. */
const cells: Readonly<Record<(typeof csvColumns)[number], Cell>> = {
  id: ({ id }) => id,
  title: ({ title }) => textCell(title),
  subject_id: ({ subject }) => subject.id,
  subject: ({ subject }) => textCell(subject.name),
  genre: ({ genre }) => genre.id,
  category: ({ genre }) => genre.category,
  // A spreadsheet would show an instant that is not real as a time of day.
  starts_at: ({ precision, startsAt }) => (precision === 'day' ? '' : isoInstant(startsAt)),
  ends_at: none,
  date: ({ date }) => date,
  end_date: none,
  zone: ({ zone }) => zone ?? '',
  time_known: ({ precision }) => (precision === 'day' ? 'false' : 'true'),
  precision: ({ precision }) => precision,
  location: none,
  address: none,
  country: none,
  latitude: none,
  longitude: none,
  url: ({ details, subject }) => quoted(details.url ?? subject.url ?? ''),
  upcoming_until: ({ upcomingUntil }) => isoInstant(upcomingUntil),
  over_at: none,
};

const [first, ...others] = csvColumns.map((column) => cells[column]);

/** Serializes an event as a row of a table with its line break (RFC 4180). */
export function csvRow(event: Event): string {
  let row = first?.(event) ?? '';
  for (const cell of others) row += `,${cell(event)}`;
  return `${row}\r\n`;
}

/** Returns the cell of a text. An apostrophe keeps spreadsheets from running it as a formula. */
function textCell(text: string): string {
  return quoted(formula.test(text) ? `'${text}` : text);
}

const formula = /^[=+\-@\t\r]/;

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
