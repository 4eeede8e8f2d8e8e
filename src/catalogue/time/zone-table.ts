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
   * The changes until the rule holds, in order: the instant in UTC and the offset from then on, as
   * `2026-03-08T05:00Z -04:00`. The first is the offset at the start of 2020.
   */
  readonly changes?: readonly string[];
  /** What they do after the last change, as {@link readClockRule} reads it. */
  readonly rule: string;
  readonly zones: readonly string[];
}

/** The version of the time zone database that the table has, such as `2026f`. */
export const { version: zoneTableVersion } = table;

/** The first instant of the table, in milliseconds since the Unix epoch. */
export const tableStart = Date.UTC(2020, 0);

/** The clocks of each zone and link, by name. */
export const clocksByZone = new Map<string, Clocks>();
for (const clocks of table.clocks) for (const zone of clocks.zones) clocksByZone.set(zone, clocks);

/**
 * Returns how far clocks in a zone of the table are ahead of UTC, for an instant from 2020 on; both
 * in milliseconds. Throws for another zone.
 */
export const tableOffsetsOf = memoize(readOffsets);

function readOffsets(zone: string) {
  const { changes = [], rule } = clocksByZone.get(zone) ?? { rule: zone };
  const offsetByRule = readClockRule(rule);
  const steps = changes.map((change) => {
    const [instant = '', offset = ''] = change.split(' ');
    return {
      instant: Date.parse(instant),
      offset: readOffset(offset),
    };
  });
  const last = steps.at(-1);
  return (instant: number) => {
    const step = steps.findLast((candidate) => candidate.instant <= instant);
    if (step === undefined || step === last) return offsetByRule(instant);
    return step.offset;
  };
}
