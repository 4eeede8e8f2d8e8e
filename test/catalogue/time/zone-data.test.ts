import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findOldZones, fingerprintOf } from '../../../src/catalogue/time/zone-data.ts';
import { isUpdate } from '../../setup/golden.ts';

const path = (name: string): string =>
  join(import.meta.dirname, '../../../src/catalogue/time', name);
const names = JSON.parse(readFileSync(path('zone-names.json'), 'utf8')) as string[];
const table = JSON.parse(readFileSync(path('zone-fingerprints.json'), 'utf8')) as Parameters<
  typeof findOldZones
>[2] &
  object;
const runtime = process.versions['tz'] ?? '';

/** The names that the database of the runtime has. It may be older than the list. */
function known(): string[] {
  return names.filter((name) => {
    try {
      return fingerprintOf(name) !== '';
    } catch {
      return false;
    }
  });
}

test.runIf(isUpdate ? runtime >= table.version : runtime === table.version)(
  'the table has the fingerprints of the database of this runtime',
  () => {
    const fingerprints = Object.fromEntries(known().map((name) => [name, fingerprintOf(name)]));
    const current = { version: runtime, fingerprints };
    if (isUpdate) writeFileSync(path('zone-fingerprints.json'), `${JSON.stringify(current)}\n`);
    expect(isUpdate ? current : table).toEqual(current);
  },
);

test('finds the zones that an older database has otherwise', () => {
  const fingerprints = {
    'Europe/Berlin': fingerprintOf('Europe/Berlin'),
    'America/Vancouver': 'other',
  };
  const find = (version: string, zone: string): unknown =>
    findOldZones(version, new Set([zone]), { version: '2026c', fingerprints });
  const none = { newest: '2026c', zones: [] };
  expect(find('2025c', 'America/Vancouver')).toEqual({
    newest: '2026c',
    zones: ['America/Vancouver'],
  });
  expect(find('2026c', 'America/Vancouver')).toEqual(none);
  expect(find('2027a', 'America/Vancouver')).toEqual(none);
  expect(find('2025c', 'Europe/Berlin')).toEqual(none);
  expect(find('2025c', 'Pacific/New')).toEqual(none);
  expect(find('2025c', '__proto__')).toEqual(none);
});

test('knows the zones in which Node.js 20 is an hour off', () => {
  const { zones } = findOldZones(runtime, new Set(names));
  const expected = [
    'Africa/Casablanca',
    'Africa/El_Aaiun',
    'America/Edmonton',
    'America/Vancouver',
  ];
  expect(zones.filter((zone) => expected.includes(zone))).toEqual(runtime < '2026' ? expected : []);
  expect(zones.length).toBeLessThan(50);
});
