import { AwsV4Signer } from 'aws4fetch';
import { hash } from 'node:crypto';
import { ProblemError } from '../problem/problem.ts';
import { request, type Answer } from '../system/http.ts';

/** Where a bucket is and who asks. */
export interface BucketOptions {
  readonly bucket: string;
  /** In front of every key: empty, or ending in a slash. */
  readonly prefix: string;
  /** Of an S3 service other than Amazon's; null: Amazon's own in the region. */
  readonly endpoint: string | null;
  readonly region: string;
  readonly credentials: Credentials;
}

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** An object as a listing shows it. */
export interface StoredObject {
  /** Without quotes. The MD5 of the content, unless the bucket encrypts with keys of its own. */
  readonly etag: string;
  /** ISO 8601. */
  readonly modified: string;
}

/** What must hold of an object for it to be replaced: it is the one with this ETag or, null, there is none. */
export interface Condition {
  readonly etag: string | null;
}

const metadata = 'x-amz-meta-almanac-sha256';

/** The objects below a prefix of a bucket, by their path after the prefix. Throws the problem `bucket-refused`. */
export class Bucket {
  readonly #options: BucketOptions;
  readonly #base: string;

  constructor(options: BucketOptions) {
    this.#options = options;
    this.#base = baseOf(options);
  }

  /** Every object, by path. */
  async list(): Promise<ReadonlyMap<string, StoredObject>> {
    const { prefix } = this.#options;
    const found = new Map<string, StoredObject>();
    for (let token: string | null = ''; token !== null;) {
      const query = new URLSearchParams({ 'list-type': '2', 'encoding-type': 'url', prefix });
      if (token !== '') query.set('continuation-token', token);
      const { body } = await this.#ask('GET', `?${query.toString()}`);
      const text = body.toString();
      for (const [key, listed] of objectsIn(text)) found.set(key.slice(prefix.length), listed);
      token = fieldOf(text, 'IsTruncated') === 'true' ? fieldOf(text, 'NextContinuationToken') : null;
    }
    return found;
  }

  /** An object with its ETag; null where there is none. */
  async read(path: string): Promise<{ readonly body: Buffer; readonly etag: string } | null> {
    const { status, body, headers } = await this.#ask('GET', this.#key(path), { allowed: [404] });
    return status === 404 ? null : { body, etag: unquoted(headers.get('etag') ?? '') };
  }

  /** Whether an object was put there by almanac. */
  async isOurs(path: string): Promise<boolean> {
    const { headers } = await this.#ask('HEAD', this.#key(path), { allowed: [404] });
    return headers.has(metadata);
  }

  /**
   * Stores an object; the service checks that the bytes arrived whole.
   *
   * @returns false where the condition did not hold and nothing was stored
   */
  async put(
    path: string,
    body: Buffer,
    headers: Readonly<Record<string, string>>,
    condition?: Condition,
  ): Promise<boolean> {
    const sum = hash('sha256', body, 'buffer');
    const checked = { 'x-amz-checksum-sha256': sum.toString('base64'), [metadata]: sum.toString('hex') };
    const allowed = condition === undefined ? [] : [409, 412];
    for (const conditional of spellingsOf(condition)) {
      const all = { ...headers, ...checked, ...conditional };
      const { status } = await this.#ask('PUT', this.#key(path), { body, headers: all, allowed });
      if (status < 300) return true;
      if ((await this.read(path))?.etag !== condition?.etag) return false;
    }
    return false;
  }

  async remove(path: string): Promise<void> {
    await this.#ask('DELETE', this.#key(path), { allowed: [404] });
  }

  #key(path: string): string {
    return (this.#options.prefix + path).split('/').map(encodeURIComponent).join('/');
  }

  async #ask(method: string, below: string, { body, headers, allowed = [] }: Asked = {}): Promise<Answer> {
    const { credentials, region, bucket } = this.#options;
    const sum = hash('sha256', body ?? '');
    const answer = await request(async () => {
      const signer = new AwsV4Signer({
        ...credentials,
        region,
        service: 's3',
        method,
        url: this.#base + below,
        headers: { ...headers, 'x-amz-content-sha256': sum },
      });
      const signed = await signer.sign();
      const { url, headers: all } = signed;
      // A signature and a token are for this very host, and a redirected PUT may become a GET that stores nothing.
      return { url: url.href, method, headers: all, redirect: 'manual', ...(body && { body: new Uint8Array(body) }) };
    });
    if (answer.status < 300 || (allowed.includes(answer.status) && !isBucketGone(answer))) return answer;
    throw new ProblemError([{ code: 'bucket-refused', place: null, bucket, asked: method, reason: reasonOf(answer) }]);
  }
}

interface Asked {
  readonly body?: Buffer;
  readonly headers?: Record<string, string>;
  /** Statuses that are answers and no failures. */
  readonly allowed?: readonly number[];
}

/** Amazon's buckets have hosts of their own, which TLS can name as long as there is no dot in them. */
function baseOf({ bucket, endpoint, region }: BucketOptions): string {
  if (endpoint !== null) return `${endpoint.replace(/\/+$/, '')}/${bucket}/`;
  const host = `s3.${region}.amazonaws.com`;
  return bucket.includes('.') ? `https://${host}/${bucket}/` : `https://${bucket}.${host}/`;
}

/** Some services, Ceph's gateway among them, compare an ETag without the quotes that HTTP puts around it. */
function spellingsOf(condition: Condition | undefined): Record<string, string>[] {
  if (condition === undefined) return [{}];
  const { etag } = condition;
  return etag === null ? [{ 'if-none-match': '*' }] : [{ 'if-match': `"${etag}"` }, { 'if-match': etag }];
}

/** The entries of a listing. Keys were asked for in URL encoding, so that none of them holds markup. */
function* objectsIn(xml: string): Generator<[string, StoredObject]> {
  for (const [, entry = ''] of xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
    const key = decodeURIComponent((fieldOf(entry, 'Key') ?? '').replaceAll('+', ' '));
    const [etag, modified] = [fieldOf(entry, 'ETag') ?? '', fieldOf(entry, 'LastModified') ?? ''];
    yield [key, { etag: unquoted(etag), modified }];
  }
}

function fieldOf(xml: string, name: string): string | null {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return text?.replace(/&(#x?)?(\w+);/g, readReference) ?? null;
}

function readReference(whole: string, sign: string | undefined, name: string): string {
  if (sign === undefined) return entities.get(name) ?? whole;
  const character = parseInt(name, sign === '#x' ? 16 : 10);
  return character <= 0x10ffff ? String.fromCodePoint(character) : whole;
}

const entities = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }));

function unquoted(etag: string): string {
  return etag.replace(/^W\/|"/g, '');
}

function isBucketGone({ body }: Answer): boolean {
  return fieldOf(body.toString(), 'Code') === 'NoSuchBucket';
}

function reasonOf({ status, headers, body }: Answer): string {
  const text = body.toString();
  const location = headers.get('location');
  const redirect = location === undefined ? null : `(a redirect to ${location}, which is not followed)`;
  return [`${status}`, fieldOf(text, 'Code'), fieldOf(text, 'Message'), redirect].filter(Boolean).join(' ');
}
