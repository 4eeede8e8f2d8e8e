import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect } from 'vitest';
import { parseManifest } from '../../src/api/manifest.ts';
import { manifestPath } from '../../src/api/paths.ts';
import { dataOf, emptyGenre, type Events } from '../setup/build-site.ts';
import { readTree, writeTree, type Tree } from '../setup/folders.ts';
import { serve } from '../setup/serve-folder.ts';
import { spawnAlmanac } from '../setup/run-almanac.ts';

export const now = '2026-11-20T12:17:00Z';
export const success = { code: 0, signal: null, stdout: '', stderr: '' };

/**
 * Without events.ndjson, a build remembers no site before it, so each of its bytes depends on the
 * data alone. Few pages leave time for more runs.
 */
const service = { formats: ['ics', 'next', 'now', 'announced', 'subjects', 'csv'], pages: 'home' };

export type Letter = 'a' | 'b';

/**
 * A working directory with the data of two sites that differ in every list. The site is in `www`.
 */
export interface Sites {
  readonly cwd: string;
  /** Returns the command that builds one of the sites. */
  readonly build: (letter: Letter) => string[];
  /** Returns which of the two sites a folder contains, whole to the byte, or null if neither. */
  readonly siteIn: (folder: string) => Letter | null;
  /**
   * Expects a whole copy of each remote source, of one of these versions, and nothing else if no
   * command was killed.
   */
  readonly expectCopies: (letters: readonly Letter[], wasKilled?: boolean) => void;
}

/** Writes a data folder for each site and builds both: `model-a` and `model-b`. */
export async function prepareTwoSites(cwd: string): Promise<Sites> {
  for (const letter of ['a', 'b'] as const) writeTree(join(cwd, letter), catalogue(letter));
  const build = (letter: Letter): string[] => [
    'build',
    '--data',
    letter,
    '--out',
    'www/dist',
    '--now',
    now,
    '--quiet',
  ];
  return { cwd, build, siteIn: await buildModels(cwd, build), expectCopies: () => {} };
}

/** Builds both sites. Returns a function that recognises them. */
async function buildModels(cwd: string, build: Sites['build']): Promise<Sites['siteIn']> {
  const sites = new Map<string, Letter>();
  for (const letter of ['b', 'a'] as const) {
    const model = `model-${letter}`;
    expect(await spawnAlmanac([...build(letter), '--out', model], { cwd })).toEqual(success);
    sites.set(siteHash(join(cwd, model)), letter);
  }
  expect([...sites.values()].join('')).toBe('ba');
  return (folder) => (isFolder(folder) ? (sites.get(siteHash(folder)) ?? null) : null);
}

/** Returns the names next to the site. There are none once a command has succeeded. */
export function leftovers(cwd: string): string[] {
  return readdirSync(join(cwd, 'www')).filter((name) => name !== 'dist');
}

/** Returns whether a folder exists. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function catalogue(letter: Letter): Tree {
  const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
  const events = Object.fromEntries(
    numbers(4).map((event) => [`Event ${event}, ${letter}`, `2027-0${event + 1}-01`]),
  );
  const genres = numbers(4).flatMap((category) =>
    numbers(letter === 'a' ? 6 : 5).map((genre) => `c${category}/g${genre}`),
  );
  const subjects = genres.flatMap((genre) => numbers(3).map((subject) => `${genre}/s${subject}`));
  return dataOf(
    Object.fromEntries(subjects.map((path): [string, Events[string]] => [path, events])),
    {
      name: `Site ${letter}`,
      base_url: 'https://example.org',
      ...service,
    },
  );
}

/**
 * Returns a hash of every path and byte of a site, or an empty text if it is not whole to the byte.
 */
