import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { replyTo } from '../../src/server/handler.ts';
import { fetchFrom } from '../../src/server/site-folder.ts';
import { dataOf, emptyGenre } from '../setup/build-site.ts';
import { lastingFolder, readTree, tempFolder, writeTree, type Tree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

/*
 * Former ids: `telly` is now the category `tv`, `plays-tv` and `drama-film` are now its genre
 * `drama-tv`, and its subject `severance` was `sev`, and `sever` in the genre `noir-film`.
 */
const now = '2026-11-20T12:17:00Z';
const events = {
  Premiere: '2027-01-15',
  Finale: { starts: '2027-03-19T21:00', zone: 'America/New_York' },
};
const renamed: Tree = {
  ...dataOf({ 'tv/drama/severance': events, 'film/noir/laura': { Again: '2027-02-01' } }),
  'tv/category.json': { name: 'Television', formerly: ['telly'] },
  'tv/drama/genre.json': { name: 'Drama', formerly: ['plays-tv', 'drama-film'] },
  'tv/drama/severance.json': {
    name: 'Severance',
    formerly: ['sev', 'noir-film/sever'],
    events: [{ title: 'Premiere', starts: '2027-01-15' }],
  },
};

const cwd = lastingFolder();
writeTree(join(cwd, 'data'), renamed);

async function almanac(...args: string[]): Promise<void> {
  const { code, stderr } = await runAlmanac(args, { cwd });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
}

async function build(...args: string[]): Promise<Map<string, Buffer>> {
  await almanac('build', '--quiet', '--now', now, ...args);
  return readTree(join(cwd, 'dist'));
}

test('documents at former addresses have the bytes of the new ones, and pages lead to them', async () => {
  const site = await build();
  const genre = [...site.keys()].filter((path) => path.startsWith('api/v1/genre/drama-tv/'));
  expect(genre.length).toBeGreaterThan(10);
  for (const old of ['plays-tv', 'drama-film', 'drama-telly'])
    for (const path of genre)
      expect(site.get(path.replace('drama-tv', old)), path).toEqual(site.get(path));
  for (const end of ['genres.json', 'events.json', 'events.ics', 'feed.xml'])
    expect(site.get(`api/v1/category/telly/${end}`)).toEqual(site.get(`api/v1/category/tv/${end}`));
  const severance = 'api/v1/genre/drama-tv/subject/severance';
  for (const old of ['drama-tv/subject/sev', 'plays-tv/subject/sev', 'noir-film/subject/sever'])
    for (const end of ['json', 'ics'])
      expect(site.get(`api/v1/genre/${old}.${end}`), old).toEqual(site.get(`${severance}.${end}`));
  const pages: Readonly<Record<string, string>> = {
    'category/telly/': 'category/tv/',
    'genre/plays-tv/': 'genre/drama-tv/',
    'genre/drama-telly/': 'genre/drama-tv/',
    'genre/drama-film/severance/': 'genre/drama-tv/severance/',
    'genre/drama-tv/sev/': 'genre/drama-tv/severance/',
    'genre/noir-film/sever/': 'genre/drama-tv/severance/',
  };
  const sitemap = String(site.get('sitemap.xml'));
  for (const [old, path] of Object.entries(pages)) {
    const page = String(site.get(`${old}index.html`));
    expect(page).toContain(`<link rel="canonical" href="https://example.org/almanac/${path}" />`);
    const [, refresh = ''] = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(page) ?? [];
    expect(new URL(refresh, `https://example.org/almanac/${old}`).href).toBe(
      `https://example.org/almanac/${path}`,
    );
    expect(page).toContain('This page has a new address');
    expect(sitemap).toContain(`/${path}</loc>`);
    expect(sitemap).not.toContain(`/${old}</loc>`);
  }
});

test('a genre that changed its category keeps the address of its pair with the old one', async () => {
  const site = await build();
  const pair = (category: string, genre: string): Buffer | undefined =>
    site.get(`api/v1/category/${category}/genre/${genre}/events.json`);
  expect(pair('film', 'drama-film')).toEqual(pair('tv', 'drama-tv'));
  expect(pair('tv', 'drama-film')).toEqual(pair('tv', 'drama-tv'));
  expect(pair('telly', 'drama-telly')).toEqual(pair('tv', 'drama-tv'));
  expect(pair('film', 'plays-tv')).toEqual(pair('film', 'drama-tv'));
});

test('the handler answers a former id as the new one', async () => {
  await build();
  const fetchFile = fetchFrom(join(cwd, 'dist'));
  const ask = async (query: string): Promise<unknown> => {
    const request = { method: 'GET', url: `/api/v1/${query}`, headers: { get: () => null } };
    const { status, body } = await replyTo(request, fetchFile, Date.parse(now));
    return status === 200 ? JSON.parse(new TextDecoder().decode(body ?? undefined)) : status;
  };
  const queries = [
    ['events?genre=plays-tv', 'events?genre=drama-tv'],
    ['events?category=telly&limit=1', 'events?category=tv&limit=1'],
    ['events?category=film&genre=drama-film', 'events?genre=drama-tv&category=tv'],
    ['genres?category=telly', 'genres?category=tv'],
  ];
  for (const [old = '', current = ''] of queries)
    expect(await ask(old)).toEqual(await ask(current));
  expect(await ask('events?genre=drama-gone')).toBe(404);
});

test('verify accepts the site, and refuses another document at a former address', async () => {
  await build('--compress');
  await almanac('verify', 'dist', '--quiet');
  const path = 'api/v1/genre/plays-tv/events.json';
  const text = readFileSync(join(cwd, 'dist/api/v1/events.json'), 'utf8');
  writeTree(join(cwd, 'dist'), { [path]: text });
  const { code, stderr } = await runAlmanac(['verify', 'dist', '--quiet'], { cwd });
  expect(code).toBe(1);
  expect(stderr).toContain(path);
});

test('a former id that subjects of two genres claim is a problem', async () => {
  const folder = tempFolder();
  const laura = { name: 'Laura', formerly: ['drama-tv/sev'], events: [] };
  writeTree(join(folder, 'data'), { ...renamed, 'film/noir/laura.json': laura });
  const run = async (...args: string[]) => runAlmanac(args, { cwd: folder });
  const expected =
    'data/tv/drama/severance.json:1:33: found the former id "drama-tv/sev" twice (first in data/film/noir/laura.json)';
  expect((await run('check')).stdout).toContain(expected);
  expect((await run('build', '--now', now)).stderr).toContain(expected);
});

test('the mapping of a table names the former ids of its subjects', async () => {
  const cwd = tempFolder();
  const columns = { ignore: [], formerly: { theater: ['stadttheater'], gone: ['other'] } };
  writeTree(join(cwd, 'data'), {
    ...emptyGenre('c/g'),
    'c/g/t.csv': 'subject,title,starts\nTheater,One,2027-01-02\n',
    'c/g/t.columns.json': columns,
  });
  expect(await runAlmanac(['build', '--now', now], { cwd })).toMatchObject({ code: 0, stderr: '' });
  const page = readFileSync(join(cwd, 'dist/genre/g-c/stadttheater/index.html'), 'utf8');
  expect(page).toContain('/genre/g-c/theater/');
  writeTree(join(cwd, 'data/c/g'), {
    't.csv': 'subject,title,starts\nTheater,One,2027-01-02\nStadttheater,Two,2027-01-02\n',
  });
  const { stdout } = await runAlmanac(['check', '--now', now], { cwd });
  expect(stdout).toContain(
    'data/c/g/t.columns.json:1:37: "g-c/stadttheater" is listed under "formerly" but is also in use',
  );
});

const calendar = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:a\r\nSUMMARY:Concert
DTSTART;VALUE=DATE:20270305\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`;
const list = (subject: string): object[] => [{ subject, title: 'Concert', starts: '2027-03-05' }];
const table = (subject: string): string => `subject,title,starts\n${subject},Concert,2027-03-05\n`;
const mapping = { columns: { subject: 'subject', title: 'title', starts: 'starts' } };

test.each([
  {
    kind: 'a subject file',
    before: { 'choir.json': { name: 'Choir', events: [{ title: 'A', starts: '2027-03-05' }] } },
    after: { 'new.json': { name: 'Choir', events: [{ title: 'A', starts: '2027-03-05' }] } },
    advice: '"formerly": ["x-music/choir"] into its file',
    followed: {
      'new.json': {
        name: 'Choir',
        formerly: ['x-music/choir'],
        events: [{ title: 'A', starts: '2027-03-05' }],
      },
    },
  },
  {
    kind: 'a calendar',
    before: { 'choir.ics': calendar },
    after: { 'new.ics': calendar },
    advice: '"formerly": ["x-music/choir"] into new.json next to its calendar',
    followed: { 'new.json': { name: 'Choir', formerly: ['x-music/choir'] } },
  },
  {
    kind: 'a table',
    before: { 'list.csv': table('Choir') },
    after: { 'list.csv': table('New') },
    advice: '"formerly": {"new": ["x-music/choir"]} into the mapping of its table',
    followed: { 'list.columns.json': { ...mapping, formerly: { new: ['x-music/choir'] } } },
  },
  {
    kind: 'a list of objects',
    before: { 'list.json': list('Choir'), 'list.columns.json': mapping },
    after: { 'list.json': list('New') },
    advice: '"formerly": {"new": ["x-music/choir"]} into the mapping of its table',
    followed: { 'list.columns.json': { ...mapping, formerly: { new: ['x-music/choir'] } } },
  },
])('the hint for $kind that was renamed is right', async (row) => {
  const folder = tempFolder();
  const path = (name: string): string => `music/x/${name}`;
  const write = (files: Tree): unknown =>
    writeTree(
      join(folder, 'data'),
      Object.fromEntries(Object.entries(files).map(([name, content]) => [path(name), content])),
    );
  const rebuild = async () =>
    runAlmanac(['build', '--now', now, '--accept-loss', '--json'], { cwd: folder });
  writeTree(join(folder, 'data'), emptyGenre('music/x'));
  write(row.before);
  expect((await rebuild()).code).toBe(0);
  for (const name of Object.keys(row.before))
    if (!Object.hasOwn(row.after, name) && !name.endsWith('.columns.json'))
      rmSync(join(folder, 'data', path(name)));
  write(row.after);
  const diff = await runAlmanac(['diff', 'dist', '--now', now], { cwd: folder });
  expect(diff.stdout + diff.stderr).toContain(`put ${row.advice}, so that`);
  write(row.followed);
  expect((await rebuild()).code).toBe(0);
  const site = readTree(join(folder, 'dist'));
  expect(String(site.get('genre/x-music/choir/index.html'))).toContain(
    'This page has a new address',
  );
});
