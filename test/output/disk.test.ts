import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readTree, tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac, spawnAlmanac, type Run } from '../setup/run-almanac.ts';
import { now, sample } from '../setup/sample.ts';
import { serve } from '../setup/serve-folder.ts';

const args = ['build', '--now', now, '--out', 'disk/dist'];
const smaller = {
  'data/service.json': { name: 'Sample', license: 'Free.', base_url: 'https://service.example' },
};

const canMount = tryMount();
if (!canMount)
  process.stderr.write(
    'Skipped the tests of full and read-only disks: mounting a disk needs root.\n',
  );

function tryMount(): boolean {
  if (process.getuid?.() !== 0) return false;
  const probe = mkdtempSync(join(tmpdir(), 'almanac-mount-'));
  try {
    mount(probe);
    execFileSync('umount', [probe]);
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(probe);
  }
}

function mount(folder: string, size = '4m'): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], {
    stdio: 'ignore',
  });
}

/** Returns a new folder in which `disk` is a mounted file system. */
function mountDisk(size?: string): string {
  const cwd = tempFolder();
  const disk = join(cwd, 'disk');
  mkdirSync(disk);
  mount(disk, size);
  onTestFinished(() => void execFileSync('umount', [disk]));
  return cwd;
}

/** Fills the disk completely, then frees `spare` bytes. */
function fill(disk: string, spare: number): void {
  const path = join(disk, 'filler');
  const file = openSync(path, 'w');
  let size = 0;
  try {
    for (;;) size += writeSync(file, Buffer.alloc(4096));
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' });
  } finally {
    closeSync(file);
  }
  truncateSync(path, size - spare);
}

function expectRefusal(run: Run, reason: string): void {
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toMatch(/^could not write [^\n]+; existing files are unchanged\n$/);
  expect(run.stderr).toContain(reason);
}

describe.skipIf(!canMount)('a mounted disk', () => {
  test.each([0, 4096, 16_384, 40_960])(
    'with only %i bytes left: exits 1 with one line and keeps the previous site',
    async (spare) => {
      const cwd = writeTree(mountDisk(), smaller);
      expect(await runAlmanac(args, { cwd })).toMatchObject({ code: 0 });
      const before = [...readTree(join(cwd, 'disk/dist'))];
      writeTree(cwd, sample);
      fill(join(cwd, 'disk'), spare);
      expectRefusal(await runAlmanac(args, { cwd }), 'no space left on device (ENOSPC)');
      expect([...readTree(join(cwd, 'disk/dist'))]).toEqual(before);
      expect(readdirSync(join(cwd, 'disk'))).toEqual(['dist', 'filler']);
      const json = await runAlmanac([...args, '--json'], { cwd });
      expect(JSON.parse(json.stdout)).toMatchObject({
        ok: false,
        problems: [{ code: 'write-failed', file: null }],
      });
      rmSync(join(cwd, 'disk/filler'));
      expect(await runAlmanac(args, { cwd })).toMatchObject({ code: 0, stderr: '' });
      expect(readdirSync(join(cwd, 'disk'))).toEqual(['dist']);
    },
  );

  test('warns about a folder of an earlier build that it cannot remove, and builds the site (leftover-stays)', async () => {
    const cwd = writeTree(tempFolder(), sample);
    const stuck = join(cwd, '.dist.almanac-new-1');
    mkdirSync(stuck);
    mount(stuck);
    for (const second of [1, 2]) {
      const run = await runAlmanac(['build', '--now', `2026-11-20T12:17:0${second}Z`], { cwd });
      expect(run.code).toBe(0);
      expect(run.stderr).toMatch(
        /^warning: could not remove "[^"]+\.dist\.almanac-new-1", which [^\n]+\(EBUSY\)[^\n]+\n$/,
      );
    }
    execFileSync('umount', [stuck]);
    expect(await runAlmanac(['build', '--now', now], { cwd })).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(readdirSync(cwd)).toEqual(['data', 'dist']);
  });

  test('inside the site stops the build, which leaves its files alone', async () => {
    const cwd = writeTree(tempFolder(), sample);
    expect(await runAlmanac(['build', '--now', now], { cwd })).toMatchObject({ code: 0 });
    const assets = join(cwd, 'dist/assets');
    mount(assets);
    onTestFinished(() => void execFileSync('umount', [assets]));
    writeTree(assets, { 'thesis.txt': 'precious' });
    const run = await runAlmanac(['build', '--now', now], { cwd });
    expect(run).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('a file system is mounted inside it'),
    });
    expect([...readTree(assets).keys()]).toEqual(['thesis.txt']);
  });

  test('that is itself the output folder: exits 1 with one line and keeps the folder', async () => {
    const cwd = writeTree(mountDisk(), sample);
    const run = await runAlmanac(['build', '--now', now, '--out', 'disk'], { cwd });
    expectRefusal(run, '(EBUSY)');
    expect(readdirSync(join(cwd, 'disk'))).toEqual([]);
    expect(readdirSync(cwd)).toEqual(['data', 'disk']);
  });
});

