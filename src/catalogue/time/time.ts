import { memoize } from './memoize.ts';

/** Units of time in milliseconds. */
export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/**
 * Formats an instant (milliseconds since the Unix epoch) as ISO 8601 in UTC:
 * `2027-01-16T02:00:00.000Z`.
 */
export function isoInstant(instant: number): string {
  const date = dayOf(instant);
  return dateText(date) + clockText(instant - date * day);
}

/**
 * Formats the date of an instant, or of a wall time that is given as if it were UTC: `2027-01-16`.
 */
export function isoDate(instant: number): string {
  return dateText(dayOf(instant));
}

/** Formats an offset from UTC in milliseconds as `±hh:mm`, or as `±hh:mm:ss` if it has seconds. */
export function isoOffset(offset: number): string {
  const total = Math.abs(offset) / second;
  const fields = [
    Math.floor(total / 3600),
    Math.floor(total / 60) % 60,
    ...(total % 60 === 0 ? [] : [total % 60]),
  ];
  return (offset < 0 ? '-' : '+') + fields.map((field) => String(field).padStart(2, '0')).join(':');
}

/** Returns the milliseconds of an offset in the format of {@link isoOffset}. */
export function readOffset(text: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = text.slice(1).split(':').map(Number);
  const size = hours * hour + minutes * minute + seconds * second;
  return text.startsWith('-') ? -size : size;
}

/** Texts are cached by date and by clock time, because a catalogue repeats both. */
const dateText = memoize((dayNumber: number) =>
  new Date(dayNumber * day).toISOString().slice(0, 'yyyy-mm-dd'.length),
);
const clockText = memoize((sinceMidnight: number) =>
  new Date(sinceMidnight).toISOString().slice('yyyy-mm-dd'.length),
);

function dayOf(instant: number): number {
  return Math.floor(instant / day);
}
