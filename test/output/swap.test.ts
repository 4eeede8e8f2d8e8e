import fs, {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { beginSite } from '../../src/output/swap.ts';
import { acquireLock } from '../../src/system/lock.ts';
import { checkManifest } from '../setup/check-manifest.ts';
import { lastingFolder, moveSiteAside, readTree, tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac, type Run } from '../setup/run-almanac.ts';

const build = (now: string): string[] => ['build', '--quiet', '--now', now];
const [before, after] = [build('2026-11-20T00:00:00Z'), build('2026-11-21T00:00:00Z')];
// Each file is a step at which to interrupt a build, so the site has few.
const service = {
  name: 'Sample',
  license: 'Free to use.',
  base_url: 'https://example.org',
  pages: 'home',
};
const small = { 'data/service.json': service };

/**
 * The sites before and after the interrupted build, which continues the change log of the site
 * before it.
 */
let old: string;
let next: string;
/** The site of the interrupted build if there was none before. */
let fresh: string;

beforeAll(async () => {
  const cwd = writeTree(lastingFolder(), small);
  old = await textOfBuild(before, cwd);
  next = await textOfBuild(after, cwd);
  fresh = await textOfBuild(after, writeTree(lastingFolder(), small));
});

async function textOfBuild(args: readonly string[], cwd: string): Promise<string> {
  expect(await runAlmanac(args, { cwd })).toMatchObject({ code: 0 });
  return textOf(join(cwd, 'dist'));
}

/** Returns a whole site as one text, or null if there is none or a part of it is missing. */
function wholeSite(folder: string): string | null {
  try {
    checkManifest(readTree(folder));
    return textOf(folder);
  } catch {
    return null;
  }
}

function textOf(folder: string): string {
  return JSON.stringify([...readTree(folder)].map(([path, content]) => [path, content.toString()]));
}

/** Returns the names next to a site, or those of one kind. */
function namesNextToSite(cwd: string, kind?: 'new' | 'old'): string[] {
  const names = readdirSync(cwd).filter((name) => name !== 'data' && name !== 'dist');
  return kind === undefined
    ? names
    : names.filter((name) => name.startsWith(`.dist.almanac-${kind}`));
}

type Step =
  | 'linkSync'
  | 'mkdirSync'
  | 'renameSync'
  | 'rmdirSync'
  | 'rmSync'
  | 'unlinkSync'
  | 'writeFileSync';
const allSteps: readonly Step[] = [
  'linkSync',
  'mkdirSync',
  'renameSync',
  'rmdirSync',
  'rmSync',
  'unlinkSync',
  'writeFileSync',
];

type Interrupted = Run & { readonly steps: readonly Step[] };

/**
 * Builds in this process, and fails the nth of some calls that change the disk, which are its
 * steps. With `SIGKILL` every later call fails too, so the disk is left as by a process that was
 * killed.
 */
async function interruptedBuild(
  cwd: string,
  at: number,
  how: string,
  calls = allSteps,
): Promise<Interrupted> {
  const steps: Step[] = [];
  let isDead = false;
  const real = Object.fromEntries(allSteps.map((name) => [name, fs[name]]));
  for (const name of allSteps) {
    const call = real[name] as (...args: readonly unknown[]) => unknown;
    const replacement = (...args: readonly unknown[]): unknown => {
      const isTarget = calls.includes(name) && steps.push(name) === at;
      if (isTarget || isDead) {
        isDead = how === 'SIGKILL';
        throw Object.assign(new Error('injected'), { code: how, syscall: name, path: args[0] });
      }
      return call(...args);
    };
    Object.assign(fs, { [name]: replacement });
  }
  syncBuiltinESMExports();
  try {
    return { ...(await runAlmanac(after, { cwd })), steps };
  } finally {
    Object.assign(fs, real);
    syncBuiltinESMExports();
    endHeartbeat(cwd);
  }
}

/** Lets a lock look like that of a process that has ended long ago. */
function endHeartbeat(cwd: string): void {
  const lock = join(cwd, '.dist.almanac-lock');
  if (existsSync(lock)) for (const name of readdirSync(lock)) utimesSync(join(lock, name), 0, 0);
}

/**
 * Interrupts a build at the first and the last step of each name and at every rename, each time in
 * a copy of `template`. The next build must recover. Returns the names of the steps. (`npm run
 * test:faults` kills processes at any instant.)
 */
async function interruptEachStep(
  how: string,
  template: string,
  then: (cwd: string, step: Step, run: Run) => void,
  expected = next,
): Promise<Step[]> {
  const { code, steps } = await interruptedBuild(copyOf(template), 0, how);
  expect(code).toBe(0);
  const interrupted = steps.flatMap((step, n) => {
    const isEnd = steps.indexOf(step) === n || steps.lastIndexOf(step) === n;
    return isEnd || step === 'renameSync' ? [{ step, n }] : [];
  });
  for (const { step, n } of interrupted) {
    const cwd = copyOf(template);
    then(cwd, step, await interruptedBuild(cwd, n + 1, how));
    expect(await runAlmanac(after, { cwd })).toEqual({
      code: 0,
      signal: null,
      stdout: '',
      stderr: '',
    });
    expect(textOf(join(cwd, 'dist'))).toBe(expected);
    expect(namesNextToSite(cwd)).toEqual([]);
  }
  return interrupted.map(({ step }) => step);
}

function copyOf(template: string): string {
  const cwd = tempFolder();
  cpSync(template, cwd, { recursive: true, preserveTimestamps: true });
  return cwd;
}

/** Returns a new folder with the data and the old site. */
async function withOldSite(): Promise<string> {
  const cwd = writeTree(tempFolder(), small);
  expect(await runAlmanac(before, { cwd })).toMatchObject({ code: 0 });
  return cwd;
}

/** Expects the whole old or next site at `dist`, or next to it if there is no `dist`. */
function expectWholeSite(cwd: string): void {
  const places = existsSync(join(cwd, 'dist'))
    ? ['dist']
    : [...namesNextToSite(cwd, 'new'), ...namesNextToSite(cwd, 'old')];
  const sites = places.map((name) => wholeSite(join(cwd, name))).filter((site) => site !== null);
  expect(sites.length).toBeGreaterThan(0);
  for (const site of sites) expect([old, next]).toContain(site);
}

describe('a build that is killed at its steps', () => {
  test('leaves a whole site, and the next build replaces it and removes all leftovers', async () => {
    const steps = await interruptEachStep('SIGKILL', await withOldSite(), expectWholeSite);
    expect(steps.filter((step) => step === 'renameSync').length).toBe(3);
    expect(steps).toContain('linkSync');
  });

  test('leaves no partial site if there was none before', async () => {
    const expectNone = (cwd: string): void => {
      if (existsSync(join(cwd, 'dist'))) expect(wholeSite(join(cwd, 'dist'))).toBe(fresh);
    };
    const steps = await interruptEachStep(
      'SIGKILL',
      writeTree(tempFolder(), small),
      expectNone,
      fresh,
    );
    expect(steps).toContain('writeFileSync');
  });

  test('leaves a whole site if the previous build was killed between its two renames', async () => {
    const cwd = await withOldSite();
    await atRename(cwd, 2, 'SIGKILL');
    expect(namesNextToSite(cwd, 'old')).toHaveLength(1);
    expect(await interruptEachStep('SIGKILL', cwd, expectWholeSite)).toContain('renameSync');
  });
});

test.each([
  ['verify', 'dist', '--quiet'],
  ['verify', 'links/link', '--quiet'],
  [...after, '--against', 'dist', '--out', 'other'],
])('after a kill between the renames, %s %s puts the previous site back', async (...command) => {
  const cwd = await withOldSite();
  moveSiteAside(join(cwd, 'dist'));
  mkdirSync(join(cwd, 'links'));
  symlinkSync('../dist', join(cwd, 'links/link'));
  expect(await runAlmanac(command, { cwd })).toMatchObject({ code: 0, stderr: '' });
  expect(textOf(join(cwd, 'dist'))).toBe(old);
  expect(namesNextToSite(cwd, 'old')).toEqual([]);
});

test.each<[string, (cwd: string) => void]>([
  ['has no manifest', (cwd) => rmSync(join(cwd, '.dist.almanac-old/files.json'))],
  [
    'is a link',
    (cwd) => (rmSync(join(cwd, '.dist.almanac-old'), { recursive: true }), linkOld(cwd)),
  ],
])('what %s is not put back, and the next build builds a site', async (_, change) => {
  const cwd = await withOldSite();
  moveSiteAside(join(cwd, 'dist'));
  change(cwd);
  expect(await runAlmanac(['verify', 'dist'], { cwd })).toMatchObject({ code: 1 });
  expect(await runAlmanac(after, { cwd })).toMatchObject({ code: 0, stderr: '' });
  expect(textOf(join(cwd, 'dist'))).toBe(fresh);
  expect(namesNextToSite(cwd)).toEqual([]);
});

/** Puts a link to a whole site elsewhere in the place of the previous site. */
function linkOld(cwd: string): void {
  const elsewhere = tempFolder();
  writeTree(elsewhere, { 'files.json': '{}' });
  symlinkSync(elsewhere, join(cwd, '.dist.almanac-old'));
}

test('a swap whose second rename fails puts the previous site back', async () => {
  const cwd = writeTree(tempFolder(), { 'dist/index.html': 'old' });
  const { swap, close } = beginSite(join(cwd, 'dist'), false);
  const removeNew = (): void =>
    rmSync(join(cwd, namesNextToSite(cwd, 'new')[0] ?? ''), { recursive: true });
  await expect(swap(removeNew)).rejects.toThrow('ENOENT');
  close();
  expect([...readTree(cwd).keys()]).toEqual(['dist/index.html']);
});

test('a swap gives way to a build that took the lock over', async () => {
  const cwd = writeTree(tempFolder(), { 'dist/index.html': 'old' });
  const { swap, close } = beginSite(join(cwd, 'dist'), false);
  rmSync(join(cwd, '.dist.almanac-lock'), { recursive: true });
  await expect(swap(() => {})).rejects.toMatchObject({
    problems: [{ code: 'out-busy', owner: 'one that just started' }],
  });
  close();
  expect(readTree(join(cwd, 'dist')).size).toBe(1);
});

test('a build says so if the file system cannot rename the site, and keeps it', async () => {
  const cwd = await withOldSite();
  expect(await atRename(cwd, 1, 'EXDEV')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('a layer of a container image (EXDEV)'),
  });
  expect(textOf(join(cwd, 'dist'))).toBe(old);
  expect(namesNextToSite(cwd)).toEqual([]);
});

