import { chmodSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkManifest } from '../setup/check-manifest.ts';
import { readTree, tempFolder, writeTree } from '../setup/folders.ts';
import { almanac, runAlmanac, spawnAlmanac, type Run } from '../setup/run-almanac.ts';
import { now, sample } from '../setup/sample.ts';

const build = ['build', '--now', now, '--quiet'];
const later = ['build', '--now', '2026-11-21T12:17:00Z', '--quiet'];
const done = { code: 0, stderr: '' };

async function withSite(): Promise<string> {
  const cwd = writeTree(tempFolder(), sample);
  expect(await runAlmanac(build, { cwd })).toMatchObject(done);
  return cwd;
}

describe('a symbolic link', () => {
  test.each(['x', 'new-1', 'old', 'lock', 'lock-1'])(
    'next to the site, named .dist.almanac-%s is removed, but not its target',
    async (name) => {
      const cwd = await withSite();
      const files = {
        'victim/thesis.txt': 'precious',
        'victim/sub/deep.txt': 'deep',
        'victim/files.json': '{}',
      };
      writeTree(cwd, files);
      for (const target of ['victim', 'victim/thesis.txt', 'data']) {
        symlinkSync(target, join(cwd, `.dist.almanac-${name}`));
        expect(await runAlmanac(later, { cwd })).toMatchObject(done);
        expect([...readTree(join(cwd, 'victim')).keys()]).toEqual([
          'files.json',
          'sub/deep.txt',
          'thesis.txt',
        ]);
        expect(readFileSync(join(cwd, 'victim/thesis.txt'), 'utf8')).toBe('precious');
        expect([...readTree(cwd).keys()].filter((path) => path.startsWith('.'))).toEqual([]);
      }
    },
  );

  test('in place of a file of the site never changes its target', async () => {
    const cwd = await withSite();
    writeTree(cwd, { 'outside.txt': 'mine' });
    for (const path of ['files.json', 'index.html']) {
      const bytes = readFileSync(join(cwd, 'dist', path));
      writeFileSync(join(cwd, 'outside.txt'), bytes);
      rmSync(join(cwd, 'dist', path));
      symlinkSync('../outside.txt', join(cwd, 'dist', path));
      const run = await runAlmanac(later, { cwd });
      expect(readFileSync(join(cwd, 'outside.txt'))).toEqual(bytes);
      if (path === 'index.html') expect(run).toMatchObject(done);
      else {
        expect(run).toMatchObject({
          code: 1,
          stderr: expect.stringContaining('not a site that almanac built'),
        });
        rmSync(join(cwd, 'dist/files.json'));
        writeFileSync(join(cwd, 'dist/files.json'), bytes);
      }
    }
  });
});

test('files that another program puts into the site during a build stop that build and are kept', async () => {
  const cwd = await withSite();
  // The hook adds a file to dist after the first check of dist and before the swap.
  const hook = writeTree(tempFolder(), {
    'add.mjs': `import fs from 'node:fs';
        import { syncBuiltinESMExports } from 'node:module';
        const { writeFileSync, mkdirSync } = fs;
        fs.writeFileSync = (path, ...rest) => {
          if (String(path).endsWith('index.html')) {
            mkdirSync('dist/.well-known', { recursive: true });
            writeFileSync('dist/.well-known/token', 'mine');
          }
          return writeFileSync(path, ...rest);
        };
        syncBuiltinESMExports();`,
  });
  const renamed = {
    ...sample,
    'data/service.json': { ...(sample['data/service.json'] as object), name: 'Renamed' },
  };
  writeTree(cwd, renamed);
  const run = await spawnAlmanac(later, { cwd, node: ['--import', join(hook, 'add.mjs')] });
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toContain('it holds ".well-known/token", which almanac did not put there');
  expect(readFileSync(join(cwd, 'dist/.well-known/token'), 'utf8')).toBe('mine');
});

test.each([
  ['empty', ''],
  ['cut off', '{"generator":"almanac/1.0.0","files":{"api/v1'],
  ['full of zeros', '\0'.repeat(1000)],
])('a manifest that is %s: the build replaces the site', async (_, text) => {
  const cwd = await withSite();
  writeFileSync(join(cwd, 'dist/files.json'), text);
  expect(await runAlmanac(later, { cwd })).toMatchObject(done);
  checkManifest(readTree(join(cwd, 'dist')));
});

test('a damaged manifest with an unknown file next to it: the build refuses', async () => {
  const cwd = await withSite();
  writeTree(cwd, { 'dist/files.json': '', 'dist/CNAME': 'events.example.org' });
  const run = await runAlmanac(later, { cwd });
  expect(run).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('it holds "CNAME", which almanac did not'),
  });
});

