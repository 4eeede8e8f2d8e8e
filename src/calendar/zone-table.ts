import { second } from './time.ts';

/** The offsets of zones over some years, as one version of the time zone database has them. */
export interface ZoneTable {
  readonly database: string | null;
  /** The first instant that the table tells of, and the first after those: milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  /** Zones whose clocks agree over all of it. Most tell the time of one other at least. */
  readonly groups: readonly ZoneGroup[];
}

interface ZoneGroup {
  /** Names with spaces between them. */
  readonly zones: string;
  /**
   * JSON: the offset at the beginning and, for each change, the seconds from the beginning to it and the offset after
   * it. Offsets in seconds.
   */
  readonly clocks: string;
}

/** What a table tells. */
export interface Table {
  readonly has: (zone: string) => boolean;
  /** How far clocks in `zone` are ahead of UTC at `instant`, in milliseconds; null where the table does not say. */
  readonly offsetAt: (zone: string, instant: number) => number | null;
}

/** Opens a table; one of another version than `database`, or of none that is known, tells nothing. */
export function openTable(table: ZoneTable | null, database: string | null): Table {
  if (table === null || database === null || table.database !== database) return silent;
  const { from, to, groups } = table;
  const groupOf = new Map(groups.flatMap((group) => group.zones.split(' ').map((zone) => [zone, group] as const)));
  const read = new Map<ZoneGroup, readonly number[]>();
  return {
    has: (zone) => groupOf.has(zone),
    offsetAt: (zone, instant) => {
      const group = groupOf.get(zone);
      if (group === undefined || instant < from || instant >= to) return null;
      let clocks = read.get(group);
      if (clocks === undefined) read.set(group, (clocks = JSON.parse(group.clocks) as readonly number[]));
      return offsetIn(clocks, (instant - from) / second) * second;
    },
  };
}

const silent: Table = { has: () => false, offsetAt: () => null };

/** The offset after the last change that is not later than `since`. */
function offsetIn(clocks: readonly number[], since: number): number {
  let index = clocks.length - 1;
  while (index > 0 && (clocks[index - 1] ?? 0) > since) index -= 2;
  return clocks[index] ?? 0;
}
