import { day, isoDate } from './time.ts';
import { endOfDate } from './zone.ts';

/** A month, quarter, half or year for which an event is announced that has no date yet. */
export interface Period {
  /** As its source writes it: `2027-06`, `2027-Q2`, `2027-H1` or `2027`. */
  readonly period: string;
  /** Its first and last date, `YYYY-MM-DD`. */
  readonly window: { readonly from: string; readonly until: string };
  /** The instant at which its last date is over, in milliseconds since the Unix epoch. */
  readonly announcedUntil: number;
}

/** Reads a period in a zone, or everywhere on Earth without one. Returns null if the text has another shape. */
export function readPeriod(written: string, zone: string | null): Period | null {
  const [, year, month, quarter, half] = pattern.exec(written) ?? [];
  if (year === undefined) return null;
  const [length, number] = month ? [1, +month] : quarter ? [3, +quarter] : half ? [6, +half] : [12, 1];
  const from = Date.UTC(+year, (number - 1) * length);
  const lastDay = Date.UTC(+year, number * length) - day;
  const window = { from: isoDate(from), until: isoDate(lastDay) };
  return { period: written, window, announcedUntil: endOfDate(zone, lastDay) };
}

const pattern = /^(\d{4})(?:-(?:(0[1-9]|1[0-2])|Q([1-4])|H([12])))?$/;
