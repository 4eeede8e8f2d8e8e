import * as fc from 'fast-check';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EventRecord } from '../../src/api/documents.ts';
import { buildFolder } from '../setup/build-site.ts';
import { checkManifest } from '../setup/check-manifest.ts';
import { lastingFolder, readTree, writeTree } from '../setup/folders.ts';

/*
 * Properties of any catalogue. The expected documents come from a plain model of the specification: all events in one
 * list, filtered and sorted for each document.
 */
const now = Date.UTC(2027, 2, 14, 5);
const [second, hour, day] = [1000, 3_600_000, 86_400_000];

interface ModelEvent {
  readonly starts: string;
  readonly zone?: string;
  readonly cancelled?: boolean;
  /** Null if there is no date to publish. */
  readonly startsAt: number | null;
  readonly until: number;
}

interface ModelSubject {
  readonly id: string;
  readonly genre: string;
  readonly category: string;
  readonly path: string;
  readonly events: readonly ModelEvent[];
}

interface Model {
  readonly categories: readonly string[];
  readonly genres: readonly { readonly id: string; readonly folder: string; readonly category: string }[];
  readonly subjects: readonly ModelSubject[];
}

const ids = fc.constantFrom('a', 'a-b', 'a-1', 'b', 'b-c', 'c', 'z9');
/** Zones whose offset never changes, so that the end of a date is simple to compute. */
const zones = { UTC: 0, 'Etc/GMT+12': -12, 'Pacific/Kiritimati': 14, 'Asia/Tokyo': 9, 'Asia/Kathmandu': 5.75 };

const timed: fc.Arbitrary<ModelEvent> = fc.integer({ min: -5, max: 5 }).map((seconds) => {
  const startsAt = now + seconds * second;
  return { starts: `${new Date(startsAt).toISOString().slice(0, 19)}Z`, startsAt, until: startsAt };
});
const dated: fc.Arbitrary<ModelEvent> = fc
  .tuple(fc.integer({ min: -3, max: 3 }), fc.option(fc.constantFrom(...(Object.keys(zones) as (keyof typeof zones)[]))))
  .map(([days, zone]) => {
    const startsAt = Math.floor(now / day) * day + days * day;
    const starts = new Date(startsAt).toISOString().slice(0, 10);
    const until = startsAt + day - (zone === null ? -12 : zones[zone]) * hour;
    return { starts, startsAt, until, ...(zone !== null && { zone }) };
  });
const undated = fc
  .constantFrom('2027', '2027-Q1', '2027-12', '1900')
  .map((starts): ModelEvent => ({ starts, startsAt: null, until: 0 }));
const event = fc
  .tuple(fc.oneof(timed, dated, dated, undated), fc.constantFrom(undefined, undefined, undefined, true, false))
  .map(([one, cancelled]) => (cancelled === undefined ? one : { ...one, cancelled }));
const fewEvents = fc.array(event, { maxLength: 6 });
const manyEvents = fc.array(event, { minLength: 450, maxLength: 500, size: 'max' });

const modelOf = (events: fc.Arbitrary<ModelEvent[]>): fc.Arbitrary<Model> =>
  fc
    .uniqueArray(
      fc.tuple(
        ids,
        fc.uniqueArray(fc.tuple(ids, fc.array(events, { maxLength: 3 })), { maxLength: 3, selector: ([id]) => id }),
      ),
      {
        maxLength: 4,
        selector: ([id]) => id,
      },
    )
    .map((folders) => {
      const taken = new Set<string>();
      const genres = folders.flatMap(([category, inside]) =>
        inside.map(([folder, subjects]) => ({ id: `${folder}-${category}`, folder, category, subjects })),
      );
      const kept = genres.filter(({ id }) => !taken.has(id) && taken.add(id));
      return {
        categories: folders.map(([category]) => category),
        genres: kept,
        subjects: kept.flatMap(({ id: genre, folder, category, subjects }) =>
          subjects.map((inside, index) => {
            const id = `s-${index}`;
            return { id, genre, category, path: `${category}/${folder}/${id}.json`, events: inside };
          }),
        ),
      };
    });

/** Returns the data folder of a model, with its files, keys and events in a shuffled order. */
function treeOf(
  { categories, genres, subjects }: Model,
  shuffled: <T>(list: readonly T[]) => T[],
): Record<string, string> {
  const text = (value: object): string => JSON.stringify(Object.fromEntries(shuffled(Object.entries(value))));
  const files: [string, string][] = [
    ['service.json', text({ name: 'Model', license: 'Free.', base_url: 'https://example.org' })],
    ...categories.map((id): [string, string] => [`${id}/category.json`, text({ name: id })]),
    ...genres.map(({ folder, category }): [string, string] => [
      `${category}/${folder}/genre.json`,
      text({ name: folder }),
    ]),
    ...subjects.map(({ path, events: inside }): [string, string] => {
      const written = inside.map(({ starts, zone, cancelled }, index) =>
        Object.fromEntries(shuffled(Object.entries({ title: 'Same', starts, zone, cancelled, id: `e-${index}` }))),
      );
      return [path, text({ name: path, url: 'https://example.org', events: shuffled(written) })];
    }),
  ];
  return Object.fromEntries(shuffled(files));
}

let folder = '';
let runs = 0;
const inOrder = <T>(list: readonly T[]): T[] => [...list];

async function buildTree(tree: Record<string, string>): Promise<Map<string, Buffer>> {
  folder ||= lastingFolder();
  const place = join(folder, String(runs++));
  writeTree(join(place, 'data'), tree);
  const [data, out] = [join(place, 'data'), join(place, 'dist')];
  await buildFolder(data, out, now);
  const site = readTree(out);
  rmSync(place, { recursive: true });
  return site;
}

