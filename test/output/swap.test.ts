import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { checkManifest } from '../setup/check-manifest.ts';
import { lastingFolder, readTree, tempFolder, writeTree } from '../setup/folders.ts';
import { almanac, runAlmanac, type Run, spawnAlmanac } from '../setup/run-almanac.ts';

const interrupt = join(import.meta.dirname, 'interrupt.mjs');
const build = (now: string): string[] => ['build', '--quiet', '--now', now];
const [before, after] = [build('2026-11-20T00:00:00Z'), build('2026-11-21T00:00:00Z')];
const service = { name: 'Sample', license: 'Free to use.', base_url: 'https://example.org' };
const small = { 'data/service.json': service };

/** The site as it was before and as the interrupted build makes it: they differ in the index and the inventory. */
let old: string;
let next: string;

beforeAll(async () => {
  old = await textOfBuild(before);
  next = await textOfBuild(after);
});

async function textOfBuild(args: readonly string[]): Promise<string> {
  const cwd = writeTree(lastingFolder(), small);
  expect(await runAlmanac(args, { cwd })).toMatchObject({ code: 0 });
  return textOf(join(cwd, 'dist'));
}

/** A whole site as one text; null where there is none or a part of it is missing. */
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

/** The names next to a site, or those of one kind. */
function beside(cwd: string, kind?: 'next' | 'old' | 'lock'): string[] {
  const names = readdirSync(cwd).filter((name) => name !== 'data' && name !== 'dist');
  return kind === undefined ? names : names.filter((name) => name.startsWith(`.dist.almanac-${kind}`));
}

function removeBeside(cwd: string, kind: 'next' | 'old', path = ''): void {
  for (const name of beside(cwd, kind)) rmSync(join(cwd, name, path), { recursive: true });
}

/** Runs a build that is interrupted at its nth change of the disk; null where it has fewer. */
async function interrupted(cwd: string, at: number, how: string): Promise<(Run & { readonly step: string }) | null> {
  const run = await spawnAlmanac(after, { cwd, node: ['--import', interrupt], env: { AT: String(at), HOW: how } });
  const [step = ''] = run.stderr.split('\n');
  return run.code === 0 && step === '' ? null : { ...run, step };
}

/** Interrupts a build at each of its steps in turn, each time in a copy of `template`; the next one must put all right. */
async function atEachStep(
  how: string,
  template: string,
  then: (cwd: string, run: Run & { readonly step: string }) => void,
): Promise<string[]> {
  const steps: string[] = [];
  for (;;) {
    const cwd = tempFolder();
    cpSync(template, cwd, { recursive: true });
    const run = await interrupted(cwd, steps.length + 1, how);
    if (run === null) return steps;
    steps.push(run.step);
    then(cwd, run);
    expect(await runAlmanac(after, { cwd })).toEqual({ code: 0, signal: null, stdout: '', stderr: '' });
    expect(textOf(join(cwd, 'dist'))).toBe(next);
    expect(beside(cwd)).toEqual([]);
  }
}

/** A data folder with the old site beside it. */
async function withOldSite(): Promise<string> {
  const cwd = writeTree(tempFolder(), small);
  expect(await runAlmanac(before, { cwd })).toMatchObject({ code: 0 });
  return cwd;
}

/** Expects one whole site, the old one or the next, at its place or, while that is empty, beside it. */
function expectWholeSite(cwd: string): void {
  const places = existsSync(join(cwd, 'dist')) ? ['dist'] : [...beside(cwd, 'next'), ...beside(cwd, 'old')];
  const sites = places.map((name) => wholeSite(join(cwd, name))).filter((site) => site !== null);
  expect(sites.length).toBeGreaterThan(0);
  for (const site of sites) expect([old, next]).toContain(site);
}

describe('a build that is killed at any of its steps', () => {
  test('leaves a whole site, and the next run puts it right and clears the rest', async () => {
    const steps = await atEachStep('SIGKILL', await withOldSite(), (cwd, { signal }) => {
      expect(signal).toBe('SIGKILL');
      expectWholeSite(cwd);
    });
    expect(steps.filter((step) => step === 'renameSync').length).toBe(2);
    expect(steps.filter((step) => step === 'linkSync').length).toBeGreaterThan(9);
  });

  test('does no harm where there was no site', async () => {
    const steps = await atEachStep('SIGKILL', writeTree(tempFolder(), small), (cwd) => {
      if (existsSync(join(cwd, 'dist'))) expect(wholeSite(join(cwd, 'dist'))).toBe(next);
    });
    expect(steps.filter((step) => step === 'writeFileSync').length).toBeGreaterThan(9);
  });

  test('nor where the run before it was killed between its two renames', async () => {
    const cwd = await withOldSite();
    await killBetweenRenames(cwd);
    expect(await atEachStep('SIGKILL', cwd, expectWholeSite)).toContain('renameSync');
  });
});

