import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { buildSync } from 'esbuild';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { publint } from 'publint';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { hostNames } from '../src/hosts/table.ts';
import { credentials, startFakeS3 } from './publish/fake-s3.ts';
import { lastingFolder, readTree, tempFolder, writeTree } from './setup/folders.ts';
import { frozenClock } from './setup/clock.ts';
import { spawnAlmanac } from './setup/run-almanac.ts';
import { now, sample } from './setup/sample.ts';
import { serveFolder } from './setup/serve-folder.ts';
import { typeCheck } from './setup/type-check.ts';

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

let packed: Packed;
let tarball: string;
let clientTarball: string;
beforeAll(() => {
  const folder = lastingFolder();
  const pack = (path: string): Packed => {
    const args = ['pack', path, '--ignore-scripts', '--json', '--pack-destination', folder];
    const [made] = JSON.parse(execFileSync('npm', args, { encoding: 'utf8', stdio: 'pipe' })) as [Packed];
    return made;
  };
  packed = pack('.');
  tarball = join(folder, packed.filename);
  clientTarball = join(folder, pack('./.compiled/client-package').filename);
});

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
  expect(Object.keys(metafile.inputs).filter((path) => !path.startsWith('lib/client/'))).toEqual([]);
});

test.for([
  { which: 'the package', entryPoints: ['./client', './client/bulk', './client/changes'] },
  { which: 'the package of the client', entryPoints: ['.', './bulk', './changes'] },
])('$which resolves for its users: publint and attw find no problem', async ({ which, entryPoints }) => {
  const bytes = readFileSync(which === 'the package' ? tarball : clientTarball);
  const { messages } = await publint({ pack: { tarball: new Uint8Array(bytes).buffer }, strict: true });
  expect(messages).toEqual([]);

  const analysis = await checkPackage(createPackageFromTarballData(bytes));
  if (!analysis.types) throw new Error('the package has no types');
  expect(Object.keys(analysis.entrypoints)).toEqual(expect.arrayContaining(entryPoints));
  // The package does not support require() before Node 20.19.
  const served = analysis.problems.filter(
    (problem) => !('resolutionKind' in problem && /^node10$|^node16-cjs$/.test(problem.resolutionKind)),
  );
  expect(served).toEqual([]);
});

/**
 * The program is three bundles, so the package grows with hosts, templates, languages and entry points only. Above this
 * number it probably contains modules that are in a bundle too.
 */
test('the package has at most 100 files', () => {
  expect(packed.files.length).toBeLessThanOrEqual(100);
});

test('the package of the client has no dependencies, and serves strict TypeScript', () => {
  const folder = lastingFolder();
  const install = ['install', '--offline', '--no-audit', '--no-fund', clientTarball];
  execFileSync('npm', install, { cwd: folder, stdio: 'pipe' });
  expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['almanac-client']);
  const code = `${consumer.replaceAll('almanac/client', 'almanac-client')}
    export type { ChangeRecord, ChangesDocument } from 'almanac-client/changes';`;
  const strict = { skipLibCheck: false, lib: ['es2022', 'dom'], types: [] };
  expect(typeCheck(code, strict, folder)).toBe('');
});

describe('the package, installed in an empty folder', () => {
  let installed: string;
  beforeAll(() => {
    installed = lastingFolder();
    const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', tarball];
    execFileSync('npm', install, { cwd: installed, env, stdio: 'pipe' });
  });

  const bin = (): string => join(installed, 'node_modules/.bin/almanac');
  // The test runner sets BASE_URL, which a build would read.
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '',
    ...frozenClock(Date.parse(now)),
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };
  const almanac = async (cwd: string, ...args: string[]): Promise<string> => {
    const run = await spawnAlmanac(args, { cwd, env, program: bin() });
    expect(run, args.join(' ')).toMatchObject({ code: 0 });
    return run.stdout;
  };

  test('creates, fills, checks, builds, verifies and publishes a catalogue', async () => {
    const remote = await serveFolder(writeTree(tempFolder(), { 'club.ics': calendar }));
    await almanac(installed, 'init', 'fairs', '--package', tarball, '--base-url', 'https://fairs.example');
    const folder = writeTree(join(installed, 'fairs'), {
      'dates.csv': 'subject,title,starts\nQuiz night,Final,2099-01-03\n',
      'data/example/clubs/genre.json': { name: 'Clubs' },
      'data/example/clubs/chess.source.json': { name: 'Chess', source: `${remote}/club.ics`, format: 'ics' },
    });
    await almanac(folder, 'import', 'dates.csv', '--into', 'data/example/clubs');
    expect(await almanac(folder, 'check', '--sync')).toBe('data: no problems\n');
    await almanac(folder, 'build', '--jobs', '2');
    expect(await almanac(folder, 'verify', 'dist')).toMatch(/^dist: whole/);
    const s3 = await startFakeS3();
    await almanac(folder, 'publish', 's3://bucket', '--endpoint', s3.url);
    expect([...s3.objects.keys()].sort()).toEqual([...readTree(join(folder, 'dist')).keys()]);
  });

  test('serves a site to a client in strict TypeScript', async () => {
    const strict = { skipLibCheck: false, lib: ['es2022', 'dom'], types: [] };
    expect(typeCheck(consumer, { ...strict, noEmit: false }, installed)).toBe('');
    const cwd = writeTree(tempFolder(), sample);
    await almanac(cwd, 'build');
    const child = spawn(bin(), ['serve', '--port', '0'], { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] });
    onTestFinished(() => void child.kill());
    const [address] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    const printed = execFileSync(process.execPath, ['user.mjs', address.trim()], { cwd: installed, encoding: 'utf8' });
    expect(JSON.parse(printed)).toEqual({
      first: 'drama-tv/night-ferry/premiere',
      year: '2027',
      everything: [
        'drama-film/a-film/opens',
        'drama-tv/night-ferry/premiere',
        'drama-tv/night-ferry/reading',
        'drama-tv/night-ferry/sequel',
      ],
      refusals: ['not-found', 'invalid-question'],
    });
  });

  test('writes the files of every host', async () => {
    const cwd = writeTree(tempFolder(), sample);
    for (const name of hostNames) expect(await almanac(cwd, 'host', name, '--force'), name).toMatch(/^host\//);
  });
});

const calendar =
  'BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nSUMMARY:Match\nDTSTART:20990102T200000Z\nEND:VEVENT\nEND:VCALENDAR\n';

const consumer = `
  import { ClientError, createClient, renderWhen } from 'almanac/client';
  import { createClient as createBulk, type Entry } from 'almanac/client/bulk';
  import { createClient as createChanges } from 'almanac/client/changes';

  declare const process: { readonly argv: readonly string[] };
  const options = { baseUrl: process.argv[2] ?? '', now: () => Date.parse('${now}') };
  const [first] = (await createClient(options).events({ limit: 1 })).events;
  const everything: Entry[] = [];
  for await (const event of createBulk(options).everything()) everything.push(event);
  const refused = await Promise.allSettled([
    createBulk(options).everything({ genre: '?' }).next(),
    createChanges(options).events({ limit: 0 }),
  ]);
  const codeOf = (error: unknown): string => (error instanceof ClientError ? error.code : String(error));
  console.log(JSON.stringify({
    first: first?.id,
    year: first && /20../.exec(renderWhen(first, 'en', 'UTC'))?.[0],
    everything: everything.map(({ id }) => id),
    refusals: refused.map((answer) => codeOf(answer.status === 'rejected' && answer.reason)),
  }));
`;
