import { day } from '../catalogue/time/time.ts';

/** Returns the date `count` days after another, both as `2027-01-15`. */
export function dateAfter(date: string, count = 1): string {
  return new Date(Date.parse(date) + count * day).toISOString().slice(0, date.length);
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
