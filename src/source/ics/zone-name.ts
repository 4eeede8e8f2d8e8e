import databaseZones from '../../catalogue/time/zone-names.json' with { type: 'json' };
import { hour, minute } from '../../catalogue/time/time.ts';
import { isZone, offsetAt } from '../../catalogue/time/zone.ts';
import windowsNames from './windows-zones.json' with { type: 'json' };

/** The IANA zones of each zone of Windows, the main one first. Outlook writes these names into calendars. */
const windowsZones: Readonly<Record<string, readonly string[]>> = windowsNames;

/** Returns the IANA zone of a TZID: a name of the database, with a prefix, or of Windows. Null for others. */
export function ianaZone(tzid: string): string | null {
  const name = tzid.trim();
  if (name.length > maxNameCharacters) return null;
  if (isZone(name)) return name;
  if (/^(utc|gmt|z|tzone:\/\/microsoft\/utc)$/i.test(name)) return 'UTC';
  const parts = name.split('/');
  const tails = [-3, -2].map((length) => parts.slice(length).join('/'));
  return tails.find(isZone) ?? windowsZone(name) ?? displayedZone(name);
}

/** Longer than any name that a program writes. Each city of a name is compared with all zones. */
const maxNameCharacters = 200;

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

function windowsZone(name: string): string | null {
  return Object.hasOwn(windowsZones, name) ? (windowsZones[name]?.find(isZone) ?? null) : null;
}

/**
 * Returns the zone that Outlook shows as `(UTC-05:00) Eastern Time (US & Canada)` or
 * `(UTC+01:00) Amsterdam, Berlin, Bern`: the Windows zone of that time, or the first of the cities that gives its name
 * to a zone with this offset. Cities without an offset must agree.
 */
function displayedZone(name: string): string | null {
  const [, sign, hours = 0, minutes = 0, places = name] =
    /^\((?:UTC|GMT) ?(?:([+-])(\d\d)[:.](\d\d))?\) *(.+)$/.exec(name) ?? [];
  const time = /^(.+) Time \(/.exec(places)?.[1];
  if (time !== undefined) return windowsZone(`${time} Standard Time`);
  const cities = places.split(/ *[,;:/] */).map((city) => `/${city.replaceAll(' ', '_')}`);
  const zones = cities.flatMap((city) => databaseZones.filter((zone) => zone.endsWith(city))).filter(isZone);
  if (places !== name) {
    const offset = (sign === '-' ? -1 : 1) * (+hours * hour + +minutes * minute);
    return zones.find((zone) => Math.min(...offsetsOf(zone)) === offset) ?? null;
  }
  const [first = null, ...others] = zones;
  const agree = first !== null && others.every((zone) => offsetsOf(zone).join() === offsetsOf(first).join());
  return others.length > 0 && agree ? first : null;
}

/** Returns the offsets of a zone in January and July. The lower one is that of standard time. */
function offsetsOf(zone: string): number[] {
  return [0, 6].map((month) => offsetAt(zone, Date.UTC(2026, month, 15)));
}
