import { parseUrl } from '../../catalogue/url.ts';
import { Context } from './context.ts';
import { isNode, list, maxValues, termOf, type Node } from './values.ts';

/** An event of a page, and the event that it is a part of. */
export interface PageEvent {
  readonly node: Node;
  /** The offset of the script that describes it. */
  readonly offset: number;
  whole: PageEvent | null;
}

type OpenNode = Record<string, unknown>;

/**
 * The objects of the JSON-LD of a page, which refer to each other by their ids. Each object is
 * visited once, and an id is looked up where it is used, so that reading takes linear time.
 */
export class Graph {
  /** The number of references to objects by their ids. */
  references = 0;
  readonly #address: string | undefined;
  readonly #byId = new Map<string, OpenNode>();
  /** The objects that may be events, in the order of the page. */
  readonly #candidates = new Map<Node, PageEvent>();

  constructor(address: string | null) {
    this.#address = address ?? undefined;
  }

  /** Adds the objects of a script. Changes them: keys become terms of schema.org. */
  add(value: unknown, offset: number): void {
    this.#visit(value, { offset, context: new Context(null), depth: 0 });
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
      for (const part of [...list(node['subEvent']), ...list(node['subEvents'])]) {
        parts.add(this.resolve(part));
        this.#join(part, event, series);
      }
    }
    for (const event of events) {
      const [larger] = list(event.node['superEvent']);
      const whole = this.#candidates.get(this.resolve(larger) as Node);
      if (whole !== undefined && isEvent(whole.node)) this.#join(event.node, whole, series);
    }
    return events.filter((event) => !series.has(event));
  }

  #join(value: unknown, whole: PageEvent, series: Set<PageEvent>): void {
    const part = this.#candidates.get(this.resolve(value) as Node);
    if (part === undefined || part === whole || !isDated(part.node)) return;
    part.whole ??= whole;
    if (isDateOf(part.node, whole.node)) series.add(whole);
  }

  #visit(value: unknown, at: Visit): void {
    if (at.depth > maxDepth) return;
    if (Array.isArray(value)) {
      for (const item of value) this.#visit(item, { ...at, depth: at.depth + 1 });
      return;
    }
    if (!isNode(value)) return;
    const context = at.context.with(value['@context']);
    const node = this.#register(renameKeys(value, context));
    const isCandidate = '@type' in node || 'startDate' in node;
    if (isCandidate && !this.#candidates.has(node))
      this.#candidates.set(node, { node, offset: at.offset, whole: null });
    const isWhole = isEvent(node);
    for (const [key, inner] of Object.entries(value)) {
      if (isWhole && key === 'superEvent') continue;
      if (typeof inner === 'object')
        this.#visit(inner, { offset: at.offset, context, depth: at.depth + 1 });
    }
  }

  /** Returns the object that has all that the page says about the id of an object. */
  #register(node: OpenNode): OpenNode {
    const id = this.#idOf(node);
    if (id === null) return node;
    const isReference = Object.keys(node).length === 1;
    if (isReference) this.references++;
    const whole = this.#byId.get(id) ?? node;
    if (!isReference) this.#byId.set(id, whole);
    if (whole !== node) {
      for (const [key, value] of Object.entries(node)) {
        if (!Object.hasOwn(whole, key)) whole[key] = value;
      }
    }
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

const termShape = /^@?[A-Za-z]+$/;

/** Whether an object is an Event of schema.org, or of one of its subtypes. */
function isEvent(node: Node): boolean {
  const types = list(node['@type']).slice(0, maxValues);
  return types.some((type) => typeof type === 'string' && eventType.test(termOf(type.slice(-200))));
}

const eventType = /^(?:[A-Z][A-Za-z]*)?(?:Event|EventSeries|Festival|Hackathon|CourseInstance)$/;

function isDated(node: Node): boolean {
  return list(node['startDate']).length > 0 || list(node['eventSchedule']).length > 0;
}

/** Whether a part of an event is one of its dates, and not an event of its own. */
function isDateOf({ name }: Node, whole: Node): boolean {
  const [type] = list(whole['@type']);
  const isSeries = typeof type === 'string' && type.endsWith('Series');
  return name === undefined || name === whole['name'] || isSeries;
}
