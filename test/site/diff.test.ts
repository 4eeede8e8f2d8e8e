import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildSite, dataOf, type Events } from '../setup/build-site.ts';
import { readTree, tempFolder, writeTree, type Tree } from '../setup/folders.ts';
import { runAlmanac, type Run } from '../setup/run-almanac.ts';
import { serveFolder } from '../setup/serve-folder.ts';

const now = '2026-11-20T12:17:00Z';
const finale = { starts: '2027-03-19T21:00', zone: 'America/New_York' };
const before: Events = {
  'tv/drama/severance': { Premiere: '2027-01-15', Finale: finale, Tour: '2027-Q2' },
  'tv/drama/andor': { Trailer: '2027-02-01', Gala: '2027-03-01' },
  'film/noir/laura': { Again: '2027-04-01', Today: '2026-11-20T13:00Z' },
};
const after: Events = {
  'tv/drama/severance': { Premiere: '2027-01-22', Finale: { ...finale, url: 'https://e.org' }, Tour: '2027-05-02' },
  'tv/drama/andor': { Trailer: { starts: '2027-02-01', cancelled: true }, '[Gala](x)': '2027-03-02' },
  'film/noir/laura': { Again: '2027-04-01', Today: '2026-11-20T13:00Z' },
};

/** Builds the site of one catalogue, and compares it with the data of another. */
async function diff(old: Events, next: Tree, ...args: string[]): Promise<Run & { cwd: string }> {
  const cwd = tempFolder();
  await buildSite(old, now, { cwd });
  writeTree(join(cwd, 'data'), next);
  const run = await runAlmanac(['diff', 'dist', '--now', '2026-11-20T14:17:00Z', ...args], { cwd });
  return { ...run, cwd };
}

test('prints what building the data would change, and writes nothing', async () => {
  const { code, stdout, cwd } = await diff(before, dataOf(after));
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `1 event cancelled
  2027-02-01 andor: Trailer (drama-tv/andor/trailer)

1 event moved
  2027-01-15 → 2027-01-22 severance: Premiere (drama-tv/severance/premiere)

1 event dated
  2027-Q2 → 2027-05-02 severance: Tour (drama-tv/severance/tour)

1 event added
  2027-03-02 andor: [Gala](x) (drama-tv/andor/gala-x)

1 event removed
  2027-03-01 andor: Gala (drama-tv/andor/gala)

1 event changed
  Changed: url severance: Finale (drama-tv/severance/finale)

In all: 2 categories, 2 genres, 3 subjects, 6 → 5 upcoming events.
`,
  });
  const site = readTree(join(cwd, 'dist'));
  expect(await runAlmanac(['build', '--now', now, '--out', 'again', '--data', 'data'], { cwd })).toMatchObject({
    code: 0,
  });
  expect(readTree(join(cwd, 'dist'))).toEqual(site);
});

test('prints Markdown in which no text of the data is markup, and a document for programs', async () => {
  const { stdout } = await diff(before, dataOf(after), '--markdown');
  expect(stdout).toContain('### 1 event moved\n\n- 2027-01-15 → 2027-01-22 severance\\: Premiere');
  expect(stdout).toContain('\\[Gala\\]\\(x\\)');
  const { stdout: json, cwd } = await diff(before, dataOf(after), '--json');
  const document = JSON.parse(json) as { changes: { kind: string; id: string }[] };
  expect(document).toMatchObject({
    ok: true,
    site: 'dist',
    count: 6,
    catalogue: { old: { upcoming: 6 }, new: { upcoming: 5, last_sync: '2026-11-20T14:17:00.000Z' } },
  });
  const args = ['build', '--now', '2026-11-20T14:17:00Z', '--changes', 'changes.json', '--quiet'];
  expect(await runAlmanac(args, { cwd })).toMatchObject({ code: 0 });
  const seen = JSON.parse(readFileSync(join(cwd, 'changes.json'), 'utf8')) as { changes: object[] };
  expect(document.changes).toEqual(seen.changes);
});

test('compares with a site at an address, and with the totals alone of a site without memory', async () => {
  const { cwd } = await diff(before, dataOf(after));
  const address = await serveFolder(join(cwd, 'dist'));
  const run = await runAlmanac(['diff', address, '--now', now], { cwd });
  expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('1 event moved') });
  await buildSite(before, now, { cwd, out: 'small', service: { formats: [] } });
  const small = await runAlmanac(['diff', 'small', '--now', now], { cwd });
  expect(small.stdout).toMatch(/^Notes\n {2}found no events\.ndjson.*\n\nIn all: .* 6 upcoming/);
  expect(await runAlmanac(['diff', 'nowhere', '--now', now], { cwd })).toMatchObject({ code: 1 });
  expect(await runAlmanac(['diff', 'dist', 'small'], { cwd })).toMatchObject({ code: 2 });
});

