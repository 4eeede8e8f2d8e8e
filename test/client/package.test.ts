import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { buildSync } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { publint } from 'publint';
import { expect, test } from 'vitest';
import { tempFolder } from '../setup/folders.ts';

test('the client is under 4 kB over the wire and loads nothing else', () => {
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
  expect(bytes).toBeLessThan(4000);
  expect(
    Object.keys(metafile.inputs).filter((path) => !/^lib\/(client\/|api\/|catalogue\/id\.js$)/.test(path)),
  ).toEqual([]);
});

test('the package resolves for its users: publint and attw find no problem', async () => {
  const folder = tempFolder();
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const [packed] = JSON.parse(execFileSync('npm', pack, { encoding: 'utf8', stdio: 'pipe' })) as { filename: string }[];
  const tarball = readFileSync(join(folder, packed?.filename ?? ''));
  const { messages } = await publint({ pack: { tarball: new Uint8Array(tarball).buffer }, strict: true });
  expect(messages).toEqual([]);

  const analysis = await checkPackage(createPackageFromTarballData(tarball));
  if (!analysis.types) throw new Error('the package has no types');
  const entryPoints = ['./client', './client/bulk', './client/changes'];
  expect(Object.keys(analysis.entrypoints)).toEqual(expect.arrayContaining(entryPoints));
  // The package does not support require() before Node 20.19.
  const served = analysis.problems.filter(
    (problem) => !('resolutionKind' in problem && /^node10$|^node16-cjs$/.test(problem.resolutionKind)),
  );
  expect(served).toEqual([]);
});
