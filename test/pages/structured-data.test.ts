import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { lastingFolder, readTree } from '../setup/folders.ts';
import { buildSite } from '../setup/build-site.ts';

/*
 * What the pages say to search engines, as TypeScript reads it: schema-dts is made of the
 * definitions of schema.org, and names each property that a type has, with the types of its values.
 */

const now = '2026-11-20T12:00:00Z';
const place = {
  name: 'Town hall',
  address: '1 Main Street',
  country: 'CH',
  latitude: 47.4,
  longitude: 8.5,
};
const facts = {
  description: 'One line\nand </script> another',
  image: { url: 'https://example.org/talk.jpg', alt: 'A "hall"' },
  attendance: 'hybrid',
  organizer: { name: 'Film & <Club>', url: 'https://example.org/club' },
  source: 'https://example.org/source',
  tags: ['talks'],
  status: 'tentative',
};
const site = readTree(
  await buildSite(
    {
      'film/premieres/quiet-picture': {
        Screening: {
          starts: '2026-12-01T20:00',
          zone: 'Asia/Tokyo',
          ends: '2026-12-01T22:00',
          location: place,
        },
        Release: '2026-12-01',
        Festival: { starts: '2026-12-04', ends: '2026-12-06', location: { name: 'Everywhere' } },
        Exhibition: { starts: '2026-11-01', ends: '2026-12-31' },
        Talk: {
          starts: '2026-12-02T18',
          zone: 'Europe/Berlin',
          url: 'https://example.org/talk',
          ...facts,
        },
        Gala: { starts: '2026-12-03', cancelled: true },
      },
    },
    now,
    { cwd: lastingFolder(), source: lastingFolder() },
  ),
);

type Item = Readonly<Record<string, unknown>>;

/** The structured data of all pages, each once. */
const items: readonly Item[] = [
  ...new Set(
    [...site]
      .filter(([path]) => path.endsWith('.html'))
      .flatMap(([, page]) => [
        ...String(page).matchAll(/<script type="application\/ld\+json">([^]*?)<\/script>/g),
      ])
      .map(([, text = '']) => text),
  ),
].flatMap((text) => {
  const { '@graph': graph, ...context } = JSON.parse(text) as {
    readonly '@graph': readonly Item[];
  };
  return graph.map((item) => ({ ...context, ...item }));
});

/**
 * Google's name of the term in the address of a search, which schema.org leaves to those who define
 * actions.
 */
const searchable =
  "Exclude<WebSite, string> & { potentialAction?: SearchAction & { 'query-input'?: string } }";

/** Returns what TypeScript finds wrong with some data. */
async function problemsOf(data: readonly Item[]): Promise<string> {
  const folder = resolve('test/.output/structured-data');
  const file = join(folder, 'data.ts');
  const typeOf = ({ '@type': type }: Item): string =>
    type === 'WebSite' ? searchable : String(type);
  const lines = data.map(
    (item, n) =>
      `export const item${n}: WithContext<${typeOf(item)}> = ${JSON.stringify(item, null, 2)};\n`,
  );
  const names = 'BreadcrumbList, Dataset, Event, SearchAction, WebSite, WithContext';
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `import type { ${names} } from 'schema-dts';\n${lines.join('')}`);
  const options = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'nodenext',
    '--ignoreConfig',
  ];
  return promisify(execFile)('node_modules/.bin/tsc', [...options, file]).then(
    () => '',
    ({ stdout }: { readonly stdout: string }) => stdout,
  );
}

test('structured data are as schema.org defines them', async () => {
  const types = items.map((item) => item['@type']);
  expect(new Set(types)).toEqual(new Set(['WebSite', 'Dataset', 'BreadcrumbList', 'Event']));
  expect(await problemsOf(items)).toBe('');
});

const scheduled = 'https://schema.org/EventScheduled';

test.each<[title: string, expected: Item]>([
  [
    'Screening',
    {
      startDate: '2026-12-01T20:00+09:00',
      endDate: '2026-12-01T22:00+09:00',
      location: {
        '@type': 'Place',
        name: 'Town hall',
        address: { '@type': 'PostalAddress', streetAddress: '1 Main Street', addressCountry: 'CH' },
        geo: { '@type': 'GeoCoordinates', latitude: 47.4, longitude: 8.5 },
      },
    },
  ],
  ['Release', { startDate: '2026-12-01' }],
  [
    'Festival',
    {
      startDate: '2026-12-04',
      endDate: '2026-12-06',
      location: { '@type': 'Place', name: 'Everywhere' },
    },
  ],
  ['Exhibition', { startDate: '2026-11-01', endDate: '2026-12-31' }],
  [
    'Talk',
    {
      startDate: '2026-12-02T18+01:00',
      url: 'https://example.org/talk',
      description: facts.description,
      image: facts.image.url,
      eventAttendanceMode: 'https://schema.org/MixedEventAttendanceMode',
      organizer: { '@type': 'Organization', ...facts.organizer },
    },
  ],
  ['Gala', { startDate: '2026-12-03', eventStatus: 'https://schema.org/EventCancelled' }],
])('%s has what its source says of it', (title, expected) => {
  const item = items.find(({ name }) => name === `quiet-picture: ${title}`);
  expect(item).toMatchObject({ eventStatus: scheduled, ...expected });
});

test('what a source does not say is left out', () => {
  expect(Object.keys(items.find(({ name }) => name === 'quiet-picture: Release') ?? {})).toEqual([
    '@context',
    '@type',
    '@id',
    'name',
    'url',
    'eventStatus',
    'startDate',
  ]);
});

test('only a page that shows a picture of another host may load it', () => {
  const pages = [...site]
    .filter(([path]) => path.endsWith('.html'))
    .map(([path, page]) => ({ path, page: String(page) }));
  const withPicture = pages.filter(({ page }) => page.includes('<img'));
  expect(withPicture.map(({ path }) => path)).toEqual([
    'genre/premieres-film/quiet-picture/index.html',
  ]);
  expect(pages.filter(({ page }) => page.includes(' https:;'))).toEqual(withPicture);
  const page = withPicture[0]?.page;
  expect(page).toContain(
    '<img src="https://example.org/talk.jpg" alt="A &#34;hall&#34;" loading="lazy" />',
  );
  expect(page).toContain('<p><bdi>One line\nand &#60;/script&#62; another</bdi></p>');
});
