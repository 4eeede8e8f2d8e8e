import { buildSync } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { makeFolder } from '../setup/site.ts';

const { folder, remove } = makeFolder();
afterAll(remove);

test('the client is under 3 kB over the wire and needs nothing else', () => {
  const { outputFiles, metafile } = buildSync({
    entryPoints: ['lib/client/index.js'],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    metafile: true,
  });
  const [bundle] = outputFiles;
  const bytes = gzipSync(bundle?.contents ?? '', { level: 9 }).length;
  process.stdout.write(`almanac/client: ${bundle?.contents.length} bytes, ${bytes} gzipped\n`);
  expect(bytes).toBeLessThan(3000);
  expect(Object.keys(metafile.inputs).filter((path) => !/^lib\/(client|api)\//.test(path))).toEqual([]);
});

test('the package resolves for those who use it: publint and attw find nothing', () => {
  const run = (command: string, ...args: string[]): string =>
    execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const [packed] = JSON.parse(run('npm', 'pack', '--ignore-scripts', '--json', '--pack-destination', folder)) as {
    filename: string;
  }[];
  const tarball = join(folder, packed?.filename ?? '');
  // Both end with an error where they find something.
  expect(run('node_modules/.bin/publint', 'run', tarball, '--strict')).toMatch(/All good/);
  expect(run('node_modules/.bin/attw', tarball, '--profile', 'esm-only', '--no-color')).toMatch(/"almanac\/client"/);
});
