import { parseUrl } from '../../catalogue/url.ts';
import { Context, termShape } from './context.ts';
import { isNode, list, maxValues, termOf, textOf, type Cells, type Node } from './values.ts';

/** An event of a page, and the event that it is a part of. */
export interface PageEvent {
  readonly node: Node;
  /** The offset of the script that describes it. */
  readonly offset: number;
  whole: PageEvent | null;
  /** Whether it is only told as the event that others are parts of. */
  isContext: boolean;
  /** The parts of an event with a schedule, which replace its dates. */
  readonly dates: Node[];
}

type OpenNode = Record<string, unknown>;

/**
 * The objects of the JSON-LD of a page, which refer to each other by their ids. Each object is
 * visited once, and an id is looked up where it is used, so that reading takes linear time.
 */
export class Graph {
  /** The number of references to objects by their ids. */
  references = 0;
  /** What the values of `location` say, as far as they were read. */
  readonly places = new Map<unknown, Cells>();
  readonly #address: string | undefined;
  readonly #byId = new Map<string, OpenNode>();
  /** The objects that may be events, in the order of the page. */
  readonly #candidates = new Map<Node, PageEvent>();

  constructor(address: string | null) {
    this.#address = address ?? undefined;
  }

  /** Adds the objects of a script. Changes them: keys become terms of schema.org. */
  add(value: unknown, offset: number): void {
    this.#visit(value, {
      offset,
      context: new Context(null),
      depth: 0,
      isContext: false,
    });
  }

  /** Returns an object, or the whole of what the page says about the one with its id. */
  resolve(value: unknown): unknown {
    if (!isNode(value)) return value;
    const id = this.#idOf(value);
    return (id === null ? undefined : this.#byId.get(id)) ?? value;
  }

  /** Returns the objects of a property. A text becomes the name of an object. */
  nodes(value: unknown): Node[] {
    return list(value)
      .slice(0, maxValues)
      .flatMap((item) => {
        const node = typeof item === 'string' ? { name: item } : this.resolve(item);
        return isNode(node) ? [node] : [];
      });
  }

  /**
   * Returns the events to publish. A series whose parts are its dates is none, however its parts are
   * written.
   */
  events(): PageEvent[] {
    const events: PageEvent[] = [];
    const series = new Set<PageEvent>();
    const parts = new Set<unknown>();
    for (const event of this.#candidates.values()) {
      const { node } = event;
      if (!isEvent(node) && !parts.has(node)) continue;
      events.push(event);
      for (const value of [...list(node['subEvent']), ...list(node['subEvents'])]) {
        const part = this.#eventOf(value);
        parts.add(part?.node);
        this.#join(part, event, series);
      }
    }
    for (const event of events) {
      const [larger] = list(event.node['superEvent']);
      const whole = this.#eventOf(larger);
      if (whole !== undefined && isEvent(whole.node)) this.#join(event, whole, series);
    }
    return events.filter((event) => !series.has(event) && !event.isContext);
  }

  /** Returns the event that an object, its reference, or a text with its id stands for. */
  #eventOf(value: unknown): PageEvent | undefined {
    const reference = typeof value === 'string' ? { '@id': value } : value;
    const event = this.#candidates.get(reference as Node);
    return event ?? this.#candidates.get(this.resolve(reference) as Node);
  }

  #join(part: PageEvent | undefined, whole: PageEvent, series: Set<PageEvent>): void {
    if (part === undefined || part === whole || !isDated(part.node)) return;
    part.whole ??= whole;
    if (!isDateOf(part.node, whole.node)) return;
    if (list(whole.node['eventSchedule']).length === 0) series.add(whole);
    else whole.dates.push(part.node);
  }

  #visit(value: unknown, at: Visit): void {
    if (at.depth > maxDepth) return;
    if (Array.isArray(value)) {
      for (const item of value)
        this.#visit(item, {
          ...at,
          depth: at.depth + 1,
        });
      return;
    }
    if (!isNode(value)) return;
    const context = at.context.with(value['@context']);
    const node = this.#register(renameKeys(value, context));
    this.#addCandidate(node, at);
    const isWhole = isEvent(node);
    if (isNode(value['@reverse'])) addReversed(renameKeys(value['@reverse'], context), node);
    for (const [key, inner] of Object.entries(value)) {
      const isContext = isWhole ? key === 'superEvent' : at.isContext;
      if (typeof inner === 'object')
        this.#visit(inner, {
          offset: at.offset,
          context,
          depth: at.depth + 1,
          isContext,
        });
    }
  }

  #addCandidate(node: Node, { offset, isContext }: Visit): void {
    if (!('@type' in node) && !('startDate' in node)) return;
    const event = this.#candidates.get(node);
    if (event !== undefined) event.isContext &&= isContext;
    else
      this.#candidates.set(node, {
        node,
        offset,
        whole: null,
        isContext,
        dates: [],
      });
  }

  /** Returns the object that has all that the page says about the id of an object. */
  #register(node: OpenNode): OpenNode {
    const id = this.#idOf(node);
    if (id === null) return node;
    const isReference = Object.keys(node).length === 1;
    if (isReference) this.references++;
    const whole = this.#byId.get(id) ?? node;
    if (isOtherEvent(whole, node)) return node;
    if (!isReference) this.#byId.set(id, whole);
    if (whole !== node) merge(whole, node);
    return whole;
  }

  #idOf(node: Node): string | null {
    const id = node['@id'];
    if (typeof id !== 'string' || id.length > maxIdCharacters) return null;
    return parseUrl(id, this.#address)?.href ?? id;
  }
}

