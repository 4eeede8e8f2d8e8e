import type { EventsDocument } from '../api/documents.ts';

/** A published list of events, taken apart into the texts of its records. Instants in milliseconds since 1970. */
export interface List {
  /** The document as it is written before its records. */
  readonly head: string;
  readonly records: readonly string[];
  /** When each record stops being upcoming. */
  readonly untils: readonly number[];
  /** The same, soonest first. */
  readonly passing: readonly number[];
}

/** What is left of a list. */
export interface Cut {
  readonly text: string;
  /** When the first event that is left stops being upcoming; Infinity where none is left. */
  readonly until: number;
}

/** Takes a published list apart. */
export function openList(published: Uint8Array): List {
  const text = new TextDecoder().decode(published);
  // Exact without a parse, which took half of the time: in JSON, no text inside a string can hold these unescaped quotes.
  const start = text.indexOf(eventsKey) + eventsKey.length;
  const list = text.slice(start, text.lastIndexOf(']'));
  const records = list === '' ? [] : list.split(/,(?=\{"id":")/);
  const untils = records.map(untilOf);
  return { head: text.slice(0, start), records, untils, passing: untils.toSorted((a, b) => a - b) };
}

/** How many events of a list are no longer upcoming at `now`. */
export function countOver({ passing }: List, now: number): number {
  let over = 0;
  while (over < passing.length && (passing[over] ?? 0) <= now) over++;
  return over;
}

/** The list as a document without what is no longer upcoming at `now`, and then without all beyond the limit. */
export function cutList(list: List, limit: number, now: number): Cut {
  const { head, records, untils } = list;
  const left: string[] = [];
  let until = Infinity;
  for (let index = 0; index < records.length && left.length < limit; index++) {
    const passes = untils[index] ?? 0;
    if (passes <= now) continue;
    left.push(records[index] ?? '');
    until = Math.min(until, passes);
  }
  const document = JSON.parse(`${head}]}`) as EventsDocument;
  const text = JSON.stringify({ ...document, limit, total: document.total - countOver(list, now) });
  return { text: `${text.slice(0, -']}'.length)}${left.join(',')}]}\n`, until };
}

const eventsKey = '"events":[';

/** When a record stops being upcoming, which each one says. */
function untilOf(record: string): number {
  return Date.parse(/"upcoming_until":"([^"]+)"/.exec(record)?.[1] ?? '1970');
}
