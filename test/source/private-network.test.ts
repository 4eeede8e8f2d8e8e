import { expect, onTestFinished, test } from 'vitest';
import { fetchSource, isPrivateAddress } from '../../src/source/remote/fetch.ts';
import { listen } from '../setup/host.ts';

test.each([
  ['127.0.0.1', true],
  ['172.31.255.255', true],
  ['172.32.0.0', false],
  ['169.254.169.254', true],
  ['100.100.100.200', true],
  ['100.128.0.1', false],
  ['0.0.0.0', true],
  ['::1', true],
  ['::', true],
  ['::ffff:10.0.0.1', true],
  ['::ffff:8.8.8.8', false],
  ['64:ff9b::a9fe:a9fe', true],
  ['64:ff9b::808:808', false],
  ['fd00:ec2::254', true],
  ['fe80::1%eth0', true],
  ['93.184.216.34', false],
])('the address %s is private: %s', (address, expected) => {
  expect(isPrivateAddress(address)).toBe(expected);
});

test('a redirect into a private network is not followed, unless it is the host of the source', async () => {
  const asked: (string | undefined)[] = [];
  const { url, close } = await listen((request, response) => {
    asked.push(request.url);
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    response
      .writeHead(pathname === '/a' ? 302 : 200, { location: searchParams.get('to') ?? '/b' })
      .end('text');
  });
  onTestFinished(close);
  const reason =
    'it redirects into a private network, which is followed only on the host of the source itself';
  const limits = { timeout: 5000, maxBytes: 1000, retries: 0 };
  expect(await fetchSource(`${url}/a`, null, limits)).toMatchObject({ kind: 'fetched' });
  expect(await fetchSource(`${url}/b`, null, limits)).toMatchObject({ kind: 'fetched' });
  asked.length = 0;
  const other = url.replace('127.0.0.1', 'localhost');
  expect(await fetchSource(`${url}/a?to=${other}/b`, null, limits)).toEqual({
    kind: 'failed',
    reason,
  });
  expect(asked).toEqual([`/a?to=${other}/b`]);
});
