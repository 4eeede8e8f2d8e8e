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
  const dayNumber = dayOf(instant);
  return remembered(days, dayNumber, dayText) + remembered(clocks, instant - dayNumber * day, clockText);
}

/** An instant in the basic form of ISO 8601, whole seconds: `20270116T020000Z`. */
export function basicInstant(instant: number): string {
  const dayNumber = dayOf(instant);
  return remembered(basicDays, dayNumber, basicDay) + remembered(basicClocks, instant - dayNumber * day, basicClock);
}

/** The date of an instant in the basic form of ISO 8601: `20270116`. */
export function basicDate(instant: number): string {
  return remembered(basicDays, dayOf(instant), basicDay);
}

/** The calendar date `YYYY-MM-DD` that a clock shows whose wall time, read as if it were UTC, is `wall`. */
export function isoDate(wall: number): string {
  return remembered(days, dayOf(wall), dayText);
}

/** The month `YYYY-MM` of an instant. */
export function isoMonth(instant: number): string {
  return remembered(months, dayOf(instant), monthText);
}

/** An offset from UTC in milliseconds as `±hh:mm`, with `:ss` where the zone's history has seconds. */
export function isoOffset(offset: number): string {
  const total = Math.abs(offset) / second;
  const fields = [Math.floor(total / 3600), Math.floor(total / 60) % 60, ...(total % 60 === 0 ? [] : [total % 60])];
  return (offset < 0 ? '-' : '+') + fields.map((field) => String(field).padStart(2, '0')).join(':');
}

const days = new Map<number, string>();
const clocks = new Map<number, string>();
const months = new Map<number, string>();
const basicDays = new Map<number, string>();
const basicClocks = new Map<number, string>();

function dayOf(instant: number): number {
  return Math.floor(instant / day);
}

function remembered(texts: Map<number, string>, key: number, write: (key: number) => string): string {
  let text = texts.get(key);
  if (text === undefined) texts.set(key, (text = write(key)));
  return text;
}

function dayText(dayNumber: number): string {
  return new Date(dayNumber * day).toISOString().replace(/T.*/, '');
}

function clockText(sinceMidnight: number): string {
  return new Date(sinceMidnight).toISOString().slice('1970-01-01'.length);
}

function monthText(dayNumber: number): string {
  return dayText(dayNumber).slice(0, -'-dd'.length);
}

function basicDay(dayNumber: number): string {
  return dayText(dayNumber).replaceAll('-', '');
}

function basicClock(sinceMidnight: number): string {
  return `${clockText(sinceMidnight).replaceAll(':', '').slice(0, 'Thhmmss'.length)}Z`;
}
