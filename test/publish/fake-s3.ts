import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Bucket } from '../../src/publish/s3.ts';
import { serve } from '../setup/serve-folder.ts';

interface FakeObject {
  readonly body: Buffer;
  readonly headers: IncomingHttpHeaders;
  readonly modified: number;
}

/** A request that an injected fault may answer in place of the service. */
export interface FaultyRequest {
  readonly method: string;
  /** The key, or `list` for a listing. */
  readonly key: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly response: ServerResponse;
}

export interface FakeS3 {
  readonly url: string;
  readonly objects: Map<string, FakeObject>;
  readonly put: (key: string, body: string | Buffer, headers?: IncomingHttpHeaders) => void;
  readonly bucket: (prefix?: string) => Bucket;
  /** Returns whether it has answered the request. */
  fault: (request: FaultyRequest) => boolean | Promise<boolean>;
}

/** The credentials of {@link FakeS3.bucket}. */
export const credentials = {
  accessKeyId: 'AKIAEXAMPLEEXAMPLE99',
  secretAccessKey: 'wJalrXUtnFEMIK7MDENG+bPxRfiCYEXAMPLEKEY',
  sessionToken: 'IQoJb3JpZ2luX2Vj/EXAMPLE+token==',
};

/** Starts an S3 service in memory with one bucket, `bucket`, until the test ends. */
export async function startFakeS3(): Promise<FakeS3> {
  const objects = new Map<string, FakeObject>();
  let time = Date.parse('2026-11-20T12:00:00Z');
  const etagOf = (body: Buffer): string => `"${createHash('md5').update(body).digest('hex')}"`;
  const url = await serve((request, response) => void handle(request, response));
  const fake: FakeS3 = {
    url,
    objects,
    put: (key, body, headers = {}) =>
      void objects.set(key, { body: Buffer.from(body), headers, modified: (time += 1000) }),
    bucket: (prefix = '') =>
      new Bucket({ bucket: 'bucket', prefix, endpoint: url, region: 'us-east-1', credentials }),
    fault: () => false,
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', url);
    const { method = '', headers } = request;
    const isListing = searchParams.has('list-type');
    const key = isListing ? 'list' : decodeURIComponent(pathname.slice('/bucket/'.length));
    const body = await buffer(request);
    if (await fake.fault({ method, key, headers, body, response })) return;
    if (isListing) response.end(listing(searchParams));
    else if (method === 'PUT') store(key, body, headers, response);
    else if (method === 'DELETE') response.writeHead(objects.delete(key) ? 204 : 404).end();
    else retrieve(key, response);
  }

  function listing(query: URLSearchParams): string {
    const keys = [...objects.keys()]
      .filter((key) => key.startsWith(query.get('prefix') ?? ''))
      .sort();
    const entries = keys.map((key) => {
      const { body, modified } = objects.get(key) ?? { body: Buffer.alloc(0), modified: 0 };
      const fields = `<ETag>${etagOf(body).replaceAll('"', '&quot;')}</ETag><Size>${body.length}</Size>`;
      const date = new Date(modified).toISOString();
      return `<Contents><Key>${encodeURIComponent(key)}</Key><LastModified>${date}</LastModified>${fields}</Contents>`;
    });
    return `<ListBucketResult><IsTruncated>false</IsTruncated>${entries.join('')}</ListBucketResult>`;
  }

  function store(
    key: string,
    body: Buffer,
    headers: IncomingHttpHeaders,
    response: ServerResponse,
  ): void {
    const found = objects.get(key);
    const isRefused =
      (headers['if-none-match'] === '*' && found !== undefined) ||
      (headers['if-match'] !== undefined &&
        (found === undefined || etagOf(found.body) !== headers['if-match']));
    if (isRefused) return void response.writeHead(412).end();
    fake.put(key, body, headers);
    response.writeHead(200, { etag: etagOf(body) }).end();
  }

  function retrieve(key: string, response: ServerResponse): void {
    const found = objects.get(key);
    if (found === undefined) return void response.writeHead(404).end();
    const metadata = Object.entries(found.headers).filter(([name]) =>
      name.startsWith('x-amz-meta-'),
    );
    response
      .writeHead(200, { etag: etagOf(found.body), ...Object.fromEntries(metadata) })
      .end(found.body);
  }

  return fake;
}