interface Visit {
  readonly offset: number;
  readonly context: Context;
  readonly depth: number;
  readonly isContext: boolean;
}

const maxDepth = 32;
const maxIdCharacters = 2000;

/** Gives an object the values of its keys also under the terms that these stand for. */
function renameKeys(node: Node, context: Context): OpenNode {
  const open = node as OpenNode;
  for (const key of Object.keys(node)) {
    const term = context.termOf(key);
    if (term !== key && termShape.test(term) && !Object.hasOwn(open, term)) open[term] = node[key];
  }
  return open;
}

/** Adds what a page says about an object in another place. */
function merge(whole: OpenNode, node: Node): void {
  for (const [key, value] of Object.entries(node)) {
    const earlier = whole[key];
    if (earlier === undefined) whole[key] = value;
    else if (key === 'eventStatus' && list(earlier).length < maxValues)
      whole[key] = [...list(earlier), ...list(value)];
  }
}

/**
 * Whether two objects are two events, or two dates of one, which some pages give one id. One of them
 * may say more of the time.
 */
function isOtherEvent(node: Node, other: Node): boolean {
  const [start = '', otherStart = ''] = [node, other].map(({ startDate }) => textOf(startDate));
  const length = Math.min(start.length, otherStart.length, 'yyyy-mm-ddThh:mm'.length);
  if (length === 0) return false;
  const [name, otherName] = [node, other].map((event) => textOf(event['name']));
  const isRenamed = name !== '' && otherName !== '' && name !== otherName;
  return isRenamed || start.slice(0, length) !== otherStart.slice(0, length);
}

/** Gives the objects that refer to one in reverse the property that they have thereby. */
function addReversed(reversed: Node, node: Node): void {
  for (const [key, values] of Object.entries(reversed)) {
    for (const value of list(values)) if (isNode(value)) (value as OpenNode)[key] ??= node;
  }
}

/** Whether an object is an Event of schema.org, or of one of its subtypes. */
function isEvent(node: Node): boolean {
  const types = list(node['@type']).slice(0, maxValues);
  return types.some((type) => typeof type === 'string' && eventType.test(termOf(type.slice(-200))));
}

const eventType =
  /^(?:event|(?:[A-Z][A-Za-z]*)?(?:Event|EventSeries|Festival|Hackathon|CourseInstance))$/;

function isDated(node: Node): boolean {
  return list(node['startDate']).length > 0 || list(node['eventSchedule']).length > 0;
}

/** Whether a part of an event is one of its dates, and not an event of its own. */
function isDateOf({ name }: Node, whole: Node): boolean {
  const [type] = list(whole['@type']);
  const isSeries = typeof type === 'string' && type.endsWith('Series');
  return name === undefined || name === whole['name'] || isSeries;
}