test('a check after a kill leaves alone what it finds', async () => {
  const cwd = await withOldSite();
  await killBetweenRenames(cwd);
  const found = beside(cwd);
  expect(await runAlmanac(['check'], { cwd })).toMatchObject({ code: 0 });
  expect(beside(cwd)).toEqual(found);
});

test.each<[string, (cwd: string) => void, () => string]>([
  ['the next site if it is whole', () => {}, () => next],
  ['the next site if it is alone', (cwd) => removeBeside(cwd, 'old'), () => next],
  ['the previous site if the next is cut off', (cwd) => removeBeside(cwd, 'next', 'files.json'), () => old],
  ['the previous site if it is alone', (cwd) => removeBeside(cwd, 'next'), () => old],
])('after such a kill, a command that reads finds %s', async (_, change, expected) => {
  const cwd = await withOldSite();
  await killBetweenRenames(cwd);
  change(cwd);
  const read = await runAlmanac(['diff', 'dist', 'dist', '--quiet'], { cwd });
  expect(read).toMatchObject({ code: 0, stderr: '' });
  expect(textOf(join(cwd, 'dist'))).toBe(expected());
  expect(beside(cwd)).toEqual([]);
});

/** Kills a build just before the second of its two renames, when the old site is out of its place and the next not in it. */
async function killBetweenRenames(cwd: string): Promise<void> {
  const env = { AT: '2', CALL: 'renameSync', HOW: 'SIGKILL' };
  const run = await spawnAlmanac(after, { cwd, node: ['--import', interrupt], env });
  expect(run).toMatchObject({ signal: 'SIGKILL', stderr: 'renameSync\n' });
  expect(existsSync(join(cwd, 'dist'))).toBe(false);
}

test('a build that fails at any of its steps leaves a whole site, and says so in one line', async () => {
  const steps = await atEachStep('EIO', await withOldSite(), (cwd, { code, stderr, step }) => {
    // A file that cannot be linked is written; rmSync removes what rmdirSync does not.
    const hasAnotherWay = step === 'rmdirSync' || step === 'linkSync';
    expect(code).toBe(hasAnotherWay ? 0 : 1);
    if (hasAnotherWay) expect(textOf(join(cwd, 'dist'))).toBe(next);
    else expect(stderr).toMatch(/^\w+\nthe site could not be written: the disk reported an error \(EIO\) at [^\n]+\n$/);
    expectWholeSite(cwd);
  });
  expect(steps).toContain('linkSync');
});

test('parts of sites next to it are removed', async () => {
  const cwd = writeTree(tempFolder(), { ...small, '.dist.almanac-old/files.json': '{', '.dist.almanac-next/a/b': '' });
  writeTree(cwd, { '.dist.almanac-lock-1-2': '', '.dist.almanac-other/x': '', '.distant': 'not ours', '.dist': '' });
  expect(await runAlmanac(after, { cwd })).toMatchObject({ code: 0, stderr: '' });
  expect(beside(cwd)).toEqual(['.dist', '.distant']);
});

