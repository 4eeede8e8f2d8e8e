import { isNode, list } from './values.ts';

/**
 * The terms and prefixes that the `@context` of an object of JSON-LD defines, and those around it.
 * Contexts at addresses are not fetched: their terms are taken for those of schema.org.
 */
export class Context {
  readonly #terms = new Map<string, string>();
  readonly #around: Context | null;

  constructor(around: Context | null) {
    this.#around = around;
  }

  /** Returns the context of an object with this `@context`. */
  with(value: unknown): Context {
    const definitions = list(value).filter(isNode);
    if (definitions.length === 0) return this;
    const context = new Context(this);
    for (const definition of definitions) {
      for (const [term, meaning] of Object.entries(definition)) {
        const address = isNode(meaning) ? meaning['@id'] : meaning;
        if (typeof address === 'string') context.#terms.set(term, address);
      }
    }
    return context;
  }

  /** Returns the term of schema.org, or the keyword, that a key stands for. */
  termOf(key: string): string {
    if (key.length > maxKeyCharacters || key.startsWith('@')) return key;
    const address = this.#addressOf(this.#meaningOf(key));
    const term = schemaOrg.exec(address)?.[1] ?? (termShape.test(address) ? address : key);
    return keywords[term] ?? term;
  }

  /** A term may stand for another one that is defined. */
  #meaningOf(key: string): string {
    let meaning = key;
    for (let depth = 0; depth < maxAliases; depth++) {
      const next = this.#find(meaning);
      if (next === undefined || next === meaning) break;
      meaning = next;
    }
    return meaning;
  }

  #addressOf(compact: string): string {
    const colon = compact.indexOf(':');
    if (colon === -1 || compact.startsWith('//', colon + 1)) return compact;
    const prefix = compact.slice(0, colon);
    const start = this.#find(prefix) ?? commonPrefixes[prefix];
    return start === undefined ? compact : start + compact.slice(colon + 1);
  }

  #find(term: string): string | undefined {
    return this.#terms.get(term) ?? (this.#around === null ? undefined : this.#around.#find(term));
  }
}

const maxKeyCharacters = 200;
const maxAliases = 4;
/** A term of schema.org, or a keyword. */
export const termShape = /^@?[A-Za-z]+$/;
const schemaOrg = /^https?:\/\/(?:www\.)?schema\.org\/([A-Za-z]+)$/;

/** The prefixes that pages use without a definition. */
const commonPrefixes: Readonly<Partial<Record<string, string>>> = {
  schema: 'https://schema.org/',
  sdo: 'https://schema.org/',
};

/** The keywords that the context of schema.org also writes so. */
const keywords: Readonly<Partial<Record<string, string>>> = {
  type: '@type',
  id: '@id',
};
