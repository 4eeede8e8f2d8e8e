import { parseUrl } from '../../catalogue/url.ts';
import { inTime, LateError, mayPass, noAnswerReason, readBody, wishOf } from '../../system/http.ts';
import { hasCredentials, isSourceUrl, withoutCredentials } from '../rules.ts';

/** How a source is fetched, and how long anyone waits for it. */
export interface FetchLimits {
  /** Milliseconds for one attempt, from its first byte to its last. */
  readonly timeout: number;
  readonly mostBytes: number;
  readonly retries: number;
  /** Waits between two attempts, in milliseconds. */
  readonly wait: (milliseconds: number) => Promise<void>;
}

/** What an earlier answer said of itself, to ask only for a newer one. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export type FetchResult =
  | ({ readonly kind: 'fetched'; readonly content: Uint8Array } & Validators)
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'failed'; readonly reason: string };

/** Fetches a source, and tries again where trying again may help. */
export async function fetchSource(url: string, known: Validators | null, limits: FetchLimits): Promise<FetchResult> {
  for (let attempt = 0; ; attempt++) {
    const { result, retryAfter } = await attemptFetch(url, known, limits);
    if (retryAfter === null || attempt >= limits.retries) return result;
    await limits.wait(Math.min(Math.max(retryAfter, 1000 * 4 ** attempt), longestWait));
  }
}

const longestWait = 30_000;
const mostRedirects = 5;
const unasked = 'the status 304 (unchanged) to a request that did not ask for what is newer';

/** `retryAfter`: milliseconds that the source asks to be left alone, 0 where it does not say; null: trying again is in vain. */
interface Attempt {
  readonly result: FetchResult;
  readonly retryAfter: number | null;
}

async function attemptFetch(url: string, known: Validators | null, limits: FetchLimits): Promise<Attempt> {
  try {
    return await inTime(limits.timeout, async (signal) => {
      const response = await follow(url, known, signal);
      return typeof response === 'string' ? failed(response, null) : read(response, known, limits);
    });
  } catch (error) {
    return failed(error instanceof LateError ? error.message : `no answer: ${noAnswerReason(error)}`, 0);
  }
}

/** The answer at the end of all redirects, or why they were not followed. */
async function follow(start: string, known: Validators | null, signal: AbortSignal): Promise<Response | string> {
  let url = start;
  for (let redirects = 0; ; redirects++) {
    const response = await fetch(url, { redirect: 'manual', signal, headers: headersFor(known) });
    const location = locationIn(response.headers);
    if (response.status < 300 || response.status > 399 || response.status === 304 || location === null) return response;
    await response.body?.cancel();
    if (redirects === mostRedirects)
      return `more than ${mostRedirects} redirects, the last one to ${withoutCredentials(location)}`;
    const next = parseUrl(location, url)?.href ?? location;
    if (!mayFollow(url, next))
      return `a redirect to ${withoutCredentials(next)}; only https is followed, and no password`;
    url = next;
  }
}

/** Where a redirect leads. `Headers` makes a character of each byte, and servers write such addresses in UTF-8. */
function locationIn(headers: Headers): string | null {
  const location = headers.get('location');
  return location === null ? null : Buffer.from(location, 'latin1').toString();
}

/** Only https is followed, without a user name, which `fetch` takes from nobody; http stays on this machine, where it began there. */
function mayFollow(from: string, to: string): boolean {
  if (hasCredentials(to)) return false;
  return to.startsWith('https:') || (from.startsWith('http:') && isSourceUrl(to));
}

function headersFor(known: Validators | null): Record<string, string> {
  return {
    accept: 'text/calendar, text/csv, text/plain;q=0.5, */*;q=0.1',
    'user-agent': 'almanac',
    ...(known?.etag && { 'if-none-match': known.etag }),
    ...(known?.lastModified && { 'if-modified-since': known.lastModified }),
  };
}

async function read(response: Response, known: Validators | null, { mostBytes }: FetchLimits): Promise<Attempt> {
  const { status, headers } = response;
  if (status === 304) {
    // To a server that answers so unasked there is nothing to hold on to.
    const wasAsked = Boolean(known?.etag || known?.lastModified);
    return wasAsked ? { result: { kind: 'unchanged' }, retryAfter: null } : failed(unasked, null);
  }
  if (status !== 200) {
    await response.body?.cancel();
    return failed(`the status ${status}`, mayPass(status) ? wishOf(headers) : null);
  }
  const content = await readBody(response, mostBytes);
  if (content === null) return failed(`more than ${mostBytes.toLocaleString('en-US')} bytes`, null);
  const validators = { etag: headers.get('etag'), lastModified: headers.get('last-modified') };
  return { result: { kind: 'fetched', content, ...validators }, retryAfter: null };
}

function failed(reason: string, retryAfter: number | null): Attempt {
  return { result: { kind: 'failed', reason }, retryAfter };
}