describe('the lock', () => {
  test('a build that runs keeps others out: out-busy, exit 1; it then ends as if alone', async () => {
    const cwd = await withOldSite();
    const first = await stopped(cwd);
    const second = await runAlmanac([...after, '--json'], { cwd });
    expect(second).toMatchObject({ code: 1, stderr: '' });
    const problem = { code: 'out-busy', message: expect.stringContaining(`process ${first.pid}`) };
    expect(JSON.parse(second.stdout)).toMatchObject({ ok: false, problems: [problem] });
    expect(textOf(join(cwd, 'dist'))).toBe(old);
    const ended = once(first, 'exit');
    first.kill('SIGCONT');
    expect(await ended).toEqual([0, null]);
    expect(textOf(join(cwd, 'dist'))).toBe(next);
    expect(beside(cwd)).toEqual([]);
  });

  test('of a process that has ended is stale', async () => {
    const cwd = writeTree(tempFolder(), small);
    const first = await stopped(cwd);
    const ended = once(first, 'exit');
    first.kill('SIGKILL');
    await ended;
    expect(existsSync(join(cwd, '.dist.almanac-lock'))).toBe(true);
    expect(await runAlmanac(after, { cwd })).toMatchObject({ code: 0, stderr: '' });
    expect(beside(cwd)).toEqual([]);
  });

  test('that another process took meanwhile: the site is not replaced', async () => {
    const cwd = await withOldSite();
    const first = await stopped(cwd);
    writeFileSync(join(cwd, '.dist.almanac-lock'), 'another');
    const ended = once(first, 'exit');
    first.kill('SIGCONT');
    expect(await ended).toEqual([1, null]);
    expect(textOf(join(cwd, 'dist'))).toBe(old);
    expect(beside(cwd)).toEqual(['.dist.almanac-lock']);
  });
});

/** A build that holds the lock and was stopped in the middle of its staging. */
async function stopped(cwd: string): Promise<ChildProcess> {
  const env = { PATH: process.env['PATH'], AT: '9', HOW: 'SIGSTOP' };
  const child = spawn(process.execPath, ['--import', interrupt, almanac, ...after], { cwd, env });
  onTestFinished(() => void child.kill('SIGKILL'));
  expect(String(await once(child.stderr, 'data'))).toMatch(/^(link|mkdir|writeFile)Sync\n$/);
  const state = (): string => execFileSync('ps', ['-o', 'stat=', '-p', String(child.pid)], { encoding: 'utf8' });
  await expect.poll(state).toMatch(/^T/);
  return child;
}

describe('where the site is put', () => {
  test('a folder that is not there yet, however deep', async () => {
    const cwd = writeTree(tempFolder(), small);
    expect(await runAlmanac([...after, '--out', 'a/b/c'], { cwd })).toMatchObject({ code: 0, stderr: '' });
    expect(textOf(join(cwd, 'a/b/c'))).toBe(next);
    expect(readdirSync(join(cwd, 'a/b'))).toEqual(['c']);
  });

  test('an empty folder', async () => {
    const cwd = writeTree(tempFolder(), small);
    mkdirSync(join(cwd, 'dist'));
    expect(await runAlmanac(after, { cwd })).toMatchObject({ code: 0, stderr: '' });
    expect(textOf(join(cwd, 'dist'))).toBe(next);
  });

  test('a site of ours of which some files are gone', async () => {
    const cwd = await withOldSite();
    rmSync(join(cwd, 'dist/api'), { recursive: true });
    expect(await runAlmanac(after, { cwd })).toMatchObject({ code: 0, stderr: '' });
    expect(textOf(join(cwd, 'dist'))).toBe(next);
  });

  test('a link to a site: the site is replaced and the link stays', async () => {
    const cwd = writeTree(tempFolder(), { ...small, 'sites/readme': '' });
    await runAlmanac([...before, '--out', 'sites/one'], { cwd });
    symlinkSync('sites/one', join(cwd, 'dist'));
    expect(await runAlmanac(after, { cwd })).toMatchObject({ code: 0, stderr: '' });
    expect(textOf(join(cwd, 'sites/one'))).toBe(next);
    expect(beside(cwd)).toEqual(['sites']);
    expect(readdirSync(join(cwd, 'sites'))).toEqual(['one', 'readme']);
  });

  test('what only the previous site had is gone', async () => {
    const genre = { 'data/tv/category.json': { name: 'TV' }, 'data/tv/drama/genre.json': { name: 'Drama' } };
    const cwd = writeTree(tempFolder(), { ...small, ...genre });
    await runAlmanac(before, { cwd });
    expect(existsSync(join(cwd, 'dist/api/v1/genre/drama-tv/events.json'))).toBe(true);
    rmSync(join(cwd, 'data/tv'), { recursive: true });
    await runAlmanac(after, { cwd });
    expect(textOf(join(cwd, 'dist'))).toBe(next);
  });

  test('bad data leaves the previous site as it was', async () => {
    const cwd = await withOldSite();
    writeFileSync(join(cwd, 'data/service.json'), '{');
    expect(await runAlmanac(after, { cwd })).toMatchObject({ code: 1, stdout: '' });
    expect(textOf(join(cwd, 'dist'))).toBe(old);
    expect(beside(cwd)).toEqual([]);
  });
});
