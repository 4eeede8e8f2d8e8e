import { zoneTableVersion } from '../../src/catalogue/time/zone-table.ts';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chooseNow } from '../../src/cli/settings.ts';
import type { Shell } from '../../src/cli/shell.ts';
import { checkManifest } from '../setup/check-manifest.ts';
import { readTree, tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';
import { now, sample } from '../setup/sample.ts';

test('--json prints one document with the figures of the site', async () => {
  const cwd = writeTree(tempFolder(), sample);
  const run = await runAlmanac(['build', '--json', '--now', now], { cwd });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  const site = readTree(join(cwd, 'dist'));
  checkManifest(site);
  const { duration_ms, ...report } = JSON.parse(run.stdout) as { duration_ms: unknown };
  expect(duration_ms).toEqual(expect.any(Number));
  expect(report).toEqual({
    ok: true,
    out: 'dist',
    files: site.size,
    bytes: [...site.values()].reduce((total, { length }) => total + length, 0),
    catalogue: {
      genres: 2,
      subjects: 2,
      upcoming: 3,
      categories: 2,
      last_sync: '2026-11-20T12:17:00.000Z',
    },
    withheld: 1,
    tzdata: zoneTableVersion,
  });
});

test('--dry-run has the figures of a build, and writes no file', async () => {
  const cwd = writeTree(tempFolder(), sample);
  const dry = await runAlmanac(['build', '--dry-run', '--json', '--now', now], { cwd });
  expect(dry).toMatchObject({ code: 0, stderr: '' });
  expect(readdirSync(cwd)).toEqual(['data']);
  const real = await runAlmanac(['build', '--json', '--now', now], { cwd });
  expect({ ...JSON.parse(dry.stdout), duration_ms: 0 }).toEqual({
    ...JSON.parse(real.stdout),
    duration_ms: 0,
  });
});

test('a failed build leaves no new parent folder of --out behind', async () => {
  const cwd = writeTree(tempFolder(), { ...sample, 'data/notes.txt': '' });
  for (const out of ['new/deep/er', 'data-site/dist']) {
    expect(await runAlmanac(['build', '--out', out], { cwd })).toMatchObject({ code: 1 });
  }
  expect(readdirSync(cwd)).toEqual(['data']);
  mkdirSync(join(cwd, 'new'));
  expect(await runAlmanac(['build', '--out', 'new/deep/er'], { cwd })).toMatchObject({ code: 1 });
  expect([readdirSync(cwd), readdirSync(join(cwd, 'new'))]).toEqual([['data', 'new'], []]);
});

test('names files by their path from the working directory, wherever the data folder is', async () => {
  const folder = writeTree(tempFolder(), { ...sample, 'data/notes.txt': '', 'deep/er/x': '' });
  const above = await runAlmanac(['check', '--data', '../../data'], {
    cwd: join(folder, 'deep/er'),
  });
  expect(above.stdout).toMatch(/^\.\.\/\.\.\/data\/notes\.txt:1:1: /);
  const inside = await runAlmanac(['check', '--data', '.'], { cwd: join(folder, 'data') });
  expect(inside.stdout).toMatch(/^notes\.txt:1:1: /);
  const absolute = await runAlmanac(['check', '--data', join(folder, 'data')], { cwd: folder });
  expect(absolute.stdout).toMatch(/^data\/notes\.txt:1:1: /);
});

test('the time is that of the clock, or that of --now', async () => {
  const shell = { env: { SOURCE_DATE_EPOCH: '1' }, clock: () => 5 } as unknown as Shell;
  expect(await chooseNow(shell, now)).toBe(Date.parse(now));
  expect(await chooseNow(shell, undefined)).toBe(5);
});
