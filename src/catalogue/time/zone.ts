import { nearest } from '../../problem/nearest.ts';
import { memoize } from './memoize.ts';
import { day, hour, readOffset } from './time.ts';
import databaseZones from './zone-names.json' with { type: 'json' };

/*
 * Offsets come from Intl. TZDate of @date-fns/tz resolves skipped and repeated hours silently, and
 * its tzOffset turns -00:25:21 (Dublin until 1916) into +00:25:21.
 */

/**
 * Whether a source may write this zone: `UTC`, or a name of the database with a slash, in the
 * letter case of the database.
 */
export const isZone = memoize((name: string): boolean => {
  if (name === 'UTC') return true;
  // Intl still accepts the names of SystemV, which the database dropped in 2020.
  if (!name.includes('/') || name.startsWith('SystemV/')) return false;
  try {
    // Intl ignores letter case. It returns a zone under its own name, and a link under the name of
    // the linked zone.
    return formatterOf(name).resolvedOptions().timeZone === name || databaseZones.includes(name);
  } catch {
    return false;
  }
});

/**
 * Returns the zone whose name is most similar to the text in a source, as a suggestion. Returns
 * null if none is.
 */
export const nearestZone = memoize((written: string): string | null => {
  // Neither list has all names: Node may know newer zones than the database, and it does not list
  // links.
  const hostZones = Intl.supportedValuesOf('timeZone').filter((name) => name.includes('/'));
  return nearest(written, [...new Set(['UTC', ...databaseZones, ...hostZones])]);
});

/** Returns how far clocks in a zone are ahead of UTC at an instant, in milliseconds. */
export function offsetAt(zone: string, instant: number): number {
  if (zone === 'UTC') return 0;
  const [, offset = ''] = formatterOf(zone).format(instant).split('GMT');
  return offset === '' ? 0 : offsetOf(offset);
}

/**
 * Returns the instants at which clocks in a zone show a wall time (as if it were UTC): none, one or
 * two, in order.
 */
export function instantsOf(zone: string, wall: number): number[] {
  const steady = steadyOffset(zone, wall);
  if (steady !== null) return [wall - steady];
  const offsets = new Set([offsetAt(zone, wall - day), offsetAt(zone, wall + day)]);
  return [...offsets]
    .map((offset) => wall - offset)
    .filter((instant) => instant + offsetAt(zone, instant) === wall)
    .sort((a, b) => a - b);
}

/**
 * Returns the instant at which a date (its midnight UTC) is over in a zone or, without one,
 * everywhere on Earth (UTC-12).
 */
export function endOfDate(zone: string | null, midnight: number): number {
  const nextMidnight = midnight + day;
  return zone === null ? nextMidnight + 12 * hour : firstInstantFrom(zone, nextMidnight);
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
  return instant + (steadyOffset(zone, instant) ?? offsetAt(zone, instant));
}

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

/**
 * Returns the offset of a zone within a day of an instant or a wall time; null if it may change.
 */
function steadyOffset(zone: string, time: number): number | null {
  return steadyOffsets(zone)(Math.floor(time / day));
}

/** Intl is asked once for every six days, because asking it is slow. */
const steadyOffsets = memoize((zone: string) => {
  const sample = memoize((index: number) => offsetAt(zone, index * sampleDays * day));
  return memoize((dayNumber: number): number | null => {
    const first = Math.floor((dayNumber - 1) / sampleDays);
    const last = Math.ceil((dayNumber + 2) / sampleDays);
    const offset = sample(first);
    for (let index = first + 1; index <= last; index++) if (sample(index) !== offset) return null;
    return offset;
  });
});

/**
 * No change of clocks in Intl's data lasts less than a week, so there is none between two equal
 * samples.
 */
const sampleDays = 6;

const formatterOf = memoize(
  (zone: string) =>
    // Only with the hour, because without any field Intl formats the date as well, which is slower.
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      timeZoneName: 'longOffset',
      hour: 'numeric',
    }),
);

const offsetOf = memoize(readOffset);
