/* Types of the platform that also compile for users who load neither `lib: dom` nor the types of Node. */
type Instance<Name extends string, Fallback> =
  typeof globalThis extends Record<Name, { prototype: infer Value }> ? Value : Fallback;

/** The platform's AbortSignal. */
export type Signal = Instance<'AbortSignal', { readonly aborted: boolean }>;
/** The platform's URL. */
type Address = Instance<'URL', { readonly href: string }>;
/** The platform's fetch. */
type Fetch = typeof globalThis extends { fetch: infer Value }
  ? Value
  : (url: string, init?: object) => Promise<unknown>;

/**
 * Where the service is and how to ask it. Only `baseUrl` is required. Times are in milliseconds.
 */
export interface ClientOptions {
  /** The address of the site. A page of the site itself may give a relative one. */
  readonly baseUrl: string | Address;
  readonly fetch?: Fetch | undefined;
  /** Returns milliseconds since the Unix epoch. */
  readonly now?: (() => number) | undefined;
  /** Waits between attempts, at most until the signal aborts. */
  readonly sleep?: ((milliseconds: number, signal?: Signal) => Promise<void>) | undefined;
  /** How long one attempt may take, above 0; `Infinity` for no limit. Default: 10,000. */
  readonly timeout?: number | undefined;
  /** How many more attempts follow a network error, a timeout or a status of 5xx. Default: 2. */
  readonly retries?: number | undefined;
  /** The age from which a catalogue counts as stale. Default: two days. */
  readonly staleAfter?: number | undefined;
  /** Called by `index()` with the age of a stale catalogue. Default: a warning on the console. */
  readonly onStale?: ((age: number, lastSync: string) => void) | undefined;
}

/**
 * Why a question failed:
 * - `invalid-question`: it cannot be asked, such as a limit of 0; nothing was sent
 * - `not-found`: the category or genre does not exist, or the address has no service
 * - `http`: another status that is not a success; for 5xx, after all retries
 * - `network`, `timeout`: no complete answer, after all retries
 * - `wrong-answer`: an answer that does not fit the question, such as the list without the filter
 */
export type ClientErrorCode =
  | 'invalid-question'
  | 'not-found'
  | 'http'
  | 'network'
  | 'timeout'
  | 'wrong-answer';

/** Every failure of the client except an abort, which rejects with the reason of the signal. */
export class ClientError extends Error {
  override readonly name = 'ClientError';
  readonly code: ClientErrorCode;
  /** The address of the request. */
  readonly url: string;
  /** The HTTP status; null if there was no answer. */
  readonly status: number | null;

  constructor(
    code: ClientErrorCode,
    url: string,
    message: string,
    { status = null, cause }: { readonly status?: number | null; readonly cause?: unknown } = {},
  ) {
    super(`${message} (${url})`, { cause });
    this.code = code;
    this.url = url;
    this.status = status;
  }
}

/** How requests reach a site: the options of a client, with their defaults. */
export interface Connection {
  /** The address of the site, without a final slash. */
  readonly base: string;
  readonly fetch: Fetch;
  readonly sleep: (milliseconds: number, signal?: Signal) => Promise<void>;
  readonly timeout: number;
  readonly retries: number;
}

/** Returns how to send requests. Throws a RangeError if `timeout` or `retries` is out of range. */
export function connect({
  baseUrl,
  timeout = 10_000,
  retries = 2,
  ...options
}: ClientOptions): Connection {
  if (!(timeout > 0))
    throw new RangeError(`timeout is ${timeout}; it must be milliseconds above 0, or Infinity`);
  if (!(retries >= 0)) throw new RangeError(`retries is ${retries}; it must be a number from 0`);
  return {
    base: String(baseUrl).replace(/\/+$/, ''),
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    sleep: options.sleep ?? pause,
    timeout,
    retries,
  };
}

/** A request that can be aborted. */
export interface Request {
  readonly url: string;
  readonly signal: Signal | undefined;
}

/**
 * Gets a JSON document. Rejects with a {@link ClientError}, or with the reason of `signal`. A host
 * that ignores queries may send another document, so `isAnswer` takes no field for granted.
 */
export async function getDocument<T>(
  connection: Connection,
  request: Request,
  isAnswer: (document: T) => boolean,
): Promise<T> {
  const { url } = request;
  return withRetries(connection, request, async (attempt) => {
    // A header would make a browser send a preflight request, which plain hosts refuse.
    const response = await connection.fetch(url, { signal: attempt });
    const document = (await response.json().catch((error: unknown) => {
      if (error instanceof SyntaxError) return null;
      throw error;
    })) as T | null;
    if (!response.ok) throw statusError(url, response.status, document);
    if (document && isAnswer(document)) return document;
    const reason = 'the answer is not the one to this question';
    throw new ClientError('wrong-answer', url, reason, { status: response.status });
  });
}

/**
 * Calls `send` with the signal of an attempt, again after a network error, a timeout or a status of
 * 5xx. Rejects with a {@link ClientError}, or with the reason of `signal`.
 */
export async function withRetries<T>(
  { timeout, retries, sleep }: Connection,
  request: Request,
  send: (signal: Signal) => Promise<T>,
): Promise<T> {
  const { signal } = request;
  for (let attempt = 0; ; attempt++) {
    signal?.throwIfAborted();
    try {
      return await withTimeout(timeout, request, send);
    } catch (error) {
      signal?.throwIfAborted();
      const { code, status } = error as ClientError;
      const isTemporary = code === 'network' || code === 'timeout' || (status ?? 0) >= 500;
      if (attempt >= retries || !isTemporary) throw error;
    }
    // The random part keeps clients that failed together from coming back together.
    await sleep(250 * 2 ** attempt * (1 + Math.random()), signal);
  }
}

async function withTimeout<T>(
  timeout: number,
  { url, signal }: Request,
  send: (signal: Signal) => Promise<T>,
): Promise<T> {
  const aborter = new AbortController();
  // A timer of more than 25 days ends at once.
  const timer = setTimeout(() => aborter.abort(), Math.min(timeout, 2 ** 31 - 1));
  try {
    return await send(AbortSignal.any([aborter.signal, ...(signal ? [signal] : [])]));
  } catch (error) {
    if (error instanceof ClientError) throw error;
    throw aborter.signal.aborted
      ? new ClientError('timeout', url, `no answer within ${timeout} ms`, { cause: error })
      : new ClientError('network', url, 'the request failed', { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** Waits, or until the signal aborts: then no attempt follows. */
async function pause(milliseconds: number, signal?: Signal): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
}

/**
 * Returns the error for a status that is not a success, in the words of the problem document if
 * there is one.
 */
export function statusError(url: string, status: number, document: unknown): ClientError {
  const { detail } = (document ?? {}) as { detail?: unknown };
  const isMissing = status === 404;
  const fallback = isMissing
    ? 'no such category, genre or service'
    : `answered with status ${status}`;
  return new ClientError(
    isMissing ? 'not-found' : 'http',
    url,
    typeof detail === 'string' ? detail : fallback,
    { status },
  );
}
