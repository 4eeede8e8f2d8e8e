import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ChangesDocument } from '../../src/api/documents.ts';
import { changesDocumentSchema } from '../../src/api/schemas.ts';
import { buildSite, dataOf, type Events } from '../setup/build-site.ts';
import { readTree, tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

/** The file of --changes also has the counts of the build. */
const changesFileSchema = changesDocumentSchema.extend({ counts: z.record(z.string(), z.int()) });

const catalogue = {
  'tv/drama/severance': {
    Premiere: '2027-01-15',
    Finale: { starts: '2027-03-19T21:00', zone: 'America/New_York' },
  },
  'film/comedy/hacks': { Opening: '2027-02-01', Tonight: '2026-11-20T20:00Z' },
} satisfies Events;

function nightOf(number: number): string {
  return new Date(Date.UTC(2026, 10, 19 + number, 12, 17)).toISOString();
}

/** Builds the site of a night over that of the night before. Returns its change log. */
async function build(
  cwd: string,
  number: number,
  events: Events,
  ...args: string[]
): Promise<ChangesDocument> {
  const site = await buildSite(events, nightOf(number), { cwd, args });
  return changesDocumentSchema.parse(
    JSON.parse(readFileSync(join(site, 'api/v1/changes.json'), 'utf8')),
  );
}

/** Writes a data folder into a folder, and returns that. */
function withData(cwd: string, events: Events): string {
  writeTree(join(cwd, 'data'), dataOf(events));
  return cwd;
}

const severance = 'drama-tv/severance';
const withPremiere = (starts: string): Events => ({
  ...catalogue,
  'tv/drama/severance': { ...catalogue['tv/drama/severance'], Premiere: starts },
});

test('entries stay with the newest first, and a quiet night changes no byte of the log or a feed', async () => {
  const cwd = tempFolder();
  await build(cwd, 1, catalogue);
  const second = await build(cwd, 2, withPremiere('2027-01-22'));
  const third = await build(cwd, 3, { 'film/comedy/hacks': catalogue['film/comedy/hacks'] });
  expect(third.changes.map(({ at }) => at)).toEqual([nightOf(3), nightOf(3), nightOf(2)]);
  expect(third.changes.slice(2)).toEqual(second.changes);
  await build(cwd, 4, catalogue);
  const feed = readFileSync(join(cwd, 'dist/api/v1/genre/drama-tv/feed.xml'), 'utf8');
  expect(feed).toContain(
    `<link rel="alternate" href="https://example.org/almanac/genre/${severance}/#premiere"/>`,
  );
  const logs = (): Map<string, Buffer> =>
    new Map(
      [...readTree(join(cwd, 'dist'))].filter(([path]) => /(changes\.json|feed\.xml)$/.test(path)),
    );
  const before = logs();
  expect((await build(cwd, 5, catalogue)).changes).toHaveLength(5);
  expect(logs()).toEqual(before);
  expect(before.size).toBe(1 + 1 + 2 + 2);
});

describe('the site that a build continues', () => {
  const next = { ...catalogue, 'tv/drama/new': { Pilot: '2027-06-01' } };
  const logIn = (site: string): ChangesDocument =>
    JSON.parse(readFileSync(join(site, 'api/v1/changes.json'), 'utf8')) as ChangesDocument;

  test('is the one that --against names, although there is one in --out', async () => {
    const cwd = tempFolder();
    await buildSite(catalogue, nightOf(1), { cwd, out: 'live' });
    await buildSite(next, nightOf(2), { cwd });
    const site = await buildSite(next, nightOf(3), { cwd, args: ['--against', 'live'] });
    expect(logIn(site)).toMatchObject({ since: nightOf(1), changes: [{ at: nightOf(3) }] });
  });

  test('is none with --against none, which says that it drops a log (log-dropped)', async () => {
    const cwd = tempFolder();
    await buildSite(catalogue, nightOf(1), { cwd });
    const run = await runAlmanac(['build', '--now', nightOf(2), '--against', 'none'], {
      cwd: withData(cwd, next),
    });
    expect(run).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('found a change log at "dist", which this build does not'),
    });
    expect(logIn(join(cwd, 'dist'))).toEqual({
      since: nightOf(2),
      complete_since: nightOf(2),
      changes: [],
    });
  });

  test('gives an event that changes twice at the same time two entries with different times', async () => {
    const cwd = tempFolder();
    await buildSite(catalogue, nightOf(1), { cwd });
    for (const date of ['2027-01-16', '2027-01-17']) {
      await buildSite(withPremiere(date), nightOf(2), { cwd });
    }
    const { changes } = logIn(join(cwd, 'dist'));
    expect(changes.map(({ at }) => Date.parse(at) - Date.parse(nightOf(2)))).toEqual([1, 0]);
    const feed = readFileSync(join(cwd, 'dist/api/v1/feed.xml'), 'utf8');
    const ids = [...feed.matchAll(/<entry>\n<id>(.*)<\/id>/g)].map(([, id]) => id);
    expect(ids).toEqual(
      changes.map(({ at }) => `tag:example.org,2026-11-20:${severance}/premiere@${at}`),
    );
  });
});

test('--changes writes what this build saw, and nothing in a dry run (changes-not-written)', async () => {
  const cwd = tempFolder();
  await buildSite(catalogue, nightOf(1), { cwd });
  const more = { ...catalogue, 'tv/drama/new': { Pilot: '2027-06-01' } };
  await buildSite(more, nightOf(2), { cwd, args: ['--changes', 'dry.json', '--dry-run'] });
  await buildSite(more, nightOf(2), { cwd, args: ['--changes', 'second.json'] });
  const last = { ...catalogue, 'tv/drama/new': { Pilot: '2027-06-02' } };
  await buildSite(last, nightOf(3), { cwd, args: ['--changes', 'third.json'] });
  await buildSite(last, nightOf(4), { cwd, args: ['--changes', 'fourth.json'] });
  expect(existsSync(join(cwd, 'dry.json'))).toBe(false);
  const seen = ['second', 'third', 'fourth'].map((name) => {
    const document: unknown = JSON.parse(readFileSync(join(cwd, `${name}.json`), 'utf8'));
    const { since, changes } = changesFileSchema.parse(document);
    return [since, changes.map(({ at, kind }) => `${at} ${kind}`)];
  });
  const since = nightOf(1);
  expect(seen).toEqual([
    [since, [`${nightOf(2)} added`]],
    [since, [`${nightOf(3)} moved`]],
    [since, []],
  ]);
  const run = await runAlmanac(['build', '--now', nightOf(5), '--changes', 'data'], {
    cwd: withData(cwd, last),
  });
  expect(run).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('could not write the changes to "data"'),
  });
});

test('entries of more than 60 days are dropped when another one is added, and at most 1,000 stay', async () => {
  const cwd = tempFolder();
  const first = Object.fromEntries(
    Array.from({ length: 600 }, (_, index) => [`Show ${index}`, '2027-12-01']),
  );
  await build(cwd, 1, {});
  await build(cwd, 2, { 'tv/drama/first': first });
  expect(
    (await build(cwd, 3, { 'tv/drama/first': first, 'tv/drama/second': first })).changes,
  ).toHaveLength(1000);
  const quiet = await build(cwd, 100, { 'tv/drama/first': first, 'tv/drama/second': first });
  expect(quiet.changes).toHaveLength(1000);
  const { changes } = await build(cwd, 101, { 'tv/drama/first': first });
  expect(changes).toHaveLength(600);
  expect(new Set(changes.map(({ at, kind }) => `${at} ${kind}`))).toEqual(
    new Set([`${nightOf(101)} removed`]),
  );
});
