import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { replyTo } from '../../src/server/handler.ts';
import { fetchFrom } from '../../src/server/site-folder.ts';
import { buildSite } from '../setup/build-site.ts';

const now = '2026-11-20T12:17:00Z';
const catalogue = '.well-known/api-catalog';
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

test('a host without other services names the interface in its catalogue (RFC 9727)', async () => {
  const site = await buildSite(events, now, { service: { base_url: 'https://example.org' } });
  const request = { method: 'GET', url: `/${catalogue}`, headers: { get: () => null } };
  const { status, headers, body } = await replyTo(request, fetchFrom(site), Date.parse(now));
  expect([status, headers['Content-Type']]).toEqual([200, 'application/linkset+json']);
  const { linkset } = JSON.parse(new TextDecoder().decode(body ?? undefined)) as {
    linkset: object[];
  };
  expect(linkset).toEqual([
    {
      anchor: 'https://example.org/api/v1/',
      'service-desc': [
        { href: 'https://example.org/api/v1/openapi.json', type: 'application/json' },
      ],
      'service-doc': [{ href: 'https://example.org/api/v1/', type: 'text/html' }],
    },
  ]);
  // Below a path, the root of the host is another site.
  expect(existsSync(join(await buildSite(events, now), catalogue))).toBe(false);
});

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
