import { dateAfter } from '../dates.ts';
import { locale, speech } from './page.ts';
import { remembered } from './memory.ts';

/** The reader's time zone, or the one that the reader chose. */
export const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
export const zone = knownZone(remembered().zone) ?? ownZone;

/** Names the zone in which times are shown. */
export const zoneName = zone.replaceAll('_', ' ');

let offset = 0;

/** Returns milliseconds since the Unix epoch, by the clock of the server if the reader's is wrong. */
export function now(): number {
  return Date.now() + offset;
}

/**
 * Uses the clock of the server from now on. `ahead` is how far it is ahead of the reader's, in milliseconds. Returns
 * whether that is a change.
 */
export function correctClock(ahead: number): boolean {
  const isChange = Math.abs(ahead - offset) > 60_000;
  if (isChange) offset = ahead;
  return isChange;
}

/** Returns the calendar date of an instant in the reader's zone, as `YYYY-MM-DD`. */
export function dayOf(instant: number): string {
  return dayFormat.format(instant);
}

export function today(): string {
  return dayOf(now());
}

/** Names today and tomorrow. */
export function nameOfDay(date: string): string | undefined {
  const current = today();
  if (date === current) return speech.text('today');
  return date === dateAfter(current) ? speech.text('tomorrow') : undefined;
}

// Swedish dates are written YYYY-MM-DD.
const dayFormat = new Intl.DateTimeFormat('sv', { year: 'numeric', month: '2-digit', day: '2-digit', timeZone: zone });
const clocks = new Map<string, Intl.DateTimeFormat>();

/** Formats a start to its precision: `21:00`, `21:00:30`, and `21 h` or `9 PM` if the minutes are not known. */
export function timeOf(instant: number, precision: string, timeZone = zone): string {
  // A full hour in one zone is half past the hour in some others.
  const isHour = precision === 'hour' && clock('minute', timeZone).formatToParts(instant).some(isFullHour);
  const time = clock(isHour ? 'hour' : precision === 'second' ? 'second' : 'minute', timeZone).format(instant);
  return /^\d+$/.test(time) ? `${time} h` : time;
}

function isFullHour({ type, value }: Intl.DateTimeFormatPart): boolean {
  return type === 'minute' && +value === 0;
}

function clock(finest: string, timeZone: string): Intl.DateTimeFormat {
  const key = `${finest} ${timeZone}`;
  let format = clocks.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(locale.lang, {
      hour: 'numeric',
      ...(finest !== 'hour' && { minute: '2-digit' }),
      ...(finest === 'second' && { second: '2-digit' }),
      timeZone,
    });
    clocks.set(key, format);
  }
  return format;
}

/** Returns when and where an event is for those who are there, or null if that is the same as for the reader. */
export function timeThere(instant: number, precision: string, place: string): string | null {
  if (knownZone(place) === zone) return null;
  try {
    const time = timeOf(instant, precision, place);
    const day = new Intl.DateTimeFormat(locale.lang, {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      timeZone: place,
    });
    return speech.text('there', { time: `${day.format(instant)}, ${time}`, zone: cityOf(place) });
  } catch {
    return null;
  }
}

/** `New York` for `America/New_York`. */
export function cityOf(place: string): string {
  return (place.split('/').at(-1) ?? place).replaceAll('_', ' ');
}

/** Returns the browser's name of a zone, which may be an older one, or null if it does not know the zone. */
function knownZone(place: string | undefined): string | null {
  if (place === undefined) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: place }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

const hour = 3600_000;
const dayLength = 24 * hour;

/** Describes the time left until an event with a clock time on a day of the reader. `left` is in milliseconds. */
export function timeLeft(left: number, day: string): string {
  const minutes = Math.floor(left / 60_000);
  if (minutes < 1) return speech.text('soon');
  if (minutes < 60) return speech.text('inMinutes', { m: minutes });
  if (left < dayLength) return speech.text('inHours', { h: Math.floor(minutes / 60), m: minutes % 60 });
  return daysLeft(day);
}

const relative = new Intl.RelativeTimeFormat(locale.lang, { numeric: 'auto' });

/** Describes how far a date is from today, by the calendar: in days, then in weeks, months and years. */
export function daysLeft(date: string, mostDays = 27): string {
  const days = Math.round((Date.parse(date) - Date.parse(today())) / dayLength);
  if (days <= mostDays) return relative.format(days, 'day');
  const months = monthsUntil(date);
  if (days < 84) return relative.format(Math.floor(days / 7), 'week');
  return months < 24 ? relative.format(months, 'month') : relative.format(Math.floor(months / 12), 'year');
}

/** The number of whole months from today to a date. */
function monthsUntil(date: string): number {
  const current = today();
  const months = (+date.slice(0, 4) - +current.slice(0, 4)) * 12 + +date.slice(5, 7) - +current.slice(5, 7);
  return date.slice(8) < current.slice(8) ? months - 1 : months;
}

/**
 * Describes the time left until the next event: `0:20:00` on a clock that counts down, or days. `at` is null if only
 * the date is real.
 */
export function countdown(at: number | null, day: string, hasSeconds: boolean): string {
  const left = at === null ? Infinity : at - now();
  if (left >= 48 * hour) return daysLeft(day, 99);
  if (!hasSeconds) return timeLeft(left, day);
  const seconds = Math.max(0, Math.floor(left / 1000));
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