interface EventsDocument {
  readonly filters: object;
  readonly limit: number;
  readonly total: number;
  readonly events: readonly EventRecord[];
}

function read(site: ReadonlyMap<string, Buffer>, path: string): unknown {
  const content = site.get(`api/v1/${path}.json`);
  if (content === undefined) throw new Error(`found no ${path}.json`);
  return JSON.parse(content.toString());
}

/** Returns the expected answer for these filters, with the start and id of each event. */
function answer({ subjects }: Model, genre: string | null, category: string | null) {
  const listed = subjects
    .filter(
      (subject) => (genre ?? subject.genre) === subject.genre && (category ?? subject.category) === subject.category,
    )
    .flatMap((subject) =>
      subject.events.map((one, index) => ({ ...one, id: `${subject.genre}/${subject.id}/e-${index}` })),
    )
    .filter(({ startsAt, until, cancelled }) => startsAt !== null && until > now && cancelled !== true)
    .map(({ startsAt, id }) => [new Date(startsAt ?? 0).toISOString(), id] as const)
    .toSorted(([a, x], [b, y]) => (a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1));
  return { filters: { genre, category }, limit: 200, total: listed.length, events: listed.slice(0, 200) };
}

function shown({ filters, limit, total, events: listed }: EventsDocument) {
  return { filters, limit, total, events: listed.map(({ starts_at, id }) => [starts_at, id]) };
}

test('every list has exactly the upcoming events of its filters, soonest first, and totals add up', async () => {
  let capped = 0;
  const model = modelOf(fc.oneof({ weight: 12, arbitrary: fewEvents }, { weight: 1, arbitrary: manyEvents }));
  await fc.assert(
    fc.asyncProperty(model, async (one) => {
      const site = await buildTree(treeOf(one, inOrder));
      checkManifest(site);
      const questions = [null, ...one.categories].flatMap((category) =>
        [null, ...one.genres.map(({ id }) => id)].map((genre) => [genre, category] as const),
      );
      for (const [genre, category] of questions) {
        const path = (category === null ? '' : `category/${category}/`) + (genre === null ? '' : `genre/${genre}/`);
        const expected = answer(one, genre, category);
        const document = read(site, `${path}events`) as EventsDocument;
        expect(shown(document)).toEqual(expected);
        expect(new Set(document.events.map(({ id }) => id)).size).toBe(document.events.length);
        if (expected.total > 200) capped++;
      }
      const files = [...site.keys()].filter((path) => /^api\/v1\/(?:(?:category|genre)\/.*)?events\.json$/.test(path));
      expect(files.length).toBe(questions.length);
      expectTotals(site, one);
    }),
    { numRuns: 40 },
  );
  expect(capped).toBeGreaterThan(0);
});

interface Counted {
  readonly id: string;
  readonly category: string;
  readonly genres: number;
  readonly subjects: number;
  readonly upcoming: number;
}

/** Expects that the lists of genres and categories are sorted, and that their totals add up to those of the index. */
function expectTotals(site: ReadonlyMap<string, Buffer>, one: Model): void {
  const { genres } = read(site, 'genres') as { genres: Counted[] };
  const { categories } = read(site, 'categories') as { categories: Counted[] };
  const byId = (a: Counted, b: Counted): number => (a.id < b.id ? -1 : 1);
  const sum = (list: readonly Counted[], of: 'subjects' | 'upcoming'): number =>
    list.reduce((total, counted) => total + counted[of], 0);
  for (const { id, genres: count, upcoming } of categories) {
    const own = genres.filter(({ category }) => category === id);
    expect((read(site, `category/${id}/genres`) as { genres: Counted[] }).genres).toEqual(own);
    expect([count, upcoming]).toEqual([own.length, sum(own, 'upcoming')]);
    expect((read(site, `category/${id}/events`) as EventsDocument).total).toBe(upcoming);
  }
  const { last_sync: _, ...totals } = (read(site, 'index') as { catalogue: Record<string, unknown> }).catalogue;
  expect(totals).toEqual({
    genres: one.genres.length,
    subjects: one.subjects.length,
    upcoming: (read(site, 'events') as EventsDocument).total,
    categories: one.categories.length,
  });
  expect([sum(genres, 'subjects'), sum(genres, 'upcoming')]).toEqual([totals['subjects'], totals['upcoming']]);
  expect(genres).toEqual(genres.toSorted(byId));
  expect(categories).toEqual(categories.toSorted(byId));
  for (const operation of ['categories', 'genres', 'events']) {
    expect(site.get(`api/v1/${operation}`)).toEqual(site.get(`api/v1/${operation}.json`));
  }
}

test('the order of files, events and keys changes no byte', async () => {
  await fc.assert(
    fc.asyncProperty(modelOf(fewEvents), fc.infiniteStream(fc.nat()), async (one, numbers) => {
      const shuffled = <T>(list: readonly T[]): T[] => {
        const drawn = list.map((item) => [numbers.next().value, item] as const);
        return drawn.toSorted(([a], [b]) => a - b).map(([, item]) => item);
      };
      const mixed = reordered(one, shuffled);
      const [site, other] = [await buildTree(treeOf(one, inOrder)), await buildTree(mixed)];
      expect([...other.keys()]).toEqual([...site.keys()]);
      expect([...site].filter(([path, content]) => !other.get(path)?.equals(content)).map(([path]) => path)).toEqual(
        [],
      );
    }),
    { numRuns: 40 },
  );
});

function reordered(one: Model, shuffled: <T>(list: readonly T[]) => T[]): Record<string, string> {
  return treeOf(
    { categories: shuffled(one.categories), genres: shuffled(one.genres), subjects: shuffled(one.subjects) },
    shuffled,
  );
}
