import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dataOf } from '../setup/build-site.ts';
import { readTree, tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';
import { credentials, startFakeS3, type FakeS3 } from '../publish/fake-s3.ts';

const now = '2027-01-01T00:00:00Z';
const events = {
  'tv/drama/ferry': { One: '2027-03-04', Two: '2027-03-05' },
  'tv/comedy/clown': { One: '2027-03-04' },
  'film/drama/opera': { One: '2027-04-04' },
};

function environment({ url }: FakeS3): Record<string, string> {
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  const keys = {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  };
  return { ...keys, AWS_ENDPOINT_URL: url };
}

test('parts in a bucket are joined to a folder, or to a bucket with the manifest last', async () => {
  const s3 = await startFakeS3();
  const [cwd, env] = [writeTree(tempFolder(), prefixed(dataOf(events))), environment(s3)];
  const run = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await runAlmanac(args, { cwd, env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  };
  await run('build', '--now', now, '--out', 'whole');
  const whole = readTree(join(cwd, 'whole'));
  for (const part of ['2/3', '1/3', '3/3', '2/3']) {
    await run('build', '--now', now, '--part', part, '--parts', 's3://bucket/parts');
  }
  await run('join', 's3://bucket/parts');
  expect(readTree(join(cwd, 'dist'))).toEqual(whole);

  const stdout = await run('join', 's3://bucket/parts', '--out', 's3://bucket/site', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, out: 's3://bucket/site', files: whole.size });
  const stored = [...s3.objects].filter(([key]) => key.startsWith('site/'));
  const bodies = stored.map(([key, { body }]) => [key.slice('site/'.length), body] as const);
  expect(new Map(bodies.toSorted(([a], [b]) => (a < b ? -1 : 1)))).toEqual(whole);
  const puts = s3.requests.filter((request) => request.startsWith('PUT site/'));
  expect(puts.at(-1)).toBe('PUT site/files.json');
  const before = s3.requests.length;
  await run('join', 's3://bucket/parts', '--out', 's3://bucket/site', '--quiet');
  expect(s3.requests.slice(before).filter((request) => request.startsWith('PUT '))).toEqual([]);
});

function prefixed(tree: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(tree).map(([path, content]) => [`data/${path}`, content]));
}
