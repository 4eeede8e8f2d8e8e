import type { NowDocument } from '../api/documents.ts';
import { maxEvents } from '../api/paths.ts';
import { earliest, listIn, toContent, type Content } from './list.ts';

/** An event of a list, as the text of its record. Instants are in UTC in one format, so they compare as texts. */
interface Listed {
  readonly record: string;
  readonly id: string;
  /** When it begins, or stops being upcoming. */
  readonly begins: string;
  readonly over: string;
}

/**
 * Returns the events that are under way at `now` (milliseconds since the Unix epoch): those of the published list that
 * are not over, and those of the list of upcoming events that have begun since.
 *
 * @param etag the ETag of the published list on its host, or null
 * @param upcoming the bytes of the list of upcoming events of the same scope
 */
export async function currentContent(
  bytes: ArrayBuffer,
  etag: string | null,
  upcoming: ArrayBuffer,
  now: number,
): Promise<Content> {
  const instant = new Date(now).toISOString();
  const published = eventsIn(bytes);
  const left = published.filter(({ over }) => over > instant);
  const coming = eventsIn(upcoming).filter(({ over }) => over > instant);
  const begun = coming.filter(({ begins }) => begins <= instant);
  const expiry = earliest([
    ...[...left, ...begun].map(({ over }) => over),
    ...coming.flatMap(({ begins }) => (begins > instant ? [begins] : [])),
  ]);
  if (left.length === published.length && begun.length === 0) return toContent(new Uint8Array(bytes), etag, expiry);
  const document = JSON.parse(`${listIn(bytes).head}]}`) as NowDocument;
  const total = document.total - published.length + left.length + begun.length;
  const envelope = JSON.stringify({ ...document, total });
  const records = [...left, ...begun].sort(byEnd).slice(0, maxEvents);
  const text = `${envelope.slice(0, -']}'.length)}${records.map(({ record }) => record).join(',')}]}\n`;
  return toContent(new TextEncoder().encode(text), null, expiry);
}

/** Returns the events of a list whose ends are known. */
function eventsIn(bytes: ArrayBuffer): Listed[] {
  const { records, expiries } = listIn(bytes);
  return records.flatMap((record, index) => {
    const over = /"over_at":"([^"]+)"/.exec(record)?.[1];
    const id = /^\{"id":"([^"]+)"/.exec(record)?.[1] ?? '';
    return over === undefined ? [] : [{ record, id, begins: expiries[index] ?? '', over }];
  });
}

function byEnd(a: Listed, b: Listed): number {
  const [x, y] = [`${a.over} ${a.id}`, `${b.over} ${b.id}`];
  return x < y ? -1 : x > y ? 1 : 0;
}
