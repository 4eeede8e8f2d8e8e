import { createRequire } from 'node:module';
import { isZone } from '../../catalogue/time/zone.ts';

/**
 * The IANA zone that a calendar's own name for it stands for: a name of the database, one with a prefix as Mozilla and
 * libical write it, one of Windows as Outlook and Exchange write it. Null where it is none of them.
 */
export function ianaZone(tzid: string): string | null {
  const name = tzid.trim();
  if (isZone(name)) return name;
  if (/^(utc|gmt|z|tzone:\/\/microsoft\/utc)$/i.test(name)) return 'UTC';
  const parts = name.split('/');
  const tails = [-3, -2].map((length) => parts.slice(length).join('/'));
  return tails.find(isZone) ?? windowsZone(name);
}

function windowsZone(name: string): string | null {
  windows ??= createRequire(import.meta.url)('windows-iana') as WindowsZones;
  return windows.findIana(name).find(isZone) ?? null;
}

interface WindowsZones {
  readonly findIana: (name: string) => readonly string[];
}

/** Loaded when a calendar has a name that the database does not know. */
let windows: WindowsZones | null = null;
