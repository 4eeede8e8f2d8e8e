import { formatPath, formats } from '../api/formats.ts';
import type { EventRecord } from '../api/documents.ts';
import { ProblemError } from '../problem/problem.ts';
import type { Site } from './site.ts';

/** A line of `events.ndjson`. */
export interface Line {
  readonly text: string;
  /** Its number, from 1. */
  readonly line: number;
}

/** The maximum number of characters of a line. */
const maxLine = 1024 ** 2;

/** The events of a genre of a site, from the file that has all of them. */
export class GenreEvents {
  readonly #path: string;
  /** By the ids of their events. */
  readonly lines: ReadonlyMap<string, Line>;

  private constructor(path: string, lines: ReadonlyMap<string, Line>) {
    this.#path = path;
    this.lines = lines;
  }

  /** Reads the events of a genre. A genre without the file has none. */
  static async read(site: Site, genre: string): Promise<GenreEvents> {
    const path = formatPath(formats.ndjson, { genre });
    const lines = new Map<string, Line>();
    const events = new GenreEvents(`${site.name}/${path}`, lines);
    for await (const line of linesOf(events.#path, (await site.blocks(path)) ?? [])) {
      // Most lines need not be parsed.
      const id = /^\{"id":"([a-z0-9-]+\/[a-z0-9-]+\/[a-z0-9-]+)"/.exec(line.text)?.[1] ?? events.parse(line).id;
      lines.set(id, line);
    }
    return events;
  }

  /** Returns the event of a line. Throws the problem `site-line-invalid` if it has none. */
  parse({ text, line }: Line): EventRecord {
    const record = parseRecord(text);
    if (record !== null) return record;
    throw invalidLine(this.#path, line, 'a line that is not the record of an event');
  }
}

function invalidLine(file: string, line: number, found: string): ProblemError {
  return new ProblemError([{ code: 'site-line-invalid', place: { file, line, column: 1 }, found }]);
}

/** Whether an event is over at `now` (milliseconds since the Unix epoch). */
export function isOver({ over_at, upcoming_until }: EventRecord, now: number): boolean {
  return Date.parse(over_at ?? upcoming_until) <= now;
}

function parseRecord(text: string): EventRecord | null {
  try {
    const record = JSON.parse(text) as Partial<EventRecord> | null;
    const { id, title, subject, genre, category, upcoming_until: until } = record ?? {};
    const texts: readonly unknown[] = [id, title, genre, category, until, subject?.id, subject?.name];
    const isValid = texts.every((one) => typeof one === 'string') && !Number.isNaN(Date.parse(until ?? ''));
    return isValid ? (record as EventRecord) : null;
  } catch {
    return null;
  }
}

/** Splits a text into lines as its blocks arrive. Throws the problem `site-line-invalid` for a line that is too long. */
export async function* linesOf(path: string, blocks: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  let rest = '';
  let line = 0;
  for await (const block of blocks) {
    const parts = (rest + decoder.decode(block, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    for (const text of parts) yield { text, line: ++line };
    if (rest.length <= maxLine) continue;
    throw invalidLine(path, line + 1, `a line of more than ${maxLine.toLocaleString('en-US')} characters`);
  }
  if (rest !== '') yield { text: rest, line: line + 1 };
}
