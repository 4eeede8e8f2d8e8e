import { ClientError } from './error.ts';

/** How requests are made; everything from outside comes in here. */
export interface Requesting {
  readonly fetch: typeof globalThis.fetch;
  /** Resolves after that many milliseconds; rejects with the signal's reason once it aborts. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** Milliseconds that one attempt may take, its body included; `Infinity` for no limit. */
  readonly timeout: number;
  /** How many more attempts are made after a network fault, a timeout or a 5xx. */
  readonly retries: number;
  /** What was answered before, by address; null where the HTTP cache of a browser does that work. */
  readonly cache: Map<string, Cached> | null;
}

interface Cached {
  readonly etag: string;
  /** Not yet parsed: whoever asked before may have changed what they got. */
  readonly text: string;
}

/**
 * Gets a JSON document, asking again with growing pauses while a network fault, a timeout or a 5xx is in the way.
 * Throws a {@link ClientError}, or the reason of `signal`.
 */
export async function getDocument(by: Requesting, url: string, signal?: AbortSignal): Promise<unknown> {
  for (let attempt = 0; ; attempt++) {
    signal?.throwIfAborted();
    try {
      return await attemptOnce(by, url, signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (attempt >= by.retries || !(error instanceof ClientError) || !isPassing(error)) throw error;
    }
    // Up to twice as long, so that clients that failed together do not come back together.
    await by.sleep(firstPause * 2 ** attempt * (1 + Math.random()), signal);
  }
}

const firstPause = 250;
const mostCached = 100;
/** What a timer can wait for, nearly 25 days: one that is set for longer ends at once. */
const longestTimer = 2 ** 31 - 1;

function isPassing({ code, status }: ClientError): boolean {
  return code === 'network' || code === 'timeout' || (status ?? 0) >= 500;
}

async function attemptOnce(by: Requesting, url: string, signal?: AbortSignal): Promise<unknown> {
  const { fetch, cache, timeout } = by;
  const cached = cache?.get(url);
  const limit = timeout > longestTimer ? null : AbortSignal.timeout(Math.ceil(timeout));
  let response: Response;
  let text: string;
  try {
    // In a browser no header is set: it would cause a preflight, which plain hosts refuse.
    response = await fetch(url, {
      signal: AbortSignal.any([signal, limit].filter((one) => one != null)),
      ...(cached ? { headers: { 'If-None-Match': cached.etag } } : {}),
    });
    text = await response.text();
  } catch (error) {
    throw limit?.aborted
      ? new ClientError('timeout', url, `no answer within ${timeout} ms`, null, error)
      : new ClientError('network', url, 'the request failed', null, error);
  }
  const { status, ok, headers } = response;
  if (status === 304 && cached) return JSON.parse(cached.text);
  const document = parse(text);
  if (!ok) throw refusal(url, status, document);
  if (document === undefined) throw new ClientError('wrong-answer', url, 'the answer is not JSON', status);
  if (cache) remember(cache, url, headers.get('ETag'), text);
  return document;
}

/** Keeps the newest answers, a bounded number of them. */
function remember(cache: Map<string, Cached>, url: string, etag: string | null, text: string): void {
  cache.delete(url);
  if (etag) cache.set(url, { etag, text });
  const [oldest] = cache.keys();
  if (cache.size > mostCached && oldest) cache.delete(oldest);
}

function refusal(url: string, status: number, document: unknown): ClientError {
  const { detail } = (document ?? {}) as { detail?: unknown };
  const isMissing = status === 404;
  const plain = isMissing ? 'no such category, genre or service' : `answered with status ${status}`;
  return new ClientError(isMissing ? 'not-found' : 'http', url, typeof detail === 'string' ? detail : plain, status);
}

/** The value of a JSON text; undefined where it is none. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
