import type { Manifest } from '../api/documents.ts';
import { isZone } from '../catalogue/time/zone.ts';
import { isHttpsUrl } from '../catalogue/url.ts';
import type { EventText } from '../render/event-texts.ts';
import type { ListedEvent } from '../render/records.ts';
import { isPublished } from '../site/foreign.ts';
import type { CataloguePlan } from './options.ts';
import type { GenresResult } from './threads.ts';

/** What the build knows about a part, and what its files are. */
export interface PartContent {
  readonly catalogue: CataloguePlan;
  readonly result: GenresResult;
  readonly files: Manifest['files'];
}

/**
 * The texts in which a part is stored. In both, a map is a list of its entries. Lists name an event by its line, because
 * most events are in several lists, and `almanac join` parses few of them.
 */
export interface PartTexts {
  readonly content: string;
  /** A line for each event: its record, its own address, its offset and its calendar entry. */
  readonly events: string;
}

export function writeContent({ catalogue, result, files }: PartContent): PartTexts {
  let events = '';
  const lines = new Map<string, number>();
  const lineOf = ({ record, ownUrl, offset, json, calendar = '' }: ListedEvent & Partial<EventText>): number => {
    const known = lines.get(record.id);
    if (known !== undefined) return known;
    events += `[${json ?? JSON.stringify(record)},${JSON.stringify([ownUrl, offset, calendar]).slice(1)}\n`;
    lines.set(record.id, lines.size);
    return lines.size - 1;
  };
  const { search, ...pages } = result.pages;
  // The summaries come first, and events in them have calendar entries.
  const known = JSON.stringify({ catalogue, result: { ...result, pages } }, (_key, value: unknown) => {
    if (value instanceof Map) return [...(value as Map<unknown, unknown>)];
    return isListed(value) ? lineOf(value) : value;
  });
  // Long lists without events and maps are written faster on their own.
  return {
    content: `{"known":${known},"search":${JSON.stringify(search)},"files":${JSON.stringify(files)}}\n`,
    events,
  };
}

function isListed(value: unknown): value is ListedEvent {
  return typeof value === 'object' && value !== null && 'ownUrl' in value;
}

/** Throws why the content of a part cannot be used. */
export type Fail = (reason: string) => never;

/** The category of each genre, by id. */
type Genres = ReadonlyMap<string, string>;

/** Returns the events in some lines, which must be of genres that are known when an event is needed. */
export function lazyEvents(lines: Buffer, genres: Genres, fail: Fail): EventText[] {
  const parseLine = (line: Buffer): EventText => parseEvent(line, genres) ?? fail('it has an event that is not valid');
  const events: EventText[] = [];
  for (let start = 0, end; (end = lines.indexOf(10, start)) >= 0; start = end + 1)
    events.push(new LazyEvent(lines.subarray(start, end), parseLine));
  return events;
}

/** An event that is parsed when it is first needed. */
class LazyEvent implements EventText {
  #line: Buffer | null;
  #event: EventText | null = null;
  readonly #parse: (line: Buffer) => EventText;

  constructor(line: Buffer, parseLine: (line: Buffer) => EventText) {
    this.#line = line;
    this.#parse = parseLine;
  }

  get record() {
    return this.#get().record;
  }

  get ownUrl() {
    return this.#get().ownUrl;
  }

  get offset() {
    return this.#get().offset;
  }

  get json() {
    return this.#get().json;
  }

  get calendar() {
    return this.#get().calendar;
  }

  #get(): EventText {
    this.#event ??= this.#parse(this.#line ?? Buffer.alloc(0));
    // The lines of a part stay in memory until none is needed.
    this.#line = null;
    return this.#event;
  }
}

/** Returns the event in a line. Null if it is not valid, or not of one of the genres. */
function parseEvent(line: Buffer, genres: Genres): EventText | null {
  try {
    const [record, ownUrl, offset, calendar] = JSON.parse(line.toString()) as [unknown, string | null, number, string];
    const isOwn = isPublished(record) && genres.get(record.genre) === record.category;
    if (!isOwn || !(record.zone === null || isZone(record.zone))) return null;
    const isValid = (ownUrl === null || isHttpsUrl(ownUrl)) && Number.isInteger(offset) && isEntry(calendar);
    return isValid ? { record, ownUrl, offset, json: JSON.stringify(record), calendar } : null;
  } catch {
    return null;
  }
}

function isEntry(calendar: unknown): boolean {
  return typeof calendar === 'string' && /^(BEGIN:VEVENT\r\n[^]*\r\nEND:VEVENT\r\n)?$/.test(calendar);
}
