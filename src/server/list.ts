import type { EventsDocument } from '../api/documents.ts';

/** A published list of events, taken apart into the texts of its records. */
export interface List {
  /** The document as it is written before its records. */
  readonly head: string;
  readonly records: readonly string[];
  /** When each record stops being upcoming, as it is written: in UTC, so that the order of the texts is that of time. */
  readonly untils: readonly string[];
  /** The same, soonest first. */
  readonly passing: readonly string[];
}

/** Takes a published list apart. */
export function openList(published: Uint8Array): List {
  const text = new TextDecoder().decode(published);
  // Exact without a parse, which took half of the time: in JSON, no text inside a string can hold these unescaped quotes.
  const start = text.indexOf(eventsKey) + eventsKey.length;
  const list = text.slice(start, text.lastIndexOf(']'));
  const records = list === '' ? [] : list.split(/,(?=\{"id":")/);
  const untils = records.map(untilOf);
  return { head: text.slice(0, start), records, untils, passing: untils.toSorted() };
}

/** How many events of a list are no longer upcoming at `now` (milliseconds since 1970). */
export function countOver({ passing }: List, now: number): number {
  const asText = new Date(now).toISOString();
  let over = 0;
  while (over < passing.length && (passing[over] ?? '') <= asText) over++;
  return over;
}

/**
 * A list as a document: without its first `over` events to pass, and then without all beyond the limit. `until` is when
 * the first event that is left stops being upcoming, as written; null where none is left.
 */
export function cutList(list: List, over: number, limit: number): { text: string; until: string | null } {
  const { head, records, untils, passing } = list;
  // Events that pass at one instant pass together.
  const last = passing[over - 1] ?? '';
  const left: number[] = [];
  for (let index = 0; index < records.length && left.length < limit; index++) {
    if ((untils[index] ?? '') > last) left.push(index);
  }
  const document = JSON.parse(`${head}]}`) as EventsDocument;
  const text = JSON.stringify({ ...document, limit, total: document.total - over });
  const events = left.map((index) => records[index]).join(',');
  const [until = null] = left.map((index) => untils[index] ?? '').toSorted();
  return { text: `${text.slice(0, -']}'.length)}${events}]}\n`, until };
}

const eventsKey = '"events":[';

/** When a record stops being upcoming, as written. */
function untilOf(record: string): string {
  return /"upcoming_until":"([^"]+)"/.exec(record)?.[1] ?? '';
}
