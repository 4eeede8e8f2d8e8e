import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { chooseNow } from '../../src/cli/settings.ts';
import type { Shell } from '../../src/cli/shell.ts';
import { checkManifest } from '../setup/check-manifest.ts';
import { readTree, tempFolder, writeTree, type Tree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';
import { now, sample } from '../setup/sample.ts';

function indexIn(cwd: string): { documentation: string; catalogue: { last_sync: string } } {
  return JSON.parse(readFileSync(join(cwd, 'dist/api/v1/index.json'), 'utf8'));
}

describe('the output', () => {
  test('is a summary on stdout, with nothing on stderr', async () => {
    const cwd = writeTree(tempFolder(), sample);
    const run = await runAlmanac(['build', '--now', now], { cwd });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout.replace(/in \d+\.\d\d s: \d+ files, [\d.]+ kB/, 'in T s: N files, B kB')).toBe(
      `Built dist in T s: N files, B kB
  3 upcoming events of 2 subjects in 2 genres and 2 categories
  1 event announced without a date
  base URL https://service.example
  last_sync 2026-11-20T12:17:00.000Z
`,
    );
  });

  test.each(['dist/changes.json', 'data/changes.json'])(
    'is no file %s, which the next build would refuse',
    async (file) => {
      const cwd = writeTree(tempFolder(), sample);
      const run = await runAlmanac(['build', '--changes', file, '--now', now], { cwd });
      expect(run).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining(`found --changes "${file}"`) as string,
      });
      expect(existsSync(join(cwd, 'dist'))).toBe(false);
    },
  );

  test('with --json is one document with the figures of the site', async () => {
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
      catalogue: { genres: 2, subjects: 2, upcoming: 3, categories: 2, last_sync: '2026-11-20T12:17:00.000Z' },
      withheld: 1,
      tzdata: process.versions['tz'],
    });
  });

  test('with --dry-run has the same figures, and no file is written', async () => {
    const cwd = writeTree(tempFolder(), sample);
    const dry = await runAlmanac(['build', '--dry-run', '--json', '--now', now], { cwd });
    expect(dry).toMatchObject({ code: 0, stderr: '' });
    expect(readdirSync(cwd)).toEqual(['data']);
    const real = await runAlmanac(['build', '--json', '--now', now], { cwd });
    expect({ ...JSON.parse(dry.stdout), duration_ms: 0 }).toEqual({ ...JSON.parse(real.stdout), duration_ms: 0 });
    const plain = await runAlmanac(['build', '--dry-run', '--now', now], { cwd });
    expect(plain.stdout).toMatch(/^Would build dist in /);
  });

  test('has problems on stderr, or with --json in the document', async () => {
    const cwd = writeTree(tempFolder(), { ...sample, 'data/notes.txt': '' });
    const plain = await runAlmanac(['build'], { cwd });
    expect(plain).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('data/notes.txt:1:1: ') });
    expect(await runAlmanac(['build', '--quiet'], { cwd })).toEqual(plain);
    const json = await runAlmanac(['build', '--json'], { cwd });
    expect(json).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse(json.stdout)).toEqual({
      ok: false,
      problems: [
        {
          code: 'stray-file',
          file: 'data/notes.txt',
          line: 1,
          column: 1,
          message: expect.stringContaining('notes.txt'),
        },
      ],
    });
    expect(readdirSync(cwd)).toEqual(['data']);
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
    const above = await runAlmanac(['check', '--data', '../../data'], { cwd: join(folder, 'deep/er') });
    expect(above.stdout).toMatch(/^\.\.\/\.\.\/data\/notes\.txt:1:1: /);
    const inside = await runAlmanac(['check', '--data', '.'], { cwd: join(folder, 'data') });
    expect(inside.stdout).toMatch(/^notes\.txt:1:1: /);
    const absolute = await runAlmanac(['check', '--data', join(folder, 'data')], { cwd: folder });
    expect(absolute.stdout).toMatch(/^data\/notes\.txt:1:1: /);
  });
});

