import { FAILSAFE_SCHEMA, loadAll, Type, YAMLException, type State } from 'js-yaml';
import type { TextFinding } from '../schema/finding.ts';
import { findYamlFault, yamlReasons } from './yaml-faults.ts';
import {
  DocumentError,
  list,
  mapping,
  scalar,
  skipSpace,
  type ParsedText,
  type Scalar,
  type Value,
} from './value.ts';

/** Text stays text. Only nothing, and the key that merges another map, have a meaning. */
const schema = FAILSAFE_SCHEMA.extend({
  implicit: [
    new Type('tag:yaml.org,2002:null', {
      kind: 'scalar',
      resolve: (text: string | null) => text === null || /^(?:~|null|Null|NULL|)$/.test(text),
      construct: () => null,
    }),
    new Type('tag:yaml.org,2002:merge', {
      kind: 'scalar',
      resolve: (text: string | null) => text === mergeKey,
    }),
  ],
});
const mergeKey = '<<';

/** An alias stands for a value that is elsewhere, so a small text can stand for a huge value. */
const maxAliases = 1000;
const maxAliasedKeys = 100_000;

/**
 * Parses YAML 1.2, several documents included. Repeated keys are warnings: the last one counts.
 *
 * @throws {DocumentError} if the text is not YAML, has tags of programs, or is nested deeper than
 *   100
 */
export function parseYaml(text: string): ParsedText {
  const places = new Places(text);
  try {
    const documents: unknown[] = loadAll(text, null, {
      schema,
      json: true,
      listener: (event, state) => (event === 'open' ? places.open(state) : places.close(state)),
    });
    return {
      documents: documents.map((document) => places.valueOf(document, 0)),
      warnings: places.warnings,
    };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const { reason, offset } = findYamlFault(error, text, places.openOffset());
    throw new DocumentError(reason, offset);
  }
}

/** A node of the parser. */
interface Node {
  readonly offset: number;
  /** The keys of a map, also the repeated ones. */
  keys?: Scalar[];
}

/** Objects order keys such as 2027 before others, so such keys of the parser begin with a mark. */
const mark = '$';
const needsMark = /^[\d$[]/;

/** A text with its place. The parser calls `toString` when it uses it as a key. */
class PlacedText implements Scalar {
  readonly kind = 'text';
  readonly text: string;
  readonly offset: number;
  readonly #places: Places;

  constructor(text: string, offset: number, places: Places) {
    this.text = text;
    this.offset = offset;
    this.#places = places;
  }

  /** Without a tag of its own, the parser would not call `toString`. */
  get [Symbol.toStringTag](): string {
    return 'PlacedText';
  }

  toString(): string {
    this.#places.addKey(this);
    return needsMark.test(this.text) ? mark + this.text : this.text;
  }
}

/** Adds places to what the parser reads, and counts its aliases. */
class Places {
  readonly warnings: TextFinding[] = [];
  readonly #text: string;
  /** The nodes that are being parsed, and those of the objects and arrays of the parser. */
  readonly #open: Node[] = [];
  readonly #nodes = new Map<unknown, Node>();
  readonly #values = new Map<unknown, Value>();
  #aliases = 0;
  #aliasedKeys = 0;

  constructor(text: string) {
    this.#text = text;
  }

  open({ position }: State): void {
    this.#open.push({ offset: position });
  }

  addKey(key: Scalar): void {
    const node = this.#open.at(-1);
    if (node !== undefined) (node.keys ??= []).push(key);
  }

  close(state: State): void {
    const node = this.#open.pop() as Node;
    const result: unknown = state.result;
    if (result === null) state.result = new PlacedText('', node.offset, this);
    else if (typeof result === 'string')
      state.result = new PlacedText(result + numberAfter(state), node.offset, this);
    else if (this.#nodes.has(result)) this.#countAlias(result as object, node.offset);
    else if (!(result instanceof PlacedText)) {
      this.#nodes.set(result, node);
      const { keys = [] } = node;
      const isRepeated = keys.length !== Object.keys(result as object).length;
      if (isRepeated || keys.some(({ text }) => text === mergeKey)) this.#warnOfRepeated(keys);
    }
  }

  /** Where the value begins that is being read. */
  openOffset(): number {
    return skipSpace(this.#text, this.#open.at(-1)?.offset ?? 0);
  }

  /** Returns what the parser read, as a value. A part without a place of its own is at `offset`. */
  valueOf(part: unknown, offset: number): Value {
    if (part instanceof PlacedText) return part;
    if (typeof part !== 'object' || part === null) return scalar('', offset);
    const earlier = this.#values.get(part);
    if (earlier !== undefined) return earlier;
    const { offset: start, keys } = this.#nodes.get(part) ?? { offset };
    if (Array.isArray(part)) {
      const items = list(start);
      this.#values.set(part, items);
      for (const item of part) items.items.push(this.valueOf(item, start));
      return items;
    }
    const map = mapping(start);
    this.#values.set(part, map);
    let places: ReadonlyMap<string, number> | undefined;
    for (const [key, inner] of Object.entries(part)) {
      const isMarked = key.startsWith(mark);
      if (!isMarked && needsMark.test(key))
        throw new DocumentError(yamlReasons.key, skipSpace(this.#text, start));
      const name = isMarked ? key.slice(mark.length) : key;
      // A key without a value is where the key is.
      if (inner === null) places ??= new Map(keys?.map((text) => [text.text, text.offset]));
      map.entries.set(name, this.valueOf(inner, places?.get(name) ?? start));
    }
    return map;
  }

  #warnOfRepeated(keys: readonly Scalar[]): void {
    const seen = new Map<string, number>();
    for (const { text, offset } of keys) {
      const first = seen.get(text);
      seen.set(text, offset);
      if (first === undefined || text === mergeKey) continue;
      this.warnings.push({
        problem: { code: 'repeated-key', key: text },
        offset: skipSpace(this.#text, offset),
        first: { offset: skipSpace(this.#text, first) },
      });
    }
  }

  #countAlias(result: object, offset: number): void {
    // To find out that a value is no key, the parser reads it twice.
    if (this.#text.charAt(skipSpace(this.#text, offset)) !== '*') return;
    this.#aliases++;
    this.#aliasedKeys += Object.keys(result).length;
    if (this.#aliases > maxAliases || this.#aliasedKeys > maxAliasedKeys)
      throw new DocumentError(yamlReasons.aliases, offset);
  }
}

/**
 * Returns the rest of a text such as `Seed swap #2`, of which YAML takes the number for a comment.
 */
function numberAfter({ input, position, lineStart }: State): string {
  if (input.charAt(position) !== '#' || !/\S[ \t]+$/.test(input.slice(lineStart, position)))
    return '';
  const number = /#\d(?:(?!\s#)[^\r\n])*/y;
  number.lastIndex = position;
  const [text] = number.exec(input) ?? [];
  return text === undefined ? '' : ` ${text.trimEnd()}`;
}