/** Interrupts a build at one of the two renames of its swap. Its lock takes one rename as well. */
async function atRename(cwd: string, rename: 1 | 2, how: string): Promise<Run> {
  return interruptedBuild(cwd, 1 + rename, how, ['renameSync']);
}

test('a build that fails at its steps leaves a whole site and reports the error in one line', async () => {
  const steps = await interruptEachStep(
    'EIO',
    await withOldSite(),
    (cwd, step, { code, stderr }) => {
      // A file that cannot be linked is written; the next build removes what cannot be removed.
      const hasAnotherWay = ['linkSync', 'rmdirSync', 'rmSync', 'unlinkSync'].includes(step);
      expect(code).toBe(hasAnotherWay ? 0 : 1);
      if (hasAnotherWay) expect(textOf(join(cwd, 'dist'))).toBe(next);
      else expect(stderr).toMatch(/^could not write "[^\n]+": i\/o error \(EIO\); [^\n]+\n$/);
      expectWholeSite(cwd);
    },
  );
  expect(steps).toContain('linkSync');
});

test('a build removes leftovers of earlier builds next to the site', async () => {
  const cwd = writeTree(tempFolder(), {
    ...small,
    '.dist.almanac-old/files.json': '{',
    '.dist.almanac-new/a/b': '',
  });
  writeTree(cwd, {
    '.dist.almanac-lock/x': '',
    '.dist.almanac-lock-1-2': '',
    '.dist.almanac-other/x': '',
    '.distant': 'not ours',
    '.dist': '',
  });
  expect(await runAlmanac(after, { cwd })).toMatchObject({ code: 0, stderr: '' });
  expect(namesNextToSite(cwd)).toEqual(['.dist', '.distant']);
});

