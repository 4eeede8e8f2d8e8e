import { expect, onTestFinished, test } from 'vitest';
import { Bucket } from '../../src/publish/bucket.ts';
import { listen } from '../setup/host.ts';

test('a listing goes on after the very key that it names, as Ceph does: what XML escapes is read', async () => {
  const tokens: (string | null)[] = [];
  const { url, close } = await listen((request, response) => {
    const token = new URL(request.url ?? '', 'http://host').searchParams.get('continuation-token');
    tokens.push(token);
    const contents = `<Contents><Key>a+%2B%3Cb</Key><ETag>&#34;${tokens.length}&quot;</ETag></Contents>`;
    const next = '<NextContinuationToken>a&lt;b&amp;lt;&#x27;&#99999999;</NextContinuationToken>';
    const rest = token === null ? `<IsTruncated>true</IsTruncated>${next}` : '<IsTruncated>false</IsTruncated>';
    response.end(`<ListBucketResult>${contents}${rest}</ListBucketResult>`);
  });
  onTestFinished(close);
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
  const bucket = new Bucket({ bucket: 'bucket', prefix: '', endpoint: url, region: 'us-east-1', credentials });
  expect([...(await bucket.list())]).toEqual([['a +<b', { etag: '2', modified: '' }]]);
  expect(tokens).toEqual([null, "a<b&lt;'&#99999999;"]);
});
