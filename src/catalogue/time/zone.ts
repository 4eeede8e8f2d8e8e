import { nearest } from '../../problem/nearest.ts';
import { memoize } from './memoize.ts';
import { day, hour, readOffset } from './time.ts';
import { clocksByZone, tableOffsetsOf, tableStart } from './zone-table.ts';

/**
 * The zones that a source may write: `UTC`, and the names of the database with a slash. The others,
 * such as EST, are no places.
 */
export const zoneNames: ReadonlySet<string> = new Set(
  [...clocksByZone.keys()].filter((name) => name === 'UTC' || name.includes('/')),
);

/** Whether a source may write this zone, in the letter case of the database. */
export function isZone(name: string): boolean {
  return zoneNames.has(name);
}

/**
 * Returns the zone whose name is most similar to the text in a source, as a suggestion. Returns
 * null if none is.
 */
export const nearestZone = memoize((text: string) => nearest(text, [...zoneNames]));

/** Returns how far clocks in a zone are ahead of UTC at an instant, in milliseconds. */
export function offsetAt(zone: string, instant: number): number {
  if (instant < tableStart) return offsetBefore(zone, instant);
  return tableOffsetsOf(zone)(instant);
}

/**
 * Asks Intl. TZDate of @date-fns/tz resolves skipped and repeated hours silently, and its tzOffset
 * turns -00:25:21 (Dublin until 1916) into +00:25:21.
 */
function offsetBefore(zone: string, instant: number): number {
  const formatter = formatterOf(zone);
  if (formatter === null) return tableOffsetsOf(zone)(tableStart);
  const [, offset = ''] = formatter.format(instant).split('GMT');
  return readOffset(offset);
}

/** Returns null for a zone that is newer than the database of this runtime. */
const formatterOf = memoize((zone: string) => {
  try {
    // Only with the hour, because without any field Intl formats the date as well, which is slower.
    return new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      timeZoneName: 'longOffset',
      hour: 'numeric',
    });
  } catch {
    return null;
  }
});

/**
 * Returns the instants at which clocks in a zone show a wall time (as if it were UTC): none, one or
 * two, in order.
 */
export function instantsOf(zone: string, wall: number): number[] {
  // No change of clocks lasts less than a week, so two days have one change at most.
  const before = offsetAt(zone, wall - day);
  const after = offsetAt(zone, wall + day);
  if (before === after) return [wall - before];
  return [before, after]
    .map((offset) => wall - offset)
    .filter((instant) => wallAt(zone, instant) === wall);
}

/**
 * Returns the instant at which a date (its midnight UTC) is over in a zone or, without one,
 * everywhere on Earth (UTC-12).
 */
export function endOfDate(zone: string | null, midnight: number): number {
  const nextMidnight = midnight + day;
  if (zone === null) return nextMidnight + 12 * hour;
  return firstInstantFrom(zone, nextMidnight);
}

/**
 * Returns the first instant at which clocks in a zone show a wall time or, if they skip it,
 * anything later.
 */
export function firstInstantFrom(zone: string, wall: number): number {
  return instantsOf(zone, wall)[0] ?? changeBetween(zone, wall - 2 * day, wall + 2 * day);
}

/** Returns the wall time (as if it were UTC) that clocks in a zone show at an instant. */
export function wallAt(zone: string, instant: number): number {
  return instant + offsetAt(zone, instant);
}

function changeBetween(zone: string, from: number, to: number): number {
  const offset = offsetAt(zone, from);
  let before = from;
  let after = to;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetAt(zone, middle) === offset) before = middle;
    else after = middle;
  }
  return after;
}
