import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dataOf, type Events } from '../setup/build-site.ts';
import { tempFolder, writeTree, type Tree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

/* What `almanac diff` says about ids that changed. */

const now = '2026-11-20T12:17:00Z';
const finale = { starts: '2027-03-19T21:00', zone: 'America/New_York' };
const before: Events = {
  'tv/drama/severance': { Premiere: '2027-01-15', Finale: finale },
  'tv/drama/andor': { Trailer: '2027-02-01' },
  'film/noir/laura': { Again: '2027-04-01' },
};

/** Builds both sites and compares them. Returns the document and the text. */
async function diff(old: Tree, next: Tree): Promise<{ document: Record<string, unknown>; text: string }> {
  const cwd = tempFolder();
  for (const [name, tree] of Object.entries({ old, next })) {
    writeTree(join(cwd, `data-${name}`), tree);
    const args = ['build', '--data', `data-${name}`, '--out', name, '--now', now, '--quiet'];
    expect(await runAlmanac(args, { cwd })).toMatchObject({ code: 0, stderr: '' });
  }
  const { stdout } = await runAlmanac(['diff', 'old', 'next', '--now', now, '--json'], { cwd });
  const text = await runAlmanac(['diff', 'old', 'next', '--now', now], { cwd });
  return { document: JSON.parse(stdout) as Record<string, unknown>, text: text.stdout };
}

const none = { added: [], removed: [] };
const unchanged = { added: [], removed: [], moved: [], changed: [], cancelled: [], passed: 0 };
const noGuess = { subjects: [], events: [] };

function renamedData(folder: string, formerly: Readonly<Record<string, readonly string[]>>): Tree {
  const events = Object.entries(before).map(([path, one]) => [path.replace('tv/drama', folder), one] as const);
  const tree = dataOf(Object.fromEntries(events));
  const withIds = Object.entries(formerly).map(([path, ids]) => [path, { ...(tree[path] as object), formerly: ids }]);
  return { ...tree, ...(Object.fromEntries(withIds) as Tree) };
}

test('a genre that another category has now is renamed, and no event changed', async () => {
  const next = renamedData('film/drama', { 'film/drama/genre.json': ['drama-tv'] });
  const { document, text } = await diff(dataOf(before), { ...next, 'tv/category.json': { name: 'tv' } });
  expect(document).toMatchObject({
    ...unchanged,
    genres: none,
    subjects: none,
    renamed: {
      genres: [{ old: 'drama-tv', new: 'drama-film' }],
      subjects: [
        { old: 'drama-tv/severance', new: 'drama-film/severance' },
        { old: 'drama-tv/andor', new: 'drama-film/andor' },
      ],
    },
    perhaps_renamed: noGuess,
  });
  expect(text).toContain('Renamed\n  drama-tv → drama-film\n');
});

test('a category is renamed, without pages of subjects too', async () => {
  const next = renamedData('telly/drama', { 'telly/category.json': ['tv'] });
  const service = { ...(next['service.json'] as object), pages: 'genres' };
  const { document } = await diff(dataOf(before), { ...next, 'service.json': service });
  expect(document).toMatchObject({
    ...unchanged,
    categories: none,
    genres: none,
    subjects: none,
    renamed: { categories: [{ old: 'tv', new: 'telly' }], genres: [{ old: 'drama-tv', new: 'drama-telly' }] },
  });
});

test('what else changed is shown under the new id', async () => {
  const next = {
    ...dataOf({
      'film/noir/lumon': { Premiere: '2027-01-22', Finale: finale, Reunion: '2027-08-01' },
      'tv/drama/andor': before['tv/drama/andor'] ?? {},
      'film/noir/laura': before['film/noir/laura'] ?? {},
    }),
  };
  const lumon = { ...(next['film/noir/lumon.json'] as object), name: 'severance', formerly: ['drama-tv/severance'] };
  const { document } = await diff(dataOf(before), { ...next, 'film/noir/lumon.json': lumon });
  expect(document).toMatchObject({
    added: [{ id: 'noir-film/lumon/reunion' }],
    removed: [],
    moved: [{ id: 'noir-film/lumon/premiere' }],
    changed: [],
    subjects: none,
    renamed: { subjects: [{ old: 'drama-tv/severance', new: 'noir-film/lumon' }] },
    perhaps_renamed: noGuess,
  });
});

test('hints at what was probably renamed', async () => {
  const { document, text } = await diff(
    dataOf(before),
    dataOf({
      'tv/drama/lumon': { Opening: '2027-01-15', Finale: finale },
      'tv/drama/andor': { 'First trailer': '2027-02-01', Panel: '2027-03-01' },
      'film/noir/laura': { Again: '2027-04-01' },
    }),
  );
  expect(document).toMatchObject({
    renamed: { categories: [], genres: [], subjects: [] },
    perhaps_renamed: {
      subjects: [{ old: 'drama-tv/severance', new: 'drama-tv/lumon' }],
      events: [{ old: 'drama-tv/andor/trailer', new: 'drama-tv/andor/first-trailer' }],
    },
  });
  expect(text).toContain('Probably renamed');
  expect(text).toContain('  drama-tv/severance → drama-tv/lumon\n');
});

test('check hints at what was probably renamed since a site was built', async () => {
  const cwd = tempFolder();
  writeTree(join(cwd, 'data'), dataOf(before));
  expect(await runAlmanac(['build', '--now', now, '--quiet'], { cwd })).toMatchObject({ code: 0, stderr: '' });
  const check = async (data: string, ...args: string[]) =>
    runAlmanac(['check', '--data', data, '--against', 'dist', '--now', now, ...args], { cwd });
  expect(await check('data')).toMatchObject({ code: 0, stderr: '' });
  const next = dataOf({
    'tv/drama/lumon': { Opening: '2027-01-15', Finale: finale },
    'tv/drama/andor': { 'First trailer': '2027-02-01' },
    'film/crime/laura': { Again: '2027-04-01' },
  });
  writeTree(join(cwd, 'next'), next);
  const { code, stdout } = await check('next', '--json');
  const { warnings } = JSON.parse(stdout) as { warnings: { code: string; message: string }[] };
  expect(code).toBe(0);
  expect(warnings.map((warning) => warning.code)).toEqual(['perhaps-renamed', 'perhaps-renamed', 'perhaps-renamed']);
  const messages = warnings.map(({ message }) => message).join('\n');
  expect(messages).toContain('keep the old addresses with "formerly": ["drama-tv/severance"] in its file');
  expect(messages).toContain('keep the old addresses with "formerly": ["noir-film/laura"] in its file');
  expect(messages).toContain('found the new event "drama-tv/andor/first-trailer", and no "drama-tv/andor/trailer"');
  const lumon = { ...(next['tv/drama/lumon.json'] as object), formerly: ['severance'] };
  writeTree(join(cwd, 'next'), {
    'tv/drama/lumon.json': lumon,
    'film/crime/genre.json': { name: 'noir', formerly: ['noir-film'] },
    'tv/drama/andor.json': { name: 'andor', events: [{ title: 'First trailer', id: 'trailer', starts: '2027-02-01' }] },
  });
  const declared = JSON.parse((await check('next', '--json')).stdout) as {
    warnings: { code: string; message: string }[];
  };
  expect(declared.warnings.map(({ message }) => message)).toEqual([
    expect.stringContaining('found the new event "drama-tv/lumon/opening", and no "drama-tv/lumon/premiere"'),
  ]);
  expect(await runAlmanac(['check', '--against', 'nowhere'], { cwd })).toMatchObject({ code: 1 });
});

test('a subject with the same name in another genre, or an event with the same title on another day, is a hint', async () => {
  const { document } = await diff(
    dataOf(before),
    dataOf({
      'film/noir/severance': { Rerun: '2027-09-09' },
      'tv/drama/andor': { Trailer: { starts: '2027-02-03', id: 'trailer-2' } },
      'film/noir/laura': { Again: '2027-04-01', Finale: finale },
    }),
  );
  expect(document['perhaps_renamed']).toEqual({
    subjects: [{ old: 'drama-tv/severance', new: 'noir-film/severance' }],
    events: [{ old: 'drama-tv/andor/trailer', new: 'drama-tv/andor/trailer-2' }],
  });
});
