import { readOffset } from './time.ts';
import { databaseZones } from './zone-names.generated.ts';

/** Every name with a slash that the database or Node lists: Node lists few links. Node need not know them all. */
export function zoneNames(): string[] {
  const ofHost = Intl.supportedValuesOf('timeZone').filter((name) => name.includes('/'));
  return [...new Set([...databaseZones, ...ofHost])];
}

/** Whether a name with a slash is in the database, in this letter case, and known to the host. */
export function isHostZone(name: string): boolean {
  // Intl has them still; the database gave them up in 2020.
  if (name.startsWith('SystemV/')) return false;
  try {
    // Intl takes any letter case, and answers with its own name for a zone: for a link, with that of another one.
    return formatterOf(name).resolvedOptions().timeZone === name || namedZones.has(name);
  } catch {
    return false;
  }
}

/** How far clocks in `zone` are ahead of UTC at `instant`, in milliseconds, as Intl has it. */
export function hostOffsetAt(zone: string, instant: number): number {
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
 * Where the offset is the same at both ends of so many days, it is the same on all of them: the shortest time that
 * Intl knows clocks to have been changed for is a week (Recife in October 2000).
 */
export const stretch = 6;

const namedZones: ReadonlySet<string> = new Set(databaseZones);
const formatters = new Map<string, Intl.DateTimeFormat>();
const readOffsets = new Map<string, number>([['', 0]]);

function formatterOf(zone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(zone);
  if (formatter === undefined) {
    // Without an hour it would write the date as well, which takes half as long again.
    formatter = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset', hour: 'numeric' });
    formatters.set(zone, formatter);
  }
  return formatter;
}
