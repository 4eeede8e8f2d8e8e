import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { languages } from '../../src/catalogue/model.ts';
import { packGenerator } from '../setup/pack.ts';
import { lastingFolder, readTree, tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac, spawnAlmanac, type Run } from '../setup/run-almanac.ts';

const root = join(import.meta.dirname, '../..');
const now = ['--now', '2026-11-20T12:00:00Z'];

async function init(cwd: string, ...args: string[]): Promise<Run> {
  return runAlmanac(['init', ...args], { cwd });
}

describe('a new catalogue', () => {
  test('whose example was built on this machine and replaced is published without news of it', async () => {
    const cwd = tempFolder();
    await init(cwd, 'fairs', '--package', '@me/almanac');
    const folder = join(cwd, 'fairs');
    expect(await runAlmanac(['build', ...now], { cwd: folder })).toMatchObject({ code: 0 });
    const day = { title: 'Day', starts: '2027-03-04' };
    const replacement = {
      name: 'Book fair',
      events: [day, { title: 'Night', starts: '2027-03-05' }],
    };
    rmSync(join(folder, 'data/example/fairs/spring-fair.json'));
    writeTree(folder, { 'data/example/fairs/book-fair.json': replacement });
    const changesOn = async (day: string): Promise<unknown> => {
      const options = [
        '--base-url',
        'https://fairs.example',
        '--changes',
        'changes.json',
        '--now',
        `${day}T00:00:00Z`,
      ];
      expect(await runAlmanac(['build', ...options], { cwd: folder })).toMatchObject({
        code: 0,
        stderr: '',
      });
      return JSON.parse(readFileSync(join(folder, 'changes.json'), 'utf8'));
    };
    expect(await changesOn('2026-11-21')).toEqual({
      counts: null,
      since: '2026-11-21T00:00:00.000Z',
      complete_since: '2026-11-21T00:00:00.000Z',
      changes: [],
    });
    // What was published once is news when it is gone.
    writeTree(folder, { 'data/example/fairs/book-fair.json': { ...replacement, events: [day] } });
    expect(await changesOn('2026-11-22')).toMatchObject({
      changes: [{ kind: 'removed', title: 'Night' }],
    });
  });

  test.each(languages)('is written in the language %s, as far as people read it', async (lang) => {
    const cwd = tempFolder();
    expect(await init(cwd, 'fairs', '--package', '@me/almanac', '--lang', lang)).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(await runAlmanac(['check', ...now], { cwd: join(cwd, 'fairs') })).toMatchObject({
      code: 0,
      stderr: '',
    });
    const files = readTree(join(cwd, 'fairs'));
    const english = ['Make it yours', 'reasonably', 'Example', 'Fairs', 'Opening', 'Announce'];
    const paths = [
      'README.md',
      'data/service.json',
      'data/example/category.json',
      'data/example/fairs/genre.json',
    ];
    const others = ['data/example/fairs/spring-fair.json', '.github/ISSUE_TEMPLATE/event.yml'];
    const texts = [...paths, ...others].map((path) => String(files.get(path)));
    const found = texts.map((text, index) => text.includes(english[index] ?? ''));
    expect(found).toEqual(found.map(() => lang === 'en'));
    const filled = [...files].filter(([path]) => !path.includes('workflows/'));
    for (const [path, text] of filled) expect(String(text), path).not.toMatch(/\$[A-Z]+\b/);
    expect(String(files.get('AGENTS.md')).split('\n').length).toBeLessThanOrEqual(41);
  });

  test.each(['almanac-1.0.0.tgz', 'file:sub/almanac-1.0.0.tgz', 'renamed.tgz'])(
    'holds the tarball %s that it installs almanac from',
    async (given) => {
      const path = given.replace('file:', '');
      const cwd = writeTree(tempFolder(), { [path]: 'the bytes \u00ff' });
      expect(await init(cwd, 'fairs', '--package', given)).toMatchObject({ code: 0, stderr: '' });
      const manifest = JSON.parse(readFileSync(join(cwd, 'fairs/package.json'), 'utf8')) as object;
      expect(manifest).toMatchObject({
        dependencies: { almanac: 'file:vendor/almanac-1.0.0.tgz' },
      });
      expect(readFileSync(join(cwd, 'fairs/vendor/almanac-1.0.0.tgz'))).toEqual(
        readFileSync(join(cwd, path)),
      );
    },
  );

  test('has workflows that call no others', async () => {
    const cwd = tempFolder();
    await init(cwd, 'fairs', '--package', '@me/almanac');
    for (const [name, text] of readTree(join(cwd, 'fairs/.github/workflows'))) {
      expect([name, String(text).match(/uses: (?!actions\/)\S+/g)]).toEqual([name, null]);
    }
  });
});

