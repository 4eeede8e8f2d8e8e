import { count } from '../problem/text.ts';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { promisify } from 'node:util';
import { ProblemError, problemError } from '../problem/problem.ts';
import { failureReason } from './failure.ts';

/** A complete response. Header names are in lower case. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/**
 * A request to send. The body is not a stream, so its length and hash are known and a retry can
 * send it again.
 */
export interface Outgoing {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Iterable<readonly [string, string]>;
  readonly body?: Uint8Array;
  /**
   * `manual` returns a redirect as the response. A function returns why not to follow a redirect,
   * or null.
   */
  readonly redirect?: 'manual' | ((from: string, to: string) => string | null);
  /** Returns why not to connect to the IP address of a URL that a redirect leads to, or null. */
  readonly refuseAddress?: ((address: string, url: string) => string | null) | undefined;
}

export interface RequestOptions {
  /** Milliseconds for one attempt, from the first byte sent to the last byte received. */
  readonly timeout?: number;
  /** The maximum size of a response in bytes, before and after decompression. */
  readonly maxBytes?: number;
  /** Milliseconds between attempts. There is one more attempt than there are pauses. */
  readonly pauses?: readonly number[];
  /** The longest pause, in milliseconds, that a server can ask for. */
  readonly maxPause?: number;
  /** Aborts the request, even during a pause. */
  readonly signal?: AbortSignal | undefined;
  readonly timing?: Timing;
}

/** Timers; tests pass their own. */
export interface Timing {
  /** Resolves early if the signal is aborted. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** Calls a function after some milliseconds. Returns a function that cancels the call. */
  readonly schedule: (milliseconds: number, call: () => void) => () => void;
}

/** The clock of the machine. */
export const systemTiming: Timing = {
  sleep: async (milliseconds, signal) => sleep(milliseconds, undefined, { signal }).catch(() => {}),
  schedule: (milliseconds, call) => {
    const timer = setTimeout(call, milliseconds);
    return () => clearTimeout(timer);
  },
};

type Settings = Omit<Required<RequestOptions>, 'signal'> & Pick<RequestOptions, 'signal'>;

const defaults: Settings = {
  timeout: 60_000,
  // Larger than any file of a site, but small enough for the memory of a machine.
  maxBytes: 1024 ** 3,
  pauses: [100, 200, 400, 800, 1600, 3200],
  maxPause: 20_000,
  timing: systemTiming,
};

const maxRedirects = 5;

/**
 * Sends a request and reads the whole response. Retries if the network fails or the server is
 * overloaded (429, 5xx); returns the last response if all retries fail. A timeout is retried once.
 * `prepare` is called for each attempt, because a signature contains the time. Throws the problem
 * `unreachable` if there is no response.
 */
export async function request(
  prepare: () => Promise<Outgoing>,
  options: RequestOptions = {},
): Promise<HttpResponse> {
  const settings = { ...defaults, ...options };
  const { pauses, maxPause, timing, signal } = settings;
  let timeouts = 0;
  for (let attempt = 0; ; attempt++) {
    const outgoing = await prepare();
    if (signal?.aborted) throw unreachable(outgoing.url, signal.reason);
    const pause = pauses[attempt];
    let hostPause = 0;
    try {
      const answer = await sendAndFollow(outgoing, settings);
      const isRetryable = answer.status === 429 || (answer.status >= 500 && answer.status !== 501);
      if (pause === undefined || !isRetryable) return answer;
      hostPause = retryAfter(answer.headers);
    } catch (error) {
      if (error instanceof TimeoutError) timeouts++;
      if (signal?.aborted) continue;
      if (pause === undefined || timeouts > 1 || error instanceof FinalError)
        throw unreachable(outgoing.url, error);
    }
    await timing.sleep(Math.max(pause, Math.min(hostPause, maxPause)), signal);
  }
}

class FinalError extends Error {}

class TooLargeError extends FinalError {
  constructor(maxBytes: number) {
    super(`it sends more than ${count(maxBytes)} bytes`);
  }
}

class TimeoutError extends Error {
  constructor(milliseconds: number) {
    const seconds = milliseconds / 1000;
    super(`no complete response within ${seconds} second${seconds === 1 ? '' : 's'}`);
  }
}

async function sendAndFollow(first: Outgoing, settings: Settings): Promise<HttpResponse> {
  let outgoing: Outgoing = {
    ...first,
    refuseAddress: undefined,
  };
  for (let redirects = 0; ; redirects++) {
    const answer = await send(outgoing, settings);
    const location = locationIn(answer);
    if (location === null || first.redirect === 'manual') return answer;
    const target = resolveUrl(location, outgoing.url);
    const refusal =
      redirects === maxRedirects
        ? `more than ${maxRedirects} redirects`
        : first.redirect?.(outgoing.url, target);
    if (refusal != null) throw new FinalError(refusal);
    if (!/^https?:/.test(target))
      throw new FinalError('it redirects to an address that is neither http nor https');
    outgoing = { ...first, url: target };
  }
}

function resolveUrl(location: string, base: string): string {
  try {
    return new URL(location, base).href;
  } catch {
    throw new FinalError('it redirects to an address that is not valid');
  }
}

/**
 * Returns the target of a redirect, or null. Servers send UTF-8, but Node decodes each byte as one
 * character.
 */
function locationIn({ status, headers }: HttpResponse): string | null {
  const location = headers.get('location');
  const isRedirect = status >= 300 && status <= 399 && status !== 304 && location !== undefined;
  if (isRedirect) return Buffer.from(location, 'latin1').toString();
  return null;
}

