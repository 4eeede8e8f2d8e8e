import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ChangesDocument, EventRecord } from '../../src/api/documents.ts';
import { removeTree } from '../../src/system/files.ts';
import { dataOf } from '../setup/build-site.ts';
import { tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

const start = Date.UTC(2026, 10, 21, 12);
export const minute = 60_000;
const root = 'api/v1';
/** What visitors ask for, and what a build remembers. */
const paths = ['index.json', 'changes.json', 'events.ndjson'].map((name) => `${root}/${name}`);

/** A bucket with a cache in front of it, whose clock is that of the test. */
export interface CachedHost {
  readonly target: string;
  /** The address of the S3 service for `publish`. */
  readonly endpoint: string;
  readonly env: Readonly<Record<string, string>>;
  /** The address of the site behind the cache. */
  readonly site: string;
  /** Lets some milliseconds pass for the cache. */
  readonly pass: (milliseconds: number) => void;
  /** Calls a function at each upload, before the bucket has the object. */
  readonly atUpload: (visit: () => Promise<void>) => void;
}

/** Returns the same random numbers below 1 for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
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

export interface Push {
  readonly at: string;
  readonly changes: ReadonlyMap<string, string>;
}

interface Published {
  readonly pushes: readonly Push[];
  readonly log: ChangesDocument;
  readonly records: readonly EventRecord[];
}

/**
 * Publishes 20 versions of a catalogue at random minutes: each is built against the cache and
 * uploaded to the bucket. Visitors ask the cache for files at random times, also during an upload.
 */
export async function publishOften(host: CachedHost, seed: number): Promise<Published> {
  const random = randomNumbers(seed);
  const cwd = tempFolder();
  const service = { pages: 'home', formats: ['ndjson'], base_url: 'https://example.org' };
  let passed = 0;
  const pass = (milliseconds: number): void => {
    passed += milliseconds;
    host.pass(milliseconds);
  };
  const visit = async (): Promise<void> => {
    const path = random() < 0.2 ? 'files.json' : paths[Math.floor(random() * paths.length)];
    await (await fetch(`${host.site}/${path}`)).arrayBuffer();
  };
  host.atUpload(async () => {
    if (random() < 0.5) await visit();
  });
  const catalogue: Catalogue = new Map(
    Array.from({ length: 30 }, (_, index) => [`e-${index}`, '2028-01-15']),
  );
  const pushes: Push[] = [];
  for (let push = 0; push < 20; push++) {
    pass(Math.ceil(random() * 12 * minute));
    const at = new Date(start + passed).toISOString();
    const changes = push === 0 ? new Map<string, string>() : edit(catalogue, push, random);
    removeTree(join(cwd, 'dist'));
    writeTree(join(cwd, 'data'), dataOf({ 'tv/d/s': Object.fromEntries(catalogue) }, service));
    const against = push === 0 ? 'none' : host.site;
    const args = ['build', '--now', at, '--against', against, '--max-loss', '100'];
    const { code, stderr } = await runAlmanac(args, { cwd });
    expect({ push, code, stderr }).toMatchObject({ push, code: 0 });
    pass(Math.floor(random() * minute));
    const upload = ['publish', host.target, '--endpoint', host.endpoint];
    expect(await runAlmanac(upload, { cwd, env: host.env })).toMatchObject({ code: 0 });
    pushes.push({ at, changes });
    for (let visits = Math.floor(random() * 4); visits > 0; visits--) {
      pass(Math.floor(random() * 2 * minute));
      await visit();
    }
  }
  const read = (path: string): string => readFileSync(join(cwd, 'dist', root, path), 'utf8');
  const log = JSON.parse(read('changes.json')) as ChangesDocument;
  const lines = read('events.ndjson').trim().split('\n');
  const records = lines.map((line) => JSON.parse(line) as EventRecord);
  return { pushes, log, records };
}

/** Expects that each change is in the log once, and that only its event has a new `updated_at`. */
export function expectEachChangeOnce({ pushes, log, records }: Published): void {
  expect(log.since).toBe(pushes[0]?.at);
  const entries = log.changes.map(({ at, kind, title }) => `${at} ${kind} ${title}`);
  const expected = pushes.flatMap(({ at, changes }) =>
    Array.from(changes, ([title, kind]) => `${at} ${kind} ${title}`),
  );
  expect(expected.length).toBeGreaterThan(10);
  expect(entries.toSorted()).toEqual(expected.toSorted());
  const changedAt = new Map(
    pushes.flatMap(({ at, changes }) => Array.from(changes.keys(), (title) => [title, at])),
  );
  for (const { title, updated_at: time } of records)
    expect([title, time]).toEqual([title, changedAt.get(title) ?? null]);
}
