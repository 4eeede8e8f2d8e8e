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

/** Returns the IANA zone of an old name without a slash, which a VTIMEZONE of that name may contradict. */
export function oldZone(tzid: string): string | null {
  return oldZones.get(tzid.trim()) ?? null;
}

const oldZones: ReadonlyMap<string, string> = new Map(
  `CET Europe/Brussels, CST6CDT America/Chicago, Cuba America/Havana, EET Europe/Athens, EST America/Panama,
  EST5EDT America/New_York, Egypt Africa/Cairo, Eire Europe/Dublin, GB Europe/London, GB-Eire Europe/London,
  HST Pacific/Honolulu, Hongkong Asia/Hong_Kong, Iceland Atlantic/Reykjavik, Iran Asia/Tehran, Israel Asia/Jerusalem,
  Jamaica America/Jamaica, Japan Asia/Tokyo, Kwajalein Pacific/Kwajalein, Libya Africa/Tripoli, MET Europe/Brussels,
  MST America/Phoenix, MST7MDT America/Denver, NZ Pacific/Auckland, NZ-CHAT Pacific/Chatham, Navajo America/Denver,
  PRC Asia/Shanghai, PST8PDT America/Los_Angeles, Poland Europe/Warsaw, Portugal Europe/Lisbon, ROC Asia/Taipei,
  ROK Asia/Seoul, Singapore Asia/Singapore, Turkey Europe/Istanbul, W-SU Europe/Moscow, WET Europe/Lisbon`
    .split(/,\s+/)
    .map((pair) => pair.split(' ') as [string, string]),
);

/** Outlook shows the zone Eastern Standard Time as `(UTC-05:00) Eastern Time (US & Canada)`. */
function windowsZone(written: string): string | null {
  const name = written.replace(/^\((?:UTC|GMT) ?[+-]\d\d[:.]\d\d\) *(.+) Time \(.*$/, '$1 Standard Time');
  return Object.hasOwn(windowsZones, name) ? (windowsZones[name]?.find(isZone) ?? null) : null;
}
