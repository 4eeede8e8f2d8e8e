import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { problemCodes } from '../../src/problem/problem.ts';
import { tempFolder } from '../setup/folders.ts';
import { isUpdate } from '../setup/golden.ts';
import { runAlmanac, spawnAlmanac, type Run } from '../setup/run-almanac.ts';

/*
 * test/fixtures/invalid/{problem-code} contains a data folder with every cause of that problem, and the output of
 * `almanac check`: expected.txt, and expected.json with --json. A set-up.ts creates files that git cannot store.
 *
 *   ALMANAC_UPDATE_GOLDEN=1 npx vitest run --config test/vitest.config.ts test/source/invalid.test.ts
 *
 * writes the expected files again. Read the changes before you commit them.
 */
const invalid = join(import.meta.dirname, '../fixtures/invalid');
const now = '2026-11-20T12:17:00Z';

/** Problems that a data folder alone cannot cause, and the files of their tests. */
const elsewhere: Readonly<Record<string, string>> = {
  'too-many-tags': 'test/build/lists.test.ts',
  'private-events': 'test/source/calendars.test.ts',
  'more-problems': 'test/source/large-files.test.ts',
  'too-many-events': 'test/source/large-files.test.ts',
  'too-large-to-explain': 'test/source/large-files.test.ts',
  'base-url-missing': 'test/cli/build.test.ts',
  'base-url-local': 'test/cli/build.test.ts',
  'base-url-repository': 'test/cli/build.test.ts',
  'bad-now': 'test/cli/build.test.ts',
  'out-refused': 'test/output/replaceable.test.ts',
  'public-name-taken': 'test/output/public.test.ts',
  'public-name-invalid': 'test/output/public.test.ts',
  'public-not-a-file': 'test/output/public.test.ts',
  'leftover-stays': 'test/output/disk.test.ts',
  'site-not-flushed': 'test/output/safety.test.ts',
  'out-busy': 'test/output/swap.test.ts',
  'address-refused': 'test/server/serve.test.ts',
  'site-too-large': 'test/cli/host.test.ts',
  'unknown-host': 'test/cli/host.test.ts',
  'host-not-written': 'test/cli/host.test.ts',
  'working-folder-gone': 'test/cli/usage.test.ts',
  'not-printed': 'test/cli/usage.test.ts',
  'used-and-ignored': 'test/source/mappings.test.ts',
  'import-missing': 'test/cli/import.test.ts',
  'import-exists': 'test/cli/import.test.ts',
  'import-misnamed': 'test/cli/import.test.ts',
  'import-failed': 'test/cli/import.test.ts',
  'source-failed': 'test/source/remote.test.ts',
  'source-left-out': 'test/source/remote.test.ts',
  'source-too-old': 'test/source/remote.test.ts',
  'source-not-fetched': 'test/source/remote.test.ts',
  'data-busy': 'test/source/add.test.ts',
  'sync-busy': 'test/faults/sync-together.test.ts',
  'cache-failed': 'test/output/disk.test.ts',
  'write-failed': 'test/output/disk.test.ts',
  'watch-refused': 'test/server/serve.test.ts',
  'site-path-refused': 'test/cli/host.test.ts',
  'site-missing': 'test/site/verify.test.ts',
  'site-unreadable': 'test/site/verify.test.ts',
  'site-incomplete': 'test/site/verify.test.ts',
  'site-file-missing': 'test/site/verify.test.ts',
  'site-file-changed': 'test/site/verify.test.ts',
  'site-file-unlisted': 'test/site/verify.test.ts',
  'site-document-invalid': 'test/site/verify.test.ts',
  'site-inconsistent': 'test/site/verify.test.ts',
  'site-empty': 'test/site/verify.test.ts',
  'site-version-differs': 'test/site/verify.test.ts',
  'site-of-another': 'test/site/owner.test.ts',
  'ids-renamed': 'test/site/owner.test.ts',
  'log-dropped': 'test/build/changes.test.ts',
  'changes-not-written': 'test/build/changes.test.ts',
  'changes-unreadable': 'test/cli/notify.test.ts',
  'not-delivered': 'test/cli/notify.test.ts',
  'site-drop': 'test/site/guard.test.ts',
  'site-without-bulk': 'test/site/guard.test.ts',
  'site-line-invalid': 'test/build/changes.test.ts',
  'previous-site-missing': 'test/site/guard.test.ts',
  'perhaps-renamed': 'test/site/renames.test.ts',
  'previous-site-damaged': 'test/build/changes.test.ts',
  'previous-site-differs': 'test/build/changes.test.ts',
  'genres-emptied': 'test/site/guard.test.ts',
  'bad-target': 'test/publish/publish-usage.test.ts',
  'bad-endpoint': 'test/publish/publish-usage.test.ts',
  'bad-variable': 'test/publish/publish-usage.test.ts',
  'credentials-missing': 'test/publish/publish-usage.test.ts',
  'bucket-refused': 'test/publish/s3.test.ts',
  'objects-not-ours': 'test/publish/publish.test.ts',
  'publisher-overtaken': 'test/publish/s3.test.ts',
  'skipped-rows': 'test/source/mappings.test.ts',
  'guessed-encoding': 'test/source/mappings.test.ts',
  'all-past': 'test/source/warnings.test.ts',
  'announcement-past': 'test/source/warnings.test.ts',
  'far-ahead': 'test/source/warnings.test.ts',
  'values-left-out': 'test/source/calendars.test.ts',
  'bad-rows': 'test/source/mappings.test.ts',
  'repeated-row': 'test/source/mappings.test.ts',
  'too-many-rows': 'test/source/mappings.test.ts',
  'bad-event-line': 'test/source/catalogues.test.ts',
  'own-events': 'test/source/catalogues.test.ts',
  'source-of-itself': 'test/source/catalogues.test.ts',
  'year-behind': 'test/source/warnings.test.ts',
  'not-published': 'test/source/unpublished.test.ts',
  'host-file-edited': 'test/cli/host.test.ts',
  'bad-language': 'test/source/default-zone.test.ts',
  'bad-authority': 'test/source/default-zone.test.ts',
  'bad-accent': 'test/pages/site.test.ts',
  'bad-edit-url': 'test/pages/site.test.ts',
  'bad-pages': 'test/pages/site.test.ts',
  'genre-missing': 'test/cli/add.test.ts',
  'subject-missing': 'test/cli/add.test.ts',
  'bad-issue': 'test/cli/add.test.ts',
  unreachable: 'test/site/verify.test.ts',
  usage: 'test/cli/usage.test.ts',
  unexpected: 'test/cli/usage.test.ts',
};

