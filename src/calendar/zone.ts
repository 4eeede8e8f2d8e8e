import { createRequire } from 'node:module';
import { nearest } from '../nearest.ts';
import { day, hour, minute, second } from './time.ts';

/** Whether `name` is a zone that a source may write: `UTC`, or a database name with a slash, in the database's letter case. */
export function isZone(name: string): boolean {
  let known = judged.get(name);
  if (known === undefined) {
    known = name === 'UTC' || (name.includes('/') && zoneNames().has(name) && hostKnows(name));
    judged.set(name, known);
  }
  return known;
}

/** The zone most like what was written, to suggest; null where none is near. */
export function nearestZone(written: string): string | null {
  return nearest(
    written,
    ['UTC', ...zoneNames()].filter((name) => name === 'UTC' || name.includes('/')),
  );
}

/** How far clocks in `zone` are ahead of UTC at `instant`, in milliseconds. */
export function offsetAt(zone: string, instant: number): number {
  if (zone === 'UTC') return 0;
  // Not tzOffset of @date-fns/tz: 1.5.0 turns -00:25:21 (Dublin until 1916) into +00:25:21.
  const written = formatterOf(zone).format(instant).split('GMT')[1] ?? '';
  let offset = readOffsets.get(written);
  if (offset === undefined) {
    offset = readOffset(written);
    readOffsets.set(written, offset);
  }
  return offset;
}

/**
 * Every instant at which clocks in `zone` show `wall` (a wall time read as if it were UTC), earliest first:
 * none where the clocks skip it, two where they show it twice.
 */
export function instantsOf(zone: string, wall: number): number[] {
  const today = Math.floor(wall / day);
  const before = offsetOnDay(zone, today - 1);
  if (before === offsetOnDay(zone, today + 2)) return [wall - before];
  const offsets = new Set([offsetAt(zone, wall - day), offsetAt(zone, wall + day)]);
  return [...offsets]
    .map((offset) => wall - offset)
    .filter((instant) => instant + offsetAt(zone, instant) === wall)
    .sort((a, b) => a - b);
}

/** The first instant at which clocks in `zone` show `wall` or, where they skip it, anything later. */
export function firstInstantFrom(zone: string, wall: number): number {
  const [first] = instantsOf(zone, wall);
  return first ?? changeBetween(zone, wall - 2 * day, wall + 2 * day);
}

/** The wall time (read as if it were UTC) that clocks in `zone` show at `instant`. */
export function wallAt(zone: string, instant: number): number {
  const today = Math.floor(instant / day);
  const offset = offsetOnDay(zone, today);
  return instant + (offset === offsetOnDay(zone, today + 1) ? offset : offsetAt(zone, instant));
}

const judged = new Map<string, boolean>();
const formatters = new Map<string, Intl.DateTimeFormat>();
const readOffsets = new Map<string, number>([['', 0]]);
const dayOffsets = new Map<string, Map<number, number>>();
let names: ReadonlySet<string> | null = null;

/** The database's names, links included, which Intl alone does not list; and those of the host, which may be newer. */
function zoneNames(): ReadonlySet<string> {
  if (names === null) {
    const database = createRequire(import.meta.url)('tzdata') as { zones: Record<string, unknown> };
    names = new Set([...Object.keys(database.zones), ...Intl.supportedValuesOf('timeZone')]);
  }
  return names;
}

function hostKnows(name: string): boolean {
  try {
    formatterOf(name);
    return true;
  } catch {
    return false;
  }
}

function formatterOf(zone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(zone);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
    formatters.set(zone, formatter);
  }
  return formatter;
}

/** The offset at 00:00 UTC of a day (counted from 1970): most days share it with their neighbours, so few need Intl. */
function offsetOnDay(zone: string, dayNumber: number): number {
  let offsets = dayOffsets.get(zone);
  if (offsets === undefined) dayOffsets.set(zone, (offsets = new Map()));
  let offset = offsets.get(dayNumber);
  if (offset === undefined) offsets.set(dayNumber, (offset = offsetAt(zone, dayNumber * day)));
  return offset;
}

function readOffset(written: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = written.slice(1).split(':').map(Number);
  return (written.startsWith('-') ? -1 : 1) * (hours * hour + minutes * minute + seconds * second);
}

/** The instant between two others at which the zone's offset changes from the first one's. */
function changeBetween(zone: string, from: number, to: number): number {
  const offset = offsetAt(zone, from);
  let [before, after] = [from, to];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetAt(zone, middle) === offset) before = middle;
    else after = middle;
  }
  return after;
}
