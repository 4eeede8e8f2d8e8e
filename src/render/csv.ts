import { csvColumns } from '../api/joined.ts';
import type { Event } from '../catalogue/model.ts';
import { isoInstant } from '../catalogue/time/time.ts';

type Cell = (event: Event) => string;

/** How a table writes each of its columns. What is null in JSON is empty. */
const cells: Readonly<Record<(typeof csvColumns)[number], Cell>> = {
  id: ({ id }) => id,
  title: ({ title }) => textCell(title),
  subject_id: ({ subject }) => subject.id,
  subject: ({ subject }) => textCell(subject.name),
  genre: ({ genre }) => genre.id,
  category: ({ genre }) => genre.category,
  // A spreadsheet would show an instant that is not real as a time of day.
  starts_at: ({ precision, startsAt }) => (precision === 'day' ? '' : isoInstant(startsAt)),
  ends_at: ({ precision, end }) => (precision === 'day' || end === null ? '' : isoInstant(end.endsAt)),
  date: ({ date }) => date,
  end_date: ({ end }) => end?.endDate ?? '',
  zone: ({ zone }) => zone ?? '',
  time_known: ({ precision }) => (precision === 'day' ? 'false' : 'true'),
  precision: ({ precision }) => precision,
  location: ({ location }) => textCell(location?.name ?? ''),
  address: ({ location }) => textCell(location?.address ?? ''),
  country: ({ location }) => location?.country ?? '',
  latitude: ({ location }) => String(location?.latitude ?? ''),
  longitude: ({ location }) => String(location?.longitude ?? ''),
  url: ({ details, subject }) => addressCell(details.url ?? subject.url ?? ''),
  upcoming_until: ({ upcomingUntil }) => isoInstant(upcomingUntil),
  over_at: ({ end }) => (end === null ? '' : isoInstant(end.overAt)),
};

const [first, ...others] = csvColumns.map((column) => cells[column]);

/** Serializes an event as a row of a table with its line break (RFC 4180). */
export function csvRow(event: Event): string {
  let row = first?.(event) ?? '';
  for (const cell of others) row += `,${cell(event)}`;
  return `${row}\r\n`;
}

/**
 * Returns the cell of a text. Apostrophes keep spreadsheets from running it as a formula, or what follows a semicolon in
 * it: where a comma separates decimals, they split a table at semicolons, even inside quotation marks.
 */
function textCell(text: string): string {
  return quoted(text.replace(formula, "$&'"));
}

const formula = /^(?=[=+\-@\t\r])|;(?=[\s"]*[=+\-@])/g;

/** Returns the cell of an address, in which an apostrophe would lead elsewhere. */
function addressCell(url: string): string {
  return quoted(url.replace(/;(?="*[=+\-@])/g, '%3B'));
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
