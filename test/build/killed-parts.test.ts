import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { dataOf } from '../setup/build-site.ts';
import { tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac, spawnAlmanac } from '../setup/run-almanac.ts';

const now = '2027-01-01T00:00:00Z';
const node = ['--import', fileURLToPath(new URL('../faults/kill-at-call.js', import.meta.url))];

function newCatalogue(): string {
  const cwd = tempFolder();
  mkdirSync(join(cwd, 'tmp'));
  writeTree(join(cwd, 'data'), dataOf({ 'tv/drama/ferry': { One: '2027-03-04' } }));
  return cwd;
}

const build = ['build', '--quiet', '--now', now, '--part', '1/1', '--parts', 'store'];

test('the build of a part removes the temporary files of those that were killed, and no others', async () => {
  const cwd = newCatalogue();
  const env = { TMPDIR: join(cwd, 'tmp') };
  for (const call of ['1', '2']) {
    const killed = { KILL_NAME: 'renameSync', KILL_CALL: call, KILL_WHEN: 'before' };
    expect(await spawnAlmanac(build, { cwd, node, env: { ...env, ...killed } })).toMatchObject({ signal: 'SIGKILL' });
  }
  const [killed = ''] = readdirSync(join(cwd, 'tmp'));
  expect(killed).toMatch(/^almanac\.\d+-[\da-f]{8}-\w{6}$/);
  expect(readdirSync(join(cwd, 'store'), { recursive: true }).join()).toContain('.next');
  const mark = killed.split('-')[1] ?? '';
  const own = `almanac.${process.pid}-${mark}-abcdef`;
  const others = ['almanac.1-00000000-abcdef', own, 'almanac-mine', `almanac.1-${mark}`];
  for (const name of others) mkdirSync(join(cwd, 'tmp', name));
  mkdirSync(join(cwd, 'tmp/almanac.1-00000000-ghijkl'));
  utimesSync(join(cwd, 'tmp/almanac.1-00000000-ghijkl'), 1, 1);
  expect(await spawnAlmanac(build, { cwd, env })).toMatchObject({ code: 0 });
  expect(readdirSync(join(cwd, 'tmp')).toSorted()).toEqual(others.toSorted());
  const stored = readdirSync(join(cwd, 'store'), { recursive: true, encoding: 'utf8' });
  expect(stored.filter((name) => name.endsWith('.next'))).toEqual([]);
});

test.runIf(process.platform !== 'win32')(
  'join reads only regular files of a store, and none beyond its size',
  async () => {
    const cwd = newCatalogue();
    expect(await runAlmanac(build, { cwd })).toMatchObject({ code: 0 });
    const [pack = ''] = readdirSync(join(cwd, 'store/packs'));
    const path = join(cwd, 'store/packs', pack);
    const refusal = async (): Promise<string> => {
      const { code, stdout } = await runAlmanac(['join', 'store', '--json'], { cwd });
      expect(code).toBe(1);
      return stdout;
    };
    rmSync(path);
    symlinkSync('/dev/zero', path);
    expect(await refusal()).toContain('"part-damaged"');
    rmSync(path);
    writeFileSync(path, Buffer.alloc(1024 ** 2));
    expect(await refusal()).toMatch(/is missing, or not a file of at most \d+ bytes/);
    rmSync(path);
    execFileSync('mkfifo', [path]);
    expect(await refusal()).toContain('"part-damaged"');
    const part = join(cwd, 'store/part-1-of-1.json');
    rmSync(part);
    execFileSync('mkfifo', [part]);
    expect(await refusal()).toContain('it is not a part of a build');
  },
);
