import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { emptyGenre } from '../setup/build-site.ts';
import { readTree, writeTree } from '../setup/folders.ts';
import { listen } from '../setup/host.ts';
import { spawnAlmanac } from '../setup/run-almanac.ts';
import { now, siteHash, isFolder, type Letter } from './two-sites.ts';

/** A working directory whose subjects are remote calendars and tables. Their host serves one of two versions. */
export interface RemoteSites {
  readonly cwd: string;
  /** The command that synchronises and builds. */
  readonly build: readonly string[];
  /** The version that the host sends. It answers once `mayAnswer` has resolved. */
  readonly source: { sends: Letter; mayAnswer: Promise<unknown>; asked: number };
  readonly siteIn: (folder: string) => Letter | null;
  /** Expects every copy to be a complete file of one of these versions. */
  readonly expectCopies: (letters: readonly Letter[]) => void;
  /** Expects the cache to contain one copy of each source, the state and nothing else. */
  readonly expectOnlyCopies: () => void;
}

const sources = 12;

/** Writes the data folder, starts the host and builds the sites of both versions, `a` last. */
export async function prepareRemoteSites(cwd: string): Promise<RemoteSites> {
  const source: RemoteSites['source'] = { sends: 'a', mayAnswer: Promise.resolve(), asked: 0 };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    source.asked++;
    await source.mayAnswer;
    const [content, etag] = [contentOf(request.url ?? '', source.sends), `"${source.sends}"`];
    const isKnown = request.headers['if-none-match'] === etag;
    response.writeHead(isKnown ? 304 : 200, { etag }).end(isKnown ? undefined : content);
  };
  const host = await listen((request, response) => void answer(request, response));
  onTestFinished(host.close);
  writeTree(join(cwd, 'data'), catalogue(host.url));
  const build = ['build', '--sync', '--out', 'www/dist', '--now', now, '--quiet'];
  const sites = new Map<string, Letter>();
  for (const letter of ['b', 'a'] as const) {
    source.sends = letter;
    expect(await spawnAlmanac(build, { cwd })).toEqual({ code: 0, signal: null, stdout: '', stderr: '' });
    sites.set(siteHash(join(cwd, 'www/dist')), letter);
  }
  expect(sites.size).toBe(2);
  return {
    cwd,
    build,
    source,
    siteIn: (folder) => (isFolder(folder) ? (sites.get(siteHash(folder)) ?? null) : null),
    expectCopies: (letters) => expectCopies(cwd, letters),
    expectOnlyCopies: () => expectOnlyCopies(cwd),
  };
}

/** Returns alternate formats: calendar, table, calendar and so on. */
function formatOf(index: number): 'ics' | 'csv' {
  return index % 2 === 0 ? 'ics' : 'csv';
}

function catalogue(url: string): Record<string, unknown> {
  const tree: Record<string, unknown> = {
    ...emptyGenre('tv/drama'),
  };
  for (let index = 0; index < sources; index++) {
    const format = formatOf(index);
    tree[`tv/drama/s${index}.source.json`] = { name: `S${index}`, source: `${url}/s${index}.${format}`, format };
  }
  return tree;
}

function contentOf(path: string, letter: Letter): string {
  const days = Array.from({ length: 40 }, (_, index) =>
    String(index % 28)
      .padStart(2, '0')
      .replace('00', '28'),
  );
  const name = path.slice(1).replace(/\..*/, '');
  if (path.endsWith('.csv')) {
    const rows = days.map((day, index) => `${name},Event ${index} of ${letter},2027-0${1 + (index % 9)}-${day}`);
    return ['subject,title,starts', ...rows, ''].join('\n');
  }
  const events = days.flatMap((day, index) => {
    const start = `DTSTART;VALUE=DATE:20270${1 + (index % 9)}${day}`;
    return ['BEGIN:VEVENT', `UID:${index}`, `SUMMARY:Event ${index} of ${letter}`, start, 'END:VEVENT'];
  });
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events, 'END:VCALENDAR', ''].join('\r\n');
}

const cacheOf = (cwd: string): string => join(cwd, 'data/.cache');

function expectCopies(cwd: string, letters: readonly Letter[]): void {
  const copies = [...readTree(cacheOf(cwd))].filter(([path]) => /\.(ics|csv)$/.test(path));
  expect(copies).toHaveLength(sources);
  for (const [path, bytes] of copies) {
    const sent = letters.map((letter) => contentOf(path.slice('tv/drama'.length), letter));
    expect([path, sent.includes(String(bytes))]).toEqual([path, true]);
  }
}

function expectOnlyCopies(cwd: string): void {
  const cache = readTree(cacheOf(cwd));
  const copies = Array.from({ length: sources }, (_, index) => `tv/drama/s${index}.${formatOf(index)}`);
  expect([...cache.keys()]).toEqual(['sync.json', ...copies].toSorted());
  const state = JSON.parse(readFileSync(join(cacheOf(cwd), 'sync.json'), 'utf8')) as {
    last_sync: string;
    sources: Record<string, { sha256: string }>;
  };
  expect(state.last_sync).toBe(new Date(now).toISOString());
  for (const path of copies) {
    const sha256 = createHash('sha256')
      .update(cache.get(path) ?? '')
      .digest('hex');
    expect(state.sources[path.replace(/\.\w+$/, '.source.json')]?.sha256).toBe(sha256);
  }
}