async function send(outgoing: Outgoing, settings: Settings): Promise<HttpResponse> {
  const { method = 'GET' } = outgoing;
  const { response, bytes } = await exchange(outgoing, method, settings);
  const status = response.statusCode ?? 0;
  const headers = new Map(
    Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
  );
  const isEmpty = method === 'HEAD' || status === 204 || status === 304;
  const encoding = headers.get('content-encoding') ?? '';
  const body = isEmpty ? bytes : await decode(bytes, encoding, settings.maxBytes);
  return { status, headers, body };
}

/** Sends a request and reads the response without decompressing it. */
async function exchange(
  { url, headers, body, refuseAddress }: Outgoing,
  method: string,
  { timeout, maxBytes, signal, timing }: Settings,
): Promise<{ readonly response: IncomingMessage; readonly bytes: Buffer }> {
  // Imported on demand, because most runs send no requests.
  const { request: open } = url.startsWith('https:')
    ? await import('node:https')
    : await import('node:http');
  const allHeaders = {
    ...defaultHeaders,
    ...Object.fromEntries(headers ?? []),
    ...(body && { 'content-length': body.length }),
  };
  const connection = refuseAddress === undefined ? {} : await connectionExcept(refuseAddress, url);
  return new Promise((resolve, reject) => {
    let isAnswered = false;
    const options = {
      method,
      headers: allHeaders,
      ...connection,
      ...(signal && { signal }),
    };
    const sent = open(url, options, function receive(response) {
      isAnswered = true;
      const received = new GrowingBody();
      response.on('data', (chunk: Buffer) => {
        const isTooLarge = received.length + chunk.length > maxBytes;
        if (isTooLarge) sent.destroy(new TooLargeError(maxBytes));
        else received.add(chunk);
      });
      response.on('end', () =>
        resolve({
          response,
          bytes: received.bytes(),
        }),
      );
      response.on('error', reject);
    });
    const cancel = timing.schedule(timeout, () => sent.destroy(new TimeoutError(timeout)));
    sent.on('upgrade', ({ statusCode }, socket) => {
      socket.destroy();
      reject(new FinalError(`it switches to another protocol (status ${statusCode})`));
    });
    sent.on('close', () => {
      cancel();
      // A response may end after its connection closes.
      if (!isAnswered) reject(new Error('the connection was closed without an answer'));
    });
    sent.on('error', reject).end(body);
  });
}

/** A body that is joined as it arrives: each chunk, even of one byte, takes more than 100 bytes. */
class GrowingBody {
  length = 0;
  #buffer = Buffer.alloc(0);

  add(chunk: Buffer): void {
    const end = this.length + chunk.length;
    if (end > this.#buffer.length) {
      const size = Math.max(2 * this.#buffer.length, end, minBodyBytes);
      const larger = Buffer.allocUnsafe(size);
      this.#buffer.copy(larger, 0, 0, this.length);
      this.#buffer = larger;
    }
    chunk.copy(this.#buffer, this.length);
    this.length = end;
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.length);
  }
}

const minBodyBytes = 16 * 1024;

/**
 * Returns the options of a connection that never reaches a refused address, whatever its name
 * resolves to.
 */
async function connectionExcept(
  refuseAddress: NonNullable<Outgoing['refuseAddress']>,
  url: string,
) {
  const [{ lookup }, { isIP }] = await Promise.all([import('node:dns'), import('node:net')]);
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const refuse = (address: string): string | null => refuseAddress(address, url);
  // An address is not looked up.
  const refusal = isIP(host) === 0 ? null : refuse(host);
  if (refusal !== null) throw new FinalError(refusal);
  const isAllowed = ({ address }: LookupAddress) => refuse(address) === null;
  const lookUp: LookupFunction = (name, options, done) =>
    lookup(name, { ...options, all: true }, (error, addresses) => {
      const allowed = error === null ? addresses.filter(isAllowed) : [];
      const [first] = allowed;
      if (first === undefined)
        done(
          error ?? new FinalError(refuse(addresses[0]?.address ?? '') ?? 'it has no address'),
          '',
        );
      else if (options.all === true) done(null, allowed);
      else done(null, first.address, first.family);
    });
  // A connection that another request has opened was not checked.
  return { agent: false, lookup: lookUp } as const;
}

const defaultHeaders = {
  accept: '*/*',
  'accept-encoding': 'gzip',
  'user-agent': 'almanac',
};

/** Decompresses a body. Unlike `fetch`, it fails if the body was cut off. */
async function decode(body: Buffer, encoding: string, maxBytes: number): Promise<Buffer> {
  if (/^(?:identity)?$/i.test(encoding)) return body;
  if (!/^(?:x-)?gzip$/i.test(encoding))
    throw new FinalError(`its body has the unknown encoding ${encoding}`);
  const { gunzip } = await import('node:zlib');
  return promisify(gunzip)(body, { maxOutputLength: maxBytes }).catch(
    (error: NodeJS.ErrnoException) => {
      throw error.code === 'ERR_BUFFER_TOO_LARGE' ? new TooLargeError(maxBytes) : error;
    },
  );
}

/**
 * Returns the pause of Retry-After in milliseconds, or 0. A date in it is compared with the date of
 * the response.
 */
function retryAfter(headers: HttpResponse['headers']): number {
  const header = headers.get('retry-after') ?? '';
  if (/^\d{1,6}$/.test(header)) return Number(header) * 1000;
  const pause = Date.parse(header) - Date.parse(headers.get('date') ?? '');
  return Math.max(0, pause) || 0;
}

function unreachable(address: string, error: unknown): ProblemError {
  const isTooLarge = error instanceof TooLargeError;
  return problemError({
    code: 'unreachable',
    address,
    reason: failureReason(error),
    isTooLarge,
  });
}
