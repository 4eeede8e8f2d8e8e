import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ChangesDocument, EventRecord } from '../../src/api/documents.ts';
import { dataOf } from '../setup/build-site.ts';
import { readTree, tempFolder, writeTree, type Tree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

/* A rename with `formerly` is no change: the build that sees it continues the site before it. */

const nights = [
  '2026-11-19T12:17:00.000Z',
  '2026-11-20T12:17:00.000Z',
  '2026-11-21T12:17:00.000Z',
] as const;

const events = [
  { title: 'Over', starts: '2026-11-10' },
  {
    title: 'Premiere',
    starts: '2027-01-15',
    location: { name: 'Hall', latitude: 52.5, longitude: 13.4 },
  },
  { title: 'Finale', starts: '2027-03-19T21:00', zone: 'America/New_York' },
  { title: 'Tour', starts: '2027-Q2' },
  { title: 'Gala', starts: '2027-05-01', cancelled: true },
  // Enough that the guard would refuse to lose them.
  ...Array.from({ length: 9 }, (_, week) => ({
    title: `Episode ${week}`,
    starts: `2027-06-0${week + 1}`,
  })),
];
const before: Tree = {
  ...dataOf({ 'film/noir/laura': { Again: '2027-02-01', Over: '2026-11-11' } }),
  'tv/category.json': { name: 'Television' },
  'tv/drama/genre.json': { name: 'Drama' },
  'tv/drama/severance.json': { name: 'Severance', events },
  'tv/drama/andor.json': { name: 'Andor', events: [{ title: 'Finale', starts: '2027-04-01' }] },
};

/** The data after a rename, and the ids of the subject Severance in them. */
const renames: Record<string, { after: Tree; id: string }> = {
  'a subject': {
    after: {
      ...without(before, 'tv/drama/severance.json'),
      'tv/drama/lumon.json': { name: 'Severance', formerly: ['severance'], events },
    },
    id: 'drama-tv/lumon',
  },
  'a subject that moved to another genre': {
    after: {
      ...without(before, 'tv/drama/severance.json'),
      'film/noir/lumon.json': { name: 'Severance', formerly: ['drama-tv/severance'], events },
    },
    id: 'noir-film/lumon',
  },
  'a genre': {
    after: {
      ...moved(before, 'tv/drama', 'tv/plays'),
      'tv/plays/genre.json': { name: 'Drama', formerly: ['drama-tv'] },
    },
    id: 'plays-tv/severance',
  },
  'a genre that moved to another category': {
    after: {
      ...moved(before, 'tv/drama', 'film/drama'),
      'film/drama/genre.json': { name: 'Drama', formerly: ['drama-tv'] },
    },
    id: 'drama-film/severance',
  },
  'a category': {
    after: {
      ...moved(before, 'tv', 'telly'),
      'telly/category.json': { name: 'Television', formerly: ['tv'] },
    },
    id: 'drama-telly/severance',
  },
  'a genre and a subject that left it, when no file of the genre is left': {
    after: {
      ...without(before, 'tv/drama/severance.json', 'tv/drama/andor.json', 'tv/drama/genre.json'),
      'tv/plays/genre.json': { name: 'Plays', formerly: ['drama-tv'] },
      'tv/plays/andor.json': before['tv/drama/andor.json'],
      'film/noir/lumon.json': { name: 'Severance', formerly: ['drama-tv/severance'], events },
    },
    id: 'noir-film/lumon',
  },
};

function without(tree: Tree, ...paths: readonly string[]): Tree {
  return Object.fromEntries(Object.entries(tree).filter(([path]) => !paths.includes(path)));
}

function moved(tree: Tree, old: string, folder: string): Tree {
  return Object.fromEntries(
    Object.entries(tree).map(([path, file]) => [path.replace(`${old}/`, `${folder}/`), file]),
  );
}

/** Builds the site of a night, by default over that of the night before, and returns its folder. */
async function build(
  cwd: string,
  night: number,
  tree: Tree,
  out = 'dist',
  ...args: string[]
): Promise<string> {
  const data = writeTree(join(cwd, `data-${night}`), tree);
  const run = await runAlmanac(
    ['build', '--data', data, '--now', nights[night] ?? '', '--quiet', '--out', out, ...args],
    { cwd },
  );
  expect(run).toMatchObject({ code: 0, stderr: '' });
  return join(cwd, out);
}

function changesIn(site: string): ChangesDocument['changes'] {
  return (JSON.parse(readFileSync(join(site, 'api/v1/changes.json'), 'utf8')) as ChangesDocument)
    .changes;
}

type Entry = EventRecord & { readonly state: string };

const isOver = ({ state }: Entry): boolean => state === 'over';

function linesIn(site: string, file: string): Entry[] {
  const text = readFileSync(join(site, 'api/v1', file), 'utf8');
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Entry]));
}

