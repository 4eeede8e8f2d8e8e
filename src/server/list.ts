import { currentAt, currentUntil } from '../api/current.ts';
import type { EventsDocument, NowDocument } from '../api/documents.ts';
import { listLimit } from '../api/paths.ts';

export interface Content {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly etag: string;
  /** When the next event stops being upcoming, in milliseconds since the Unix epoch; Infinity if none does. */
  readonly expiresAt: number;
}

/** Returns the bytes of a file unchanged, with the ETag of the host or, if that is null, a hash of the bytes. */
export function wholeContent(bytes: ArrayBuffer, etag: string | null): Promise<Content> {
  return cached(bytes, 'whole', () => toContent(new Uint8Array(bytes), etag, null));
}

/** Returns a published list with at most `limit` events, all upcoming at `now`; the same bytes if nothing changes. */
export function filteredContent(bytes: ArrayBuffer, etag: string | null, limit: number, now: number): Promise<Content> {
  const list = (cacheOf(bytes).list ??= parse(bytes) as EventsDocument);
  // All instants are in UTC in the same format, so they compare as texts.
  const instant = new Date(now).toISOString();
  const upcoming = list.events.filter((event) => event.upcoming_until > instant);
  const expired = list.events.length - upcoming.length;
  // The limit and the number of expired events determine the content.
  return cached(bytes, `${limit} ${expired}`, () => {
    const events = upcoming.slice(0, limit);
    const expiry = events.map((event) => event.upcoming_until).sort()[0] ?? null;
    if (expired === 0 && limit === listLimit) return toContent(new Uint8Array(bytes), etag, expiry);
    const text = JSON.stringify({ ...list, limit, total: list.total - expired, events });
    return toContent(new TextEncoder().encode(`${text}\n`), null, expiry);
  });
}

/** Returns the events under way at `now`, from the published list of them and that of upcoming events. */
export async function currentContent(
  bytes: ArrayBuffer,
  etag: string | null,
  upcomingBytes: ArrayBuffer,
  now: number,
): Promise<Content> {
  const [published, upcoming] = [parse(bytes) as NowDocument, parse(upcomingBytes) as EventsDocument];
  const current = currentAt(published, upcoming, now);
  const isSame = current === published;
  const body = isSame ? new Uint8Array(bytes) : new TextEncoder().encode(`${JSON.stringify(current)}\n`);
  return { ...(await toContent(body, isSame ? etag : null, null)), expiresAt: currentUntil(current, upcoming, now) };
}

function parse(bytes: ArrayBuffer): unknown {
  return JSON.parse(new TextDecoder().decode(bytes));
}

/** Results computed from the bytes of a file. They are released together with the bytes. */
interface Cache {
  list?: EventsDocument;
  readonly contents: Map<string, Promise<Content>>;
}

const caches = new WeakMap<ArrayBuffer, Cache>();
const maxContents = 2;

function cacheOf(bytes: ArrayBuffer): Cache {
  let cache = caches.get(bytes);
  if (cache === undefined) caches.set(bytes, (cache = { contents: new Map() }));
  return cache;
}

function cached(bytes: ArrayBuffer, key: string, compute: () => Promise<Content>): Promise<Content> {
  const { contents } = cacheOf(bytes);
  let content = contents.get(key);
  if (content === undefined) {
    if (contents.size >= maxContents) contents.clear();
    contents.set(key, (content = compute()));
  }
  return content;
}

async function toContent(body: Uint8Array<ArrayBuffer>, etag: string | null, expiry: string | null): Promise<Content> {
  return { body, etag: etag || (await hash(body)), expiresAt: expiry === null ? Infinity : Date.parse(expiry) };
}

async function hash(body: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', body));
  return `"${Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('')}"`;
}
