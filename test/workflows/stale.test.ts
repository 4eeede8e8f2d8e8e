import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder, writeTree } from '../setup/folders.ts';

const script = join(import.meta.dirname, '../../.github/scripts/stale.mjs');
const readme = `
- **films**: a list
  of some months ago. Snapshot: 2026-07-31.
- **games**: read lately. Snapshot: 2026-09.
- **holidays**: calculated.
`;
const subject = (...events: readonly object[]): object => ({ name: 'Any', events });

test('stale subjects and old sources are listed', () => {
  const data = writeTree(tempFolder(), {
    'README.md': readme,
    'service.json': { name: 'Any' },
    '.schemas/any/subject.json': {},
    'tv/category.json': { name: 'Any' },
    'tv/drama/genre.json': { name: 'Any' },
    'tv/drama/over.json': subject(
      { starts: '2027-01-29' },
      { starts: '2027-01-30T20:00', zone: 'Europe/Oslo' },
    ),
    'tv/drama/cancelled.json': subject(
      { starts: '2026-05-01' },
      { starts: '2029-05-01', cancelled: true },
    ),
    'tv/drama/empty.json': subject(),
    'tv/drama/under-way.json': subject({ starts: '2027-01-30', ends: '2027-02-02' }),
    'tv/drama/tonight.json': subject({
      starts: '2027-01-31T20:00',
      ends: '22:00',
      zone: 'Europe/Oslo',
    }),
    'tv/drama/month.json': subject({ starts: '2027-03' }),
    'tv/drama/quarter.json': subject({ starts: '2027-Q1' }),
    'tv/drama/half.json': subject({ starts: '2026-H2' }),
    'tv/drama/year.json': subject({ starts: '2027' }),
    'tv/drama/later.json': subject({ starts: '2027-01-01' }, { starts: '2027-03-03' }),
  });
  const options = ['--data', data, '--now', '2027-01-31', '--days', '30', '--months', '6'];
  expect(execFileSync(process.execPath, [script, ...options], { encoding: 'utf8' })).toBe(`\
Subjects whose events are all over: 4
  2026-05-01  tv/drama/cancelled.json
  no event    tv/drama/empty.json
  2026-12-31  tv/drama/half.json
  2027-01-30  tv/drama/over.json
Subjects whose events are all over by 2027-03-02: 2
  2027-01-31  tv/drama/tonight.json
  2027-02-02  tv/drama/under-way.json
Sources read before 2026-07-31: 0
`);
  const later = execFileSync(process.execPath, [script, '--data', data, '--now', '2027-02-01'], {
    encoding: 'utf8',
  });
  expect(later).toContain('\nSources read before 2026-08-01: 1\n  2026-07-31  films\n');
});
