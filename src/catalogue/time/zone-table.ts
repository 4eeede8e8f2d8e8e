import { readClockRule } from './clock-rule.ts';
import { memoize } from './memoize.ts';
import { readOffset } from './time.ts';
import table from './zone-table.json' with { type: 'json' };

/*
 * What a wall time means depends on the time zone database. The one of Node.js may be years old, so
 * almanac has a table of its own, which `npm run zones` writes.
 */

/** What clocks do from 2020 on in zones where they show the same. */
export interface Clocks {
  /**
   * The changes before the rule holds, in order: the instant in UTC, and the offset from then on,
   * as `2026-03-08T05:00Z -04:00`. The first is the offset at the start of 2020.
   */
  readonly changes?: readonly string[];
  /** What they do in all other years, as {@link readClockRule} reads it. */
  readonly rule: string;
  readonly zones: readonly string[];
}

/** The version of the time zone database that the table has, such as `2026f`. */
export const { version: zoneTableVersion } = table;

/** The first instant of the table, in milliseconds since the Unix epoch. */
export const tableStart = Date.UTC(2020, 0);

const allClocks: readonly Clocks[] = table.clocks;
const clocksByZone = new Map(
  allClocks.flatMap((clocks) => clocks.zones.map((zone) => [zone, clocks] as const)),
);

/** All names of zones and links in the database. */
export const zoneNames: ReadonlySet<string> = new Set(clocksByZone.keys());

/**
 * Returns how far clocks in a zone of {@link zoneNames} are ahead of UTC at an instant from 2020 on,
 * in milliseconds.
 */
export function tableOffset(zone: string, instant: number): number {
  return offsetsOf(zone)(instant);
}

const offsetsOf = memoize((zone: string) => {
  const clocks = clocksByZone.get(zone);
  if (clocks === undefined) throw new Error(`no zone of the table: ${zone}`);
  return readClocks(clocks);
});

/** Returns the offset from UTC for an instant, both in milliseconds. */
function readClocks({ changes = [], rule }: Clocks): (instant: number) => number {
  const byRule = readClockRule(rule);
  const steps = changes.map((change) => {
    const [instant = '', offset = ''] = change.split(' ');
    return { instant: Date.parse(instant), offset: readOffset(offset) };
  });
  const ruleStart = steps.at(-1)?.instant ?? tableStart;
  return (instant) => {
    if (instant >= ruleStart) return byRule(instant);
    const step = steps.findLast((candidate) => candidate.instant <= instant) ?? steps[0];
    return step?.offset ?? byRule(instant);
  };
}
