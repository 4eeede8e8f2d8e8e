import { day } from '../../catalogue/time/time.ts';
import { FoundError, readDuration, type Length } from './ical.ts';
import { readMoment, type Moment } from './moment.ts';
import type { Clocks } from './time-zone.ts';

type WrittenStart = { readonly moment: Moment; readonly text: string };

/** Reads how long an event lasts from its DTEND or DURATION. Throws if it ends before it starts. */
export function readLength(line: string, start: WrittenStart, clocks: Clocks): Length {
  const isDuration = /^DURATION[:;]/i.test(line);
  const length = isDuration ? readDuration(line) : lengthBetween(start, readMoment(line, clocks), line);
  if (length.days < 0 || length.milliseconds < 0) {
    throw new FoundError({ code: 'ends-before-starts', found: line, starts: start.text });
  }
  return length;
}

/** Reads how long a period lasts from its end, a time or a duration. Returns null if that cannot be read. */
export function readPeriod(start: Moment, end: string, tzid: string | null, clocks: Clocks): Length | null {
  const zone = tzid === null || end.endsWith('Z') ? '' : `;TZID="${tzid}"`;
  const line = end.startsWith('P') ? `DURATION:${end}` : `DTEND${zone}:${end}`;
  try {
    return readLength(line, { moment: start, text: '' }, clocks);
  } catch {
    return null;
  }
}

/** Each occurrence of a repeating event lasts exactly as long (RFC 5545, section 3.8.5.3). */
function lengthBetween({ moment: start, text }: WrittenStart, end: Moment, line: string): Length {
  if (start.isDate !== end.isDate) throw new FoundError({ code: 'ends-imprecise', found: line, starts: text });
  // A date that ends when it starts means that day.
  if (start.isDate) return { days: end.wall === start.wall ? 1 : (end.wall - start.wall) / day, milliseconds: 0 };
  if (start.clock === null) return { days: 0, milliseconds: end.wall - start.wall };
  const endsAt = (end.clock ?? start.clock).instantAt(end.wall);
  return { days: 0, milliseconds: endsAt - start.clock.instantAt(start.wall) };
}

/** Returns the instant at which an event that starts at a moment ends; for dates and floating times, the wall time. */
export function endAfter({ wall, isDate, clock }: Moment, { days, milliseconds }: Length): number {
  const date = wall + days * day;
  if (isDate) return date + Math.ceil(milliseconds / day) * day;
  return (clock === null ? date : clock.instantAt(date)) + milliseconds;
}

/** Returns how long an occurrence lasts at most, in milliseconds. */
export function longestOf(length: Length | null): number {
  return length === null ? 0 : Math.min(length.days * day + length.milliseconds, maxLength);
}

/** Longer occurrences count as this long; otherwise a rule would be expanded from a time long ago. */
const maxLength = 366 * day;
