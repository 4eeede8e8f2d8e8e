import { AwsV4Signer } from 'aws4fetch';
import { hash } from 'node:crypto';
import { ProblemError, problemError } from '../problem/problem.ts';
import { request, type HttpResponse } from '../system/http.ts';
import { readPage, unquote, xmlText, type StoredObject } from './s3-xml.ts';

/** The address of a bucket, and the credentials to use. */
export interface BucketOptions {
  readonly bucket: string;
  /** The start of every key: empty, or with a trailing slash. */
  readonly prefix: string;
  /** The address of an S3 service; null for Amazon's own in the region. */
  readonly endpoint: string | null;
  readonly region: string;
  readonly credentials: Credentials;
}

/** The keys of an account of the service. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** An object with its content. */
export interface StoredFile {
  readonly body: Buffer;
  readonly etag: string;
}

/**
 * Metadata of every object that almanac stores: its prefix and path, which a copy of the object
 * keeps.
 */
const placeMark = 'x-amz-meta-almanac-place';

/**
 * The maximum size of a response in bytes. A page of a listing has at most 1,000 keys of 1,024
 * bytes.
 */
const maxBytes = {
  page: 16 * 1024 ** 2,
  object: 1024 ** 3,
  other: 1024 ** 2,
};

/** A service may answer with some empty pages before a page with objects. */
const maxEmptyPages = 100;

/**
 * The objects below a prefix of a bucket. Paths are relative to the prefix. Throws the problem
 * `bucket-refused`.
 */
export class Bucket {
  readonly #options: BucketOptions;
  readonly #base: string;

  constructor(options: BucketOptions) {
    this.#options = options;
    this.#base = bucketAddress(options);
  }

  /** Returns every object by its path. */
  async list(signal?: AbortSignal): Promise<ReadonlyMap<string, StoredObject>> {
    const { prefix } = this.#options;
    const objects = new Map<string, StoredObject>();
    const tokens = new Set<string>();
    let emptyPages = 0;
    for (let token: string | null = null; ;) {
      const query = new URLSearchParams({
        'list-type': '2',
        'encoding-type': 'url',
        prefix,
      });
      if (token !== null) query.set('continuation-token', token);
      const { body } = await this.#send('GET', `?${query.toString()}`, {
        maxBytes: maxBytes.page,
        signal,
      });
      const page = readPage(body.toString());
      if (page === null) throw this.refused('GET', 'its listing cannot be read');
      for (const [key, object] of page.objects)
        if (key.startsWith(prefix)) objects.set(key.slice(prefix.length), object);
      token = page.next;
      if (token === null) return objects;
      emptyPages = page.objects.length === 0 ? emptyPages + 1 : 0;
      if (tokens.has(token) || emptyPages > maxEmptyPages)
        throw this.refused('GET', 'its listing does not end');
      tokens.add(token);
    }
  }

  /** Returns an object, or null if there is none. */
  async read(path: string, signal?: AbortSignal): Promise<StoredFile | null> {
    const options = {
      allowed: [404],
      maxBytes: maxBytes.object,
      signal,
    };
    const { status, body, headers } = await this.#send('GET', this.#key(path), options);
    return status === 404
      ? null
      : {
          body,
          etag: unquote(headers.get('etag') ?? ''),
        };
  }

  /** Whether almanac stored an object at this path and prefix. */
  async isOurs(path: string): Promise<boolean> {
    const { headers } = await this.#send('HEAD', this.#key(path), { allowed: [404] });
    return headers.get(placeMark) === this.#place(path);
  }

  /** Stores an object. The service verifies a checksum of the bytes. */
  async put(
    path: string,
    body: Buffer,
    headers: Headers,
    allowed: readonly number[] = [],
  ): Promise<HttpResponse> {
    const sha256 = hash('sha256', body, 'buffer');
    const marks = {
      [placeMark]: this.#place(path),
      'x-amz-checksum-sha256': sha256.toString('base64'),
    };
    const allHeaders = { ...headers, ...marks };
    return this.#send('PUT', this.#key(path), {
      body,
      headers: allHeaders,
      allowed,
    });
  }

  /**
   * Stores an object if the present one has this ETag or, for null, if there is none. Returns
   * whether it did.
   */
  async putIf(etag: string | null, path: string, body: Buffer, headers: Headers): Promise<boolean> {
    for (const conditional of conditionHeaders(etag)) {
      const { status } = await this.put(path, body, { ...headers, ...conditional }, [409, 412]);
      if (status < 300) return true;
      if ((await this.read(path))?.etag !== etag) return false;
    }
    return false;
  }

  async remove(path: string): Promise<void> {
    await this.#send('DELETE', this.#key(path), { allowed: [404] });
  }

  #key(path: string): string {
    return encodePath(this.#options.prefix + path);
  }

  #place(path: string): string {
    return `${encodePath(this.#options.prefix)}#${encodePath(path)}`;
  }

  async #send(method: string, target: string, options: SendOptions = {}): Promise<HttpResponse> {
    const { body, headers, allowed = [], maxBytes: limit = maxBytes.other, signal } = options;
    const { credentials, region } = this.#options;
    const sha256 = hash('sha256', body ?? '');
    const prepare = async () => {
      const signer = new AwsV4Signer({
        ...credentials,
        region,
        service: 's3',
        method,
        url: this.#base + target,
        headers: { ...headers, 'x-amz-content-sha256': sha256 },
      });
      const { url, headers: signedHeaders } = await signer.sign();
      // The signature and the token are only for this host, and a redirected PUT may become a GET
      // that stores nothing.
      return {
        url: url.href,
        method,
        headers: signedHeaders,
        redirect: 'manual' as const,
        ...(body && { body }),
      };
    };
    const answer = await request(prepare, { maxBytes: limit, signal });
    if (answer.status < 300 || allowed.includes(answer.status)) return answer;
    throw this.refused(method, reasonOf(answer, credentials));
  }

  /** Returns the problem `bucket-refused`. */
  refused(asked: string, reason: string): ProblemError {
    return problemError({
      code: 'bucket-refused',
      bucket: this.#options.bucket,
      asked,
      reason,
    });
  }
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

