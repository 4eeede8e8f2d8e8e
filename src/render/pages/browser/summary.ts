import type { EventsDocument } from '../../../api/documents.ts';
import { grouped, monthTitle, plural } from '../dates.ts';
import { isOpen } from '../month-strip.ts';
import type { Choice } from './choice.ts';
import type { Gathered } from './documents.ts';

/** The events that match a choice. */
export interface Found extends Gathered {
  /** The number of events that match. */
  readonly count: number;
}

/** The number of rows to show, and of lists to read for them. Grows when the reader asks for more. */
export interface Extent {
  readonly rows: number;
  readonly lists: number;
}

/** The extent at first, which is also the step by which it grows. */
export const atOnce: Extent = { rows: 200, lists: 150 };

/** Whether all events of a month were read. Null stands for all months. */
export function isComplete({ reach }: Pick<Gathered, 'reach'>, month: string | null): boolean {
  return reach === null || (month !== null && !isOpen(month) && month < reach.slice(0, 7));
}

/** Describes how many events match, and which lists are incomplete. */
export function summaryOf(found: Found, choice: Choice, genreName: (id: string) => string): string {
  const { count, capped, left, isWide } = found;
  const isIncomplete = isWide && !isComplete(found, choice.month);
  return [
    count === 0 ? noneOf(found, choice) : someOf(found, choice),
    ...(isIncomplete && capped.length > 0 ? [limitsOf(capped, choice.search !== '', genreName)] : []),
    ...(isIncomplete && left > 0 ? [`${plural(left, 'list')} ${left === 1 ? 'was' : 'were'} not read yet.`] : []),
  ].join(' ');
}

/** Returns what the button below the list offers, or null if there are no more events. */
export function moreOf(
  { count, total, events, left, reach, isWide }: Found,
  { genre, month }: Choice,
  { rows }: Extent,
): { readonly wants: keyof Extent | 'all'; readonly label: string } | null {
  if (count > rows) return { wants: 'rows', label: `Show ${grouped(Math.min(atOnce.rows, count - rows))} more` };
  if (left > 0) return { wants: 'lists', label: `Read ${plural(Math.min(atOnce.lists, left), 'more list')}` };
  const canWiden = !isWide && reach !== null && genre === null && month === null;
  return canWiden ? { wants: 'all', label: `Show the other ${plural(total - events.length, 'event')}` } : null;
}

function someOf({ count, total, reach, isWide }: Found, { search, month }: Choice): string {
  if (search !== '') return `${plural(count, 'event')} with “${search}”${when(month)}.`;
  if (reach !== null && !isWide && month === null)
    return `First ${grouped(count)} of ${plural(total, 'upcoming event')}.`;
  return `${plural(count, 'upcoming event')}${when(month)}.`;
}

function noneOf(found: Found, { search, month }: Choice): string {
  if (found.left > 0) return `Nothing ${search === '' ? '' : `with “${search}” `}was found yet${when(month)}.`;
  if (search !== '') return `Nothing coming up matches “${search}”${when(month)}.`;
  if (isComplete(found, month)) return `Nothing is coming up${when(month)}.`;
  return `Nothing is listed${when(month)}, but not every list reaches that far.`;
}

function limitsOf(capped: readonly EventsDocument[], isSearch: boolean, genreName: (id: string) => string): string {
  const parts = capped.map(({ filters, events, total }) => {
    const name = filters.genre === null ? 'events' : genreName(filters.genre);
    return `the last ${grouped(total - events.length)} of ${grouped(total)} ${name}`;
  });
  const named = parts.length > 3 ? [...parts.slice(0, 3), `parts of ${plural(parts.length - 3, 'more list')}`] : parts;
  return `${isSearch ? 'Not searched' : 'Not listed'}: ${named.join('; ')}.`;
}

function when(month: string | null): string {
  if (month === null) return '';
  return isOpen(month) ? ` from ${monthTitle(month)} on` : ` in ${monthTitle(month)}`;
}
