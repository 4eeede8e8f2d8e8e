import { AwsV4Signer } from 'aws4fetch';
import { hash } from 'node:crypto';
import { ProblemError } from '../problem/problem.ts';
import { request, type Answer } from '../system/http.ts';

/** The address of a bucket, and the credentials to use. */
export interface BucketOptions {
  readonly bucket: string;
  /** The start of every key: empty, or with a slash at its end. */
  readonly prefix: string;
  /** The address of an S3 service; null for Amazon's own in the region. */
  readonly endpoint: string | null;
  readonly region: string;
  readonly credentials: Credentials;
}

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** An object in a listing. */
export interface StoredObject {
  /** Without quotation marks. The MD5 of the content, unless the bucket encrypts with keys of its own. */
  readonly etag: string;
  /** ISO 8601. */
  readonly modified: string;
}

/** An object with its content. */
export interface StoredFile {
  readonly body: Buffer;
  readonly etag: string;
}

/** The condition for replacing an object: it has this ETag or, for null, it does not exist. */
export interface Condition {
  readonly etag: string | null;
}

/** Marks every object that almanac puts into a bucket. */
const mark = 'x-amz-meta-almanac-sha256';

/** The objects below a prefix of a bucket. Paths are relative to the prefix. Throws the problem `bucket-refused`. */
export class Bucket {
  readonly #options: BucketOptions;
  readonly #base: string;

  constructor(options: BucketOptions) {
    this.#options = options;
    this.#base = bucketAddress(options);
  }

  /** Returns every object by its path. */
  async list(): Promise<ReadonlyMap<string, StoredObject>> {
    const { prefix } = this.#options;
    const found = new Map<string, StoredObject>();
    for (let token: string | null = ''; token !== null;) {
      const query = new URLSearchParams({ 'list-type': '2', 'encoding-type': 'url', prefix });
      if (token !== '') query.set('continuation-token', token);
      const { body } = await this.#send('GET', `?${query.toString()}`);
      const text = body.toString();
      for (const [key, listed] of listedObjects(text)) found.set(key.slice(prefix.length), listed);
      token = xmlText(text, 'IsTruncated') === 'true' ? xmlText(text, 'NextContinuationToken') : null;
    }
    return found;
  }

  /** Returns an object, or null if there is none. */
  async read(path: string): Promise<StoredFile | null> {
    const { status, body, headers } = await this.#send('GET', this.#key(path), { allowed: [404] });
    return status === 404 ? null : { body, etag: unquote(headers.get('etag') ?? '') };
  }

  /** Whether almanac put the object there. */
  async isOurs(path: string): Promise<boolean> {
    const { headers } = await this.#send('HEAD', this.#key(path), { allowed: [404] });
    return headers.has(mark);
  }

  /**
   * Stores an object. The service checks that the bytes arrived whole.
   *
   * @returns false if the condition did not hold and nothing was stored
   */
  async put(
    path: string,
    body: Buffer,
    headers: Readonly<Record<string, string>>,
    condition?: Condition,
  ): Promise<boolean> {
    const sha256 = hash('sha256', body, 'buffer');
    const checksums = { 'x-amz-checksum-sha256': sha256.toString('base64'), [mark]: sha256.toString('hex') };
    const allowed = condition === undefined ? [] : [409, 412];
    for (const conditional of conditionHeaders(condition)) {
      const all = { ...headers, ...checksums, ...conditional };
      const { status } = await this.#send('PUT', this.#key(path), { body, headers: all, allowed });
      if (status < 300) return true;
      if ((await this.read(path))?.etag !== condition?.etag) return false;
    }
    return false;
  }

  async remove(path: string): Promise<void> {
    await this.#send('DELETE', this.#key(path), { allowed: [404] });
  }

  #key(path: string): string {
    return (this.#options.prefix + path).split('/').map(encodeURIComponent).join('/');
  }

  async #send(method: string, target: string, { body, headers, allowed = [] }: Outgoing = {}): Promise<Answer> {
    const { credentials, region, bucket } = this.#options;
    const sha256 = hash('sha256', body ?? '');
    const answer = await request(async () => {
      const signer = new AwsV4Signer({
        ...credentials,
        region,
        service: 's3',
        method,
        url: this.#base + target,
        headers: { ...headers, 'x-amz-content-sha256': sha256 },
      });
      const { url, headers: all } = await signer.sign();
      // A signature and a token are for this host alone, and a redirected PUT may become a GET that stores nothing.
      return { url: url.href, method, headers: all, redirect: 'manual', ...(body && { body: new Uint8Array(body) }) };
    });
    if (answer.status < 300 || (allowed.includes(answer.status) && !isBucketMissing(answer))) return answer;
    throw new ProblemError([{ code: 'bucket-refused', place: null, bucket, asked: method, reason: reasonOf(answer) }]);
  }
}

interface Outgoing {
  readonly body?: Buffer;
  readonly headers?: Record<string, string>;
  /** Statuses of 300 and above that are no failures. */
  readonly allowed?: readonly number[];
}

/** Amazon gives a bucket a host of its own. TLS certificates cover its name unless that contains a dot. */
function bucketAddress({ bucket, endpoint, region }: BucketOptions): string {
  if (endpoint !== null) return `${endpoint.replace(/\/+$/, '')}/${bucket}/`;
  const host = `s3.${region}.amazonaws.com`;
  return bucket.includes('.') ? `https://${host}/${bucket}/` : `https://${bucket}.${host}/`;
}

/** Some services, such as Ceph's gateway, compare an ETag without the quotation marks of HTTP. */
function conditionHeaders(condition: Condition | undefined): Record<string, string>[] {
  if (condition === undefined) return [{}];
  const { etag } = condition;
  return etag === null ? [{ 'if-none-match': '*' }] : [{ 'if-match': `"${etag}"` }, { 'if-match': etag }];
}

/** Reads the entries of a listing. Its keys are URL-encoded, so they contain no markup. */
function* listedObjects(xml: string): Generator<[string, StoredObject]> {
  for (const [, entry = ''] of xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
    const key = decodeURIComponent((xmlText(entry, 'Key') ?? '').replaceAll('+', ' '));
    const [etag, modified] = [xmlText(entry, 'ETag') ?? '', xmlText(entry, 'LastModified') ?? ''];
    yield [key, { etag: unquote(etag), modified }];
  }
}

/** Returns the text of the first element of a name, or null if there is none. */
function xmlText(xml: string, name: string): string | null {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return text?.replace(/&(#x?)?(\w+);/g, decodeReference) ?? null;
}

function decodeReference(reference: string, sign: string | undefined, name: string): string {
  if (sign === undefined) return entities.get(name) ?? reference;
  const character = parseInt(name, sign === '#x' ? 16 : 10);
  return character <= 0x10ffff ? String.fromCodePoint(character) : reference;
}

const entities = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }));

function unquote(etag: string): string {
  return etag.replace(/^W\/|"/g, '');
}

function isBucketMissing({ body }: Answer): boolean {
  return xmlText(body.toString(), 'Code') === 'NoSuchBucket';
}

function reasonOf({ status, headers, body }: Answer): string {
  const text = body.toString();
  const location = headers.get('location');
  const redirect = location === undefined ? null : `(a redirect to ${location}, which is not followed)`;
  return [`${status}`, xmlText(text, 'Code'), xmlText(text, 'Message'), redirect].filter(Boolean).join(' ');
}
