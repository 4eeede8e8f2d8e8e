import type { IncomingHttpHeaders } from 'node:http';
import { expect, test } from 'vitest';
import { Bucket, bucketAddress } from '../../src/publish/s3.ts';
import { serve } from '../setup/serve-folder.ts';

function bucketAt(endpoint: string): Bucket {
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
  return new Bucket({
    bucket: 'bucket',
    prefix: 'my site/',
    endpoint,
    region: 'us-east-1',
    credentials,
  });
}

test('an upload has a checksum, and metadata that marks the object as ours', async () => {
  let sent: IncomingHttpHeaders = {};
  const url = await serve((request, response) => {
    sent = request.headers;
    request
      .resume()
      .on('end', () =>
        response.writeHead(200, { etag: '"8a80554c91d9fca8acb82f023de02f11"' }).end(),
      );
  });
  await bucketAt(url).put('a.json', Buffer.from('{}\n'), { 'cache-control': 'no-cache' });
  expect(sent).toMatchObject({
    'cache-control': 'no-cache',
    'x-amz-checksum-sha256': 'yj0WO6sFU4GCciYUBWjzvvfqrBh869doeOC2Pp5EI1Y=',
    'x-amz-meta-almanac-place': 'my%20site/#a.json',
  });
});

test('a listing continues with the token of the previous page, after its XML references are decoded', async () => {
  const tokens: (string | null)[] = [];
  const url = await serve((request, response) => {
    const token = new URL(request.url ?? '', 'http://host').searchParams.get('continuation-token');
    tokens.push(token);
    const fields = `<Key>my+site/a+%2B%3Cb</Key><ETag>&#34;${tokens.length}&quot;</ETag><LastModified></LastModified>`;
    const next = '<NextContinuationToken>a&lt;b&amp;lt;&#x27;&#1114112;</NextContinuationToken>';
    const rest =
      token === null
        ? `<IsTruncated>true</IsTruncated>${next}`
        : '<IsTruncated>false</IsTruncated>';
    response.end(`<ListBucketResult><Contents>${fields}</Contents>${rest}</ListBucketResult>`);
  });
  expect([...(await bucketAt(url).list())]).toEqual([['a +<b', { etag: '2', modified: '' }]]);
  expect(tokens).toEqual([null, "a<b&lt;'&#1114112;"]);
});

test('an upload on a condition tries the other spelling of the ETag if the object has not changed', async () => {
  const url = await serve(({ method, headers }, response) => {
    if (method === 'PUT' && headers['if-match'] !== 'a') response.statusCode = 412;
    response.setHeader('etag', '"a"').end();
  });
  const put = (etag: string) => bucketAt(url).putIf(etag, 'a.json', Buffer.from('{}'), {});
  expect([await put('a'), await put('b')]).toEqual([true, false]);
});

test('an object that is gone is no failure', async () => {
  const bucket = bucketAt(await serve((_, response) => void response.writeHead(404).end()));
  expect([await bucket.read('a'), await bucket.isOurs('a'), await bucket.remove('a')]).toEqual([
    null,
    false,
    undefined,
  ]);
});

test.each([
  ['http://127.0.0.1:9000//', 'a.b', 'http://127.0.0.1:9000/a.b/'],
  [null, 'a-b', 'https://a-b.s3.eu-west-1.amazonaws.com/'],
  [null, 'a.b', 'https://s3.eu-west-1.amazonaws.com/a.b/'],
])('the endpoint %s has the bucket %s at %s', (endpoint, bucket, address) => {
  expect(bucketAddress({ bucket, endpoint, region: 'eu-west-1' })).toBe(address);
});