test('a build gives way to another that holds the lock (out-busy, exit 1)', async () => {
  const cwd = await withOldSite();
  const lock = acquireLock(join(cwd, '.dist.almanac-lock'));
  const run = await runAlmanac([...after, '--json'], { cwd });
  expect(run).toMatchObject({ code: 1, stderr: '' });
  const problem = { code: 'out-busy', message: expect.stringContaining(`process ${process.pid}`) };
  expect(JSON.parse(run.stdout)).toMatchObject({ ok: false, problems: [problem] });
  expect(textOf(join(cwd, 'dist'))).toBe(old);
  if ('release' in lock) lock.release();
  expect(await runAlmanac(after, { cwd })).toMatchObject({ code: 0, stderr: '' });
  expect(namesNextToSite(cwd)).toEqual([]);
});

describe('the output folder', () => {
  test('is created with its parents if it does not exist, and may be empty', async () => {
    const cwd = writeTree(tempFolder(), small);
    expect(await runAlmanac([...after, '--out', 'a/b/c'], { cwd })).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(textOf(join(cwd, 'a/b/c'))).toBe(fresh);
    expect(readdirSync(join(cwd, 'a/b'))).toEqual(['c']);
    mkdirSync(join(cwd, 'dist'));
    expect(await runAlmanac(after, { cwd })).toMatchObject({ code: 0, stderr: '' });
    expect(textOf(join(cwd, 'dist'))).toBe(fresh);
  });

  test('may have a folder that is empty because its files are missing', async () => {
    const cwd = await withOldSite();
    for (const path of readTree(join(cwd, 'dist')).keys())
      if (path.startsWith('assets/')) rmSync(join(cwd, 'dist', path));
    expect(await runAlmanac(after, { cwd })).toMatchObject({ code: 0 });
    expect(textOf(join(cwd, 'dist'))).toBe(next);
  });

  test('is not created for a build that fails, and its parent is kept only if it was there', async () => {
    const genre = {
      'data/tv/category.json': { name: 'TV' },
      'data/tv/drama/genre.json': { name: 'Drama' },
    };
    const cwd = writeTree(tempFolder(), {
      ...small,
      ...genre,
      'data/tv/drama/severance.json': '{',
    });
    mkdirSync(join(cwd, 'empty'));
    for (const out of ['empty/dist', 'a/b/dist'])
      expect(await runAlmanac([...after, '--out', out], { cwd })).toMatchObject({ code: 1 });
    expect(readdirSync(cwd).toSorted()).toEqual(['data', 'empty']);
  });

  test('stays unchanged if the data is invalid', async () => {
    const cwd = await withOldSite();
    writeFileSync(join(cwd, 'data/service.json'), '{');
    expect(await runAlmanac(after, { cwd })).toMatchObject({ code: 1, stdout: '' });
    expect(textOf(join(cwd, 'dist'))).toBe(old);
    expect(namesNextToSite(cwd)).toEqual([]);
  });
});
