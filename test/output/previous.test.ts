import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  constants,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dataOf } from '../setup/build-site.ts';
import { readTree, tempFolder, writeTree } from '../setup/folders.ts';
import { almanac, runAlmanac } from '../setup/run-almanac.ts';

const now = '2026-11-20T12:17:00Z';
const events = {
  'tv/drama/severance': { 'Season 3': '2027-01-15', Finale: '2027-03-19' },
  'tv/panel/quiz': { Final: '2027-01-15' },
  'film/comedy/premieres': { 'First night': '2027-02-01' },
};
const { 'tv/panel/quiz': _, ...kept } = events;
const moved = { ...kept, 'tv/drama/severance': { 'Season 3': '2027-01-22', Finale: '2027-03-19' } };
const list = 'api/v1/genre/comedy-film/events.json';

/** Returns a new folder with a catalogue and its site. */
async function withSite(): Promise<string> {
  const cwd = tempFolder();
  writeTree(join(cwd, 'data'), dataOf(events));
  await build(cwd);
  return cwd;
}

async function build(cwd: string, ...args: string[]): Promise<void> {
  const run = await runAlmanac(['build', '--now', now, '--quiet', ...args], { cwd });
  expect(run).toEqual({ code: 0, signal: null, stdout: '', stderr: '' });
}

/** Returns the inode and the modification time of each file of a site. */
function identities(site: string): Map<string, string> {
  return new Map(
    [...readTree(site).keys()].map((path) => {
      const { ino, mtimeMs } = lstatSync(join(site, path));
      return [path, `${ino} ${Math.floor(mtimeMs)}`];
    }),
  );
}

function changedIn(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string[] {
  return [...after].flatMap(([path, identity]) => (before.get(path) === identity ? [] : [path]));
}

/**
 * Builds the same data with the same change log, but without a site whose files could be kept, and
 * returns the files.
 */
async function freshSite(cwd: string, ...args: string[]): Promise<Map<string, Buffer>> {
  await build(cwd, ...args, '--out', 'fresh', '--against', 'dist');
  const site = readTree(join(cwd, 'fresh'));
  rmSync(join(cwd, 'fresh'), { recursive: true });
  return site;
}

describe('a build that replaces a site', () => {
  test('does not hold all files of the previous site open at once', async () => {
    const cwd = tempFolder();
    const paths = Array.from({ length: 20 }, (_, at) => `tv/genre-${at}/show`);
    writeTree(
      join(cwd, 'data'),
      dataOf(Object.fromEntries(paths.map((path) => [path, { Pilot: '2027-01-15' }]))),
    );
    await build(cwd);
    expect(identities(join(cwd, 'dist')).size).toBeGreaterThan(80);
    const limited = ['-c', 'ulimit -n 60 && exec "$@"', 'sh', process.execPath, almanac];
    execFileSync('sh', [...limited, 'build', '--now', '2026-11-20T12:17:01Z', '--quiet'], {
      cwd,
      env: { PATH: process.env['PATH'] },
    });
    expect(readTree(join(cwd, 'dist'))).toEqual(
      await freshSite(cwd, '--now', '2026-11-20T12:17:01Z'),
    );
  });

  test('writes only the index and the manifest if only the time has changed, in each of several builds', async () => {
    const cwd = await withSite();
    for (const second of [1, 2, 3]) {
      const before = identities(join(cwd, 'dist'));
      const later = ['--now', `2026-11-20T12:17:0${second}Z`];
      await build(cwd, ...later);
      expect(changedIn(before, identities(join(cwd, 'dist')))).toEqual([
        'api/v1/index.json',
        'files.json',
      ]);
      expect(readTree(join(cwd, 'dist'))).toEqual(await freshSite(cwd, ...later));
    }
  });

  test('writes the files that have changed and no others, and has none of a genre that is gone', async () => {
    const cwd = await withSite();
    const [before, old] = [identities(join(cwd, 'dist')), readTree(join(cwd, 'dist'))];
    writeTree(join(cwd, 'data'), dataOf(moved));
    rmSync(join(cwd, 'data/tv/panel'), { recursive: true });
    await build(cwd);
    const site = readTree(join(cwd, 'dist'));
    expect(site).toEqual(await freshSite(cwd));
    const differing = [...site]
      .filter(([path, bytes]) => old.get(path)?.equals(bytes) !== true)
      .map(([path]) => path);
    expect(changedIn(before, identities(join(cwd, 'dist')))).toEqual(differing);
    expect(differing).not.toContain(list);
  });

  test.each<[string, (file: string) => void]>([
    ['edited without a change of its times', (file) => edit(file)],
    ['cut short', (file) => writeFileSync(file, '')],
    ['replaced by a folder', (file) => (rmSync(file), mkdirSync(file))],
    ['given other permissions', (file) => chmodSync(file, 0o600)],
    ['replaced by a link to the same content', (file) => linkToCopy(file)],
  ])('repairs a file that was %s', async (_, damage) => {
    const cwd = await withSite();
    const before = readTree(join(cwd, 'dist'));
    damage(join(cwd, 'dist', list));
    await build(cwd);
    expect(readTree(join(cwd, 'dist'))).toEqual(before);
    const { mode } = lstatSync(join(cwd, 'dist', list));
    expect(mode & 0o777).not.toBe(0o600);
    expect(mode & constants.S_IFMT).toBe(constants.S_IFREG);
  });

  test('shares no file with a backup made of hard links, and keeps the modification times', async () => {
    const cwd = await withSite();
    const times = (): string[] =>
      [...identities(join(cwd, 'dist')).values()].map((text) => text.split(' ')[1] ?? '');
    const before = times();
    execFileSync('cp', ['-al', 'dist', 'backup'], { cwd });
    const saved = readTree(join(cwd, 'backup'));
    await build(cwd);
    expect(times()).toEqual(before);
    for (const path of saved.keys()) expect(lstatSync(join(cwd, 'dist', path)).nlink).toBe(1);
    edit(join(cwd, 'dist', list));
    expect(readTree(join(cwd, 'backup'))).toEqual(saved);
  });
});

/** Changes one byte of a file and restores its access and modification times. */
function edit(file: string): void {
  const { atimeMs, mtimeMs } = statSync(file);
  writeFileSync(file, readFileSync(file, 'utf8').replace('"total":1', '"total":2'));
  utimesSync(file, atimeMs / 1000, mtimeMs / 1000);
}

function linkToCopy(file: string): void {
  const copy = join(tempFolder(), 'copy');
  renameSync(file, copy);
  symlinkSync(copy, file);
}
