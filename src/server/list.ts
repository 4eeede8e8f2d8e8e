import { currentAt, currentUntil, nextAt, upcomingAt } from '../api/current.ts';
import type { EventsDocument, NextDocument, NowDocument } from '../api/documents.ts';
import { listLimit } from '../api/paths.ts';

export interface Content {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly etag: string;
  /** When the next event stops being upcoming, in milliseconds since the Unix epoch; Infinity if none does. */
  readonly expiresAt: number;
}

/** Returns the bytes of a file unchanged, with the ETag of the host or, if that is null, a hash of the bytes. */
export function wholeContent(bytes: ArrayBuffer, etag: string | null): Promise<Content> {
  return cached(bytes, 'whole', () => toContent(new Uint8Array(bytes), etag, Infinity));
}

/** Returns a published list with at most `limit` events, all upcoming at `now`; the same bytes if nothing changes. */
export function filteredContent(bytes: ArrayBuffer, etag: string | null, limit: number, now: number): Promise<Content> {
  const { list, untils } = listIn(bytes);
  // The limit and the number of expired events determine the content.
  const expired = untils.filter((until) => until <= now).length;
  return cached(bytes, `${limit} ${expired}`, () => {
    const document = upcomingAt(list, limit, now);
    const expiry = Math.min(...document.events.map((event) => Date.parse(event.upcoming_until)));
    const isSame = expired === 0 && limit === listLimit;
    return isSame ? toContent(new Uint8Array(bytes), etag, expiry) : toContent(encode(document), null, expiry);
  });
}

/** Returns the events under way at `now`, from the published list of them and that of upcoming events. */
export function currentContent(
  bytes: ArrayBuffer,
  etag: string | null,
  upcomingBytes: ArrayBuffer,
  now: number,
): Promise<Content> {
  const [published, { list }] = [parse(bytes) as NowDocument, listIn(upcomingBytes)];
  const current = currentAt(published, list, now);
  const isSame = current === published;
  const body = isSame ? new Uint8Array(bytes) : encode(current);
  return toContent(body, isSame ? etag : null, currentUntil(current.events, list, now));
}

/** Returns the soonest events at `now`, from the published list of them and that of all upcoming events. */
export function nextContent(
  bytes: ArrayBuffer,
  _etag: string | null,
  upcomingBytes: ArrayBuffer,
  now: number,
): Promise<Content> {
  const { list } = listIn(upcomingBytes);
  const next = nextAt(parse(bytes) as NextDocument, list, now);
  return toContent(encode(next), null, currentUntil(next.now, list, now));
}

/** Returns the list in a file, and when each of its events stops being upcoming. */
function listIn(bytes: ArrayBuffer): List {
  const cache = cacheOf(bytes);
  if (cache.list !== undefined) return cache.list;
  const list = parse(bytes) as EventsDocument;
  return (cache.list = { list, untils: list.events.map((event) => Date.parse(event.upcoming_until)) });
}

interface List {
  readonly list: EventsDocument;
  /** Milliseconds since the Unix epoch. */
  readonly untils: readonly number[];
}

function encode(document: object): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${JSON.stringify(document)}\n`);
}

function parse(bytes: ArrayBuffer): unknown {
  return JSON.parse(new TextDecoder().decode(bytes));
}

/** Results computed from the bytes of a file. They are released together with the bytes. */
interface Cache {
  list?: List;
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

async function toContent(body: Uint8Array<ArrayBuffer>, etag: string | null, expiresAt: number): Promise<Content> {
  return { body, etag: etag || (await hash(body)), expiresAt };
}

async function hash(body: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', body));
  return `"${Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('')}"`;
}
