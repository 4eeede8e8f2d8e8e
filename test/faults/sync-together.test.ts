import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { EventsDocument, IndexDocument } from '../../src/api/documents.ts';
import { tempFolder } from '../setup/folders.ts';
import { stateOf } from '../setup/processes.ts';
import { almanac, spawnAlmanac } from '../setup/run-almanac.ts';
import { expectVerified, leftovers, now, prepareRemoteSites, success } from './sites.ts';

const preload = fileURLToPath(new URL('../setup/interrupt.mjs', import.meta.url));
const later = '2026-11-20T18:00:00Z';
const sync = (at: string): string[] => ['check', '--sync', '--now', at, '--quiet'];
const build = ['build', '--out', 'www/dist', '--now', now, '--quiet'];

const syncBusy =
  /^another almanac \([^\n]+\) is synchronising "data"; wait until it ends and run this again\n$/;

test('a second sync fails, and a build uses the previous copies, while a sync is running', async () => {
  const remote = await prepareRemoteSites(tempFolder());
  const { cwd, source, siteIn } = remote;
  let mayAnswer = (): void => {};
  source.mayAnswer = new Promise<void>((resolve) => (mayAnswer = resolve));
  source.sends = 'b';
  source.asked = 0;
  const first = start(cwd, sync(now));
  await expect.poll(() => source.asked, { timeout: 30_000 }).toBe(6);
  for (const second of [sync(now), remote.build('b')]) {
    const run = await spawnAlmanac(second, { cwd });
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(syncBusy);
    expect(run.stderr).toContain(`process ${first.pid}`);
  }
  const json = await spawnAlmanac([...sync(now), '--json'], { cwd });
  expect(JSON.parse(json.stdout)).toMatchObject({
    ok: false,
    problems: [{ code: 'sync-busy', file: null }],
  });
  expect(await spawnAlmanac(build, { cwd })).toEqual(success);
  expect(siteIn(join(cwd, 'www/dist'))).toBe('a');
  const ended = once(first, 'exit');
  mayAnswer();
  expect(await ended).toEqual([0, null]);
  expect(await spawnAlmanac(build, { cwd })).toEqual(success);
  expect([siteIn(join(cwd, 'www/dist')), leftovers(cwd)]).toEqual(['b', []]);
  remote.expectCopies(['b']);
});

test.each([1, 3, 6, 12, 24, 32])(
  'a sync while a build is paused at change %i of the disk leaves whole copies and the right last_sync',
  async (call) => {
    const remote = await prepareRemoteSites(tempFolder());
    const { cwd, source } = remote;
    // Without a previous site, a build writes every file.
    rmSync(join(cwd, 'www/dist'), { recursive: true, force: true });
    const slow = start(cwd, build, { AT: String(call), HOW: 'SIGSTOP' });
    await expect.poll(() => stateOf(slow), { timeout: 30_000 }).toBe('T');
    source.sends = 'b';
    expect(await spawnAlmanac(sync(later), { cwd })).toEqual(success);
    const ended = once(slow, 'exit');
    slow.kill('SIGCONT');
    expect(await ended).toEqual([0, null]);
    await expectWholeCopies(cwd);
    expect(await spawnAlmanac(build, { cwd })).toEqual(success);
    await expectWholeCopies(cwd);
    expect(lastSync(cwd)).toBe(new Date(later).toISOString());
  },
);

function start(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  const node = env['AT'] === undefined ? [] : ['--import', preload];
  const child = spawn(process.execPath, [...node, almanac, ...args], {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: 'ignore',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/**
 * Expects each subject to come from one answer of its source, and a site with the later last_sync
 * from later answers.
 */
async function expectWholeCopies(cwd: string): Promise<void> {
  await expectVerified(cwd);
  const { events } = read(cwd, 'events.json') as EventsDocument;
  const letters = new Map<string, Set<string>>();
  for (const { subject, title } of events) {
    letters.set(subject.id, (letters.get(subject.id) ?? new Set()).add(title.at(-1) ?? ''));
  }
  for (const [subject, of] of letters) expect([subject, of.size]).toEqual([subject, 1]);
  if (lastSync(cwd) !== new Date(later).toISOString()) return;
  for (const [subject, of] of letters) expect([subject, [...of]]).toEqual([subject, ['b']]);
}

function lastSync(cwd: string): string {
  return (read(cwd, 'index.json') as IndexDocument).catalogue.last_sync;
}

function read(cwd: string, path: string): unknown {
  return JSON.parse(readFileSync(join(cwd, 'www/dist/api/v1', path), 'utf8'));
}
