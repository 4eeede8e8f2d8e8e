import type { EventRecord } from '../api/documents.ts';
import { day, minute } from '../catalogue/time/time.ts';

/** Returns the date `count` days after another, both as `2027-01-15`. */
export function dateAfter(date: string, count = 1): string {
  return new Date(Date.parse(date) + count * day).toISOString().slice(0, date.length);
}

/** Returns the month of a date, as `2027-01`. */
export function monthIn(date: string): string {
  return date.slice(0, 'yyyy-mm'.length);
}

/** Returns the month `count` months after another, both as `2027-01`. */
export function monthAfter(month: string, count: number): string {
  const index = +month.slice(0, 4) * 12 + +month.slice(5, 7) - 1 + count;
  return `${String(Math.floor(index / 12)).padStart(4, '0')}-${String((index % 12) + 1).padStart(2, '0')}`;
}

/** Returns the day of the week of a date: 0 for Monday, 6 for Sunday. */
export function weekdayOf(date: string): number {
  return (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;
}

/** Returns the Monday of the week of a date. */
export function mondayOf(date: string): string {
  return dateAfter(date, -weekdayOf(date));
}

/** Returns the dates of a month, such as `2027-02`, in order. */
export function datesIn(month: string): string[] {
  const count = new Date(Date.UTC(+month.slice(0, 4), +month.slice(5), 0)).getUTCDate();
  return Array.from({ length: count }, (_, n) => `${month}-${String(n + 1).padStart(2, '0')}`);
}

/** An event that lasts more days is no news on each of them: its months say once that it is on. */
const maxDays = 31;

/** Whether an event lasts so long that only its first day counts it. */
export function isLasting(from: string, until: string): boolean {
  return until > from && Date.parse(until) - Date.parse(from) >= maxDays * day;
}

/** Returns the dates from the first to the last of an event: only the first of a lasting one. */
export function datesOn(from: string, until: string): string[] {
  if (until <= from || isLasting(from, until)) return [from];
  const count = (Date.parse(until) - Date.parse(from)) / day + 1;
  return Array.from({ length: count }, (_, n) => dateAfter(from, n));
}

/**
 * Returns by how many minutes the clocks where an event happens are ahead of UTC. Null if nobody
 * knows.
 */
export function aheadOf({ starts_at: start, starts_local: local }: EventRecord): number | null {
  return local === null ? null : (Date.parse(`${local}Z`) - Date.parse(start)) / minute;
}