describe('the next steps of a new catalogue', () => {
  const steps = async (cwd: string, ...args: string[]): Promise<string> => {
    const run = await init(cwd, ...args);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    return run.stdout;
  };

  test.each(['Spiele & Messen', "Kinder's games", 'späße'])(
    'can be pasted into a shell for the folder %s',
    async (dir) => {
      const cwd = tempFolder();
      const [, change = ''] =
        /^ {2}(cd .*)$/m.exec(await steps(cwd, dir, '--package', '@me/almanac')) ?? [];
      const shown = execFileSync('/bin/sh', ['-c', `${change} && pwd`], { cwd, encoding: 'utf8' });
      expect(shown).toBe(`${join(cwd, dir)}\n`);
      expect(await runAlmanac(['check'], { cwd: join(cwd, dir) })).toMatchObject({
        code: 0,
        stderr: '',
      });
    },
  );

  test('inside another repository say that GitHub ignores workflows there', async () => {
    const cwd = writeTree(tempFolder(), {
      '.git/HEAD': 'ref: refs/heads/main\n',
      'alone/.git/HEAD': '',
    });
    const nested = await steps(cwd, 'apps/fairs', '--package', '@me/almanac');
    expect(nested).toContain(
      `give it a repository of its own: in ${cwd}, GitHub runs only the workflows at the root`,
    );
    expect(nested).not.toContain('git init');
    expect(await steps(cwd, 'alone', '--package', '@me/almanac')).toContain(
      '  git init --initial-branch main && ',
    );
  });
});

test('init writes nothing into a folder that it may not write to', async () => {
  const cwd = tempFolder();
  mkdirSync(join(cwd, 'locked'), { mode: 0o555 });
  chmodSync(cwd, 0o755);
  const asNobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  const run = await spawnAlmanac(['init', 'locked/fairs', '--package', '@me/almanac'], {
    cwd,
    ...asNobody,
  });
  expect(run).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('permission denied') as string,
  });
  expect(readdirSync(join(cwd, 'locked'))).toEqual([]);
});

test('a new catalogue has the name of the published package, and is made without a network', () => {
  const tarballs = lastingFolder();
  packGenerator('1.0.0', tarballs);
  const owned = join(tarballs, '1.0.0');
  const manifest = JSON.parse(readFileSync(join(owned, 'package.json'), 'utf8')) as object;
  const published = {
    ...manifest,
    name: '@me/calendar',
    repository: 'github:me/generator',
    version: '2.3.4',
  };
  writeFileSync(join(owned, 'package.json'), JSON.stringify(published));
  symlinkSync(join(root, 'node_modules'), join(owned, 'node_modules'));
  const cwd = tempFolder();
  const offline =
    'import net from "node:net"; net.Socket.prototype.connect = () => { throw new Error("there is no network"); }';
  const command = [
    '--import',
    `data:text/javascript,${offline}`,
    join(owned, 'lib/bin/main.js'),
    'init',
    'fairs',
  ];
  const env = { PATH: process.env['PATH'] };
  expect(execFileSync(process.execPath, command, { cwd, env, encoding: 'utf8' })).not.toContain(
    'replace',
  );
  const files = readTree(join(cwd, 'fairs'));
  expect(JSON.parse(String(files.get('package.json')))).toMatchObject({
    dependencies: { '@me/calendar': '^2.3.4' },
  });
});

test('catalogues of one name without an address have ids of their own', async () => {
  const cwd = tempFolder();
  const authorityOf = async (folder: string, ...args: string[]): Promise<string> => {
    const command = ['init', folder, '--package', '@me/almanac', ...args];
    expect(await runAlmanac(command, { cwd })).toMatchObject({ code: 0 });
    const text = readFileSync(join(cwd, folder, 'data/service.json'), 'utf8');
    return (JSON.parse(text) as { authority: string }).authority;
  };
  const [first, second] = [
    await authorityOf('a', '--name', 'Club Español'),
    await authorityOf('b', '--name', 'Club Español'),
  ];
  expect(first).toMatch(/^club-espanol-[a-z]{8}$/);
  expect(second).toMatch(/^club-espanol-[a-z]{8}$/);
  expect(first).not.toBe(second);
  expect(await authorityOf('c', '--name', '将棋')).toMatch(/^almanac-[a-z]{8}$/);
  expect(await authorityOf('d', '--base-url', 'https://you.github.io/d')).toBe('you.github.io');
});
