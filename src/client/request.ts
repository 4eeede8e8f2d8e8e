import { ClientError } from './error.ts';
import type { Fetch, Signal } from './platform.ts';

/** How the client sends requests. Everything that it uses from its platform is here. */
export interface RequestOptions {
  /** The address of the site, without a final slash. */
  readonly base: string;
  readonly fetch: Fetch;
  /** Resolves after some milliseconds. Rejects with the reason of the signal if that aborts. */
  readonly sleep: (milliseconds: number, signal?: Signal) => Promise<void>;
  /** Milliseconds that one attempt may take, with its body; `Infinity` for no limit. */
  readonly timeout: number;
  /** How many more attempts follow a network error, a timeout or a status of 5xx. */
  readonly retries: number;
  /** Earlier answers by URL; null in browsers, whose HTTP cache does this. */
  readonly cache: Map<string, CachedAnswer> | null;
}

interface CachedAnswer {
  readonly etag: string;
  /** Not parsed, because the caller may change the document. */
  readonly text: string;
}

/** Gets a JSON document, with retries. Throws a {@link ClientError}, or the reason of `signal`. */
export async function getDocument(options: RequestOptions, url: string, signal?: Signal): Promise<unknown> {
  const { fetch, cache } = options;
  return withRetries(options, url, signal, async (attempt) => {
    const cached = cache?.get(url);
    // A header would make a browser send a preflight request, which plain hosts refuse.
    const condition = cached && { headers: { 'If-None-Match': cached.etag } };
    const response = await fetch(url, { signal: attempt, ...condition });
    const { status, ok, headers } = response;
    const text = await response.text();
    if (status === 304 && cached) return parseJson(cached.text);
    const document = parseJson(text);
    if (!ok) throw statusError(url, status, document);
    if (document === undefined) throw new ClientError('wrong-answer', url, 'the answer is not JSON', status);
    if (cache) addToCache(cache, url, headers.get('ETag'), text);
    return document;
  });
}

/**
 * Calls `send` with the signal of an attempt, again after a network error, a timeout or a status of 5xx. Throws a
 * {@link ClientError}, or the reason of `signal`.
 */
export async function withRetries<T>(
  options: RequestOptions,
  url: string,
  signal: Signal | undefined,
  send: (signal: Signal) => Promise<T>,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    signal?.throwIfAborted();
    try {
      return await trySend(url, options.timeout, signal, send);
    } catch (error) {
      signal?.throwIfAborted();
      if (attempt >= options.retries || !isTemporary(error as ClientError)) throw error;
    }
    // The random part keeps clients that failed together from coming back together.
    await options.sleep(firstPause * 2 ** attempt * (1 + Math.random()), signal);
  }
}

const firstPause = 250;
/** Nearly 25 days. A longer timer ends at once. */
export const maxTimer = 2 ** 31 - 1;

async function trySend<T>(
  url: string,
  timeout: number,
  signal: Signal | undefined,
  send: (signal: Signal) => Promise<T>,
): Promise<T> {
  const aborter = new AbortController();
  const timer = timeout > maxTimer ? undefined : setTimeout(() => aborter.abort(), timeout);
  try {
    return await send(AbortSignal.any([aborter.signal, ...(signal ? [signal] : [])]));
  } catch (error) {
    if (error instanceof ClientError) throw error;
    throw aborter.signal.aborted
      ? new ClientError('timeout', url, `no answer within ${timeout} ms`, null, error)
      : new ClientError('network', url, 'the request failed', null, error);
  } finally {
    clearTimeout(timer);
  }
}

function isTemporary({ code, status }: ClientError): boolean {
  return code === 'network' || code === 'timeout' || (status ?? 0) >= 500;
}

const maxCachedAnswers = 100;
/** Characters of an answer that is kept. A list of 200 events has some 100,000. */
const maxCachedLength = 512 * 1024;

function addToCache(cache: Map<string, CachedAnswer>, url: string, etag: string | null, text: string): void {
  cache.delete(url);
  if (etag && text.length <= maxCachedLength) cache.set(url, { etag, text });
  const [oldest = ''] = cache.keys();
  if (cache.size > maxCachedAnswers) cache.delete(oldest);
}

/**
 * Returns the error for a status that is not a success. Its message is the detail of the problem document, if there is
 * one.
 */
export function statusError(url: string, status: number, document: unknown): ClientError {
  const { detail } = (document ?? {}) as { detail?: unknown };
  const isMissing = status === 404;
  const fallback = isMissing ? 'no such category, genre or service' : `answered with status ${status}`;
  return new ClientError(isMissing ? 'not-found' : 'http', url, typeof detail === 'string' ? detail : fallback, status);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
