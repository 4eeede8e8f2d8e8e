import { isZone } from '../../catalogue/time/zone.ts';
import windowsNames from './windows-zones.json' with { type: 'json' };

/** The IANA zones of each zone of Windows, the main one first. Outlook writes these names into calendars. */
const windowsZones: Readonly<Record<string, readonly string[]>> = windowsNames;

/** Returns the IANA zone of a TZID: a name of the database, with a prefix, or of Windows. Null for others. */
export function ianaZone(tzid: string): string | null {
  const name = tzid.trim();
  if (isZone(name)) return name;
  if (/^(utc|gmt|z|tzone:\/\/microsoft\/utc)$/i.test(name)) return 'UTC';
  const parts = name.split('/');
  const tails = [-3, -2].map((length) => parts.slice(length).join('/'));
  return tails.find(isZone) ?? windowsZone(name);
}

/** Outlook shows the zone Eastern Standard Time as `(UTC-05:00) Eastern Time (US & Canada)`. */
function windowsZone(written: string): string | null {
  const name = written.replace(/^\((?:UTC|GMT) ?[+-]\d\d[:.]\d\d\) *(.+) Time \(.*$/, '$1 Standard Time');
  return Object.hasOwn(windowsZones, name) ? (windowsZones[name]?.find(isZone) ?? null) : null;
}
