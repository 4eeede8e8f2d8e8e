import { formatPath, formats } from '../api/formats.ts';
import type { EventRecord } from '../api/documents.ts';
import type { Filters } from '../api/paths.ts';
import { ProblemError } from '../problem/problem.ts';
import type { Site } from './site.ts';

/** A line of `events.ndjson`. */
export interface Line {
  readonly text: string;
  /** Its number, from 1. */
  readonly line: number;
}

/** The lines of a genre by the ids of their events. */
export interface GenreLines {
  readonly genre: string;
  readonly lines: ReadonlyMap<string, Line>;
}

/** The maximum number of characters of a line. */
const maxLine = 1024 ** 2;

/** Reads every event of a site, genre by genre in the order of their ids. One genre is in memory at a time. */
export class SiteEvents {
  readonly path: string;
  readonly #lines: AsyncGenerator<Line>;
  /** The first line of the next genre; null before the first and after the last one. */
  #ahead: { readonly genre: string; readonly id: string; readonly line: Line } | null = null;
  #isBegun = false;

  private constructor(path: string, blocks: AsyncIterable<Buffer> | Iterable<Buffer>) {
    this.path = path;
    this.#lines = linesOf(path, blocks);
  }

  /** Returns null if the site has no such file. */
  static async open(site: Site, filters: Filters = {}): Promise<SiteEvents | null> {
    const path = formatPath(formats.ndjson, filters);
    const blocks = await site.blocks(path);
    return blocks && new SiteEvents(`${site.name}/${path}`, blocks);
  }

  /** Returns the next genre. Null after the last one. */
  async next(): Promise<GenreLines | null> {
    if (!this.#isBegun) await this.#advance();
    const first = this.#ahead;
    if (first === null) return null;
    const lines = new Map([[first.id, first.line]]);
    for (;;) {
      const ahead = await this.#advance();
      if (ahead?.genre !== first.genre) break;
      lines.set(ahead.id, ahead.line);
    }
    if (this.#ahead !== null && this.#ahead.genre < first.genre)
      throw this.invalid(this.#ahead.line, 'an event of a genre that should come before');
    return { genre: first.genre, lines };
  }

  /** Returns the event of a line. Throws the problem `site-line-invalid` if it has none. */
  parse(line: Line): EventRecord {
    const record = parseRecord(line.text);
    if (record !== null) return record;
    throw this.invalid(line, 'a line that is not the record of an event');
  }

  invalid({ line }: Line, found: string): ProblemError {
    return new ProblemError([{ code: 'site-line-invalid', place: { file: this.path, line, column: 1 }, found }]);
  }

  async #advance() {
    this.#isBegun = true;
    const { value: line, done } = await this.#lines.next();
    if (done) return (this.#ahead = null);
    // Most lines need not be parsed.
    const id = /^\{"id":"([a-z0-9-]+\/[a-z0-9-]+\/[a-z0-9-]+)"/.exec(line.text)?.[1] ?? this.parse(line).id;
    return (this.#ahead = { id, genre: id.slice(0, id.indexOf('/')), line });
  }
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

async function* linesOf(path: string, blocks: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  let rest = '';
  let line = 0;
  for await (const block of blocks) {
    const parts = (rest + decoder.decode(block, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    for (const text of parts) yield { text, line: ++line };
    if (rest.length <= maxLine) continue;
    const found = `a line of more than ${maxLine.toLocaleString('en-US')} characters`;
    throw new ProblemError([{ code: 'site-line-invalid', place: { file: path, line: line + 1, column: 1 }, found }]);
  }
  if (rest !== '') yield { text: rest, line: line + 1 };
}
