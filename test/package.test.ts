import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
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
beforeAll(() => {
  const folder = lastingFolder();
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  [packed] = JSON.parse(execFileSync('npm', args, { encoding: 'utf8', stdio: 'pipe' })) as [Packed];
  tarball = join(folder, packed.filename);
});

test('the client is under 4 kB over the wire and loads nothing else', () => {
  const client = readFileSync('lib/client/client.js');
  expect(gzipSync(client, { level: 9 }).length).toBeLessThan(4000);
  expect(client.toString()).not.toMatch(/\bimport\b/);
});

test('the package resolves for its users: publint and attw find no problem', async () => {
  const bytes = readFileSync(tarball);
  const { messages } = await publint({
    pack: { tarball: new Uint8Array(bytes).buffer },
    strict: true,
  });
  expect(messages).toEqual([]);

  const analysis = await checkPackage(createPackageFromTarballData(bytes));
  if (!analysis.types) throw new Error('the package has no types');
  expect(Object.keys(analysis.entrypoints)).toEqual(expect.arrayContaining(['./client']));
  // The package does not support require() before Node 20.19.
  const served = analysis.problems.filter(
    (problem) =>
      !('resolutionKind' in problem && /^node10$|^node16-cjs$/.test(problem.resolutionKind)),
  );
  expect(served).toEqual([]);
});

/**
 * The program is three bundles, so the package grows with hosts, templates, languages and entry
 * points only. Above this number it probably contains modules that are in a bundle too.
 */
test('the package has at most 100 files', () => {
  expect(packed.files.length).toBeLessThanOrEqual(100);
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
    await almanac(
      installed,
      'init',
      'fairs',
      '--package',
      tarball,
      '--base-url',
      'https://fairs.example',
    );
    const folder = writeTree(join(installed, 'fairs'), {
      'dates.csv': 'subject,title,starts\nQuiz night,Final,2099-01-03\n',
      'data/example/clubs/genre.json': { name: 'Clubs' },
      'data/example/clubs/chess.source.json': {
        name: 'Chess',
        source: `${remote}/club.ics`,
        format: 'ics',
      },
    });
    await almanac(folder, 'import', 'dates.csv', '--into', 'data/example/clubs');
    expect(await almanac(folder, 'check', '--sync')).toBe('data: no problems\n');
    await almanac(folder, 'build');
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
    const child = spawn(bin(), ['serve', '--port', '0'], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    onTestFinished(() => void child.kill());
    const [address] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    const printed = execFileSync(process.execPath, ['user.mjs', address.trim()], {
      cwd: installed,
      encoding: 'utf8',
    });
    expect(printed).toMatch(/^drama-tv\/night-ferry\/premiere .*2027/);
  });

  test('writes the files of every host', async () => {
    const cwd = writeTree(tempFolder(), sample);
    for (const name of hostNames)
      expect(await almanac(cwd, 'host', name, '--force'), name).toMatch(/^host\//);
  });
});

const calendar =
  'BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nSUMMARY:Match\nDTSTART:20990102T200000Z\nEND:VEVENT\nEND:VCALENDAR\n';

const consumer = `
  import { createClient } from 'almanac/client';

  declare const process: { readonly argv: readonly string[] };
  const client = createClient({ baseUrl: process.argv[2] ?? '', now: () => Date.parse('${now}') });
  const [first] = (await client.events({ limit: 1 })).events;
  console.log(first && \`\${first.id} \${first.starts_local ?? first.date}\`);
`;
