import type { EventsDocument } from '../api/documents.ts';

/** A published list of events, taken apart into the texts of its records. */
export interface List {
  /** The document as it is written before its records. */
  readonly head: string;
  readonly records: readonly string[];
  /** When each record stops being upcoming, as it is written: in UTC, so that the order of the texts is that of time. */
  readonly untils: readonly string[];
  /** The first of those; null where there is none. */
  readonly first: string | null;
}

/** What is left of a list. */
export interface Cut {
  readonly text: string;
  /** When the first event that is left stops being upcoming, as written; null where none is left. */
  readonly until: string | null;
}

/** Takes a published list apart. */
export function openList(published: Uint8Array): List {
  const text = new TextDecoder().decode(published);
  // Exact without a parse, which took half of the time: in JSON, no text inside a string can hold these unescaped quotes.
  const start = text.indexOf(eventsKey) + eventsKey.length;
  const list = text.slice(start, text.lastIndexOf(']'));
  const records = list === '' ? [] : list.split(/,(?=\{"id":")/);
  const untils = records.map(untilOf);
  return { head: text.slice(0, start), records, untils, first: firstOf(untils) };
}

/** How many events of a list are no longer upcoming at an instant, written as theirs are. */
export function countOver({ untils, first }: List, instant: string): number {
  // Until then, which is most of the time, there is nothing to count.
  if (first === null || first > instant) return 0;
  return untils.filter((until) => until <= instant).length;
}

/** A list as a document: without the `over` that are no longer upcoming at an instant, then without all beyond the limit. */
export function cutList({ head, records, untils }: List, instant: string, over: number, limit: number): Cut {
  const left: number[] = [];
  for (let index = 0; index < records.length && left.length < limit; index++) {
    if ((untils[index] ?? '') > instant) left.push(index);
  }
  const document = JSON.parse(`${head}]}`) as EventsDocument;
  const text = JSON.stringify({ ...document, limit, total: document.total - over });
  const events = left.map((index) => records[index]).join(',');
  const until = firstOf(left.map((index) => untils[index] ?? ''));
  return { text: `${text.slice(0, -']}'.length)}${events}]}\n`, until };
}

const eventsKey = '"events":[';

/** When a record stops being upcoming, as written. */
function untilOf(record: string): string {
  return /"upcoming_until":"([^"]+)"/.exec(record)?.[1] ?? '';
}

/** When the first of some events stops being upcoming, as written; null where there is none. */
function firstOf(untils: readonly string[]): string | null {
  let first: string | null = null;
  for (const until of untils) if (first === null || until < first) first = until;
  return first;
}
