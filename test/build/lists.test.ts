import * as fc from 'fast-check';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type {
  CategoriesDocument,
  EventRecord,
  EventsDocument,
  GenresDocument,
  IndexDocument,
  ListsDocument,
} from '../../src/api/documents.ts';
import { build } from '../../src/builder/build.ts';
import { check } from '../../src/builder/check.ts';
import { fewestOfTag } from '../../src/pages/lists.ts';
import { answer } from '../../src/server/handler.ts';
import { fetchFrom } from '../../src/server/site-folder.ts';
import { buildFolder, dataOf, type Events } from '../setup/build-site.ts';
import { lastingFolder, readTree, tempFolder, writeTree, type Tree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

/*
 * The lists of every filter and of months, countries, tags and collections. What belongs to a list
 * is decided here by a plain filter over all events.
 */
const now = '2027-01-01T00:00:00Z';
const [tags, countries] = [
  ['jazz', 'open-air', 'x'],
  ['DE', 'FR', 'GB'],
];

/**
 * Starts, and whether an event with that start is upcoming. The end of a date is its end in the
 * last zone on Earth.
 */
const isUpcomingFrom: Readonly<Record<string, boolean>> = {
  '2026-12-30': false,
  '2026-12-31': true,
  '2027-01-01T00:00:00Z': false,
  '2027-01-01T00:00:01Z': true,
  '2027-01-31': true,
  '2027-02-01T00:30+14:00': true,
  '2027-03-04T20:00Z': true,
  '2027-Q2': false,
};

const event = fc.record(
  {
    starts: fc.constantFrom(...Object.keys(isUpcomingFrom)),
    ends: fc.constant(undefined),
    tags: fc.subarray(tags),
    location: fc.constantFrom(
      'Anywhere',
      ...countries.map((country) => ({ name: 'Somewhere', country })),
    ),
    status: fc.constantFrom('confirmed', 'tentative', 'cancelled'),
  },
  { requiredKeys: ['starts'] },
);
const names = fc.constantFrom('a', 'b', 'c');
const catalogue: fc.Arbitrary<Events> = fc.dictionary(
  fc.tuple(names, names, names).map((parts) => parts.join('/')),
  fc.dictionary(fc.constantFrom('One', 'Two', 'Three', 'Four'), event, { maxKeys: 4 }),
  { minKeys: 1, maxKeys: 10 },
);

interface Collection {
  readonly categories: readonly string[];
  readonly genres: readonly string[];
  readonly subjects: readonly string[];
  readonly tags: readonly string[];
  readonly countries: readonly string[];
}

/** Returns collections of categories, genres and subjects that exist. */
function collectionsOf(events: Events): fc.Arbitrary<Readonly<Record<string, Collection>>> {
  const paths = Object.keys(events).map((path) => path.split('/') as [string, string, string]);
  const one = fc.record({
    name: fc.constantFrom('Mine', 'Yours'),
    categories: fc.subarray([...new Set(paths.map(([category]) => category))], { maxLength: 1 }),
    genres: fc.subarray([...new Set(paths.map(([category, genre]) => `${genre}-${category}`))], {
      maxLength: 1,
    }),
    subjects: fc.subarray(
      paths.map(([category, genre, subject]) => `${genre}-${category}/${subject}`),
    ),
    tags: fc.subarray(tags, { maxLength: 1 }),
    countries: fc.subarray(countries, { maxLength: 1 }),
  });
  return fc.dictionary(fc.constantFrom('mine', 'my-town', 'empty'), one, { maxKeys: 3 });
}

type Site = ReadonlyMap<string, Buffer>;

function jsonOf(site: Site, path: string): unknown {
  return JSON.parse(String(site.get(path)));
}

function isIn(
  collection: Collection,
  { category, genre, subject, tags: own, location }: EventRecord,
): boolean {
  return (
    collection.categories.includes(category) ||
    collection.genres.includes(genre) ||
    collection.subjects.includes(`${genre}/${subject.id}`) ||
    collection.tags.some((tag) => own.includes(tag)) ||
    collection.countries.includes(location?.country ?? '')
  );
}

/** Returns the upcoming events of a site, soonest first. */
function upcomingIn(site: Site): EventRecord[] {
  return String(site.get('api/v1/events.ndjson'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as EventRecord & { readonly state: string })
    .filter(({ state }) => state === 'upcoming')
    .sort((a, b) => (a.starts_at + a.id < b.starts_at + b.id ? -1 : 1));
}

/** Returns the ids of the events that are upcoming according to the source. */
function upcomingIds(events: Events): string[] {
  return Object.entries(events).flatMap(([path, ofSubject]) => {
    const [category, genre, subject] = path.split('/');
    return Object.entries(
      ofSubject as Readonly<Record<string, { readonly starts: string; readonly status?: string }>>,
    )
      .filter(([, { starts, status }]) => isUpcomingFrom[starts] === true && status !== 'cancelled')
      .map(([title]) => `${genre}-${category}/${subject}/${title.toLowerCase()}`);
  });
}

/**
 * Expects the list of each filter, and that the numbers of genres, categories and the index are
 * those of the lists.
 */
function expectFilters(site: Site, upcoming: readonly EventRecord[], events: Events): void {
  const subjects = Object.keys(events).map((path) => {
    const [category = '', genre = ''] = path.split('/');
    return { category, genre: `${genre}-${category}` };
  });
  const [categoryIds, genreIds] = [
    [...new Set(subjects.map(({ category }) => category))].sort(),
    [...new Set(subjects.map(({ genre }) => genre))].sort(),
  ];
  const totalOf = (genre: string | null, category: string | null): number => {
    const path =
      (category === null ? '' : `category/${category}/`) +
      (genre === null ? '' : `genre/${genre}/`);
    const listed = upcoming.filter(
      (one) => one.genre === (genre ?? one.genre) && one.category === (category ?? one.category),
    );
    const document = jsonOf(site, `api/v1/${path}events.json`) as EventsDocument;
    expect({ ...document, events: document.events.map(({ id }) => id) }).toEqual({
      filters: { genre, category },
      limit: 200,
      total: listed.length,
      events: listed.map(({ id }) => id),
    });
    return listed.length;
  };
  for (const category of categoryIds) for (const genre of genreIds) totalOf(genre, category);
  const { genres } = jsonOf(site, 'api/v1/genres.json') as GenresDocument;
  expect(genres.map((one) => [one.id, one.subjects, one.upcoming])).toEqual(
    genreIds.map((id) => [
      id,
      subjects.filter(({ genre }) => genre === id).length,
      totalOf(id, null),
    ]),
  );
  const { categories } = jsonOf(site, 'api/v1/categories.json') as CategoriesDocument;
  const genresIn = (id: string) => genres.filter(({ category }) => category === id);
  expect(categories.map((one) => [one.id, one.genres, one.upcoming])).toEqual(
    categoryIds.map((id) => [id, genresIn(id).length, totalOf(null, id)]),
  );
  for (const id of categoryIds)
    expect(jsonOf(site, `api/v1/category/${id}/genres.json`)).toMatchObject({
      genres: genresIn(id),
    });
  const { catalogue: totals } = jsonOf(site, 'api/v1/index.json') as IndexDocument;
  const counted = {
    categories: categories.length,
    genres: genres.length,
    subjects: subjects.length,
  };
  expect(totals).toMatchObject({ ...counted, upcoming: totalOf(null, null) });
}

/** Returns the lists that a catalogue must have, with the ids of their events in order. */
function expectedLists(
  upcoming: readonly EventRecord[],
  collections: Readonly<Record<string, Collection>>,
): [string, string[]][] {
  const list = (path: string, belongs: (event: EventRecord) => boolean): [string, string[]] => [
    path,
    upcoming.filter(belongs).map(({ id }) => id),
  ];
  const months = [...new Set(upcoming.map(({ date }) => date.slice(0, 7)))].sort();
  return [
    ...months.map((month) => list(`month/${month}`, ({ date }) => date.startsWith(month))),
    ...countries.map((code) =>
      list(`country/${code.toLowerCase()}`, ({ location }) => location?.country === code),
    ),
    ...tags.map((tag) => list(`tag/${tag}`, (one) => one.tags.includes(tag))),
  ]
    .filter(([, ids]) => ids.length > 0)
    .concat(
      Object.entries(collections)
        .map(([id, one]) => list(`collection/${id}`, (record) => isIn(one, record)))
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
}

test('every list has exactly the upcoming events that belong to it, and lists.json names each of them', async () => {
  const folder = lastingFolder();
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(
      catalogue.chain((events) => fc.tuple(fc.constant(events), collectionsOf(events))),
      async ([events, collections]) => {
        const cwd = join(folder, String(runs++));
        writeTree(join(cwd, 'data'), {
          ...dataOf(events),
          ...(Object.keys(collections).length > 0 && { 'collections.json': collections }),
        });
        const run = await runAlmanac(['build', '--quiet', '--now', now], { cwd });
        expect(run).toMatchObject({ code: 0, stderr: '' });
        const site = readTree(join(cwd, 'dist'));
        const upcoming = upcomingIn(site);
        expect(upcoming.map(({ id }) => id).sort()).toEqual(upcomingIds(events).sort());
        expectFilters(site, upcoming, events);
        const expected = expectedLists(upcoming, collections);
        const { lists } = jsonOf(site, 'api/v1/lists.json') as ListsDocument;
        expect(lists.map(({ path, upcoming }) => [path, upcoming])).toEqual(
          expected.map(([path, ids]) => [`api/v1/${path}/`, ids.length]),
        );
        for (const [path, ids] of expected) {
          const [kind = '', id = ''] = path.split('/');
          const document = jsonOf(site, `api/v1/${path}/events.json`) as EventsDocument;
          expect(document.filters).toEqual({ genre: null, category: null, [kind]: id });
          expect(document.events.map((one) => one.id)).toEqual(ids);
          expect(document.total).toBe(ids.length);
          // Months have no calendars.
          const calendar = kind === 'month' ? null : String(site.get(`api/v1/${path}/events.ics`));
          for (const one of calendar === null ? [] : ids)
            expect(calendar).toContain(`UID:${one}@example.org`);
          // The page of a month has the events that start in it in UTC.
          if (kind !== 'month')
            expect(site.has(`${path}/index.html`)).toBe(
              kind !== 'tag' || ids.length >= fewestOfTag,
            );
        }
        const folders = [...site.keys()].filter((path) =>
          /^api\/v1\/(month|country|tag|collection)\//.test(path),
        );
        expect(new Set(folders.map((path) => path.split('/').slice(2, 4).join('/')))).toEqual(
          new Set(expected.map(([path]) => path)),
        );
        // The rest concerns the machine more than the catalogue, and takes most of the time.
        if (runs % 5 > 0) return;
        expect(await runAlmanac(['verify', 'dist'], { cwd })).toMatchObject({ code: 0 });
      },
    ),
    { numRuns: 20 },
  );
});

test('the order of files, events and keys changes no byte', async () => {
  const folder = lastingFolder();
  let runs = 0;
  const siteOf = async (tree: Tree): Promise<Site> => {
    const place = join(folder, String(runs++));
    const data = writeTree(join(place, 'data'), tree);
    await buildFolder(data, join(place, 'dist'), Date.parse(now));
    return readTree(join(place, 'dist'));
  };
  await fc.assert(
    fc.asyncProperty(catalogue, fc.infiniteStream(fc.nat()), async (events, numbers) => {
      const shuffled = <T>(list: readonly T[]): T[] => {
        const drawn = list.map((item) => [numbers.next().value, item] as const);
        return drawn.toSorted(([a], [b]) => a - b).map(([, item]) => item);
      };
      const mixed = (value: unknown): unknown => {
        if (Array.isArray(value))
          return typeof value[0] === 'object' ? shuffled(value.map(mixed)) : value;
        if (typeof value !== 'object' || value === null) return value;
        return Object.fromEntries(
          shuffled(Object.entries(value)).map(([key, inner]) => [key, mixed(inner)]),
        );
      };
      const tree = dataOf(events);
      expect(await siteOf(mixed(tree) as Tree)).toEqual(await siteOf(tree));
    }),
    { numRuns: 30 },
  );
});

test('a host that runs code cuts next.json of a collection from its list, without what has begun', async () => {
  const cwd = tempFolder();
  const events = Object.fromEntries(
    Array.from({ length: 12 }, (_, n) => [`Event ${n}`, `2027-01-${String(n + 10)}T20:00Z`]),
  );
  writeTree(join(cwd, 'data'), {
    ...dataOf({ 'a/b/c': events }),
    'collections.json': { mine: { name: 'Mine', genres: ['b-a'] } },
  });
  expect(await runAlmanac(['build', '--quiet', '--now', now], { cwd })).toMatchObject({ code: 0 });
  const fetchFile = fetchFrom(join(cwd, 'dist'));
  const ask = async (path: string, at: string): Promise<EventsDocument> => {
    const request = { method: 'GET', url: `/api/v1/${path}`, headers: new Headers() };
    return (await (await answer(request, fetchFile, Date.parse(at))).json()) as EventsDocument;
  };
  const later = await ask('collection/mine/next.json', '2027-01-11T21:00:00Z');
  expect([later.total, later.events.length, later.events[0]?.title]).toEqual([10, 10, 'Event 2']);
  const month = await ask('month/2027-01/events.json', '2027-01-11T21:00:00Z');
  expect([month.total, month.events.length]).toEqual([10, 10]);
});

test('more than 500 tags are a problem, which check and build find', async () => {
  const events = Object.fromEntries(
    Array.from({ length: 51 }, (_, n) => [
      `Event ${n}`,
      { starts: '2027-05-01', tags: Array.from({ length: 10 }, (__, tag) => `t-${n * 10 + tag}`) },
    ]),
  );
  const cwd = tempFolder();
  writeTree(join(cwd, 'data'), dataOf({ 'a/b/c': events }));
  for (const command of ['check', 'build']) {
    const run = await runAlmanac([command, '--json', '--now', now], { cwd });
    const problem = {
      code: 'too-many-tags',
      message: expect.stringContaining('found more than 500 tags') as string,
    };
    expect([run.code, JSON.parse(run.stdout)]).toMatchObject([1, { problems: [problem] }]);
  }
});

test('check and build count the genres that are done', async () => {
  const data = writeTree(tempFolder(), dataOf({ 'a/b/c': {}, 'a/d/e': {} }));
  const steps: number[][] = [];
  const onGenre = (...step: number[]): void => void steps.push(step);
  const options = {
    data,
    now: 0,
    strict: false,
    displayPath: (path: string) => path,
    baseUrl: null,
    onGenre,
  };
  await check(options);
  await build({
    ...options,
    out: tempFolder(),
    generator: 'almanac/test',
    dryRun: true,
    assets: [],
  });
  expect(steps).toEqual([
    [1, 2],
    [2, 2],
    [1, 2],
    [2, 2],
  ]);
});
