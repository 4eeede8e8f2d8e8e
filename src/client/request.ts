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
  return withRetries(options, signal, () => tryGet(options, url, signal));
}

/** Retries with growing pauses after a network error, a timeout or a status of 5xx. */
export async function withRetries<T>(
  { retries, sleep }: RequestOptions,
  signal: Signal | undefined,
  attemptOnce: () => Promise<T>,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    signal?.throwIfAborted();
    try {
      return await attemptOnce();
    } catch (error) {
      signal?.throwIfAborted();
      if (attempt >= retries || !(error instanceof ClientError) || !isTemporary(error)) throw error;
    }
    // The random part keeps clients that failed together from coming back together.
    await sleep(firstPause * 2 ** attempt * (1 + Math.random()), signal);
  }
}

const firstPause = 250;
const maxCachedAnswers = 100;
/** Characters of all cached answers. */
const maxCacheLength = 8 * 1024 * 1024;
/** Bytes of one answer. A list has at most 200 events. */
const maxAnswerBytes = 32 * 1024 * 1024;
/** Nearly 25 days. A longer timer ends at once. */
export const maxTimer = 2 ** 31 - 1;

function isTemporary({ code, status }: ClientError): boolean {
  return code === 'network' || code === 'timeout' || (status ?? 0) >= 500;
}

async function tryGet({ fetch, cache, timeout }: RequestOptions, url: string, signal?: Signal): Promise<unknown> {
  const cached = cache?.get(url);
  const timer = timeout > maxTimer ? null : AbortSignal.timeout(Math.ceil(timeout));
  let response: Response;
  let text: string | null;
  try {
    // A header would make a browser send a preflight request, which plain hosts refuse.
    response = await fetch(url, {
      signal: AbortSignal.any([signal, timer].filter((one) => one != null)),
      ...(cached ? { headers: { 'If-None-Match': cached.etag } } : {}),
    });
    text = await readText(response);
  } catch (error) {
    throw timer?.aborted
      ? new ClientError('timeout', url, `no answer within ${timeout} ms`, null, error)
      : new ClientError('network', url, 'the request failed', null, error);
  }
  const { status, ok, headers } = response;
  if (text === null) throw new ClientError('wrong-answer', url, 'the answer is larger than 32 MiB', status);
  if (status === 304 && cached) return JSON.parse(cached.text);
  const document = parseJson(text);
  if (!ok) throw statusError(url, status, document);
  if (document === undefined) throw new ClientError('wrong-answer', url, 'the answer is not JSON', status);
  if (cache) addToCache(cache, url, headers.get('ETag'), text);
  return document;
}

/** Returns the body as text, or null if it is too large: then the rest is not read. */
async function readText(response: Response): Promise<string | null> {
  // Not every implementation of fetch has streams.
  if (!response.body) return response.text();
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > maxAnswerBytes) {
      reader.cancel().catch(() => {});
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** Keeps the newest answers, up to a number and a total length. */
function addToCache(cache: Map<string, CachedAnswer>, url: string, etag: string | null, text: string): void {
  cache.delete(url);
  if (etag) cache.set(url, { etag, text });
  let length = 0;
  for (const answer of cache.values()) length += answer.text.length;
  for (const [oldest, answer] of cache) {
    if (cache.size <= maxCachedAnswers && length <= maxCacheLength) break;
    cache.delete(oldest);
    length -= answer.text.length;
  }
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

/** Returns undefined if the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
