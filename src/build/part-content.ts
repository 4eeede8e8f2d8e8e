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
 * The lines in which a part is stored. The content has two: what holds events and maps, and what does not and is written
 * faster without looking for them. Lists name an event by its line in `events`, because most events are in several
 * lists, and `almanac join` parses only those that stay in one.
 */
export interface PartLines {
  readonly content: string;
  readonly events: string;
}

export function writeContent({ catalogue, result, files }: PartContent): PartLines {
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
  const first = JSON.stringify({ catalogue, result: { ...result, pages } }, (_key, value: unknown) => {
    if (value instanceof Map) return { [mapKey]: [...(value as Map<unknown, unknown>)] };
    return isListed(value) ? lineOf(value) : value;
  });
  return { content: `${first}\n${JSON.stringify({ search, files })}\n`, events };
}

function isListed(value: unknown): value is ListedEvent {
  return typeof value === 'object' && value !== null && 'ownUrl' in value;
}

/** JSON has no maps. */
const mapKey = 'entries of a map';

/** The names of lists whose events are lines. */
const listNames: ReadonlySet<string> = new Set(['upcoming', 'underWay', 'cancelled', 'past', 'events']);

/** Reads the content of a part. An event is parsed when it is first needed. */
export function readContent(content: Buffer, lines: Buffer): PartContent {
  const events: EventText[] = [];
  for (let start = 0, end; (end = lines.indexOf('\n', start)) >= 0; start = end + 1)
    events.push(new LazyEvent(lines.subarray(start, end)));
  const [first = '', second = ''] = content.toString().split('\n');
  const { catalogue, result } = JSON.parse(first, (key, value: unknown) => {
    if (listNames.has(key) && Array.isArray(value) && typeof value[0] === 'number')
      return value.map((line: number) => events[line]);
    const isMap = typeof value === 'object' && value !== null && mapKey in value;
    return isMap ? new Map(value[mapKey] as [unknown, unknown][]) : value;
  }) as PartContent;
  const { search, files } = JSON.parse(second) as { search: GenresResult['pages']['search']; files: Manifest['files'] };
  return { catalogue, result: { ...result, pages: { ...result.pages, search } }, files };
}

/** What a line holds. */
type Fields = readonly [ListedEvent['record'], ListedEvent['ownUrl'], ListedEvent['offset'], EventText['calendar']];

/** An event in a line, which it forgets once it is parsed: a line keeps all others of its part in memory. */
class LazyEvent implements EventText {
  #line: Buffer | null;
  #fields: Fields | null = null;

  constructor(line: Buffer) {
    this.#line = line;
  }

  get record() {
    return this.#parsed()[0];
  }

  get ownUrl() {
    return this.#parsed()[1];
  }

  get offset() {
    return this.#parsed()[2];
  }

  get calendar() {
    return this.#parsed()[3];
  }

  get json() {
    return JSON.stringify(this.record);
  }

  #parsed(): Fields {
    this.#fields ??= JSON.parse(this.#line?.toString() ?? '') as Fields;
    this.#line = null;
    return this.#fields;
  }
}
