/** Milliseconds in the units that calendars count in. */
export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/**
 * An instant (milliseconds since 1970) as ISO 8601 UTC with milliseconds and a Z (specification 2.2).
 * Days and clock times come back again and again in a catalogue, so each is written out once.
 */
export function isoInstant(instant: number): string {
  const { date, clock } = textsOf(instant);
  return date.iso + clock.iso;
}

/** An instant in the basic form of ISO 8601, whole seconds: `20270116T020000Z`. */
export function basicInstant(instant: number): string {
  const { date, clock } = textsOf(instant);
  return date.basic + clock.basic;
}

/** The date of an instant in the basic form of ISO 8601: `20270116`. */
export function basicDate(instant: number): string {
  return dateOf(dayOf(instant)).basic;
}

/** The calendar date `YYYY-MM-DD` that a clock shows whose wall time, read as if it were UTC, is `wall`. */
export function isoDate(wall: number): string {
  return dateOf(dayOf(wall)).iso;
}

/** The month `YYYY-MM` of an instant. */
export function isoMonth(instant: number): string {
  return dateOf(dayOf(instant)).month;
}

/** An offset from UTC in milliseconds as `±hh:mm`, with `:ss` where the zone's history has seconds. */
export function isoOffset(offset: number): string {
  const total = Math.abs(offset) / second;
  const fields = [Math.floor(total / 3600), Math.floor(total / 60) % 60, ...(total % 60 === 0 ? [] : [total % 60])];
  return (offset < 0 ? '-' : '+') + fields.map((field) => String(field).padStart(2, '0')).join(':');
}

/** The milliseconds of an offset that is written as {@link isoOffset} writes it. */
export function readOffset(written: string): number {
  const seconds = written.length > '+hh:mm'.length ? +written.slice(7, 9) * second : 0;
  const size = +written.slice(1, 3) * hour + +written.slice(4, 6) * minute + seconds;
  return written.startsWith('-') ? -size : size;
}

/** A date, or the clock time that follows one, as it is written in both forms of ISO 8601. */
interface Written {
  readonly iso: string;
  readonly basic: string;
}
type WrittenDate = Written & { readonly month: string };

const dates = new Map<number, WrittenDate>();
const clocks = new Map<number, Written>();

/** An instant is written several times in a row, so the last one is at hand. */
let last = { instant: 0, date: dateOf(0), clock: clockOf(0) };

function textsOf(instant: number): typeof last {
  if (instant === last.instant) return last;
  const dayNumber = dayOf(instant);
  last = { instant, date: dateOf(dayNumber), clock: clockOf(instant - dayNumber * day) };
  return last;
}

function dayOf(instant: number): number {
  return Math.floor(instant / day);
}

function dateOf(dayNumber: number): WrittenDate {
  return remembered(dates, dayNumber, writeDate);
}

function clockOf(sinceMidnight: number): Written {
  return remembered(clocks, sinceMidnight, writeClock);
}

function remembered<T>(known: Map<number, T>, key: number, write: (key: number) => T): T {
  let written = known.get(key);
  if (written === undefined) known.set(key, (written = write(key)));
  return written;
}

function writeDate(dayNumber: number): WrittenDate {
  const iso = new Date(dayNumber * day).toISOString().slice(0, -'T00:00:00.000Z'.length);
  const month = iso.slice(0, -'-dd'.length);
  return { iso, basic: `${month.slice(0, -'-mm'.length)}${month.slice(-2)}${iso.slice(-2)}`, month };
}

function writeClock(sinceMidnight: number): Written {
  const iso = new Date(sinceMidnight).toISOString().slice('1970-01-01'.length);
  return { iso, basic: iso.replace(/\.\d+/, '').replaceAll(':', '') };
}
