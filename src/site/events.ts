import type { EventRecord } from '../api/documents.ts';
import { formatPath, formats } from '../api/formats.ts';
import { ProblemError } from '../problem/problem.ts';
import type { Site } from './site.ts';

/** The maximum number of characters of a line. */
const maxLine = 1024 ** 2;

/**
 * Reads the events of a genre from the file that has all of them. A genre without the file has none. This and parsing
 * throw the problem `site-line-invalid`.
 */
export async function readEvents(site: Site, genre: string) {
  const path = formatPath(formats.ndjson, { genre });
  const texts = new Map<string, string>();
  const decoder = new TextDecoder();
  let rest = '';
  let line = 0;
  const invalid = (at: number, found: string): ProblemError =>
    new ProblemError([
      { code: 'site-line-invalid', place: { file: `${site.name}/${path}`, line: at, column: 1 }, found },
    ]);
  const add = (text: string): void => {
    line++;
    // Most lines need not be parsed.
    const id = /^\{"id":"([a-z0-9-]+\/[a-z0-9-]+\/[a-z0-9-]+)"/.exec(text)?.[1] ?? parseEvent(text)?.id;
    if (id === undefined) throw invalid(line, noRecord);
    texts.set(id, text);
  };
  for await (const block of (await site.blocks(path)) ?? []) {
    const lines = (rest + decoder.decode(block, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) add(text);
    if (rest.length > maxLine)
      throw invalid(line + 1, `a line of more than ${maxLine.toLocaleString('en-US')} characters`);
  }
  if (rest !== '') add(rest);
  const parse = (id: string): EventRecord => {
    const record = parseEvent(texts.get(id) ?? '');
    if (record === null) throw invalid([...texts.keys()].indexOf(id) + 1, noRecord);
    return record;
  };
  return { texts, parse };
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
