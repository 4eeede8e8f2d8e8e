import type { EventRecord } from '../../../api/documents.ts';
import { renderWhen } from '../../../client/index.ts';
import { grouped } from '../dates.ts';
import type { ShownEvent } from '../event-list.ts';

/** The reader's time zone, and the reader's variety of English, which decides between 12 and 24 hours. */
export const readersZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const english = navigator.languages.find((language) => /^en\b/i.test(language)) ?? 'en-GB';

/** Returns the calendar date of an instant in the reader's zone, as `YYYY-MM-DD`. */
export function readersDay(instant: number): string {
  return dayFormat.format(instant);
}

/**
 * Returns events in the reader's time zone, ordered by the reader's days. An event known by its date alone keeps that
 * date (the event time rule, specification 1).
 */
export function shownEvents(events: readonly EventRecord[]): ShownEvent[] {
  return events.map(shownEvent).sort((a, b) => compare(keyOf(a), keyOf(b)));
}

/** Describes a time left, in milliseconds, as days, as hours and minutes, or as minutes and seconds. */
export function countdown(left: number, withSeconds: boolean): string {
  const seconds = Math.max(0, Math.floor(left / 1000));
  const [days, hours, minutes] = [86_400, 3600, 60].map((unit) => Math.floor(seconds / unit)) as [
    number,
    number,
    number,
  ];
  if (days >= 2) return `in ${grouped(days)} days`;
  if (hours >= 1) return `in ${hours} h ${minutes % 60} min`;
  if (!withSeconds) return minutes === 0 ? 'in less than a minute' : `in ${minutes} min`;
  return minutes === 0 ? `in ${seconds} s` : `in ${minutes} min ${seconds % 60} s`;
}

// Swedish dates are written YYYY-MM-DD.
const dayFormat = new Intl.DateTimeFormat('sv', { year: 'numeric', month: '2-digit', day: '2-digit' });
const zones = new Map<string, string>();
const clocks = new Map<string, Intl.DateTimeFormat>();

function shownEvent(event: EventRecord): ShownEvent {
  if (!event.time_known) return { event, day: event.date, clock: null, there: null };
  const start = Date.parse(event.starts_at);
  return {
    event,
    day: readersDay(start),
    clock: { time: clockTime(event, start), zone: '' },
    there: event.zone !== null && isElsewhere(event.zone) ? inItsZone(event) : null,
  };
}

/** Whether a zone differs from the reader's. Browsers may use an older name: Asia/Calcutta for Asia/Kolkata. */
function isElsewhere(zone: string): boolean {
  let known = zones.get(zone);
  if (known === undefined) zones.set(zone, (known = browserName(zone)));
  return known !== readersZone;
}

/** Returns the browser's name of a zone, or the same name if the browser does not know the zone. */
function browserName(zone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return zone;
  }
}

/** Returns the local time of the event, or null if the browser does not know its zone. */
function inItsZone(event: EventRecord): string | null {
  try {
    return `${renderWhen(event, english, event.zone)} (${event.zone})`;
  } catch {
    return null;
  }
}

/** Formats a start to its precision: `21:00`, `21:00:30`, and `21 h` or `9 pm` if the minutes are not known. */
function clockTime({ precision }: EventRecord, start: number): string {
  // A full hour in one zone is half past the hour in some others.
  const isHour = precision === 'hour' && clockOf('minute').formatToParts(start).some(isFullHour);
  const time = clockOf(isHour ? 'hour' : precision === 'second' ? 'second' : 'minute').format(start);
  return /^\d+$/.test(time) ? `${time} h` : time;
}

function isFullHour({ type, value }: Intl.DateTimeFormatPart): boolean {
  return type === 'minute' && +value === 0;
}

function clockOf(finest: 'hour' | 'minute' | 'second'): Intl.DateTimeFormat {
  let clock = clocks.get(finest);
  if (clock === undefined) {
    clock = new Intl.DateTimeFormat(english, {
      hour: 'numeric',
      ...(finest !== 'hour' && { minute: '2-digit' }),
      ...(finest === 'second' && { second: '2-digit' }),
    });
    clocks.set(finest, clock);
  }
  return clock;
}

/** Within a day, events without a clock time come first. */
function keyOf({ event, day, clock }: ShownEvent): string {
  return `${day} ${clock === null ? '' : event.starts_at} ${event.id}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
