import type { Language } from '../../catalogue/model.ts';
import { initialsOf, withDigits, wordsIn } from './fold.ts';
import { genreId, type SearchFile } from './index-file.ts';

/** A category, genre, country, tag or collection: all have a page of their own. */
export interface Named {
  readonly kind: 'category' | 'genre' | 'country' | 'tag' | 'collection';
  /** Its place in the list of its kind in the index. */
  readonly number: number;
  readonly id: string;
  readonly name: string;
}

/** Words of a query that are the name of something, of several things if they have the same name. */
export interface FoundName {
  /** Folded, as they are in the query. */
  readonly words: string;
  readonly named: readonly Named[];
}

/** Returns the names of each list of an index: those of a country in some languages. */
export function namesOfLists({ lists }: SearchFile, languages: readonly Language[]): string[][] {
  const countries = languages.map((language) => new Intl.DisplayNames(language, { type: 'region' }));
  return lists.map(([kind, id, name]) =>
    kind === 'country' ? countries.map((names) => names.of(id.toUpperCase()) ?? id) : [name],
  );
}

/** Finds names of categories, genres and lists in queries. */
export class NameFinder {
  readonly #byKey = new Map<string, Named[]>();
  /** Everything with the words of its name. */
  readonly #all: (readonly [named: Named, words: readonly string[]])[] = [];

  /** @param listNames the names of each list, see {@link namesOfLists} */
  constructor(file: SearchFile, listNames: readonly (readonly string[])[]) {
    const { categories, genres, lists } = file;
    for (const [number, [id, name]] of categories.entries()) this.#add({ kind: 'category', number, id, name }, [id]);
    for (const [number, genre] of genres.entries()) {
      this.#add({ kind: 'genre', number, id: genreId(file, genre), name: genre[1] }, []);
    }
    for (const [number, [kind, id]] of lists.entries()) {
      const [name = id, ...others] = listNames[number] ?? [];
      this.#add({ kind, number, id, name }, kind === 'tag' ? [id] : others);
    }
  }

  #add(named: Named, otherNames: readonly string[]): void {
    const keys = new Set<string>();
    for (const text of [named.name, ...otherNames]) {
      const words = withDigits(wordsIn(text));
      if (words.length === 0) continue;
      this.#all.push([named, words]);
      const key = words.join(' ');
      keys.add(key);
      if (key.length > 3 && key.endsWith('s')) keys.add(key.slice(0, -1));
      // Initials with a number, such as F1, mean nothing else.
      const initials = words.length > 1 ? initialsOf(words) : '';
      if (/\d/.test(initials)) keys.add(initials);
    }
    for (const key of keys) this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), named]);
  }

  /** Takes the names out of the words of a query, longer names first. Returns also the words that are left. */
  find(words: readonly string[]): { readonly names: readonly FoundName[]; readonly rest: readonly string[] } {
    const typed = withDigits(words);
    for (let length = typed.length; length > 0; length--) {
      for (let at = 0; at + length <= typed.length; at++) {
        const named = this.#byKey.get(typed.slice(at, at + length).join(' '));
        if (named === undefined) continue;
        const [before, after] = [this.find(words.slice(0, at)), this.find(words.slice(at + length))];
        const found = { words: words.slice(at, at + length).join(' '), named };
        return { names: [...before.names, found, ...after.names], rest: [...before.rest, ...after.rest] };
      }
    }
    return { names: [], rest: words };
  }

  /** Returns what has a name in which a word begins with each of some words. */
  like(words: readonly string[]): Named[] {
    const typed = withDigits(words);
    if (typed.length === 0 || typed.join('').length < 3) return [];
    const found = this.#all.filter(([, name]) => typed.every((one) => name.some((word) => word.startsWith(one))));
    return [...new Set(found.toSorted(([, a], [, b]) => a.length - b.length).map(([named]) => named))];
  }
}
