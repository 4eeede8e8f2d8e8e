import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { parseManifest } from '../../src/api/manifest.ts';
import { manifestPath } from '../../src/api/paths.ts';
import { checkManifest } from '../setup/check-manifest.ts';
import { readTree, writeTree, type Tree } from '../setup/folders.ts';
import { withoutHistory } from '../setup/shows-changes.ts';
import { spawnAlmanac } from '../setup/run-almanac.ts';

export const now = '2026-11-20T12:17:00Z';

export type Letter = 'a' | 'b';

/** A working directory with two data folders, `a` and `b`, whose sites differ in every list. The site is in `www`. */
export interface TwoSites {
  readonly cwd: string;
  /** Returns the command that builds the site of a data folder. */
  readonly build: (letter: Letter) => string[];
  /** Returns which of the two sites a folder contains, whole to the byte, or null if neither. */
  readonly siteIn: (folder: string) => Letter | null;
}

/** Writes both data folders and builds their sites. */
export async function prepareTwoSites(cwd: string): Promise<TwoSites> {
  const build = (letter: Letter): string[] => ['build', '--data', letter, '--out', 'www/dist', '--now', now, '--quiet'];
  const sites = new Map<string, Letter>();
  for (const letter of ['a', 'b'] as const) {
    writeTree(join(cwd, letter), catalogue(letter));
    const run = await spawnAlmanac([...build(letter), '--out', `model-${letter}`], { cwd });
    expect(run).toEqual({ code: 0, signal: null, stdout: '', stderr: '' });
    checkManifest(readTree(join(cwd, `model-${letter}`)));
    sites.set(siteHash(join(cwd, `model-${letter}`)), letter);
  }
  expect(sites.size).toBe(2);
  return { cwd, build, siteIn: (folder) => (isFolder(folder) ? (sites.get(siteHash(folder)) ?? null) : null) };
}

/** Returns the names next to the site. There are none once a command has succeeded. */
export function leftovers(cwd: string): string[] {
  return readdirSync(join(cwd, 'www')).filter((name) => name !== 'dist');
}

function catalogue(letter: Letter): Tree {
  const tree: Record<string, unknown> = {
    'service.json': { name: `Site ${letter}`, license: 'Free to use.', base_url: 'https://example.org' },
  };
  const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
  for (const category of numbers(4)) {
    tree[`c${category}/category.json`] = { name: `Category ${category}, ${letter}` };
    for (const genre of numbers(letter === 'a' ? 6 : 5)) {
      tree[`c${category}/g${genre}/genre.json`] = { name: `Genre ${genre}, ${letter}` };
      for (const subject of numbers(3)) {
        tree[`c${category}/g${genre}/s${subject}.json`] = {
          name: `Subject ${subject}`,
          events: numbers(4).map((event) => ({ title: `Event ${event}, ${letter}`, starts: `2027-0${event + 1}-01` })),
        };
      }
    }
  }
  return tree;
}

/**
 * Returns a hash of every path and of every byte that does not depend on the sites before this one, or an empty text if
 * the site is not whole to the byte.
 */
export function siteHash(folder: string): string {
  const site = readTree(folder);
  const manifest = parseManifest(String(site.get(manifestPath)));
  if (manifest === null || Object.keys(manifest.files).length !== site.size - 1) return '';
  const hash = createHash('sha256');
  for (const [path, content] of site) {
    const sum = createHash('sha256').update(content).digest('hex');
    if (path !== manifestPath && manifest.files[path]?.sha256 !== sum) return '';
    hash.update(`${path}\0${withoutHistory(path, content)}\0`);
  }
  return hash.digest('hex');
}

/** Returns whether a folder exists. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Returns the state of a process according to the system: T for stopped, Z for a zombie. */
export function stateOf(pid: number | undefined): string {
  return /\) (\w) /.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1] ?? '';
}
