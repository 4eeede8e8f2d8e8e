import { nearest } from '../nearest.ts';
import { day, hour, minute, second } from './time.ts';
import { databaseZones } from './zone-names.generated.ts';

/** Whether `name` is a zone that a source may write: `UTC`, or a database name with a slash, in the database's letter case. */
export function isZone(name: string): boolean {
  let known = judged.get(name);
  if (known === undefined) {
    known = name === 'UTC' || (name.includes('/') && isInDatabase(name));
    judged.set(name, known);
  }
  return known;
}

/** The zone most like what was written, to suggest; null where none is near. */
export function nearestZone(written: string): string | null {
  const ofHost = Intl.supportedValuesOf('timeZone').filter((name) => name.includes('/'));
  return nearest(written, ['UTC', ...new Set([...databaseZones, ...ofHost])]);
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
  const offsetOn = offsetsOf(zone);
  const today = Math.floor(wall / day);
  const before = offsetOn(today - 1);
  // Clocks that are not changed within a day of it show it once.
  if (before === offsetOn(today + 2)) return [wall - before];
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
  const offsetOn = offsetsOf(zone);
  const today = Math.floor(instant / day);
  const offset = offsetOn(today);
  return instant + (offset === offsetOn(today + 1) ? offset : offsetAt(zone, instant));
}

const judged = new Map<string, boolean>();
const formatters = new Map<string, Intl.DateTimeFormat>();
const readOffsets = new Map<string, number>([['', 0]]);
const tables = new Map<string, OffsetOnDay>();

/** Whether a name with a slash is in the database, in this letter case, and known to the host. */
function isInDatabase(name: string): boolean {
  try {
    // Intl takes any letter case, and answers with its own name for a zone: for a link, with that of another one.
    return formatterOf(name).resolvedOptions().timeZone === name || namedZones.has(name);
  } catch {
    return false;
  }
}

const namedZones: ReadonlySet<string> = new Set(databaseZones);

function formatterOf(zone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(zone);
  if (formatter === undefined) {
    // Without an hour it would write the date as well, which takes half as long again.
    formatter = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset', hour: 'numeric' });
    formatters.set(zone, formatter);
  }
  return formatter;
}

/** The offset of a zone at 00:00 UTC of a day, counted from 1970. */
type OffsetOnDay = (dayNumber: number) => number;

function offsetsOf(zone: string): OffsetOnDay {
  let table = tables.get(zone);
  if (table === undefined) tables.set(zone, (table = tableOf(zone)));
  return table;
}

/** The days of the years 1900 to 2999, and a month around them. */
const [firstDay, lastDay] = [Date.UTC(1899, 11) / day, Date.UTC(3000, 1) / day] as const;

/**
 * Where the offset is the same at both ends of so many days, it is the same on all of them: the shortest time that
 * Intl knows clocks to have been changed for is a week (Recife in October 2000).
 */
export const stretch = 6;

/** Remembers a zone's offsets, so that few days need Intl. Memory is taken only for the years that are asked for. */
function tableOf(zone: string): OffsetOnDay {
  const blocks: (Int32Array | undefined)[] = [];
  const blockOf = (index: number): Int32Array =>
    (blocks[Math.floor(index / blockDays)] ??= new Int32Array(blockDays).fill(unknown));
  const look = (index: number): number => {
    const block = blockOf(index);
    const known = block[index % blockDays] ?? unknown;
    return known === unknown ? (block[index % blockDays] = offsetAt(zone, (firstDay + index) * day)) : known;
  };
  return (dayNumber) => {
    const index = dayNumber - firstDay;
    if (index < 0 || dayNumber >= lastDay) return offsetAt(zone, dayNumber * day);
    const known = blockOf(index)[index % blockDays] ?? unknown;
    if (known !== unknown) return known;
    const from = index - (index % stretch);
    const offset = look(from);
    if (offset !== look(from + stretch)) return look(index);
    blockOf(from).fill(offset, from % blockDays, (from % blockDays) + stretch);
    return offset;
  };
}

/** A multiple of a stretch. Small, for Node counts what arrays take whether it is used or not, and collects garbage. */
const blockDays = 85 * stretch;
const unknown = 0x7fff_ffff;

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
