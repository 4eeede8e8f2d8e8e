import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

const now = '2026-11-20T12:17:00Z';
/** Characters except newline that a terminal or a browser interprets. */
const active = /(?!\n)[\p{Cc}\u2028-\u202e\u2066-\u2069]/u;

test('messages about hostile arguments and variables are printable', async () => {
  const cwd = writeTree(tempFolder(), {
    'data/service.json': { name: 'S', license: 'L', base_url: 'https://e.org' },
    'data/tv/category.json': { name: 'T' },
  });
  expect(await runAlmanac(['build', '--now', now], { cwd })).toMatchObject({ code: 0 });
  const hostile = 'a\u001b[31m\u009b7m\u202eb';
  cpSync(join(cwd, 'dist'), join(cwd, hostile), { recursive: true });
  cpSync(join(cwd, 'data'), join(cwd, `d${hostile}`), { recursive: true });
  const codes = new Set<number | null>();
  for (const args of [
    ['build', '--against', `no${hostile}`],
    ['build', '--for', hostile],
    ['build', '--base-url', `https://e.org/${hostile}`],
    ['build', '--now', hostile],
    ['build', '--out', `o${hostile}`],
    ['check', '--data', `d${hostile}`],
    ['check', '--sync', '--data', `d${hostile}`],
    ['verify', hostile],
    ['verify', `no${hostile}`],
    ['verify', `http://127.0.0.1:1/${hostile}`],
    ['diff', hostile],
    ['diff', `no${hostile}`],
    ['host', hostile],
    ['host', 'nginx', '--to', `h${hostile}`],
    ['import', hostile],
    ['import', `${hostile}.ics`],
    ['serve', '--host', hostile],
    ['serve', '--port', hostile],
    ['publish', `s3://${hostile}`],
    ['publish', 's3://bucket', '--endpoint', hostile],
    [hostile],
    [`--${hostile}`],
  ]) {
    for (const more of [[], ['--json']]) {
      const run = await runAlmanac([...args, ...more], { cwd, ended: Promise.resolve() });
      expect([args, run.stdout + run.stderr]).toEqual([args, expect.not.stringMatching(active)]);
      expect([args, run.stdout + run.stderr]).toEqual([
        args,
        expect.not.stringContaining('does not know'),
      ]);
      codes.add(run.code);
    }
  }
  const environment = { BASE_URL: hostile, AWS_ENDPOINT_URL: hostile, AWS_REGION: hostile };
  for (const [name, value] of Object.entries(environment)) {
    const keys = {
      AWS_ACCESS_KEY_ID: 'a',
      AWS_SECRET_ACCESS_KEY: 'b',
      AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
    };
    const args = name.startsWith('AWS') ? ['publish', 's3://bucket'] : ['build'];
    const run = await runAlmanac(args, { cwd, env: { ...keys, [name]: value } });
    expect([name, run.stdout + run.stderr]).toEqual([name, expect.not.stringMatching(active)]);
    codes.add(run.code);
  }
  expect(codes).toEqual(new Set([0, 1, 2]));
});
