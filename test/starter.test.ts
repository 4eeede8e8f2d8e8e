import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkInventory } from './setup/check-inventory.ts';
import { schemaOf } from './setup/documents.ts';
import { readTree, tempFolder } from './setup/folders.ts';
import { runAlmanac, type Run } from './setup/run-almanac.ts';

/** The starter catalogue, on the day it was put together. */
const root = fileURLToPath(new URL('..', import.meta.url));
const data = join(root, 'data');
const now = '2026-11-20T12:17:00Z';

interface SourceEvent {
  readonly title: string;
  readonly id?: string;
}

const subjectFiles = readdirSync(data, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.split('/').length === 3 && path.endsWith('.json') && basename(path) !== 'genre.json')
  .toSorted();

function eventsOf(path: string): SourceEvent[] {
  return (JSON.parse(readFileSync(join(data, path), 'utf8')) as { events: SourceEvent[] }).events;
}

let built: Run;
let site: Map<string, Buffer>;

beforeAll(async () => {
  const cwd = tempFolder(afterAll);
  built = await runAlmanac(['build', '--json', '--data', data, '--now', now], { cwd });
  site = readTree(join(cwd, 'dist'));
});

test('it has no problems', async () => {
  const run = await runAlmanac(['check'], { cwd: root });
  expect(run).toEqual({ code: 0, signal: null, stdout: 'data: no problems\n', stderr: '' });
});

test('it holds what its README counts, all of it upcoming and none withheld', () => {
  const [all, ...rows] = countedInReadme().toReversed();
  expect(rows.toReversed().map(([folder]) => folder)).toEqual(foldersIn(data));
  for (const row of rows) expect(row).toEqual([row[0], ...countIn(`${row[0]}/`)]);
  const [genres = 0, subjects = 0, events = 0] = countIn('');
  expect(all).toEqual(['', genres, subjects, events]);
  const catalogue = { genres, subjects, upcoming: events, categories: rows.length };
  expect(JSON.parse(built.stdout)).toMatchObject({ ok: true, catalogue, withheld: 0 });
});

/** The rows of the table in data/README.md: folder, genres, subjects, events; the sums in the last. */
function countedInReadme(): (readonly [string, ...number[]])[] {
  const rows = readFileSync(join(data, 'README.md'), 'utf8').matchAll(/^\|[^|]+\|([^|]+)((?:\| +[\d,]+ ){3})\|$/gm);
  return [...rows].map(([, folder = '', counts = '']) => {
    const numbers = counts.split('|').slice(1);
    return [folder.replaceAll('`', '').trim(), ...numbers.map((count) => Number(count.replace(',', '')))];
  });
}

/** Genres, subjects and events below a folder. */
function countIn(prefix: string): number[] {
  const files = subjectFiles.filter((path) => path.startsWith(prefix));
  const genres = new Set(files.map((path) => dirname(path)));
  return [genres.size, files.length, files.reduce((count, path) => count + eventsOf(path).length, 0)];
}

function foldersIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return folders.filter((name) => !name.startsWith('.')).toSorted();
}

test('where a title repeats within a subject, every one of them has an id', () => {
  const repeated = subjectFiles.flatMap((path) => {
    const events = eventsOf(path);
    const again = events.filter(({ title }) => events.filter((event) => event.title === title).length > 1);
    return again.map((event) => ({ path, ...event }));
  });
  expect(repeated.length).toBeGreaterThan(0);
  expect(repeated.filter(({ id }) => id === undefined)).toEqual([]);
});

test('every published document is of the schema it is typed by', () => {
  checkInventory(site);
  const documents = [...site].filter(([path]) => schemaOf(path) !== null);
  expect(documents.length).toBe(9 * 66 + 66 + 9 + 9 + 6 + 1 + 1 + 1);
  for (const [path, content] of documents) {
    expect(schemaOf(path)?.safeParse(JSON.parse(content.toString())).error, path).toBeUndefined();
  }
});

test('every JSON document is compact, with one final newline', () => {
  for (const [path, content] of site) {
    if (schemaOf(path) === null) continue;
    const text = content.toString();
    expect(text === `${JSON.stringify(JSON.parse(text))}\n`, path).toBe(true);
  }
});
