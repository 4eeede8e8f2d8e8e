import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { now } from '../catalogue.ts';
import type { Command } from '../measure.ts';

/** Another program that generates the documents of the interface from the same catalogue. */
export interface Peer {
  readonly name: string;
  readonly version: () => string;
  /**
   * Returns the command that builds the catalogue `data` into `out`. `scratch` is a folder for its
   * own files.
   */
  readonly command: (data: string, out: string, scratch: string) => Command;
  /**
   * Makes the arguments of a build those of its watch mode. Undefined if it has none. With a port, it
   * serves the site there, and else it writes the files.
   */
  readonly watch?: (args: readonly string[], port: number) => readonly string[];
  readonly servesFiles?: boolean;
}

const cache = resolve('.bench');
const sources = resolve('test/bench/peers');
const compiled = join(cache, 'program/test/bench/peers');
const instant = new Date(now).toISOString();

const all: readonly Peer[] = [
  {
    name: 'Eleventy',
    version: () => versionOf('@11ty/eleventy'),
    command: (data, out) => ({
      program: process.execPath,
      args: [
        'node_modules/@11ty/eleventy/cmd.cjs',
        '--quiet',
        `--config=${relative(cache, compiled)}/eleventy/eleventy.config.js`,
        `--input=${relative(cache, compiled)}/eleventy`,
        `--output=${out}`,
      ],
      cwd: cache,
      env: { BENCH_DATA: data },
    }),
    watch: (args) => [...args, '--watch'],
  },
  {
    name: 'Hugo',
    version: () =>
      /v([\d.]+)/.exec(spawnSync('hugo', ['version'], { encoding: 'utf8' }).stdout ?? '')?.[1] ??
      '',
    command: (data, out, scratch) => {
      cpSync(join(sources, 'hugo'), scratch, { recursive: true });
      const settings = readFileSync(join(sources, 'hugo/config.toml'), 'utf8');
      const mounts = [
        [data, 'data'],
        ['layouts', 'layouts'],
      ].map(
        ([source, target]) => `[[module.mounts]]\nsource = "${source}"\ntarget = "${target}"\n`,
      );
      writeFileSync(
        join(scratch, 'config.toml'),
        `${settings}[params]\nnow = "${instant}"\n${mounts.join('')}`,
      );
      return { program: 'hugo', args: ['--quiet', '--source', scratch, '--destination', out] };
    },
    // Without --disableFastRender, an edit of the data is never served.
    watch: (args, port) => ['server', ...args, '--disableFastRender', `--port=${port}`],
    servesFiles: true,
  },
  {
    name: 'DuckDB',
    version: () => versionOf('@duckdb/node-api'),
    command: (data, out) => ({
      program: process.execPath,
      args: [`${compiled}/duckdb.js`, data, out, instant],
    }),
  },
  {
    name: 'plain script, Node.js',
    version: () => process.versions.node,
    command: (data, out) => ({
      program: process.execPath,
      args: [`${compiled}/script.js`, data, out],
    }),
  },
];

/** Installs the peers from npm. Returns them, and Hugo if it is installed. */
export function findPeers(): Peer[] {
  installPeers();
  return all.filter((peer) => peer.version() !== '');
}

/** Installs the peers from npm into .bench/ if their versions have changed. */
function installPeers(): void {
  const folder = join(cache, 'peers');
  const [wanted, installed] = [join(sources, 'package.json'), join(folder, 'package.json')];
  if (existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(wanted, 'utf8'))
    return;
  mkdirSync(folder, { recursive: true });
  copyFileSync(wanted, installed);
  execFileSync('npm', ['install', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
  });
  // A package.json directly in .bench/ would hide the `imports` of almanac's package.json.
  if (!existsSync(join(cache, 'node_modules')))
    symlinkSync('peers/node_modules', join(cache, 'node_modules'));
}

/**
 * Throws if the lists of a peer differ from those of `site`. It compares every list for every
 * category, genre and pair of them as parsed JSON.
 */
export function compareDocuments(site: string, out: string): void {
  const root = join(site, 'api/v1');
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' });
  for (const path of paths.filter((name) =>
    /^(?:(?:category|genre)\/.*)?(?:categories|genres|events)\.json$/.test(name),
  )) {
    const [ours, theirs] = [join(root, path), join(out, 'api/v1', path)].map((file) =>
      JSON.parse(readFileSync(file, 'utf8')),
    );
    if (!isDeepStrictEqual(ours, theirs))
      throw new Error(`${out}: ${path} differs from the document of almanac`);
  }
}

/** Returns the version of a package in .bench/, or '' if it is not installed. */
function versionOf(name: string): string {
  const path = join(cache, 'node_modules', name, 'package.json');
  return existsSync(path)
    ? (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version
    : '';
}