type Headers = Readonly<Record<string, string>>;

interface SendOptions {
  readonly body?: Buffer;
  readonly headers?: Headers;
  /** Statuses of 300 and above that are not failures. */
  readonly allowed?: readonly number[];
  readonly maxBytes?: number;
  /** Ends the request. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the URL of a bucket. Amazon has a host for each, but its certificates do not cover names
 * with a dot.
 */
export function bucketAddress({
  bucket,
  endpoint,
  region,
}: Omit<BucketOptions, 'prefix' | 'credentials'>): string {
  if (endpoint !== null) return `${endpoint.replace(/\/+$/, '')}/${bucket}/`;
  const host = `s3.${region}.amazonaws.com`;
  if (bucket.includes('.')) return `https://${host}/${bucket}/`;
  return `https://${bucket}.${host}/`;
}

/**
 * Returns alternative headers, because some services, such as Ceph, compare ETags without quotation
 * marks.
 */
function conditionHeaders(etag: string | null): Headers[] {
  return etag === null
    ? [{ 'if-none-match': '*' }]
    : [{ 'if-match': `"${etag}"` }, { 'if-match': etag }];
}

/**
 * Returns why the service refused. It may repeat the request, so credentials are replaced in its
 * words.
 */
function reasonOf({ status, headers, body }: HttpResponse, credentials: Credentials): string {
  const hide = (text: string) => {
    let safe = text;
    for (const secret of Object.values(credentials)) safe = safe.replaceAll(secret, '…');
    return safe;
  };
  const texts = ['Code', 'Message'].map((name) => hide(xmlText(body.toString(), name) ?? ''));
  const location = hide(headers.get('location') ?? '');
  const redirect = location && `(a redirect to ${location}, which is not followed)`;
  return [`${status}`, ...texts, redirect].filter(Boolean).join(' ');
}
