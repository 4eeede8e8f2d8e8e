import { nearest } from '../../problem/nearest.ts';
import { hostOffsetAt, isHostZone, stretch, zoneNames } from './host-zones.ts';
import { day } from './time.ts';

/** Whether `name` is a zone that a source may write: `UTC`, or a database name with a slash, in the database's letter case. */
export function isZone(name: string): boolean {
  let known = judged.get(name);
  if (known === undefined) {
    known = name === 'UTC' || (name.includes('/') && isHostZone(name));
    judged.set(name, known);
  }
  return known;
}

/** The zone most like what was written, to suggest; null where none is near. */
export function nearestZone(written: string): string | null {
  let near = nearestTo.get(written);
  if (near === undefined) {
    allowed ??= ['UTC', ...zoneNames()];
    near = nearest(written, allowed);
    nearestTo.set(written, near);
  }
  return near;
}

let allowed: readonly string[] | undefined;
/** What is wrong in one event is often wrong in thousands. */
const nearestTo = new Map<string, string | null>();

/** How far clocks in `zone` are ahead of UTC at `instant`, in milliseconds. */
export function offsetAt(zone: string, instant: number): number {
  if (zone === 'UTC') return 0;
  return hostOffsetAt(zone, instant);
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
  return before === offsetOn(today + 2) ? [wall - before] : instantsNearChange(zone, wall);
}

/** The same where clocks are changed nearby. Apart, so that V8 need not compile it with all that calls the other. */
function instantsNearChange(zone: string, wall: number): number[] {
  const offsets = new Set([offsetAt(zone, wall - day), offsetAt(zone, wall + day)]);
  return [...offsets]
    .map((offset) => wall - offset)
    .filter((instant) => instant + offsetAt(zone, instant) === wall)
    .sort((a, b) => a - b);
}

/** The first instant at which clocks in `zone` show `wall` or, where they skip it, anything later. */
export function firstInstantFrom(zone: string, wall: number): number {
  return (
    instantsOf(zone, wall)[0] ?? changeBetween((instant) => offsetAt(zone, instant), wall - 2 * day, wall + 2 * day)
  );
}

/** The wall time (read as if it were UTC) that clocks in `zone` show at `instant`. */
export function wallAt(zone: string, instant: number): number {
  const offsetOn = offsetsOf(zone);
  const today = Math.floor(instant / day);
  const offset = offsetOn(today);
  return instant + (offset === offsetOn(today + 1) ? offset : offsetAt(zone, instant));
}

/** The instant between two others at which a zone's offset changes from the first one's. */
export function changeBetween(offsetOf: (instant: number) => number, from: number, to: number): number {
  const offset = offsetOf(from);
  let [before, after] = [from, to];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetOf(middle) === offset) before = middle;
    else after = middle;
  }
  return after;
}

const judged = new Map<string, boolean>();
const remembered = new Map<string, OffsetOnDay>();

/** The offset of a zone at 00:00 UTC of a day, counted from 1970. */
type OffsetOnDay = (dayNumber: number) => number;

function offsetsOf(zone: string): OffsetOnDay {
  let known = remembered.get(zone);
  if (known === undefined) remembered.set(zone, (known = rememberOffsets(zone)));
  return known;
}

/** The days of the years 1900 to 2999, and a month around them. */
const [firstDay, lastDay] = [Date.UTC(1899, 11) / day, Date.UTC(3000, 1) / day] as const;

/** Remembers a zone's offsets, so that few days are looked up. Memory is taken only for the years that are asked for. */
function rememberOffsets(zone: string): OffsetOnDay {
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
