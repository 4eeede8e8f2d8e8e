import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readTree, tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';
import { now, sample } from '../setup/sample.ts';

interface Case {
  readonly what: string;
  /** `--out`, relative to the folder that holds `data`; null leaves it at `dist`. */
  readonly out: string | null;
  readonly reason: string;
  readonly prepare?: (cwd: string) => Promise<unknown> | void;
}

const foreign = 'it is not empty and not a site that almanac built';

const cases: readonly Case[] = [
  { what: 'the root', out: '/', reason: 'it is the root of the file system' },
  { what: 'the home folder', out: 'homes/me', reason: 'it is the home folder or contains it' },
  { what: 'a folder that contains the home folder', out: 'homes', reason: 'it is the home folder or contains it' },
  { what: 'the data folder', out: 'data', reason: 'it is the data folder or contains it' },
  { what: 'the data folder by another path', out: 'x/../data/.', reason: 'it is the data folder or contains it' },
  { what: 'the parent of the data folder', out: '.', reason: 'it is the data folder or contains it' },
  { what: 'the grandparent of the data folder', out: '..', reason: 'it is the data folder or contains it' },
  { what: 'a folder of the data folder', out: 'data/tv', reason: 'it is inside the data folder' },
  { what: 'a new folder in the data folder', out: 'data/dist', reason: 'it is inside the data folder' },
  {
    what: 'a link to the data folder',
    out: 'link',
    reason: 'it is the data folder or contains it',
    prepare: (cwd) => symlinkSync('data', join(cwd, 'link')),
  },
  {
    what: 'a new folder in a linked folder of the data folder',
    out: 'link/dist',
    reason: 'it is inside the data folder',
    prepare: (cwd) => symlinkSync('data/tv', join(cwd, 'link')),
  },
  {
    what: "a folder with the user's own files",
    out: null,
    reason: foreign,
    prepare: (cwd) => void writeTree(cwd, { 'dist/index.html': 'mine' }),
  },
  {
    what: 'a folder that contains only an empty folder',
    out: null,
    reason: foreign,
    prepare: (cwd) => void mkdirSync(join(cwd, 'dist/empty'), { recursive: true }),
  },
  {
    what: "a folder with another program's files.json",
    out: null,
    reason: foreign,
    prepare: (cwd) => void writeTree(cwd, { 'dist/files.json': { generator: 'other/1.0.0', files: {} } }),
  },
  {
    what: 'a folder whose files.json is not a manifest',
    out: null,
    reason: foreign,
    prepare: (cwd) =>
      void writeTree(cwd, { 'dist/files.json': { generator: 'almanac/1.0.0', files: null }, 'dist/x': '' }),
  },
  {
    what: 'a site with an unknown file',
    out: null,
    reason: 'it holds "api/v1/notes.txt", which almanac did not put there',
    prepare: async (cwd) => {
      await runAlmanac(['build', '--now', now], { cwd });
      writeFileSync(join(cwd, 'dist/api/v1/notes.txt'), 'mine');
    },
  },
  {
    what: 'a site with an unknown empty folder',
    out: null,
    reason: 'it holds "mine", which almanac did not put there',
    prepare: async (cwd) => {
      await runAlmanac(['build', '--now', now], { cwd });
      mkdirSync(join(cwd, 'dist/mine'));
    },
  },
  {
    what: 'a site with an unknown file named like a property of every object',
    out: null,
    reason: 'it holds "constructor", which almanac did not put there',
    prepare: async (cwd) => {
      await runAlmanac(['build', '--now', now], { cwd });
      writeFileSync(join(cwd, 'dist/constructor'), 'mine');
    },
  },
  {
    what: 'a file',
    out: null,
    reason: 'it is a file',
    prepare: (cwd) => void writeTree(cwd, { dist: 'mine' }),
  },
];

test.each(cases)('refuses to replace $what: $reason', async ({ out, reason, prepare }) => {
  const cwd = writeTree(tempFolder(), { ...sample, 'homes/me/notes': '' });
  await prepare?.(cwd);
  const before = [...readTree(cwd)];
  const args = ['build', '--now', now, ...(out === null ? [] : ['--out', out])];
  vi.stubEnv('HOME', out?.startsWith('homes') ? join(cwd, 'homes/me') : '/no/home');
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const more of [[], ['--dry-run']]) {
    const run = await runAlmanac([...args, ...more], { cwd });
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(/^refused to replace "[^\n]+\n$/);
    expect(run.stderr).toContain(reason);
  }
  const json = await runAlmanac([...args, '--json'], { cwd });
  expect(json).toMatchObject({ code: 1, stderr: '' });
  expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, problems: [{ code: 'out-refused', file: null }] });
  expect([...readTree(cwd)]).toEqual(before);
});
