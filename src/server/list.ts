import { currentAt, currentUntil } from '../api/current.ts';
import type { EventsDocument, NowDocument } from '../api/documents.ts';
import { listLimit } from '../api/paths.ts';

/** The body of a reply. */
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
  const list = (cacheOf(bytes).list ??= parseList(bytes));
  const instant = new Date(now).toISOString();
  const expired = countExpired(list, instant);
  // The limit and the number of expired events determine the content.
  return cached(bytes, `${limit} ${expired}`, () => {
    if (expired === 0 && limit === listLimit) return toContent(new Uint8Array(bytes), etag, list.firstExpiry);
    const { text, firstExpiry } = filterList(list, instant, expired, limit);
    return toContent(new TextEncoder().encode(text), null, firstExpiry);
  });
}

/** Returns the events under way at `now`, from the published list of them and that of upcoming events. */
export async function currentContent(
  bytes: ArrayBuffer,
  etag: string | null,
  upcomingBytes: ArrayBuffer,
  now: number,
): Promise<Content> {
  const [published, upcoming] = [bytes, upcomingBytes].map((one) => JSON.parse(new TextDecoder().decode(one))) as [
    NowDocument,
    EventsDocument,
  ];
  const current = currentAt(published, upcoming, now);
  const isSame = current === published;
  const body = isSame ? new Uint8Array(bytes) : new TextEncoder().encode(`${JSON.stringify(current)}\n`);
  return { ...(await toContent(body, isSame ? etag : null, null)), expiresAt: currentUntil(current, upcoming, now) };
}

/** A published list of events, split into the JSON texts of its records. */
interface EventList {
  /** The text before the first record. */
  readonly head: string;
  readonly records: readonly string[];
  /** The `upcoming_until` of each record. All are in UTC in the same format, so they compare as texts. */
  readonly expiries: readonly string[];
  /** The earliest `upcoming_until`; null if the list is empty. */
  readonly firstExpiry: string | null;
}

function parseList(bytes: ArrayBuffer): EventList {
  const text = new TextDecoder().decode(bytes);
  // JSON escapes quotes inside strings, so these patterns only match keys. JSON.parse takes twice as long.
  const start = text.indexOf(eventsKey) + eventsKey.length;
  const array = text.slice(start, text.lastIndexOf(']'));
  const records = array === '' ? [] : array.split(/,(?=\{"id":")/);
  const expiries = records.map((record) => /"upcoming_until":"([^"]+)"/.exec(record)?.[1] ?? '');
  return { head: text.slice(0, start), records, expiries, firstExpiry: earliest(expiries) };
}

const eventsKey = '"events":[';

function countExpired({ expiries, firstExpiry }: EventList, instant: string): number {
  if (firstExpiry === null || firstExpiry > instant) return 0;
  return expiries.filter((expiry) => expiry <= instant).length;
}

/**
 * Returns the document of the events that are still upcoming, at most `limit`, with `expired` subtracted from its
 * total.
 */
function filterList({ head, records, expiries }: EventList, instant: string, expired: number, limit: number) {
  const upcoming: number[] = [];
  for (let index = 0; index < records.length && upcoming.length < limit; index++) {
    if ((expiries[index] ?? '') > instant) upcoming.push(index);
  }
  const document = JSON.parse(`${head}]}`) as EventsDocument;
  const text = JSON.stringify({ ...document, limit, total: document.total - expired });
  const events = upcoming.map((index) => records[index]).join(',');
  const firstExpiry = earliest(upcoming.map((index) => expiries[index] ?? ''));
  return { text: `${text.slice(0, -']}'.length)}${events}]}\n`, firstExpiry };
}

function earliest(expiries: readonly string[]): string | null {
  let first: string | null = null;
  for (const expiry of expiries) if (first === null || expiry < first) first = expiry;
  return first;
}

/** Results computed from the bytes of a file. They are released together with the bytes. */
interface Cache {
  list?: EventList;
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
