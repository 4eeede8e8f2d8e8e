import { currentAt, currentUntil, nextAt, upcomingAt } from '../api/current.ts';
import type { EventsDocument, NextDocument, NowDocument } from '../api/documents.ts';
import { listLimit } from '../api/paths.ts';

export interface Content {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly etag: string;
  /**
   * When the next event stops being upcoming, in milliseconds since the Unix epoch; Infinity if
   * none does.
   */
  readonly expiresAt: number;
}

/**
 * Returns the bytes of a file unchanged, with the ETag of the host or, if that is null, a hash of
 * the bytes.
 */
export function wholeContent(bytes: ArrayBuffer, etag: string | null): Promise<Content> {
  return cached(bytes, 'whole', () => toContent(new Uint8Array(bytes), etag, Infinity));
}

/**
 * Returns a published list with at most `limit` events, all upcoming at `now`; the same bytes if
 * nothing changes.
 */
export function filteredContent(
  bytes: ArrayBuffer,
  etag: string | null,
  limit: number,
  now: number,
): Promise<Content> {
  const list = listIn(bytes);
  const time = new Date(now).toISOString();
  // The limit and the number of expired events determine the content.
  const expired = list.events.filter((event) => event.upcoming_until <= time).length;
  return cached(bytes, `${limit} ${expired}`, () => {
    const document = upcomingAt(list, limit, now);
    const expiry = Math.min(...document.events.map((event) => Date.parse(event.upcoming_until)));
    const isSame = expired === 0 && limit === listLimit;
    return isSame
      ? toContent(new Uint8Array(bytes), etag, expiry)
      : toContent(encode(document), null, expiry);
  });
}

/**
 * Returns `now.json` or `next.json` as of `now`, from the published file and the list of upcoming
 * events next to it.
 */
export function companionContent(
  bytes: ArrayBuffer,
  etag: string | null,
  upcomingBytes: ArrayBuffer,
  now: number,
): Promise<Content> {
  const published = parse(bytes) as NowDocument | NextDocument;
  const list = listIn(upcomingBytes);
  const current = isNext(published)
    ? nextAt(published, list, now)
    : currentAt(published, list, now);
  const expiry = currentUntil(isNext(current) ? current.now : current.events, list, now);
  return current === published
    ? toContent(new Uint8Array(bytes), etag, expiry)
    : toContent(encode(current), null, expiry);
}

function isNext(document: NowDocument | NextDocument): document is NextDocument {
  return 'now' in document;
}

/* Results computed from the bytes of a file, released together with the bytes. */
const lists = new WeakMap<ArrayBuffer, EventsDocument>();
const contents = new WeakMap<ArrayBuffer, Map<string, Promise<Content>>>();
const maxContents = 2;

function listIn(bytes: ArrayBuffer): EventsDocument {
  const list = lists.get(bytes) ?? (parse(bytes) as EventsDocument);
  lists.set(bytes, list);
  return list;
}

function cached(
  bytes: ArrayBuffer,
  key: string,
  compute: () => Promise<Content>,
): Promise<Content> {
  const cache = contents.get(bytes) ?? new Map<string, Promise<Content>>();
  const content = cache.get(key) ?? compute();
  if (cache.size >= maxContents) cache.clear();
  contents.set(bytes, cache.set(key, content));
  return content;
}

function encode(document: object): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${JSON.stringify(document)}\n`);
}

function parse(bytes: ArrayBuffer): unknown {
  return JSON.parse(new TextDecoder().decode(bytes));
}

async function toContent(
  body: Uint8Array<ArrayBuffer>,
  etag: string | null,
  expiresAt: number,
): Promise<Content> {
  return {
    body,
    etag: etag || (await hash(body)),
    expiresAt,
  };
}

async function hash(body: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', body));
  return `"${Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('')}"`;
}
