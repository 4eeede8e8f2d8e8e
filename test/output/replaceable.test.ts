import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readTree, tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';
import { now, sample } from '../setup/sample.ts';

const foreign = 'it is not empty and not a site that almanac built';
const ofData = 'it is the data folder or contains it';
const inData = 'it is inside the data folder';
const ofPublic = 'it is the folder of public files, contains it or is inside it';
const others = (name: string): string => `it holds "${name}", which almanac did not put there`;

/** Builds the site, then puts something of others into it. */
const builtWith =
  (change: (site: string) => void): Preparation =>
  async (cwd) => {
    await runAlmanac(['build', '--now', now], { cwd });
    change(join(cwd, 'dist'));
  };

type Preparation = (cwd: string) => unknown;
/** `--out` is relative to the folder that holds `data`; null leaves it at `dist`. */
type Case = [what: string, out: string | null, reason: string, prepare?: Preparation];

const cases: readonly Case[] = [
  ['the root', '/', 'it is the root of the file system'],
  ['a folder that contains the home folder', 'homes', 'it is the home folder or contains it'],
  ['the data folder', 'data', ofData],
  ['the parent of the data folder', '.', ofData],
  ['a link to the data folder', 'link', ofData, (cwd) => symlinkSync('data', join(cwd, 'link'))],
  ['a folder of the data folder', 'data/tv', inData],
  [
    'a new folder in a link to it',
    'link/dist',
    inData,
    (cwd) => symlinkSync('data/tv', join(cwd, 'link')),
  ],
  [
    'the folder of public files',
    'public',
    ofPublic,
    (cwd) => writeTree(cwd, { 'public/CNAME': 'x' }),
  ],
  ['a new folder in it', 'public/dist', ofPublic, (cwd) => writeTree(cwd, { 'public/CNAME': 'x' })],
  ['files of the user', null, foreign, (cwd) => writeTree(cwd, { 'dist/index.html': 'mine' })],
  [
    'an empty folder in a folder',
    null,
    foreign,
    (cwd) => mkdirSync(join(cwd, 'dist/empty'), { recursive: true }),
  ],
  [
    "another program's files.json",
    null,
    foreign,
    (cwd) => writeTree(cwd, { 'dist/files.json': { generator: 'other/1.0.0', files: {} } }),
  ],
  [
    'a files.json that is no manifest',
    null,
    foreign,
    (cwd) =>
      writeTree(cwd, {
        'dist/files.json': { generator: 'almanac/1.0.0', files: null },
        'dist/x': '',
      }),
  ],
  [
    'a site with an unknown file',
    null,
    others('api/v1/notes.txt'),
    builtWith((site) => writeFileSync(join(site, 'api/v1/notes.txt'), 'mine')),
  ],
  [
    'a site with an empty folder',
    null,
    others('mine'),
    builtWith((site) => mkdirSync(join(site, 'mine'))),
  ],
  [
    'a site with a file named like a property of every object',
    null,
    others('constructor'),
    builtWith((site) => writeFileSync(join(site, 'constructor'), 'mine')),
  ],
  [
    'a site with a folder in place of its manifest',
    null,
    foreign,
    builtWith((site) => (rmSync(join(site, 'files.json')), mkdirSync(join(site, 'files.json')))),
  ],
  [
    'a site with a folder that has a file in place of one of its files',
    null,
    others('api/v1/events.json/notes.txt'),
    builtWith((site) => {
      rmSync(join(site, 'api/v1/events.json'));
      writeTree(site, { 'api/v1/events.json/notes.txt': 'mine' });
    }),
  ],
  [
    'a site with a file in place of a folder',
    null,
    others('api/v1/category'),
    builtWith((site) => {
      rmSync(join(site, 'api/v1/category'), { recursive: true });
      writeTree(site, { 'api/v1/category': 'mine' });
    }),
  ],
  [
    'an empty manifest without documents',
    null,
    foreign,
    (cwd) => writeTree(cwd, { 'dist/files.json': '', 'dist/index.html': 'mine' }),
  ],
  ['a file', null, 'it is a file', (cwd) => writeTree(cwd, { dist: 'mine' })],
];

test.each(cases)('refuses to replace %s', async (_, out, reason, prepare) => {
  const cwd = writeTree(tempFolder(), { ...sample, 'homes/me/notes': '' });
  await prepare?.(cwd);
  const before = [...readTree(cwd)];
  const args = ['build', '--now', now, ...(out === null ? [] : ['--out', out])];
  vi.stubEnv('HOME', out?.startsWith('homes') ? join(cwd, 'homes/me') : '/no/home');
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const more of [[], ['--dry-run']]) {
    const run = await runAlmanac([...args, ...more], { cwd });
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(/^refused to replace "[^\n]+\n$/);
    expect(run.stderr).toContain(reason);
  }
  const json = await runAlmanac([...args, '--json'], { cwd });
  expect(json).toMatchObject({ code: 1, stderr: '' });
  expect(JSON.parse(json.stdout)).toMatchObject({
    ok: false,
    problems: [{ code: 'out-refused', file: null }],
  });
  expect([...readTree(cwd)]).toEqual(before);
});