const guarded = ['--against', 'dist'];

test.each(Object.entries(renames))('%s', async (_, { after, id }) => {
  const cwd = tempFolder();
  const earlier = events.map((event) =>
    event.title === 'Premiere' ? { ...event, starts: '2027-01-14' } : event,
  );
  await build(cwd, 0, {
    ...before,
    'tv/drama/severance.json': { name: 'Severance', events: earlier },
  });
  const old = await build(cwd, 1, before);
  const log = changesIn(old);
  expect(log.map(({ kind, id: changed }) => [kind, changed])).toEqual([
    ['moved', 'drama-tv/severance/premiere'],
  ]);
  const past = linesIn(old, 'events.ndjson').filter(isOver);
  const site = await build(cwd, 2, after, 'next', ...guarded);
  expect(changesIn(site)).toEqual(log);
  const lines = linesIn(site, 'events.ndjson');
  const records = lines.filter(
    (event) => event.id.startsWith(`${id}/`) && event.state === 'upcoming',
  );
  expect(records).toHaveLength(11);
  for (const event of records)
    expect(event.updated_at).toBe(event.title === 'Premiere' ? nights[1] : null);
  const over = lines.filter(isOver).map((event) => event.id);
  expect(over).toHaveLength(past.length);
  expect(over).toContain(`${id}/over`);
});

test('what else changed is a change under the new id', async () => {
  const cwd = tempFolder();
  await build(cwd, 0, before);
  const lumon = {
    name: 'Severance',
    formerly: ['drama-tv/severance'],
    events: [
      ...events.slice(5),
      {
        title: 'Premiere',
        starts: '2027-01-22',
        location: { name: 'Hall', latitude: 52.5, longitude: 13.4 },
      },
      { title: 'Reunion', starts: '2027-06-01' },
      { title: 'Tour', starts: '2027-05-02' },
      { title: 'Gala', starts: '2027-05-01' },
    ],
  };
  const site = await build(cwd, 1, {
    ...without(before, 'tv/drama/severance.json'),
    'film/noir/lumon.json': lumon,
  });
  expect(changesIn(site).map(({ kind, id }) => [kind, id])).toEqual([
    ['removed', 'noir-film/lumon/finale'],
    ['added', 'noir-film/lumon/gala'],
    ['moved', 'noir-film/lumon/premiere'],
    ['added', 'noir-film/lumon/reunion'],
    ['dated', 'noir-film/lumon/tour'],
  ]);
});

test('entries of the log keep their ids, in the feeds of the new genre too', async () => {
  const cwd = tempFolder();
  const feed = 'api/v1/genre/plays-tv/feed.xml';
  await build(cwd, 0, without(before, 'tv/drama/andor.json'));
  const old = readTree(await build(cwd, 1, before));
  const site = readTree(await build(cwd, 2, renames['a genre']?.after ?? {}, 'dist', ...guarded));
  const entries = (text: string): string[] =>
    [...text.matchAll(/<id>(tag:[^<]*@[^<]*)<\/id>/g)].map(([, id = '']) => id);
  const expected = entries(String(old.get('api/v1/genre/drama-tv/feed.xml')));
  expect(expected).toHaveLength(1);
  expect(entries(String(site.get(feed)))).toEqual(expected);
  expect(site.get('api/v1/genre/drama-tv/feed.xml')).toEqual(site.get(feed));
});