test('replaces a site behind a link to another disk, and keeps the link', async () => {
  const cwd = writeTree(canMount ? mountDisk('4m') : tempFolder(), {
    ...sample,
    'disk/sites/readme': '',
  });
  symlinkSync('disk/sites/one', join(cwd, 'dist'));
  for (const tree of [sample, smaller]) {
    writeTree(cwd, tree);
    const run = await runAlmanac(['build', '--now', now], { cwd });
    expect(run).toMatchObject({ code: 0, stderr: '' });
  }
  expect(await runAlmanac(['verify', 'dist'], { cwd })).toMatchObject({ code: 0, stderr: '' });
  expect(readdirSync(join(cwd, 'disk/sites'))).toEqual(['one', 'readme']);
  expect(readdirSync(cwd)).toEqual(['data', 'disk', 'dist']);
});

test.each([
  ['.cache', 'a file instead of the cache folder'],
  ['.cache/sync.json/x', 'a folder instead of the state file'],
  ['.cache/tv/drama/a.csv/x', 'a folder instead of a copy'],
])('sync fails with one line if it finds %s, %s', async (path) => {
  const url = await serve((_, response) => void response.end('subject,title,starts\n'));
  const source = { source: `${url}/a.csv`, format: 'csv' };
  const cwd = writeTree(tempFolder(), {
    ...sample,
    'data/tv/drama/a.source.json': source,
    [`data/${path}`]: 'x',
  });
  const run = await runAlmanac(['build', '--sync', '--now', now], { cwd });
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toMatch(
    /^could not update the copies of remote sources: [^\n]+; the existing copies [^\n]+\n$/,
  );
});

test('exits 1 with one line and keeps the previous site if the folder is not writable', async () => {
  const asNobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  const cwd = writeTree(tempFolder(), { ...sample, 'disk/x': '' });
  rmSync(join(cwd, 'disk/x'));
  expect(await runAlmanac(args, { cwd })).toMatchObject({ code: 0 });
  const before = [...readTree(join(cwd, 'disk'))];
  chmodSync(cwd, 0o755);
  chmodSync(join(cwd, 'disk'), 0o555);
  onTestFinished(() => chmodSync(join(cwd, 'disk'), 0o755));
  expectRefusal(await spawnAlmanac(args, { cwd, ...asNobody }), 'permission denied (EACCES)');
  expect([...readTree(join(cwd, 'disk'))]).toEqual(before);
});

test.runIf(process.platform === 'linux').each([
  ['init', '/proc/fairs/new', '--package', '@me/almanac'],
  ['build', '--out', '/proc/fairs/dist'],
  ['host', 'nginx', '--to', '/proc/fairs/nginx'],
])('almanac %s fails with one line where the system creates no folders', async (...args) => {
  const run = await runAlmanac(args, { cwd: writeTree(tempFolder(), sample) });
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toMatch(/^[^\n]+: the system does not create folders there; [^\n]+\n$/);
});