/** Returns the hints of `diff` and of the build that follows. They are the same. */
async function hints(old: Events, next: Tree): Promise<string[]> {
  const { stdout, cwd } = await diff(old, next, '--json');
  const built = await runAlmanac(['build', '--now', '2026-11-20T14:17:00Z', '--json'], { cwd });
  const [found, foundByBuild] = [stdout, built.stdout].map((text) => {
    const { warnings = [] } = JSON.parse(text) as { warnings?: { code: string; message: string }[] };
    return warnings.filter(({ code }) => code === 'perhaps-renamed').map(({ message }) => message);
  });
  expect(foundByBuild).toEqual(found);
  return found ?? [];
}

test('a rename that nobody declared is a hint with the line to write (perhaps-renamed)', async () => {
  const next = dataOf({
    'tv/drama/lumon': before['tv/drama/severance'] ?? {},
    'tv/drama/andor': before['tv/drama/andor'] ?? {},
    'film/crime/laura': before['film/noir/laura'] ?? {},
  });
  expect(await hints(before, next)).toEqual([
    expect.stringContaining(
      'found the new genre "crime-film", and no "noir-film" any more; if they are the same, put "formerly": ["noir-film"] into its genre.json',
    ),
    expect.stringContaining(
      'found the new subject "drama-tv/lumon", and no "drama-tv/severance" any more; if they are the same, put "formerly": ["drama-tv/severance"] into its file',
    ),
  ]);
  const declared: Tree = {
    ...next,
    'tv/drama/lumon.json': { ...(next['tv/drama/lumon.json'] as object), name: 'severance', formerly: ['severance'] },
    'film/crime/genre.json': { name: 'noir', formerly: ['noir-film'] },
  };
  expect(await hints(before, declared)).toEqual([]);
  expect((await diff(before, declared)).stdout).toMatch(/^No event changes\.\n/);
});

test('a subject of a table is renamed in the mapping of the table', async () => {
  const { 'tv/drama/severance.json': _, ...others } = dataOf(before);
  const table = 'subject,title,starts\nLumon,A,2027-01-15\nLumon,B,2027-03-20T01:00Z\nLumon,C,2027-Q2\n';
  expect(await hints(before, { ...others, 'tv/drama/shows.csv': table })).toEqual([
    expect.stringContaining('put "formerly": {"lumon": ["drama-tv/severance"]} into the mapping of its table'),
  ]);
});

test.each<[string, Events]>([
  ['a subject that is still there', { ...before, 'film/noir/severance': before['tv/drama/severance'] ?? {} }],
  ['other events', { ...before, 'tv/drama/severance': {}, 'tv/drama/lumon': { Rerun: '2027-09-09' } }],
])('%s is no rename', async (_, next) => {
  expect(await hints(before, dataOf(next))).toEqual([]);
});

test('a row of a table whose date changes is one move, although its id has the date', async () => {
  const cwd = tempFolder();
  const { 'tv/drama/severance.json': _, ...others } = dataOf(before);
  const build = async (day: string, row: string): Promise<Run> => {
    const table = `subject,title,starts\nHall,Concert,2027-01-08\n${row}\nHall,Concert,2027-05-01\n`;
    writeTree(join(cwd, 'data'), { ...others, 'tv/drama/hall.csv': table });
    return runAlmanac(['build', '--now', day, '--changes', 'changes.json', '--quiet'], { cwd });
  };
  expect(await build('2026-11-20T12:17:00Z', 'Hall,Concert,2027-01-15')).toMatchObject({ code: 0 });
  expect(await build('2026-11-21T12:17:00Z', 'Hall,Concert,2027-01-22')).toMatchObject({ code: 0 });
  const { changes } = JSON.parse(readFileSync(join(cwd, 'changes.json'), 'utf8')) as { changes: object[] };
  expect(changes).toMatchObject([
    {
      kind: 'moved',
      title: 'Concert',
      before: { id: 'drama-tv/hall/concert-2027-01-15', date: '2027-01-15' },
      after: { id: 'drama-tv/hall/concert-2027-01-22', date: '2027-01-22' },
    },
  ]);
});
