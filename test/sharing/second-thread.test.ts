import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { lastingFolder, readTree, writeTree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

/*
 * A catalogue so large that a second thread takes its share. The same command with one core, which has no second thread,
 * is the plain path that it must agree with.
 */
const folder = lastingFolder();
const oneCore = join(folder, 'one-core.cjs');
const options = ['--now', '2026-11-20T12:17:00Z', '--base-url', 'https://example.org'];

beforeAll(() => {
  const files: Record<string, unknown> = { 'data/service.json': { name: 'Many', license: 'Free' } };
  for (const category of ['film', 'tv']) {
    files[`data/${category}/category.json`] = { name: category };
    for (let genre = 0; genre < 12; genre++) {
      const path = `data/${category}/genre-${genre}`;
      files[`${path}/genre.json`] = { name: `Genre ${genre}` };
      for (let subject = 0; subject < 20; subject++) files[`${path}/subject-${subject}.json`] = subjectOf(subject);
    }
  }
  writeTree(folder, files);
  writeFileSync(
    oneCore,
    "require('node:os').availableParallelism = () => 1; require('node:module').syncBuiltinESMExports();",
  );
});

function subjectOf(subject: number): object {
  const events = Array.from({ length: 200 }, (_, index) => ({
    title: `Episode ${index + 1}, “${subject}”, ${'très '.repeat(30)}longue`,
    starts: `20${26 + (index % 3)}-0${1 + (subject % 9)}-1${index % 10}T20:${10 + (index % 50)}`,
    zone: index % 2 === 0 ? 'Europe/Berlin' : 'America/New_York',
    cancelled: subject % 7 === 0,
  }));
  return { name: `Subject ${subject}`, url: 'https://example.org/', events };
}

const build = async (out: string, node: readonly string[]) =>
  runAlmanac(['build', '--out', out, ...options, '--json'], { cwd: folder, node });

test('two threads make the same site, byte for byte', async () => {
  const [two, one] = [await build('two', []), await build('one', ['--require', oneCore])];
  expect([two.code, one.code]).toEqual([0, 0]);
  expect(readTree(join(folder, 'two'))).toEqual(readTree(join(folder, 'one')));
});

test('what the second thread fails at is made by the first', async () => {
  writeFileSync(join(folder, 'failing.cjs'), failing);
  const told = await build('failed', ['--require', join(folder, 'failing.cjs')]);
  expect(told).toMatchObject({ code: 0, stderr: '' });
  expect(existsSync(join(folder, 'second-thread-failed'))).toBe(true);
  expect(readTree(join(folder, 'failed'))).toEqual(readTree(join(folder, 'two')));
});

test('what the second thread was at when it was ended is made by the first', async () => {
  const ending = join(folder, 'ending.cjs');
  writeFileSync(
    ending,
    `const fs = require('node:fs');
    if (!require('node:worker_threads').isMainThread) fs.writeFileSync = () => process.exit(0);
    require('node:module').syncBuiltinESMExports();`,
  );
  expect(await build('ended', ['--require', ending])).toMatchObject({ code: 0, stderr: '' });
  expect(readTree(join(folder, 'ended'))).toEqual(readTree(join(folder, 'two')));
});

test('what is wrong in a genre that either makes is reported as ever, and the command ends', async () => {
  writeFileSync(
    join(folder, 'data/film/genre-3/subject-4.json'),
    '{ "name": "X", "events": [{ "title": "T", "starts": "soon" }] }',
  );
  writeFileSync(join(folder, 'data/tv/genre-9/subject-1.json'), '{');
  const [two, one] = [await build('two', []), await build('one', ['--require', oneCore])];
  expect(two.code).toBe(1);
  expect(two.stdout).toBe(one.stdout);
  expect(JSON.parse(two.stdout)).toMatchObject({ problems: [{ code: 'bad-starts' }, { code: 'invalid-json' }] });
});

/** In the second thread, the disk is full after a few files. */
const failing = `const fs = require('node:fs');
const { isMainThread } = require('node:worker_threads');
const { writeFileSync } = fs;
let left = 5;
if (!isMainThread) fs.writeFileSync = (...args) => {
  if (left-- > 0) return writeFileSync(...args);
  writeFileSync('second-thread-failed', '');
  throw Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'write', path: args[0] });
};
require('node:module').syncBuiltinESMExports();
`;