test.each(Object.entries(elsewhere))('%s is tested in %s', (code, file) => {
  expect(readFileSync(join(import.meta.dirname, '../..', file), 'utf8')).toContain(code);
});

const cases = readdirSync(invalid);

test.each(cases)('check reports %s', async (code) => {
  const cwd = await setUp(join(invalid, code));
  const run = await runCase(code, ['check', '--now', now], cwd);
  const json = await runCase(code, ['check', '--json', '--now', now], cwd);
  if (isUpdate) {
    writeFileSync(join(invalid, code, 'expected.txt'), run.stdout);
    writeFileSync(join(invalid, code, 'expected.json'), `${JSON.stringify(JSON.parse(json.stdout), null, 2)}\n`);
  }
  expect(run).toEqual({ code: 1, signal: null, stdout: expected(code, 'txt'), stderr: '' });
  expect({ ...json, stdout: JSON.parse(json.stdout) }).toEqual({
    code: 1,
    signal: null,
    stdout: JSON.parse(expected(code, 'json')),
    stderr: '',
  });
});

test.each(cases)('build writes nothing for %s', async (code) => {
  const cwd = await setUp(join(invalid, code));
  const run = await runCase(code, ['build', '--now', now, '--base-url', 'https://example.org'], cwd);
  const wanted = expected(code, 'txt');
  expect(run).toEqual({ code: 1, signal: null, stdout: '', stderr: wanted });
  expect(readdirSync(cwd).filter((name) => name !== 'data')).toEqual([]);
});

test.each(cases)('%s shows only its own problem', (code) => {
  const { problems } = JSON.parse(expected(code, 'json')) as { problems: { code: string; message: string }[] };
  expect(problems.length).toBeGreaterThan(0);
  expect([...new Set(problems.map((problem) => problem.code))]).toEqual([code]);
  // eslint-disable-next-line no-control-regex -- a message is one line without control characters
  for (const { message } of problems) expect(message).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
});

test('every problem code has a case here or a test in another file', () => {
  expect([...cases, ...Object.keys(elsewhere)].toSorted()).toEqual(problemCodes.toSorted());
});

function expected(code: string, form: 'txt' | 'json'): string {
  return readFileSync(join(invalid, code, `expected.${form}`), 'utf8');
}

/** Copies the data of a case into a new folder and completes it. */
async function setUp(folder: string): Promise<string> {
  const cwd = tempFolder();
  chmodSync(cwd, 0o777);
  const data = join(cwd, 'data');
  if (existsSync(join(folder, 'data'))) cpSync(join(folder, 'data'), data, { recursive: true });
  const script = join(folder, 'set-up.ts');
  if (existsSync(script)) {
    const { default: complete } = (await import(script)) as { default: (data: string) => void };
    complete(data);
  }
  return cwd;
}

/** Root can read every file, so tests that run as root run this command as nobody. */
async function runCase(code: string, args: readonly string[], cwd: string): Promise<Run> {
  const asNobody = code === 'unreadable-file' && process.getuid?.() === 0;
  // The services of most cases name no base URL, which would be a problem of its own.
  const env = { BASE_URL: 'https://example.org' };
  return asNobody ? spawnAlmanac(args, { cwd, env, uid: 65534, gid: 65534 }) : runAlmanac(args, { cwd, env });
}
