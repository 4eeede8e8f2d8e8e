import windowsZones from 'cldr-core/supplemental/windowsZones.json' with { type: 'json' };
import { iso31661Alpha2ToAlpha3 } from 'iso-3166';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clocksByZone } from '../../src/catalogue/time/zone-table.ts';
import { isZone } from '../../src/catalogue/time/zone.ts';
import names from '../../src/readers/ics/windows-zones.json' with { type: 'json' };
import { isUpdate } from '../setup/golden.ts';

/* The names of zones and countries are JSON files, from packages that the program itself does not load. */

const { mapTimezones } = windowsZones.supplemental.windowsZones;
const pairs = mapTimezones.map(({ mapZone }) => ({
  id: mapZone._other,
  territory: mapZone._territory,
  zones: mapZone._type.trim().split(/ +/),
}));

/** CLDR never changes the name of a zone. These are the names of the database. */
const renamed: Readonly<Record<string, string>> = {
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Europe/Kiev': 'Europe/Kyiv',
};

/** Ids of earlier versions of Windows, which CLDR does not have. */
const formerIds = {
  'Armenian Standard Time': 'Asia/Yerevan',
  'Kamchatka Standard Time': 'Asia/Kamchatka',
  'Mexico Standard Time': 'America/Mexico_City',
  'Mexico Standard Time 2': 'America/Mazatlan',
  'Mid-Atlantic Standard Time': 'Etc/GMT+2',
  // Names of the database without a slash.
  EST5EDT: 'America/New_York',
  CST6CDT: 'America/Chicago',
  MST7MDT: 'America/Denver',
  PST8PDT: 'America/Los_Angeles',
};

const ids = Object.fromEntries(
  pairs
    .filter(({ territory }) => territory === '001')
    .map(({ id, zones: [zone = ''] }) => [id, renamed[zone] ?? zone]),
);

test.each<[path: string, content: object]>([
  ['readers/ics/windows-zones.json', { ids: { ...ids, ...formerIds }, shown: names.shown }],
  ['readers/schema/country-codes.json', iso31661Alpha2ToAlpha3],
])('%s is that of its package', (path, content) => {
  const file = join(import.meta.dirname, '../../src', path);
  if (isUpdate) writeFileSync(file, `${JSON.stringify(content)}\n`);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(content);
});

test('every zone of CLDR, and of a Windows name, is one of the table', () => {
  const zones = pairs.flatMap((pair) => pair.zones);
  expect(zones.filter((zone) => !clocksByZone.has(zone))).toEqual([]);
  expect(Object.values(names.ids).filter((zone) => !isZone(zone))).toEqual([]);
});

test('every name that Outlook shows leads to a Windows name', () => {
  const known = new Set(Object.keys(names.ids));
  expect(Object.values(names.shown).filter((id) => !known.has(id))).toEqual([]);
  // Another reader of calendars has these names of earlier versions, with their offsets.
  const require = createRequire(import.meta.url);
  const others = Object.keys(
    require(join(require.resolve('node-ical'), '../windowsZones.json')) as object,
  );
  const shown = others
    .filter((name) => name.startsWith('('))
    .map((name) =>
      name
        .replace(/^\(.*?\) /, '')
        .replace(/ - New$/, '')
        .replace('&', 'and'),
    );
  expect(shown.filter((name) => !Object.hasOwn(names.shown, name))).toEqual([]);
  expect(shown.length).toBeGreaterThan(90);
});
