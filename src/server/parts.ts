import { maxEvents } from '../api/paths.ts';
import { countOver, cutList, openList, type List } from './list.ts';

/** What is answered of a published file. */
export interface Part {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly etag: string;
  /** Until when it holds, in milliseconds since 1970. */
  readonly until: number;
}

/** The bytes of a file as they are. `etag` is what their host says; where it says nothing, they are hashed. */
export function wholePart(bytes: ArrayBuffer, etag: string | null): Promise<Part> {
  return recall(bytes, 'whole', () => partOf(new Uint8Array(bytes), etag, null));
}

/** The events of a published list that are upcoming at `now`, at most `limit`. The very bytes, where that is all. */
export function listPart(bytes: ArrayBuffer, etag: string | null, limit: number, now: number): Promise<Part> {
  const list = listIn(bytes);
  const instant = new Date(now).toISOString();
  const over = countOver(list, instant);
  // The limit and how many are over tell what is left.
  return recall(bytes, `${limit} ${over}`, () => {
    if (over === 0 && limit === maxEvents) return partOf(new Uint8Array(bytes), etag, list.first);
    const { text, until } = cutList(list, instant, over, limit);
    return partOf(new TextEncoder().encode(text), null, until);
  });
}

/** What was made of the bytes of a file, for as long as whoever fetched them has them. */
interface Made {
  list?: List;
  /** What was answered last. */
  readonly parts: Map<string, Promise<Part>>;
}

const made = new WeakMap<ArrayBuffer, Made>();
const mostParts = 2;

function madeOf(bytes: ArrayBuffer): Made {
  let known = made.get(bytes);
  if (known === undefined) made.set(bytes, (known = { parts: new Map() }));
  return known;
}

function listIn(bytes: ArrayBuffer): List {
  return (madeOf(bytes).list ??= openList(new Uint8Array(bytes)));
}

function recall(bytes: ArrayBuffer, key: string, make: () => Promise<Part>): Promise<Part> {
  const { parts } = madeOf(bytes);
  let part = parts.get(key);
  if (part === undefined) {
    if (parts.size >= mostParts) parts.clear();
    parts.set(key, (part = make()));
  }
  return part;
}

/** `until` as written; null where it holds for ever. */
async function partOf(body: Uint8Array<ArrayBuffer>, etag: string | null, until: string | null): Promise<Part> {
  return { body, etag: etag || (await hashOf(body)), until: until === null ? Infinity : Date.parse(until) };
}

async function hashOf(body: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', body));
  return `"${Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('')}"`;
}
