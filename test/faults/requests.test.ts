import fc from 'fast-check';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EventRecord, EventsDocument, GenresDocument } from '../../src/api/documents.ts';
import { answer, type FetchFile } from '../../src/server/handler.ts';
import { buildFolder, dataOf, type Events } from '../setup/build-site.ts';
import { readTree, tempFolder, writeTree, type Tree } from '../setup/folders.ts';
import { countOf, report } from './counts.ts';
import { hostileTexts } from './source-trees.ts';

const builtAt = Date.parse('2026-11-20T12:17:00Z');
const day = 86_400_000;

const categories = ['tv', 'film', 'empty'];
const genres = ['drama-tv', 'comedy-tv', 'drama-film', 'quiet-film'];

/**
 * Returns a catalogue of three categories. One genre has more events than a response lists, and one
 * has none.
 */
function catalogue(): Tree {
  const counts = { 'tv/drama': 90, 'tv/comedy': 12, 'film/drama': 30, 'film/quiet': 0 };
  const startOf = (index: number): string =>
    new Date(builtAt + ((index * 37) % 97) * 0.1 * day + day).toISOString().replace('.000', '');
  const eventsOf = (count: number): Events[string] =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`Event ${index}`, startOf(index)]),
    );
  const subjects = Object.entries(counts).map(
    ([path, count]) => [`${path}/subject`, eventsOf(count)] as const,
  );
  return { ...dataOf(Object.fromEntries(subjects)), 'empty/category.json': { name: 'Empty' } };
}

interface Site {
  readonly fetchFile: FetchFile;
  readonly events: readonly EventRecord[];
  readonly genres: GenresDocument['genres'];
  readonly documents: ReadonlyMap<string, string>;
}

async function openSite(): Promise<Site> {
  const folder = tempFolder();
  const data = writeTree(join(folder, 'data'), catalogue());
  await buildFolder(data, join(folder, 'dist'), builtAt);
  const documents = new Map(
    [...readTree(join(folder, 'dist'))].map(([path, bytes]) => [path, bytes.toString()]),
  );
  const fetchFile: FetchFile = async (path) => {
    const text = documents.get(path);
    return text === undefined ? new Response(null, { status: 404 }) : new Response(text);
  };
  const { events, total } = JSON.parse(documents.get('api/v1/events.json') ?? '') as EventsDocument;
  expect(events.length).toBe(total);
  const { genres } = JSON.parse(documents.get('api/v1/genres.json') ?? '') as GenresDocument;
  return { fetchFile, events, genres, documents };
}

const often = <T>(usual: readonly T[], odd: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: odd });
const anyText = fc.string({ unit: 'binary', maxLength: 8 });
const oddNames = ['', 'TV', '../x', '%00', 'constructor', '__proto__', 'tv ', ...hostileTexts];

const value = often([...categories, ...genres], fc.oneof(fc.constantFrom(...oddNames), anyText));
const limit = fc.oneof(
  fc.integer({ min: -2, max: 260 }).map(String),
  fc.constantFrom(
    '',
    '0',
    '1',
    '200',
    '201',
    '9'.repeat(40),
    '1.5',
    '1e2',
    'ten',
    '007',
    '+5',
    ' 5',
    '٣',
    '5 ',
  ),
);
const parameter = fc.oneof(
  fc.tuple(
    often(['category', 'genre'], fc.constantFrom('page', 'Limit', 'genre[]', '__proto__')),
    value,
  ),
  fc.tuple(fc.constant('limit'), limit),
);
const operations = ['categories', 'genres', 'events'].flatMap((name) => [
  name,
  `${name}.json`,
  `${name}/`,
]);
const request = fc.record({
  method: often(
    ['GET'],
    fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE', 'PATCH', 'QUERY'),
  ),
  path: often(
    operations.map((name) => `/api/v1/${name}`),
    fc.oneof(
      fc.constantFrom(
        '/',
        '/api/v1',
        '/api/v1/',
        '/404.json',
        '/files.json',
        '//',
        '/api//v1/events',
      ),
      fc.string({ unit: 'binary-ascii' }).map((text) => `/api/v1/${text.replace(/[?#]/g, '')}`),
      fc
        .tuple(value, value)
        .map((parts) => `/api/v1/category/${parts.map(encode).join('/genre/')}/events.json`),
    ),
  ),
  parameters: fc.array(parameter, { maxLength: 3 }),
  /** Text after the parameters, valid or not. */
  raw: often(
    [''],
    fc.constantFrom(
      '%',
      '%zz',
      'genre=%ff',
      'limit=%31',
      '&&',
      '=',
      '?',
      'category[]=tv',
      ';limit=1',
    ),
  ),
  accept: fc.constantFrom(
    null,
    '*/*',
    'text/html',
    'application/json',
    'text/html;q=0.5,application/json',
    ';;q=,',
  ),
  isMatched: fc.boolean(),
  /**
   * The time of the request: before the build, while events expire one by one, or after the last.
   */
  after: fc.integer({ min: -1, max: 12 * 24 }).map((hours) => hours * 3_600_000),
});
type Drawn = typeof request extends fc.Arbitrary<infer R> ? R : never;