function siteHash(folder: string): string {
  const site = readTree(folder);
  const manifest = parseManifest(String(site.get(manifestPath)));
  if (manifest === null || Object.keys(manifest.files).length !== site.size - 1) return '';
  const hash = createHash('sha256');
  for (const [path, content] of site) {
    if (path !== manifestPath && manifest.files[path]?.sha256 !== sha256(content)) return '';
    hash.update(`${path}\0`).update(content);
  }
  return hash.digest('hex');
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Sites whose subjects are remote calendars and tables. Their host serves one of two versions. */
export interface RemoteSites extends Sites {
  /** The version that the host sends. It answers once `mayAnswer` has resolved. */
  readonly source: { sends: Letter; mayAnswer: Promise<unknown>; asked: number };
}

const copies = Array.from(
  { length: 12 },
  (_, index) => `tv/drama/s${index}.${index % 2 === 0 ? 'ics' : 'csv'}`,
);

/**
 * Writes the data folder and starts the host. The command for a site lets the host send its
 * version.
 */
export async function prepareRemoteSites(cwd: string): Promise<RemoteSites> {
  const source: RemoteSites['source'] = { sends: 'a', mayAnswer: Promise.resolve(), asked: 0 };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    source.asked++;
    await source.mayAnswer;
    const [content, etag] = [contentOf(request.url ?? '', source.sends), `"${source.sends}"`];
    const isKnown = request.headers['if-none-match'] === etag;
    response.writeHead(isKnown ? 304 : 200, { etag }).end(isKnown ? undefined : content);
  };
  const url = await serve((request, response) => void answer(request, response));
  writeTree(join(cwd, 'data'), emptyGenre('tv/drama', service));
  for (const path of copies) {
    const [name, format] = path.slice('tv/drama/'.length).split('.');
    const description = { name, source: `${url}/${name}.${format}`, format };
    writeTree(join(cwd, 'data'), { [`tv/drama/${name}.source.json`]: description });
  }
  const build = (letter: Letter): string[] => {
    source.sends = letter;
    return ['build', '--sync', '--out', 'www/dist', '--now', now, '--quiet'];
  };
  const siteIn = await buildModels(cwd, build);
  expect(await spawnAlmanac(build('a'), { cwd })).toEqual(success);
  return { cwd, build, source, siteIn, expectCopies: (...args) => expectCopies(cwd, ...args) };
}

function contentOf(path: string, letter: Letter): string {
  const days = Array.from({ length: 40 }, (_, index) => String((index % 28) + 1).padStart(2, '0'));
  const name = path.slice(1).replace(/\..*/, '');
  if (path.endsWith('.csv')) {
    const rows = days.map(
      (day, index) => `${name},Event ${index} of ${letter},2027-0${1 + (index % 9)}-${day}`,
    );
    return ['subject,title,starts', ...rows, ''].join('\n');
  }
  const events = days.flatMap((day, index) => {
    const start = `DTSTART;VALUE=DATE:20270${1 + (index % 9)}${day}`;
    return [
      'BEGIN:VEVENT',
      `UID:${index}`,
      `SUMMARY:Event ${index} of ${letter}`,
      start,
      'END:VEVENT',
    ];
  });
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events, 'END:VCALENDAR', ''].join('\r\n');
}

function expectCopies(cwd: string, letters: readonly Letter[], wasKilled = false): void {
  const cache = readTree(join(cwd, 'data/.cache'));
  for (const path of copies) {
    const sent = letters.map((letter) => contentOf(path.slice('tv/drama'.length), letter));
    expect([path, sent.includes(String(cache.get(path)))]).toEqual([path, true]);
  }
  if (wasKilled) return;
  expect([...cache.keys()]).toEqual(['sync.json', ...copies].toSorted());
  const state = JSON.parse(readFileSync(join(cwd, 'data/.cache/sync.json'), 'utf8')) as {
    last_sync: string;
    sources: Record<string, { sha256: string }>;
  };
  expect(state.last_sync).toBe(new Date(now).toISOString());
  for (const path of copies) {
    const recorded = state.sources[path.replace(/\.\w+$/, '.source.json')]?.sha256;
    expect(recorded).toBe(sha256(cache.get(path) ?? Buffer.of()));
  }
}

/** Expects `almanac verify` to accept the site. */
export async function expectVerified(cwd: string): Promise<void> {
  expect(await spawnAlmanac(['verify', 'www/dist', '--quiet'], { cwd })).toEqual(success);
}
