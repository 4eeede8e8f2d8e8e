import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildSite } from '../setup/build-site.ts';

const now = '2026-11-20T12:17:00Z';
const location = { name: 'Cirkus', country: 'SE' };
const events = {
  'tv/drama/ferry': {
    Premiere: {
      starts: '2027-01-15T21:00',
      ends: '2027-01-15T22:30',
      zone: 'Europe/Oslo',
      location,
    },
    Festival: { starts: '2027-02-01', ends: '2027-02-03' },
  },
  'tv/quiz/night': { Final: '2027-03-01' },
};

test('each row of a list is an h-event', async () => {
  const page = readFileSync(
    join(await buildSite(events, now), 'genre/drama-tv/index.html'),
    'utf8',
  );
  const rows = page.match(/<li\s+class="e h-event[^]*?<\/li>/g) ?? [];
  const times = [
    ['datetime="2027-01-15T20:00Z"', 'value="2027-01-15T21:30Z"'],
    ['value="2027-02-01"', 'value="2027-02-03"'],
  ];
  expect(rows).toHaveLength(2);
  for (const [index, [start = '', end = '']] of times.entries()) {
    expect(rows[index]).toMatch(new RegExp(`class="dt-start" ${start}[^]*class="dt-end" ${end}`));
    expect(rows[index]).toMatch(/<a class="t p-name u-url" [^>]*href="[^"]+"/);
  }
  expect(rows[0]).toMatch(/class="p p-location"[^>]*>.*Cirkus/);
});
