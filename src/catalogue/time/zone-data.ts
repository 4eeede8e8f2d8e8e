import { memoize } from './memoize.ts';
import { minute } from './time.ts';
import { offsetAt } from './zone.ts';
import newest from './zone-fingerprints.json' with { type: 'json' };

/*
 * What a wall time means depends on the time zone database of the runtime. The table has a
 * fingerprint of each zone in the newest database that was known when almanac was compiled.
 */

/** A version of the database, such as `2026c`, and the fingerprints of its zones. */
interface ZoneData {
  readonly version: string;
  readonly fingerprints: Readonly<Record<string, string>>;
}

/**
 * Returns a text that differs if clocks in a zone differ between 2020 and 2040, according to the
 * runtime.
 */
export const fingerprintOf = memoize((zone: string): string => {
  let sum = 0;
  for (let instant = first; instant < last; instant += step) {
    sum = (Math.imul(sum, 31) + offsetAt(zone, instant) / minute) | 0;
  }
  return (sum >>> 0).toString(36);
});

const [first, last] = [Date.UTC(2020, 0), Date.UTC(2040, 0)];
/** Clocks that differ do so for longer, or in many years. */
const step = 12 * 86_400_000;

/**
 * Returns the version of the newest database, and the zones whose clocks differ in it if the
 * runtime's is older.
 */
export function findOldZones(
  runtime: string,
  zones: ReadonlySet<string | null>,
  data: ZoneData = newest,
) {
  const { version, fingerprints } = data;
  const isOld = ([zone, fingerprint]: [string, string]) =>
    zones.has(zone) && fingerprint !== fingerprintOf(zone);
  // Versions are years with a letter.
  const old = runtime < version ? Object.entries(fingerprints).filter(isOld) : [];
  return { newest: version, zones: old.map(([zone]) => zone).toSorted() };
}
