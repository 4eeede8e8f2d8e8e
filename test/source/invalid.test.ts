import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { expect, test } from 'vitest';
import { problemCodes } from '../../src/problem/problem.ts';
import { tempFolder } from '../setup/folders.ts';
import { isUpdate } from '../setup/golden.ts';
import { runAlmanac, spawnAlmanac, type Run } from '../setup/run-almanac.ts';

interface FoundProblem {
  readonly code: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/*
 * test/fixtures/invalid/{problem-code} contains a data folder with every cause of that problem, and in expected.txt a
 * line for each problem that `almanac check --json` reports. A set-up.ts creates files that git cannot store.
 *
 *   ALMANAC_UPDATE_GOLDEN=1 npx vitest run --config test/vitest.config.ts test/source/invalid.test.ts
 *
 * writes them again. Read the changes before you commit them.
 */
const tests = join(import.meta.dirname, '..');
const invalid = join(tests, 'fixtures/invalid');
const now = '2026-11-20T12:17:00Z';

const cases = readdirSync(invalid);

test.each(cases)('check reports %s', async (code) => {
  const cwd = await setUp(join(invalid, code));
  const run = await runCase(code, ['check', '--json', '--now', now], cwd);
  const { problems } = JSON.parse(run.stdout) as { problems: FoundProblem[] };
  expect(run).toMatchObject({ code: 1, signal: null, stderr: '' });
  expect([...new Set(problems.map((problem) => problem.code))]).toEqual([code]);
  // eslint-disable-next-line no-control-regex -- a message is one line without control characters
  for (const { message } of problems) expect(message).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
  const lines = problems.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}\n`).join('');
  if (isUpdate) writeFileSync(join(invalid, code, 'expected.txt'), lines);
  expect(lines).toBe(readFileSync(join(invalid, code, 'expected.txt'), 'utf8'));
});

test.each(['bad-value', 'bad-base-url', 'unreadable-file'])('build writes nothing for %s', async (code) => {
  const cwd = await setUp(join(invalid, code));
  const run = await runCase(code, ['build', '--now', now, '--base-url', 'https://example.org'], cwd);
  expect(run).toMatchObject({ code: 1, signal: null, stdout: '' });
  expect(run.stderr).toContain(readFileSync(join(invalid, code, 'expected.txt'), 'utf8').split('\n')[0]);
  expect(readdirSync(cwd).filter((name) => name !== 'data')).toEqual([]);
});

test('every problem code has a case here or is named in another test', () => {
  const files = readdirSync(tests, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'));
  const texts = files.map((file) => readFileSync(join(tests, file), 'utf8'));
  const isNamed = (code: string): boolean =>
    texts.some((text) => new RegExp(`(?<![\\w-])${code}(?![\\w-])`).test(text));
  const untested = problemCodes.filter((code) => !cases.includes(code) && !isNamed(code));
  expect(untested).toEqual([]);
  expect(cases.filter((code) => !(problemCodes as readonly string[]).includes(code))).toEqual([]);
});

/** Copies the data of a case into a new folder and completes it. */
async function setUp(folder: string): Promise<string> {
  const cwd = tempFolder();
  chmodSync(cwd, 0o777);
  const data = join(cwd, 'data');
  if (existsSync(join(folder, 'data'))) cpSync(join(folder, 'data'), data, { recursive: true });
  if (existsSync(data) && basename(folder) !== 'missing-file') addNames(data);
  const script = join(folder, 'set-up.ts');
  if (existsSync(script)) {
    const { default: complete } = (await import(script)) as { default: (data: string) => void };
    complete(data);
  }
  return cwd;
}

/** Writes the files with the names of the service, the categories and the genres, unless the case has its own. */
function addNames(data: string): void {
  const write = (path: string, value: object): void => {
    if (!existsSync(join(data, path))) writeFileSync(join(data, path), JSON.stringify(value));
  };
  write('service.json', { name: 'Test catalogue', license: 'Free to use, no key required.' });
  for (const entry of readdirSync(data, { recursive: true, withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const path = relative(data, join(entry.parentPath, entry.name));
    const depth = path.split(sep).length;
    if (depth <= 2) write(join(path, depth === 1 ? 'category.json' : 'genre.json'), { name: 'Name' });
  }
}

/** Root can read every file, so tests that run as root run this command as nobody. */
async function runCase(code: string, args: readonly string[], cwd: string): Promise<Run> {
  const asNobody = code === 'unreadable-file' && process.getuid?.() === 0;
  // The services of most cases name no base URL, which would be a problem of its own.
  const env = { BASE_URL: 'https://example.org' };
  return asNobody ? spawnAlmanac(args, { cwd, env, uid: 65534, gid: 65534 }) : runAlmanac(args, { cwd, env });
}