test('any request gets one of six statuses, and a list equals all events filtered independently', async () => {
  const site = await openSite();
  const statuses = new Map<number, number>();
  let lists = 0;
  await fc.assert(
    fc.asyncProperty(request, async (drawn) => {
      const now = builtAt + drawn.after;
      const first = await ask(site, drawn, now, null);
      const tag = first.headers.get('etag');
      const answered = drawn.isMatched && tag !== null ? await ask(site, drawn, now, tag) : first;
      expect([200, 204, 304, 400, 404, 405]).toContain(answered.status);
      expect(answered.headers.get('access-control-allow-origin')).toBe('*');
      statuses.set(answered.status, (statuses.get(answered.status) ?? 0) + 1);
      const body = await first.text();
      if (drawn.method !== 'GET') return;
      const expected = expectedList(site, drawn, now);
      if (expected === null) return;
      lists++;
      expect([first.status, first.status === 200 ? JSON.parse(body) : null]).toEqual(expected);
    }),
    { numRuns: countOf('requests'), seed: countOf('seed') },
  );
  const counted = [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${count} × ${status}`);
  expect(lists).toBeGreaterThan(countOf('requests') / 3);
  report(
    `${countOf('requests')} requests: ${counted.join(', ')}; ${lists} answers equal to an independent filter`,
  );
});

function ask(
  { fetchFile }: Site,
  { method, path, parameters, raw, accept }: Drawn,
  now: number,
  tag: string | null,
) {
  const pairs = parameters.map((pair) => pair.map(encode).join('='));
  const query = [...pairs, ...(raw === '' ? [] : [raw])].join('&');
  const headers = new Headers();
  if (accept !== null) headers.set('Accept', accept);
  if (tag !== null) headers.set('If-None-Match', tag);
  return answer({ method, url: path + (query === '' ? '' : `?${query}`), headers }, fetchFile, now);
}

/**
 * Returns the expected status and list, computed from the unfiltered documents, or null if no list
 * is requested.
 */
function expectedList(
  site: Site,
  { path, parameters, raw }: Drawn,
  now: number,
): [number, unknown] | null {
  const inPath = /^\/api\/v1\/category\/([^/]*)\/genre\/([^/]*)\/events\.json$/.exec(path);
  if (inPath !== null) return eventsOf(site, decode(inPath[1]), decode(inPath[2]), 200, now);
  const asked = /^\/api\/v1\/(categories|events|genres)(\.json|\/)?$/.exec(path)?.[1];
  if (asked === 'categories')
    return [200, JSON.parse(site.documents.get('api/v1/categories.json') ?? '')];
  if (asked === undefined || raw !== '') return null;
  const given = (name: string): string[] =>
    parameters.flatMap(([key, value]) => (key === name ? [value] : []));
  const known = asked === 'events' ? ['category', 'genre', 'limit'] : ['category'];
  if (known.some((name) => given(name).length > 1)) return [400, null];
  const one = (name: string): string | null =>
    (known.includes(name) ? given(name)[0] : null) || null;
  const [category, genre, cap] = [one('category'), one('genre'), one('limit')];
  if (cap !== null && !/^[1-9]\d*$/.test(cap)) return [400, null];
  if (asked === 'events')
    return eventsOf(site, category, genre, Math.min(Number(cap ?? 200), 200), now);
  if (category !== null && !categories.includes(category)) return [404, null];
  const inCategory = site.genres.filter(
    (record) => category === null || record.category === category,
  );
  return [200, { filters: { category }, genres: inCategory }];
}

/** Returns the expected status and list of events for these filters. */
function eventsOf(
  { events }: Site,
  category: string | null,
  genre: string | null,
  limit: number,
  now: number,
): [number, unknown] {
  if (category !== null && !categories.includes(category)) return [404, null];
  if (genre !== null && !genres.includes(genre)) return [404, null];
  const matches = events.filter(
    (event) =>
      (category === null || event.category === category) &&
      (genre === null || event.genre === genre) &&
      Date.parse(event.upcoming_until) > now,
  );
  return [
    200,
    { filters: { genre, category }, limit, total: matches.length, events: matches.slice(0, limit) },
  ];
}

function decode(part: string | undefined): string {
  return decodeURIComponent(part ?? '');
}

/** Percent-encodes a text. Lone surrogates are replaced, as in any URL. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
