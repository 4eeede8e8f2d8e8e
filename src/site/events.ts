import type { EventRecord } from '../api/documents.ts';
import { formatPath, formats } from '../api/formats.ts';
import { ProblemError } from '../problem/problem.ts';
import type { Site } from './site.ts';

/** A line of a file. It counts from 1. */
export interface Line {
  readonly text: string;
  readonly line: number;
}

/** The maximum number of characters of a line. */
const maxLine = 1024 ** 2;

/**
 * Reads the events of a genre from the file that has all of them. A genre without the file has none. This and parsing
 * throw the problem `site-line-invalid`.
 */
export async function readEvents(site: Site, genre: string) {
  const path = formatPath(formats.ndjson, { genre });
  const file = `${site.name}/${path}`;
  const texts = new Map<string, string>();
  for await (const { text, line } of linesOf(file, (await site.blocks(path)) ?? [])) {
    // Most lines need not be parsed.
    const id = /^\{"id":"([a-z0-9-]+\/[a-z0-9-]+\/[a-z0-9-]+)"/.exec(text)?.[1] ?? parseEvent(text)?.id;
    if (id === undefined) throw invalidLine(file, line, noRecord);
    texts.set(id, text);
  }
  const parse = (id: string): EventRecord => {
    const record = parseEvent(texts.get(id) ?? '');
    if (record === null) throw invalidLine(file, [...texts.keys()].indexOf(id) + 1, noRecord);
    return record;
  };
  return { texts, parse };
}

/** Splits a text into lines as its blocks arrive. Throws the problem `site-line-invalid` for a line that is too long. */
export async function* linesOf(file: string, blocks: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  let rest = '';
  let line = 0;
  for await (const block of blocks) {
    const lines = (rest + decoder.decode(block, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) yield { text, line: ++line };
    if (rest.length <= maxLine) continue;
    throw invalidLine(file, line + 1, `a line of more than ${maxLine.toLocaleString('en-US')} characters`);
  }
  if (rest !== '') yield { text: rest, line: line + 1 };
}

function invalidLine(file: string, line: number, found: string): ProblemError {
  return new ProblemError([{ code: 'site-line-invalid', place: { file, line, column: 1 }, found }]);
}

const noRecord = 'a line that is not the record of an event';

function parseEvent(text: string): EventRecord | null {
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