describe('the base URL', () => {
  const cases = [
    { given: [], env: {}, used: 'https://service.example' },
    { given: [], env: { BASE_URL: '' }, used: 'https://service.example' },
    { given: [], env: { BASE_URL: 'https://env.example/a/' }, used: 'https://env.example/a' },
    { given: ['--base-url', 'http://option.example//'], env: { BASE_URL: 'x' }, used: 'http://option.example' },
    { given: ['--base-url=https://option.example/b/c'], env: {}, used: 'https://option.example/b/c' },
  ];
  test.each(cases)('is $used with the options $given and the variables $env', async ({ given, env, used }) => {
    const cwd = writeTree(tempFolder(), sample);
    const run = await runAlmanac(['build', '--quiet', ...given], { cwd, env });
    expect(run).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(indexIn(cwd).documentation).toBe(`${used}/api/v1/`);
  });

  test.each([
    ['http://localhost', 'which only this machine can reach'],
    ['http://127.0.0.1:8080', 'which only this machine can reach'],
    ['http://[::1]:80/a', 'which only this machine can reach'],
    ['https://a.localhost', 'which only this machine can reach'],
    ['https://github.com/me/fairs', 'which is a page of GitHub, not a site'],
  ])('%s causes a warning: %s (base-url-local, base-url-repository)', async (url, reason) => {
    const cwd = writeTree(tempFolder(), sample);
    const args = ['build', '--base-url', url];
    const line = `warning: found the base URL "${url}", ${reason}; give `;
    expect(await runAlmanac(args, { cwd })).toMatchObject({ code: 0, stderr: expect.stringContaining(line) });
    expect(await runAlmanac([...args, '--quiet'], { cwd })).toMatchObject({ code: 0, stderr: '' });
  });

  test('is required (base-url-missing)', async () => {
    const service = { name: 'Sample', license: 'Free to use.' };
    const cwd = writeTree(tempFolder(), { ...sample, 'data/service.json': service });
    const run = await runAlmanac(['build', '--json'], { cwd });
    expect(run.code).toBe(1);
    expect(JSON.parse(run.stdout)).toMatchObject({ ok: false, problems: [{ code: 'base-url-missing', file: null }] });
    expect(readdirSync(cwd)).toEqual(['data']);
    const check = await runAlmanac(['check', '--json'], { cwd });
    expect(check.code).toBe(1);
    expect(JSON.parse(check.stdout)).toEqual(JSON.parse(run.stdout));
    for (const options of [
      { args: ['--base-url', 'https://example.org'] },
      { env: { BASE_URL: 'https://example.org' } },
    ]) {
      const { args = [], env = {} } = options;
      expect(await runAlmanac(['check', ...args], { cwd, env })).toMatchObject({ code: 0 });
    }
  });

  test('is reported as missing together with other problems, but not if service.json is unreadable', async () => {
    const codesOf = async (tree: Tree): Promise<string[]> => {
      const { stdout } = await runAlmanac(['build', '--json'], {
        cwd: writeTree(tempFolder(), { ...sample, ...tree }),
      });
      return (JSON.parse(stdout) as { problems: { code: string }[] }).problems.map(({ code }) => code);
    };
    const service = { name: 'Sample', license: 'Free to use.' };
    const broken = { 'data/film/drama/a-film.json': '{' };
    expect(await codesOf({ ...broken, 'data/service.json': service })).toEqual(['invalid-json', 'base-url-missing']);
    expect(await codesOf({ ...broken, 'data/service.json': '{' })).toEqual(['invalid-json', 'invalid-json']);
  });

  test('is never printed with its password', async () => {
    const url = 'https://user:secret@example.org/';
    const service = { name: 'Sample', license: 'Free to use.', base_url: url };
    const cwd = writeTree(tempFolder(), { ...sample, 'data/service.json': service });
    for (const args of [['build'], ['build', '--base-url', url], ['host', 'node', '--base-url', url], ['check']]) {
      for (const env of [{}, { BASE_URL: url }]) {
        const { stdout, stderr } = await runAlmanac(args, { cwd, env });
        expect(stdout + stderr).toContain('found the base URL "https://…@example.org/" in ');
        expect(stdout + stderr).not.toContain('secret');
      }
    }
  });

  test.each(['', 'example.org', 'https://u:p@example.org', 'https://example.org/$host'])(
    'is refused if it is %j',
    async (url) => {
      const cwd = writeTree(tempFolder(), sample);
      const given = await runAlmanac(['build', '--json', `--base-url=${url}`], { cwd });
      expect(given.code).toBe(2);
      expect(JSON.parse(given.stdout)).toMatchObject({ problems: [{ code: 'bad-base-url' }] });
      if (url === '') return;
      const fromEnv = await runAlmanac(['build'], { cwd, env: { BASE_URL: url } });
      expect(fromEnv).toMatchObject({ code: 2, stdout: '' });
      expect(fromEnv.stderr).toContain('in BASE_URL;');
    },
  );
});

describe('the current time', () => {
  const cases = [
    { given: ['--now', now], sync: '2026-11-20T12:17:00.000Z' },
    { given: ['--now', '2026-11-20T12:17:00.5+05:30'], sync: '2026-11-20T06:47:00.500Z' },
    { given: ['--now', '2026-11-20t12:17:00.123456z'], sync: '2026-11-20T12:17:00.123Z' },
    { given: ['--now', '9999-12-31T23:59:59Z'], sync: '9999-12-31T23:59:59.000Z' },
  ];
  test.each(cases)('is $sync with the options $given, whatever SOURCE_DATE_EPOCH is', async ({ given, sync }) => {
    const cwd = writeTree(tempFolder(), sample);
    const run = await runAlmanac(['build', '--quiet', ...given], { cwd, env: { SOURCE_DATE_EPOCH: '315532800' } });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(indexIn(cwd).catalogue.last_sync).toBe(sync);
  });

  test('is that of the clock, or that of --now', async () => {
    const shell = { env: { SOURCE_DATE_EPOCH: '1' }, clock: () => 5 } as unknown as Shell;
    expect(await chooseNow(shell, now)).toBe(Date.parse(now));
    expect(await chooseNow(shell, undefined)).toBe(5);
  });

  const refused = ['', '2026-11-20', '2026-11-20T12:17:00', '2026-02-30T00:00:00Z', '9999-12-31T23:59:59-12:00'];
  test.each(refused)('cannot be set by --now %j (bad-now)', async (given) => {
    const cwd = writeTree(tempFolder(), sample);
    const run = await runAlmanac(['build', '--json', `--now=${given}`], { cwd });
    expect(run.code).toBe(2);
    expect(JSON.parse(run.stdout)).toMatchObject({ ok: false, problems: [{ code: 'bad-now' }] });
    expect(readdirSync(cwd)).toEqual(['data']);
  });
});
