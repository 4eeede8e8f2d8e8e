import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { dataOf } from '../setup/build-site.ts';
import { readTree, tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac, spawnAlmanac } from '../setup/run-almanac.ts';

const now = '2027-01-01T00:00:00Z';
const node = ['--import', fileURLToPath(new URL('../faults/kill-at-call.js', import.meta.url))];

function newCatalogue(): string {
  const cwd = tempFolder();
  writeTree(join(cwd, 'data'), dataOf({ 'tv/drama/ferry': { One: '2027-03-04' } }));
  return cwd;
}

const build = ['build', '--quiet', '--now', now, '--part', '1/1', '--parts', 'store'];

test('the build of a part removes what runs of it left that were killed, and no others', async () => {
  const cwd = newCatalogue();
  const store = join(cwd, 'store');
  const runs = (): string[] => readdirSync(store).filter((name) => /^part-[^.]*\.(?!json)/.test(name));
  for (const call of ['1', '2', '3']) {
    const killed = { KILL_NAME: 'renameSync', KILL_CALL: call, KILL_WHEN: 'before' };
    expect(await spawnAlmanac(build, { cwd, node, env: killed })).toMatchObject({ signal: 'SIGKILL' });
  }
  const [killed = ''] = runs();
  expect(killed).toMatch(/^part-1-of-1\.\d+-[\da-f]{8}-[\da-f-]{36}$/);
  expect(readdirSync(store, { recursive: true }).join()).toContain('.next');
  const mark = killed.split('-')[4] ?? '';
  const rest = '00000000-0000-4000-8000-000000000000';
  const others = [
    `part-1-of-1.${process.pid}-${mark}-${rest}`,
    `part-1-of-1.1-00000000-${rest}`,
    `part-1-of-2.1-${mark}-${rest}`,
    'part-1-of-1.mine',
  ];
  for (const name of others) mkdirSync(join(store, name));
  mkdirSync(join(store, `part-1-of-1.2-00000000-${rest}`));
  utimesSync(join(store, `part-1-of-1.2-00000000-${rest}`), 1, 1);
  for (const _ of [1, 2]) expect(await spawnAlmanac(build, { cwd })).toMatchObject({ code: 0 });
  const { run } = JSON.parse(readFileSync(join(store, 'part-1-of-1.json'), 'utf8')) as { run: string };
  expect(runs().toSorted()).toEqual([run, ...others].toSorted());
  expect(readdirSync(store, { recursive: true }).join()).not.toContain('.next');
});

test('a part that is killed when it repeats one leaves that, and join takes it', async () => {
  const cwd = newCatalogue();
  expect(await spawnAlmanac(build, { cwd })).toMatchObject({ code: 0 });
  expect(await runAlmanac(['build', '--quiet', '--now', now, '--out', 'whole'], { cwd })).toMatchObject({ code: 0 });
  const killed = { KILL_NAME: 'renameSync', KILL_CALL: '3', KILL_WHEN: 'before' };
  expect(await spawnAlmanac(build, { cwd, node, env: killed })).toMatchObject({ signal: 'SIGKILL' });
  expect(await runAlmanac(['join', 'store', '--quiet'], { cwd })).toMatchObject({ code: 0 });
  expect(readTree(join(cwd, 'dist'))).toEqual(readTree(join(cwd, 'whole')));
  expect(readdirSync(join(cwd, 'store'))).toEqual([]);
});

test.runIf(process.platform !== 'win32')('join takes only regular files of a store, with their sizes', async () => {
  const cwd = newCatalogue();
  expect(await runAlmanac(build, { cwd })).toMatchObject({ code: 0 });
  const { run } = JSON.parse(readFileSync(join(cwd, 'store/part-1-of-1.json'), 'utf8')) as { run: string };
  const refusal = async (change: (run: string) => void): Promise<string> => {
    cpSync(join(cwd, 'store'), join(cwd, 'changed'), { recursive: true });
    change(join(cwd, 'changed', run));
    const { code, stdout } = await runAlmanac(['join', 'changed', '--json'], { cwd });
    rmSync(join(cwd, 'changed'), { recursive: true });
    expect(code).toBe(1);
    return stdout;
  };
  const page = 'site/genre/drama-tv/index.html';
  const replaced = (path: string, replace: (path: string) => void) => (folder: string) => {
    rmSync(join(folder, path));
    replace(join(folder, path));
  };
  const link = (path: string): void => symlinkSync('/dev/zero', path);
  const pipe = (path: string): unknown => execFileSync('mkfifo', [path]);
  const notStored = `its file ${page.slice('site/'.length)} is not the one that was stored`;
  expect(await refusal(replaced(page, link))).toContain(notStored);
  expect(await refusal(replaced(page, pipe))).toContain(notStored);
  expect(await refusal((folder) => appendFileSync(join(folder, page), ' '))).toContain(notStored);
  expect(await refusal(replaced(page, () => {}))).toContain('some of its files are missing');
  expect(await refusal((folder) => writeFileSync(join(folder, 'site/added.html'), ''))).toContain(
    'its file added.html',
  );
  expect(await refusal(replaced('content.ndjson', link))).toContain('its content.ndjson is missing, or was changed');
  expect(await refusal(replaced('events.ndjson', pipe))).toContain('its events.ndjson is missing, or was changed');
  expect(await refusal(replaced('../part-1-of-1.json', pipe))).toContain('it is not a part of a build');
});
