import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { expect, test } from 'vitest';
import { wording } from '../../src/problem/messages.ts';
import { tempFolder, writeTree } from '../setup/folders.ts';
import { isUpdate } from '../setup/golden.ts';
import { runAlmanac, spawnAlmanac, type Run } from '../setup/run-almanac.ts';
import { readSections, writeSections } from '../setup/sections.ts';
import { setUps } from './invalid-files.ts';

interface FoundProblem {
  readonly code: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/*
 * test/fixtures/invalid/{problem-code}.txt contains a data folder with every cause of that problem
 * and, as expected.txt, a line for each problem that `almanac check --json` reports.
 * invalid-files.ts adds files that a text cannot contain.
 *
 *   ALMANAC_UPDATE_GOLDEN=1 npx vitest run --config test/vitest.config.ts test/source/invalid.test.ts
 *
 * writes the lines again. Read the changes before you commit them.
 */
const tests = join(import.meta.dirname, '..');
const invalid = join(tests, 'fixtures/invalid');
const expected = 'expected.txt';

const cases = readdirSync(invalid).map((file) => basename(file, '.txt'));

test.each(cases)('check reports %s', async (code) => {
  const file = join(invalid, `${code}.txt`);
  const sections = readSections(file);
  const run = await checkCase(code, setUp(code, sections));
  const { problems } = JSON.parse(run.stdout) as { problems: FoundProblem[] };
  expect(run).toMatchObject({ code: 1, signal: null, stderr: '' });
  expect([...new Set(problems.map((problem) => problem.code))]).toEqual([code]);
  for (const { message } of problems)
    // eslint-disable-next-line no-control-regex -- a message is one line without control characters
    expect(message).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
  const lines = problems
    .map((one) => `${one.file}:${one.line}:${one.column}: ${one.message}\n`)
    .join('');
  if (isUpdate) writeSections(file, sections.set(expected, lines));
  expect(lines).toBe(sections.get(expected));
});

test('every problem code has a case here or is named in another test', () => {
  const files = readdirSync(tests, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.test\.ts$|^fixtures\/sessions\//.test(file),
  );
  const texts = files.map((file) => readFileSync(join(tests, file), 'utf8'));
  const isNamed = (code: string): boolean =>
    texts.some((text) => new RegExp(`(?<![\\w-])${code}(?![\\w-])`).test(text));
  const problemCodes = Object.keys(wording);
  const untested = problemCodes.filter((code) => !cases.includes(code) && !isNamed(code));
  expect(untested).toEqual([]);
  expect(cases.filter((code) => !problemCodes.includes(code))).toEqual([]);
});

/** Writes the data of a case into a new folder and completes it. */
function setUp(code: string, sections: ReadonlyMap<string, string>): string {
  const cwd = tempFolder();
  chmodSync(cwd, 0o777);
  const files = [...sections].filter(([path]) => path !== expected);
  writeTree(cwd, Object.fromEntries(files));
  const data = join(cwd, 'data');
  if (existsSync(data) && code !== 'missing-file') addNames(data);
  setUps[code]?.(data);
  return cwd;
}

/**
 * Writes the files with the names of the service, the categories and the genres, unless the case
 * has its own.
 */
function addNames(data: string): void {
  const write = (path: string, value: object): void => {
    if (!existsSync(join(data, path))) writeFileSync(join(data, path), JSON.stringify(value));
  };
  write('service.json', { name: 'Test catalogue', license: 'Free to use, no key required.' });
  for (const entry of readdirSync(data, { recursive: true, withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const path = relative(data, join(entry.parentPath, entry.name));
    const depth = path.split(sep).length;
    if (depth <= 2)
      write(join(path, depth === 1 ? 'category.json' : 'genre.json'), { name: 'Name' });
  }
}

/** Root can read every file, so tests that run as root run this command as nobody. */
async function checkCase(code: string, cwd: string): Promise<Run> {
  const asNobody = code === 'unreadable-file' && process.getuid?.() === 0;
  const args = ['check', '--json', '--now', '2026-11-20T12:17:00Z'];
  // The services of most cases name no base URL, which would be a problem of its own.
  const env = { BASE_URL: 'https://example.org' };
  return asNobody
    ? spawnAlmanac(args, { cwd, env, uid: 65534, gid: 65534 })
    : runAlmanac(args, { cwd, env });
}
