import { hostDatabase, hostOffsetAt, isHostZone, stretch, zoneNames } from './host-zones.ts';
import { day, second } from './time.ts';
import type { ZoneTable } from './zone-table.ts';
import { changeBetween } from './zone.ts';

/** The table of every zone that Node knows by a name with a slash. Takes a second; the bundle is made with it. */
export function makeZoneTable(): ZoneTable {
  const groups = new Map<string, string[]>();
  for (const name of zoneNames().filter(isHostZone)) {
    const clocks = JSON.stringify(clocksOf(name));
    groups.set(clocks, [...(groups.get(clocks) ?? []), name]);
  }
  return {
    database: hostDatabase(),
    from,
    to,
    groups: [...groups].map(([clocks, zones]) => ({ zones: zones.join(' '), clocks })),
  };
}

/** Most of what a catalogue holds is here; Intl is asked for the rest. */
const [from, to] = [Date.UTC(2020, 0), Date.UTC(2036, 0)] as const;

/** The offset at the beginning, then each change and the offset after it: seconds. */
function clocksOf(zone: string): number[] {
  const offsetAt = (instant: number): number => hostOffsetAt(zone, instant);
  let offset = offsetAt(from);
  const clocks = [offset / second];
  for (let start = from; start < to; start += stretch * day) {
    const end = Math.min(start + stretch * day, to);
    if (offsetAt(end) === offset) continue;
    const change = changeBetween(offsetAt, start, end);
    offset = offsetAt(end);
    clocks.push((change - from) / second, offset / second);
  }
  return clocks;
}
