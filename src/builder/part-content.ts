import type { Manifest } from '../api/documents.ts';
import type { EventText } from '../render/event-texts.ts';
import type { ListedEvent } from '../render/records.ts';
import type { CataloguePlan } from './options.ts';
import type { GenresResult } from './threads.ts';

/** What the build knows about a part, and what its files are. */
export interface PartContent {
  readonly catalogue: CataloguePlan;
  readonly result: GenresResult;
  readonly files: Manifest['files'];
}

/**
 * The lines in which a part is stored. The content has two: what holds events and maps, and what does not. Lists name an
 * event by its number in `events`, because most events are in several lists. There it has two lines: its record, and what
 * else is known, which `almanac join` parses only if it needs it.
 */
export interface PartLines {
  readonly content: string;
  readonly events: string;
}

export function writeContent({ catalogue, result, files }: PartContent): PartLines {
  let events = '';
  const numbers = new Map<string, number>();
  const numberOf = ({ record, ownUrl, offset, json, calendar = '' }: ListedEvent & Partial<EventText>): number => {
    const known = numbers.get(record.id);
    if (known !== undefined) return known;
    events += `${json ?? JSON.stringify(record)}\n${JSON.stringify([ownUrl, offset, calendar])}\n`;
    numbers.set(record.id, numbers.size);
    return numbers.size - 1;
  };
  const { search, ...pages } = result.pages;
  // The summaries come first, and events in them have calendar entries.
  const first = pack({ catalogue, result: { ...result, pages } }, numberOf);
  return { content: `${JSON.stringify(first)}\n${JSON.stringify({ search, files })}\n`, events };
}

/** JSON has no maps. */
const mapKey = 'entries of a map';

/** Returns a copy for JSON, with the entries of maps and the numbers of events. A replacer would take five times as long. */
function pack(value: unknown, numberOf: (event: ListedEvent) => number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Map) return { [mapKey]: Array.from(value, ([key, inner]) => [key, pack(inner, numberOf)]) };
  if (Array.isArray(value)) return value.map((inner) => pack(inner, numberOf));
  if (isListed(value)) return numberOf(value);
  return mapValues(value, (_key, inner) => pack(inner, numberOf));
}

function mapValues(value: object, change: (key: string, inner: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, change(key, inner)]));
}

function isListed(value: object): value is ListedEvent {
  return 'ownUrl' in value;
}

/** The names of lists that hold the numbers of events. */
const listNames: ReadonlySet<string> = new Set(['upcoming', 'underWay', 'cancelled', 'past', 'events']);

/** Reads the content of a part. Events are parsed when they are first needed. Throws an error if it is not a content. */
export function readContent(content: Buffer, lines: Buffer): PartContent {
  const [first = '', second = ''] = content.toString().split('\n');
  const { catalogue, result } = unpack(JSON.parse(first), eventsIn(new Lines(lines))) as PartContent;
  const { search, files } = JSON.parse(second) as { search: GenresResult['pages']['search']; files: Manifest['files'] };
  return { catalogue, result: { ...result, pages: { ...result.pages, search } }, files };
}

type EventAt = (number: number) => EventText;

/** Undoes what {@link pack} does. */
function unpack(value: unknown, eventAt: EventAt): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((inner) => unpack(inner, eventAt));
  if (mapKey in value)
    return new Map((value[mapKey] as [unknown, unknown][]).map(([key, inner]) => [key, unpack(inner, eventAt)]));
  return mapValues(value, (key, inner) =>
    listNames.has(key) && isNumbers(inner) ? inner.map(eventAt) : unpack(inner, eventAt),
  );
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && typeof value[0] === 'number';
}

/** Returns the function that returns an event by its number. */
function eventsIn(lines: Lines): EventAt {
  const events = new Map<number, EventText>();
  return (number) => {
    if (!lines.has(2 * number + 1)) throw new Error(`the part has no event ${number}`);
    const event = events.get(number) ?? new LazyEvent(lines, 2 * number);
    events.set(number, event);
    return event;
  };
}

/** The lines of a text that is too long to be split at once. */
class Lines {
  readonly #bytes: Buffer;
  readonly #ends: number[] = [];

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    for (let end = -1; (end = bytes.indexOf(lineFeed, end + 1)) >= 0;) this.#ends.push(end);
  }

  has(line: number): boolean {
    return this.#ends[line] !== undefined;
  }

  text(line: number): string {
    return this.#bytes.toString('utf8', (this.#ends[line - 1] ?? -1) + 1, this.#ends[line]);
  }
}

const lineFeed = 0x0a;

/** An event of a part. It forgets the lines, which are those of the whole part, when its own are first needed. */
class LazyEvent implements EventText {
  readonly #line: number;
  #lines: Lines | null;
  #record: ListedEvent['record'] | null = null;
  #rest = '';

  /** @param line that of its record */
  constructor(lines: Lines, line: number) {
    this.#lines = lines;
    this.#line = line;
  }

  get record() {
    if (this.#lines === null) return this.#record as ListedEvent['record'];
    const record = JSON.parse(this.#lines.text(this.#line)) as ListedEvent['record'];
    this.#record = record;
    this.#rest = this.#lines.text(this.#line + 1);
    this.#lines = null;
    return record;
  }

  get json() {
    return JSON.stringify(this.record);
  }

  get ownUrl() {
    return this.#parsedRest()[0];
  }

  get offset() {
    return this.#parsedRest()[1];
  }

  get calendar() {
    return this.#parsedRest()[2];
  }

  #parsedRest() {
    if (this.#lines !== null) this.#rest = this.#lines.text(this.#line + 1);
    return JSON.parse(this.#rest) as readonly [ListedEvent['ownUrl'], ListedEvent['offset'], EventText['calendar']];
  }
}
