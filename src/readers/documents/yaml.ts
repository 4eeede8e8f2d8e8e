import { FAILSAFE_SCHEMA, loadAll, Type, YAMLException, type State } from 'js-yaml';
import type { TextFinding } from '../schema/finding.ts';
import { findYamlFault, yamlReasons } from './yaml-faults.ts';
import {
  DocumentError,
  skipSpace,
  type List,
  type Mapping,
  type ParsedText,
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
      resolve: (text: string | null) => text === '<<',
    }),
  ],
});

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
  const builder = new TreeBuilder(text);
  try {
    loadAll(text, null, {
      schema,
      json: true,
      listener: (event, state) => (event === 'open' ? builder.open(state) : builder.close(state)),
    });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const { reason, offset } = findYamlFault(error, text, builder.openOffset());
    throw new DocumentError({ code: 'bad-document', reason }, offset);
  }
  return {
    documents: builder.documents,
    warnings: builder.warnings,
  };
}

/** A node of the parser: its own result, and the same as a value with places. */
interface Node {
  readonly result: unknown;
  readonly value: Value;
}

interface Frame {
  readonly offset: number;
  readonly children: Node[];
}

/**
 * Builds values with places from the events of the parser. Its own results are objects, which order
 * keys such as 2027 before others and have no places.
 */
class TreeBuilder {
  readonly documents: Value[] = [];
  readonly warnings: TextFinding[] = [];
  readonly #text: string;
  readonly #frames: Frame[] = [];
  /** The values of objects and arrays, for aliases. */
  readonly #values = new Map<unknown, Value>();
  #aliases = 0;
  #aliasedKeys = 0;

  constructor(text: string) {
    this.#text = text;
  }

  open({ position }: State): void {
    this.#frames.push({ offset: position, children: [] });
  }

  close(state: State): void {
    const frame = this.#frames.pop();
    if (frame === undefined) return;
    const value = this.#valueOf(state, frame);
    const parent = this.#frames.at(-1);
    if (parent === undefined) this.documents.push(value);
    else parent.children.push({ result: state.result, value });
  }

  /** Where the value begins that is being read. */
  openOffset(): number {
    return skipSpace(this.#text, this.#frames.at(-1)?.offset ?? 0);
  }

  #valueOf(state: State, { offset, children }: Frame): Value {
    const { result, kind } = state;
    if (typeof result === 'string')
      return {
        kind: 'text',
        text: result + numberAfter(state),
        offset,
      };
    if (typeof result !== 'object' || result === null) return { kind: 'text', text: '', offset };
    // To find out that a value is no block mapping, the parser reads it as a key first.
    const [attempt] = children;
    if (attempt !== undefined && attempt.result === result) return attempt.value;
    const earlier = this.#values.get(result);
    if (earlier !== undefined) return this.#useAlias(earlier, result, offset);
    const value =
      kind === 'mapping'
        ? this.#mapping(result, children, offset)
        : this.#list(result as unknown[], children, offset);
    this.#values.set(result, value);
    return value;
  }

  #useAlias(value: Value, result: object, offset: number): Value {
    this.#aliases++;
    this.#aliasedKeys += Object.keys(result).length;
    if (this.#aliases > maxAliases || this.#aliasedKeys > maxAliasedKeys)
      throw new DocumentError(
        {
          code: 'bad-document',
          reason: yamlReasons.aliases,
        },
        offset,
      );
    return value;
  }

  #mapping(result: object, children: readonly Node[], offset: number): Mapping {
    const entries = new Map<string, Value>();
    const merged: Mapping[] = [];
    for (let index = 0; index < children.length; index += 2) {
      const key = children[index] as Node;
      const value = children[index + 1]?.value;
      if (key.value.kind !== 'text')
        throw new DocumentError(
          {
            code: 'bad-document',
            reason: yamlReasons.key,
          },
          key.value.offset,
        );
      if (value === undefined) break;
      const name = key.value.text;
      if (name === '<<') merged.push(...mappingsIn(value));
      else {
        if (entries.has(name)) this.#warnOfRepeated(name, children, index);
        entries.set(name, value);
      }
    }
    for (const mapping of merged) {
      for (const [name, value] of mapping.entries) if (!entries.has(name)) entries.set(name, value);
    }
    // Rare forms, such as a key without a value in curly brackets, have other events.
    return entries.size === Object.keys(result).length
      ? {
          kind: 'mapping',
          entries,
          offset,
        }
      : mappingOf(result, (item) => this.#withoutPlace(item, offset), offset);
  }

  #list(result: readonly unknown[], children: readonly Node[], offset: number): List {
    const items: Value[] = [];
    let next = 0;
    for (const item of result) {
      const child = children[next];
      const isChild = child !== undefined && child.result === item;
      if (isChild) next++;
      items.push(isChild ? child.value : this.#withoutPlace(item, offset));
    }
    return { kind: 'list', items, offset };
  }

  /** Returns a result of the parser as a value that is where the whole is. */
  #withoutPlace(result: unknown, offset: number): Value {
    if (typeof result !== 'object' || result === null)
      return {
        kind: 'text',
        text: typeof result === 'string' ? result : '',
        offset,
      };
    const value = this.#values.get(result);
    return value ?? mappingOf(result, (item) => this.#withoutPlace(item, offset), offset);
  }

  #warnOfRepeated(name: string, children: readonly Node[], index: number): void {
    const keys = children.filter((_, place) => place < index && place % 2 === 0);
    const first = keys.findLast(({ value }) => value.kind === 'text' && value.text === name);
    const problem = { code: 'repeated-key', key: name } as const;
    const offset = skipSpace(this.#text, children[index]?.value.offset ?? 0);
    const firstOffset = skipSpace(this.#text, first?.value.offset ?? 0);
    this.warnings.push({
      problem,
      offset,
      first: { offset: firstOffset },
    });
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

/** Returns the maps that `<<` merges: one, or a list of them. */
function mappingsIn(value: Value): Mapping[] {
  const values = value.kind === 'list' ? value.items : [value];
  return values.filter((item) => item.kind === 'mapping');
}

function mappingOf(result: object, valueOf: (item: unknown) => Value, offset: number): Mapping {
  const entries = Object.entries(result).map(([name, item]) => [name, valueOf(item)] as const);
  return {
    kind: 'mapping',
    entries: new Map(entries),
    offset,
  };
}
