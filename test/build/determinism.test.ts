import { join } from 'node:path';
import { expect, test } from 'vitest';
import { catalogueIn, small } from '../bench/catalogue.ts';
import { lastingFolder, readTree, tempFolder } from '../setup/folders.ts';
import { spawnAlmanac } from '../setup/run-almanac.ts';
import { now } from '../setup/sample.ts';

test('the zone and the language of the machine change no byte of a generated catalogue, nor does a second build', async () => {
  const data = catalogueIn(lastingFolder(), small);
  const buildHere = async (env: Record<string, string>): Promise<Map<string, Buffer>> => {
    const cwd = tempFolder();
    const base = ['--data', data, '--now', now, '--base-url', 'https://example.org'];
    const run = await spawnAlmanac(['build', '--quiet', ...base], { cwd, env });
    expect(run).toEqual({ code: 0, signal: null, stdout: '', stderr: '' });
    return readTree(join(cwd, 'dist'));
  };
  const first = await buildHere({ TZ: 'UTC' });
  const arabic = { TZ: 'Asia/Tokyo', LANG: 'ar_EG.UTF-8', LC_ALL: 'ar_EG.UTF-8' };
  for (const env of [arabic, { TZ: 'America/Los_Angeles' }]) {
    const other = await buildHere(env);
    expect([...other.keys()]).toEqual([...first.keys()]);
    expect([...first].filter(([path, bytes]) => other.get(path)?.equals(bytes) !== true)).toEqual(
      [],
    );
  }
});
