import type { EventRecord } from '../api/documents.ts';
import { states, type State } from '../catalogue/state.ts';
import { parseJson } from '../catalogue/text.ts';
import { ProblemError } from '../problem/problem.ts';
import type { Site } from './site.ts';

/** A line of a file. It counts from 1. */
export type Line = { readonly text: string; readonly line: number };

const maxLine = 1024 ** 2;

/** The maximum size in bytes of the events of a genre. A genre of half a million events has about this size. */
const maxGenreBytes = 256 * 1024 ** 2;

/**
 * Reads the events of a file that has one on each line. If there is no such file, there are none. This and parsing throw
 * the problem `site-line-invalid`.
 *
 * @param onDamage called for what cannot be read, which is then left out, instead of throwing the problem
 */
export async function readEvents(site: Site, path: string, onDamage?: (reason: string) => void) {
  const file = `${site.name}/${path}`;
  const blocks = await site.blocks(path);
  const texts = new Map<string, string>();
  const stateOf = new Map<string, State>();
  const refuse = (line: number, found: string): void => {
    if (onDamage === undefined) throw invalidLine(file, line, found);
    onDamage(`found ${found}${line === 1 ? '' : ` in line ${line}`}`);
  };
  const onLimit = (): void => refuse(1, `more than ${maxGenreBytes.toLocaleString('en-US')} bytes`);
  for await (const { text, line } of linesOf(file, upTo(maxGenreBytes, blocks ?? [], onLimit), refuse)) {
    // Most lines need not be parsed.
    const id = /^\{"id":"([a-z0-9-]+\/[a-z0-9-]+\/[a-z0-9-]+)"/.exec(text)?.[1] ?? parseEvent(text)?.id;
    if (id === undefined) {
      refuse(line, noRecord);
      continue;
    }
    const [record, state] = splitState(text);
    texts.set(id, record);
    stateOf.set(id, state);
  }
  const parse = (id: string): EventRecord => {
    const record = parseEvent(texts.get(id) ?? '');
    if (record === null) throw invalidLine(file, [...texts.keys()].indexOf(id) + 1, noRecord);
    return record;
  };
  return { texts, stateOf, parse, isMissing: blocks === null };
}

/** Splits a line into the JSON of its record and its state, which is the last field. An older almanac wrote none. */
function splitState(line: string): readonly [record: string, state: State] {
  const [ending, name] = /,"state":"([a-z_]+)"\}$/.exec(line) ?? [];
  const state = states.find((one) => one === name);
  return ending === undefined || state === undefined
    ? [line, 'upcoming']
    : [`${line.slice(0, -ending.length)}}`, state];
}

/** Passes blocks on until they have too many bytes. */
async function* upTo(most: number, blocks: AsyncIterable<Buffer> | Iterable<Buffer>, onLimit: () => void) {
  let bytes = 0;
  for await (const block of blocks) {
    bytes += block.length;
    if (bytes > most) {
      onLimit();
      return;
    }
    yield block;
  }
}

/** Splits a text into lines as its blocks arrive. Calls `refuse`, which throws by default, for one that is too long. */
export async function* linesOf(
  file: string,
  blocks: AsyncIterable<Buffer> | Iterable<Buffer>,
  refuse: (line: number, found: string) => void = (line, found) => {
    throw invalidLine(file, line, found);
  },
): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  let rest = '';
  let line = 0;
  for await (const block of blocks) {
    const lines = (rest + decoder.decode(block, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) yield { text, line: ++line };
    if (rest.length <= maxLine) continue;
    refuse(line + 1, `a line of more than ${maxLine.toLocaleString('en-US')} characters`);
    return;
  }
  if (rest !== '') yield { text: rest, line: line + 1 };
}

function invalidLine(file: string, line: number, found: string): ProblemError {
  return new ProblemError([{ code: 'site-line-invalid', place: { file, line, column: 1 }, found }]);
}

const noRecord = 'a line that is not the record of an event';

function parseEvent(text: string): EventRecord | null {
  const record = parseJson(text) as Partial<EventRecord> | null | undefined;
  const { id, title, subject, genre, category, upcoming_until: until } = record ?? {};
  const texts: readonly unknown[] = [id, title, genre, category, until, subject?.id, subject?.name];
  const isValid = texts.every((one) => typeof one === 'string') && !Number.isNaN(Date.parse(until ?? ''));
  return isValid ? (record as EventRecord) : null;
}
