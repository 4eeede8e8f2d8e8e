import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { catalogueIn, small } from '../bench/catalogue.ts';
import { lastingFolder, readTree, tempFolder, writeTree } from '../setup/folders.ts';
import { spawnAlmanac } from '../setup/run-almanac.ts';
import { later, now, sample } from '../setup/sample.ts';

const generated = catalogueIn(lastingFolder(), small);
const endsOfDay = fileURLToPath(new URL('../fixtures/valid/ends-of-day/data', import.meta.url));

async function buildHere(
  data: string,
  at: string,
  env: Record<string, string> = {},
  cwd = tempFolder(),
): Promise<Map<string, Buffer>> {
  const run = await spawnAlmanac(
    ['build', '--quiet', '--data', data, '--now', at, '--base-url', 'https://example.org'],
    {
      cwd,
      env,
    },
  );
  expect(run).toEqual({ code: 0, signal: null, stdout: '', stderr: '' });
  return readTree(join(cwd, 'dist'));
}

function differing(a: ReadonlyMap<string, Buffer>, b: ReadonlyMap<string, Buffer>): string[] {
  expect([...a.keys()]).toEqual([...b.keys()]);
  return [...a].filter(([path, content]) => !b.get(path)?.equals(content)).map(([path]) => path);
}

test('the zone and the language of the machine change no byte of a generated catalogue, nor does a second build', async () => {
  const first = await buildHere(generated, now, { TZ: 'UTC' });
  const arabic = { TZ: 'Asia/Tokyo', LANG: 'ar_EG.UTF-8', LC_ALL: 'ar_EG.UTF-8' };
  for (const env of [arabic, { TZ: 'America/Los_Angeles' }]) {
    expect(differing(first, await buildHere(generated, now, env))).toEqual([]);
  }
});

test('the zone of the machine changes no end of a day', async () => {
  const utc = await buildHere(endsOfDay, now, { TZ: 'UTC' });
  for (const TZ of ['America/Los_Angeles', 'Pacific/Apia']) {
    expect(differing(utc, await buildHere(endsOfDay, now, { TZ }))).toEqual([]);
  }
});

test('at a later time with the same upcoming events, only the index and the manifest differ', async () => {
  const data = join(writeTree(tempFolder(), sample), 'data');
  const cwd = tempFolder();
  const changed = differing(await buildHere(data, now, {}, cwd), await buildHere(data, later, {}, cwd));
  expect(changed).toEqual(['api/v1/index.json', 'files.json']);
});
