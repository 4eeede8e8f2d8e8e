import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { serve } from '../setup/serve-folder.ts';
import { credentials, startFakeS3, type FakeS3 } from './fake-s3.ts';
import { expectEachChangeOnce, minute, publishOften, type CachedHost } from './pushes.ts';

/** How a cache decides: the minutes that it keeps a response, and the part of an address it knows. */
interface Caching {
  readonly minutesOf: (cacheControl: string) => number;
  readonly keyOf: (url: string) => string;
}

const byHeaders: Caching = {
  minutesOf: (cacheControl) => Number(/max-age=(\d+)/.exec(cacheControl)?.[1] ?? 0) / 60,
  keyOf: (url) => url,
};
/** What GitHub Pages does for every file. */
const tenMinutes: Caching = { minutesOf: () => 10, keyOf: (url) => url };
const withoutQueries: Caching = { ...tenMinutes, keyOf: (url) => url.replace(/\?.*/, '') };

/** Starts a bucket and a cache in front of it. */
async function startHost({ minutesOf, keyOf }: Caching): Promise<CachedHost> {
  const s3 = await startFakeS3();
  const kept = new Map<string, { readonly until: number; readonly body: Buffer }>();
  let now = 0;
  const get = (url: string): Buffer | null => {
    const hit = kept.get(keyOf(url));
    if (hit !== undefined && hit.until > now) return hit.body;
    const object = s3.objects.get(decodeURIComponent(url.replace(/\?.*/, '').slice(1)));
    if (object === undefined) return null;
    const { body, headers } = object;
    kept.set(keyOf(url), { until: now + minutesOf(headers['cache-control'] ?? '') * minute, body });
    return body;
  };
  const listener: RequestListener = (request, response) => {
    const body = get(request.url ?? '/');
    if (body === null) response.writeHead(404).end();
    else response.writeHead(200, { 'content-length': body.length }).end(body);
  };
  return {
    target: 's3://bucket',
    endpoint: s3.url,
    env: {
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
    site: await serve(listener),
    pass: (milliseconds) => (now += milliseconds),
    atUpload: (visit) => visitAtUploads(s3, visit),
  };
}

function visitAtUploads(s3: FakeS3, visit: () => Promise<void>): void {
  s3.fault = async ({ method }) => {
    if (method === 'PUT') await visit();
    return false;
  };
}

test.each([
  ['obeys its headers', byHeaders, 1],
  ['keeps every file for ten minutes', tenMinutes, 2],
] as const)('20 pushes through a cache that %s tell each change once', async (_, caching, seed) => {
  expectEachChangeOnce(await publishOften(await startHost(caching), seed));
});

test('a cache that ignores queries ends no build, and the log keeps its beginning', async () => {
  const { pushes, log } = await publishOften(await startHost(withoutQueries), 3);
  expect(log.since).toBe(pushes[0]?.at);
});