test('flushes every new file to the disk before the swap, and the swap before the build ends', async () => {
  const cwd = writeTree(tempFolder(), sample);
  const hook = join(import.meta.dirname, 'flush-order.mjs');
  const steps = await stepsOf(cwd, hook, build);
  const swap = steps.findIndex(
    ([what, path]) => what === 'renameSync' && path === join(cwd, 'dist'),
  );
  const before = steps
    .slice(0, swap)
    .filter(([, path]) => path !== cwd && !path.includes('almanac-lock'));
  const made = before.filter(([what]) => what === 'writeFileSync' || what === 'mkdirSync');
  const flushed = before.filter(([what]) => what === 'flushed');
  // Files in parts are written several times.
  // The tables of genres are removed once they are joined.
  const isPart = (path: string): boolean => /genre.*events\.csv$/.test(path);
  const paths = new Set(made.map(([, path]) => path).filter((path) => !isPart(path)));
  expect(flushed.map(([, path]) => path).toSorted()).toEqual([...paths].toSorted());
  expect(made.length).toBeGreaterThan(30);
  expect(steps.slice(swap)).toEqual([
    ['renameSync', join(cwd, 'dist')],
    ['flushed', cwd],
  ]);
  const again = await stepsOf(cwd, hook, later);
  const written = again.filter(
    ([what, path]) => what === 'writeFileSync' && path.includes('almanac-new') && !isPart(path),
  );
  expect(written.map(([, path]) => path.replace(/.*new-[^/]+\//, ''))).toEqual([
    'api/v1/index.json',
    'files.json',
  ]);
});

test('keeps the new site and warns if the disk fails after the swap (site-not-flushed)', async () => {
  const cwd = writeTree(tempFolder(), sample);
  const hook = writeTree(tempFolder(), {
    'fail.mjs': `import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      const { open } = fs;
      fs.open = (path, flags, done) =>
        path === process.cwd() ? done(Object.assign(new Error('x'), { code: 'EIO' })) : open(path, flags, done);
      syncBuiltinESMExports();`,
  });
  const run = await spawnAlmanac(['build', '--now', now], {
    cwd,
    node: ['--import', join(hook, 'fail.mjs')],
    flush: true,
  });
  expect(run.code).toBe(0);
  expect(run.stderr).toMatch(
    /^warning: the new site is in place, but may not survive a power loss: [^\n]+\(EIO\)[^\n]+\n$/,
  );
  checkManifest(readTree(join(cwd, 'dist')));
});

/** Returns the calls of a build that change the disk, in order, each with its path. */
async function stepsOf(
  cwd: string,
  hook: string,
  args: readonly string[],
): Promise<[string, string][]> {
  const { stderr, code } = await spawnAlmanac(args, {
    cwd,
    node: ['--import', hook],
    program: almanac,
    flush: true,
  });
  expect(code).toBe(0);
  const lines = stderr.trim().split('\n');
  return lines.map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]);
}

test.skipIf(process.getuid?.() !== 0)(
  'replaces a site of another user once, and warns of what it leaves',
  async () => {
    const cwd = writeTree(tempFolder(), { ...sample, 'www/x': '' });
    rmSync(join(cwd, 'www/x'));
    for (const folder of [cwd, join(cwd, 'www')]) chmodSync(folder, 0o777);
    expect(await runAlmanac([...build, '--out', 'www/dist'], { cwd })).toMatchObject(done);
    const asNobody = async (day: number): Promise<Run> => {
      const at = `2026-11-${day}T12:17:00Z`;
      return spawnAlmanac(['build', '--now', at, '--out', 'www/dist'], {
        cwd,
        uid: 65534,
        gid: 65534,
      });
    };
    const first = await asNobody(21);
    expect(first.code).toBe(0);
    expect(first.stderr).toMatch(
      /^warning: could not remove "[^"]+almanac-old", [^\n]+\(EACCES\)[^\n]+by hand\n$/,
    );
    const second = await asNobody(22);
    expect(second.code).toBe(1);
    expect(second.stderr).toMatch(
      /^could not write "[^"]+almanac-old[^"]*": permission denied \(EACCES\); [^\n]+\n$/,
    );
    expect(readFileSync(join(cwd, 'www/dist/api/v1/index.json'), 'utf8')).toContain(
      '2026-11-21T12:17:00.000Z',
    );
    rmSync(join(cwd, 'www/.dist.almanac-old'), { recursive: true });
    expect(await asNobody(23)).toMatchObject(done);
  },
);
