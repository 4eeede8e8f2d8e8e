import type { RequestListener } from 'node:http';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ChangesDocument, EventRecord } from '../../src/api/documents.ts';
import { dataOf } from '../setup/build-site.ts';
import { removeTree } from '../../src/system/files.ts';
import { tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';
import { serve } from '../setup/serve-folder.ts';
import { credentials, startFakeS3, type FakeS3 } from './fake-s3.ts';

/*
 * Pushes at random minutes through a cache in front of a bucket: build --against the cache, then
 * publish to the bucket. Each change is told once.
 */

const start = Date.UTC(2026, 10, 21, 12);
const minute = 60_000;
const prefix = 'api/v1';
const remembered = ['index.json', 'changes.json', 'events.ndjson'].map((n) => `${prefix}/${n}`);

/** Returns the same random numbers below 1 for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** How a cache decides: the minutes that it keeps a response, and the part of an address it knows. */
interface Caching {
  readonly minutesOf: (cacheControl: string) => number;
  readonly keyOf: (url: string) => string;
}

const byHeaders: Caching = {
  minutesOf: (cacheControl) => Number(/max-age=(\d+)/.exec(cacheControl)?.[1] ?? 0) / 60,
  keyOf: (url) => url,
};
/** What GitHub Pages does for every file. */
const tenMinutes: Caching = { minutesOf: () => 10, keyOf: (url) => url };
const withoutQueries: Caching = { ...tenMinutes, keyOf: (url) => url.replace(/\?.*/, '') };

/** A cache in front of a bucket, with a clock of its own. */
function cacheBefore(s3: FakeS3, { minutesOf, keyOf }: Caching) {
  const kept = new Map<string, { readonly until: number; readonly body: Buffer | null }>();
  const cache = {
    now: 0,
    get(url: string): Buffer | null {
      const hit = kept.get(keyOf(url));
      if (hit !== undefined && hit.until > cache.now) return hit.body;
      const object = s3.objects.get(decodeURIComponent(url.replace(/\?.*/, '').slice(1)));
      const cacheControl = object?.headers['cache-control'] ?? '';
      const body = object?.body ?? null;
      const until = cache.now + minutesOf(cacheControl) * minute;
      if (body !== null) kept.set(keyOf(url), { until, body });
      return body;
    },
  };
  const listener: RequestListener = (request, response) => {
    const body = cache.get(request.url ?? '/');
    if (body === null) response.writeHead(404).end();
    else response.writeHead(200, { 'content-length': body.length }).end(body);
  };
  return { cache, listener };
}

type Catalogue = Map<string, string>;

/** Adds, moves and removes events. Returns the kinds of changes by title. */
function edit(catalogue: Catalogue, push: number, random: () => number): Map<string, string> {
  const changes = new Map<string, string>();
  const titles = [...catalogue.keys()];
  const dateOf = (): string =>
    `2028-0${1 + Math.floor(random() * 9)}-1${Math.floor(random() * 10)}`;
  for (let edits = Math.floor(random() * 3); edits > 0; edits--) {
    const title = titles[Math.floor(random() * titles.length)] ?? '';
    if (changes.has(title)) continue;
    const date = dateOf();
    const choice = random();
    if (choice < 0.3) {
      catalogue.set(`new-${push}-${edits}`, date);
      changes.set(`new-${push}-${edits}`, 'added');
    } else if (choice < 0.5) {
      catalogue.delete(title);
      changes.set(title, 'removed');
    } else if (catalogue.get(title) !== date) {
      catalogue.set(title, date);
      changes.set(title, 'moved');
    }
  }
  return changes;
}

interface Push {
  readonly at: string;
  readonly changes: ReadonlyMap<string, string>;
}

/** Publishes 20 versions of a catalogue through a cache, with visitors. Returns each push. */
async function publishOften(caching: Caching, seed: number) {
  const random = randomNumbers(seed);
  const s3 = await startFakeS3();
  const { cache, listener } = cacheBefore(s3, caching);
  const address = await serve(listener);
  const cwd = tempFolder();
  const service = { pages: 'home', formats: ['ndjson'], base_url: 'https://example.org' };
  const env = {
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };
  const visit = (): void => {
    const path = remembered[Math.floor(random() * remembered.length)] ?? '';
    cache.get(random() < 0.2 ? '/files.json' : `/${path}`);
  };
  // Visitors ask for files while others are uploaded.
  s3.fault = ({ method }) => {
    if (method === 'PUT' && random() < 0.5) visit();
    return false;
  };
  const catalogue: Catalogue = new Map(
    Array.from({ length: 30 }, (_, index) => [`e-${index}`, '2028-01-15']),
  );
  const pushes: Push[] = [];
  for (let push = 0; push < 20; push++) {
    cache.now += Math.ceil(random() * 12 * minute);
    const at = new Date(start + cache.now).toISOString();
    const changes = push === 0 ? new Map<string, string>() : edit(catalogue, push, random);
    removeTree(join(cwd, 'dist'));
    writeTree(join(cwd, 'data'), dataOf({ 'tv/d/s': Object.fromEntries(catalogue) }, service));
    const against = push === 0 ? 'none' : address;
    const args = ['build', '--now', at, '--against', against, '--max-loss', '100'];
    const built = await runAlmanac(args, { cwd });
    expect({ push, code: built.code, stderr: built.stderr }).toMatchObject({ push, code: 0 });
    cache.now += Math.floor(random() * minute);
    const published = await runAlmanac(['publish', 's3://bucket', '--endpoint', s3.url], {
      cwd,
      env,
    });
    expect(published).toMatchObject({ code: 0 });
    pushes.push({ at, changes });
    for (let visits = Math.floor(random() * 4); visits > 0; visits--) {
      cache.now += Math.floor(random() * 2 * minute);
      visit();
    }
  }
  const read = (path: string): string => readFileSync(join(cwd, 'dist', prefix, path), 'utf8');
  const log = JSON.parse(read('changes.json')) as ChangesDocument;
  const lines = read('events.ndjson').trim().split('\n');
  const records = lines.map((line) => JSON.parse(line) as EventRecord);
  return { pushes, log, records };
}

test.each([
  ['obeys its headers', byHeaders, 1],
  ['keeps every file for ten minutes', tenMinutes, 2],
] as const)('20 pushes through a cache that %s tell each change once', async (_, caching, seed) => {
  const { pushes, log, records } = await publishOften(caching, seed);
  expect(log.since).toBe(pushes[0]?.at);
  const told = log.changes.map(({ at, kind, title }) => `${at} ${kind} ${title}`);
  const expected = pushes.flatMap(({ at, changes }) =>
    Array.from(changes, ([title, kind]) => `${at} ${kind} ${title}`),
  );
  expect(expected.length).toBeGreaterThan(10);
  expect(told.toSorted()).toEqual(expected.toSorted());
  const changedAt = new Map(
    pushes.flatMap(({ at, changes }) => Array.from(changes.keys(), (title) => [title, at])),
  );
  for (const { title, updated_at: time } of records)
    expect([title, time]).toEqual([title, changedAt.get(title) ?? null]);
});

test('a cache that ignores queries ends no build, and the log keeps its beginning', async () => {
  const { pushes, log } = await publishOften(withoutQueries, 3);
  expect(log.since).toBe(pushes[0]?.at);
});
