import { memoize } from './memoize.ts';

/** Units of time in milliseconds. */
export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** Formats an instant (milliseconds since the Unix epoch) as ISO 8601 in UTC: `2027-01-16T02:00:00.000Z`. */
export function isoInstant(instant: number): string {
  const { date, clock } = textsOf(instant);
  return date.iso + clock.iso;
}

/** Formats an instant in the basic form of ISO 8601, in whole seconds: `20270116T020000Z`. */
export function basicInstant(instant: number): string {
  const { date, clock } = textsOf(instant);
  return date.basic + clock.basic;
}

/** Formats the date of an instant in the basic form of ISO 8601: `20270116`. */
export function basicDate(instant: number): string {
  return dateTexts(dayOf(instant)).basic;
}

/** Formats the date of an instant, or of a wall time that is given as if it were UTC: `2027-01-16`. */
export function isoDate(instant: number): string {
  return dateTexts(dayOf(instant)).iso;
}

/** Formats the month of an instant: `2027-01`. */
export function isoMonth(instant: number): string {
  return dateTexts(dayOf(instant)).month;
}

/** Formats an offset from UTC in milliseconds as `±hh:mm`, or as `±hh:mm:ss` if it has seconds. */
export function isoOffset(offset: number): string {
  const total = Math.abs(offset) / second;
  const fields = [Math.floor(total / 3600), Math.floor(total / 60) % 60, ...(total % 60 === 0 ? [] : [total % 60])];
  return (offset < 0 ? '-' : '+') + fields.map((field) => String(field).padStart(2, '0')).join(':');
}

/** Returns the milliseconds of an offset in the format of {@link isoOffset}. */
export function readOffset(text: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = text.slice(1).split(':').map(Number);
  const size = hours * hour + minutes * minute + seconds * second;
  return text.startsWith('-') ? -size : size;
}

/** The texts of an instant are cached by date and by clock time, because a catalogue repeats both. */
const dateTexts = memoize((dayNumber: number) => {
  const iso = new Date(dayNumber * day).toISOString().slice(0, 'yyyy-mm-dd'.length);
  return { iso, basic: iso.replaceAll('-', ''), month: iso.slice(0, 'yyyy-mm'.length) };
});

const clockTexts = memoize((sinceMidnight: number) => {
  const iso = new Date(sinceMidnight).toISOString().slice('yyyy-mm-dd'.length);
  return { iso, basic: iso.replace(/\.\d+/, '').replaceAll(':', '') };
});

/** An instant is formatted several times in a row. */
let previous = { instant: 0, date: dateTexts(0), clock: clockTexts(0) };

function textsOf(instant: number): typeof previous {
  if (instant === previous.instant) return previous;
  const dayNumber = dayOf(instant);
  previous = { instant, date: dateTexts(dayNumber), clock: clockTexts(instant - dayNumber * day) };
  return previous;
}

function dayOf(instant: number): number {
  return Math.floor(instant / day);
}
