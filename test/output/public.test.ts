import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkManifest } from '../setup/check-manifest.ts';
import { readTree, tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';
import { now, sample } from '../setup/sample.ts';

const build = ['build', '--now', now, '--quiet'];
const done = { code: 0, stderr: '' };

function withPublic(files: Readonly<Record<string, string>>): string {
  return writeTree(tempFolder(), { ...sample, ...files });
}

function modeOf(file: string): number {
  return statSync(file).mode & 0o777;
}

test('files in public/ are copied into the site with their permissions, and listed', async () => {
  const files = {
    CNAME: 'events.example.org',
    '.well-known/a/token': 'mine',
    'tool.sh': '#!/bin/sh',
    'logo.svg': '<svg/>',
    'robots.txt': 'User-agent: *\nDisallow: /\n',
  };
  const cwd = withPublic(
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`public/${path}`, text])),
  );
  chmodSync(join(cwd, 'public/tool.sh'), 0o755);
  chmodSync(join(cwd, 'public/CNAME'), 0o600);
  mkdirSync(join(cwd, 'public/empty'));
  const times = new Set<number>();
  for (const round of [1, 2]) {
    expect(await runAlmanac(build, { cwd }), `build ${round}`).toMatchObject(done);
    times.add(statSync(join(cwd, 'dist/tool.sh')).mtimeMs);
    const site = readTree(join(cwd, 'dist'));
    checkManifest(site);
    for (const [path, text] of Object.entries(files)) expect(String(site.get(path))).toBe(text);
    expect([modeOf(join(cwd, 'dist/tool.sh')), modeOf(join(cwd, 'dist/CNAME'))]).toEqual([
      0o755, 0o600,
    ]);
  }
  expect(times.size).toBe(1);
  expect(await runAlmanac(['verify', 'dist'], { cwd })).toMatchObject({ code: 0 });
});

test('names that almanac writes, links and odd names are problems of check and build', async () => {
  const cwd = withPublic({
    'public/index.html': '',
    'public/api/v1/x': '',
    'public/files.json': '{}',
    'public/a\\b': '',
  });
  symlinkSync('/etc/passwd', join(cwd, 'public/link'));
  for (const command of ['check', 'build']) {
    const { code, stdout } = await runAlmanac([command, '--json', '--now', now], { cwd });
    const { problems } = JSON.parse(stdout) as { problems: { code: string; file: string }[] };
    expect(code).toBe(1);
    expect(problems.map((problem) => `${problem.code} ${problem.file}`).toSorted()).toEqual([
      'public-name-invalid public/a\\b',
      'public-name-taken public/api/v1/x',
      'public-name-taken public/files.json',
      'public-name-taken public/index.html',
      'public-not-a-file public/link',
    ]);
  }
  expect(existsSync(join(cwd, 'dist'))).toBe(false);
});

test.each(
  [
    ['aſſets/app.js', 'ſearch/index.html', 'Genre/x'],
    ['.git/config', '.GIT/config', 'CON.txt', 'a/nul', 'a:b', 'a.', 'genre./x', 'a /b', 'what?'],
  ].flatMap((names, kind) => names.map((name) => [name, kind] as const)),
)('the name %j, which some disks take for another or refuse, is a problem', async (name, kind) => {
  const { code, stdout } = await runAlmanac(['check', '--json', '--now', now], {
    cwd: withPublic({ [`public/${name}`]: '' }),
  });
  expect({ code, stdout }).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(kind === 0 ? 'public-name-taken' : 'public-name-invalid'),
  });
});

test('a name that is not UTF-8 is a problem, also of an empty folder', async () => {
  for (const make of [mkdirSync, (path: Buffer) => writeFileSync(path, '')]) {
    const cwd = withPublic({ 'public/a.txt': '' });
    make(Buffer.concat([Buffer.from(join(cwd, 'public/caf')), Buffer.of(0xe9)]));
    const { code, stdout } = await runAlmanac(['check', '--json', '--now', now], { cwd });
    expect({ code, stdout }).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('public-name-invalid'),
    });
  }
});

test('every name at the top of a site is reserved, but for what an owner may replace', async () => {
  const cwd = writeTree(tempFolder(), sample);
  expect(await runAlmanac(build, { cwd })).toMatchObject(done);
  const names = new Set(
    [...readTree(join(cwd, 'dist')).keys()].map((path) => path.split('/')[0] ?? ''),
  );
  for (const name of names) writeTree(cwd, { [`public/${name}`]: 'mine' });
  const { stdout } = await runAlmanac(['check', '--json'], { cwd });
  const { problems } = JSON.parse(stdout) as { problems: { file: string }[] };
  const taken = problems.map(({ file }) => file.replace('public/', ''));
  expect(taken.toSorted()).toEqual(
    [...names].filter((name) => !/^(robots\.txt|favicon\.ico|\.well-known)$/.test(name)).toSorted(),
  );
});

test('a file that is larger than Node reads at once is copied in blocks', async () => {
  const [cwd, size] = [withPublic({ 'public/video.bin': '' }), 2 * 1024 ** 3 + 1];
  truncateSync(join(cwd, 'public/video.bin'), size);
  const run = await runAlmanac([...build, '--json'], { cwd });
  expect(JSON.parse(run.stdout)).toMatchObject({ ok: true });
  expect(statSync(join(cwd, 'dist/video.bin')).size).toBe(size);
});

test('a file of the owner with the name of a compressed copy stays as it is', async () => {
  const text = 'a line of text that is repeated\n'.repeat(100);
  const cwd = withPublic({ 'public/notes.txt': text, 'public/notes.txt.gz': 'mine' });
  expect(await runAlmanac([...build, '--compress'], { cwd })).toMatchObject(done);
  expect(readFileSync(join(cwd, 'dist/notes.txt.gz'), 'utf8')).toBe('mine');
  expect(existsSync(join(cwd, 'dist/notes.txt.br'))).toBe(true);
});
