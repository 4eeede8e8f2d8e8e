import { countEach, groupBy } from '../../catalogue/group.ts';
import { wordsForCountry, type CountryNames } from './countries.ts';
import type { SearchFile, SubjectRow } from './index-file.ts';
import { fold, initialsOf, stem, wordsIn } from './text.ts';
import type { Vocabulary } from './vocabulary.ts';
import { searchWords } from './words.ts';

/** The number of subjects that have an alias from which on it names none of them. */
const manyNamed = 3;

/**
 * What has a name: places, things, groups of things, or only people's aliases of things, whose
 * plurals mean something else.
 */
type Kind = 'place' | 'thing' | 'group' | 'alias';

/** The names of a subject, as {@link Names.nameOf} has them, and those aliases that are its own. */
interface SubjectNames {
  readonly names: readonly string[];
  readonly aliasNames: readonly string[];
}

/**
 * What a genre is called. Others call it by the things that "and" joins in it, or an alias of its
 * subjects.
 */
export interface GenreNames {
  readonly names: readonly string[];
  readonly parts: readonly string[];
}

/** The names in an index: of subjects, genres, categories and places. */
export class Names {
  readonly #vocabulary: Vocabulary;
  readonly #countries: CountryNames;
  readonly #ignored: ReadonlySet<string>;
  readonly #aliases: ReadonlyMap<string, number>;
  readonly #kinds: ReadonlyMap<string, Kind>;
  readonly #ofSubjects: ReadonlySet<string>;
  /** The folded names and aliases of single subjects, with their plurals. */
  readonly #written: ReadonlySet<string>;
  /** The folded names of genres and categories. */
  readonly #groups: ReadonlySet<string>;

  /** @param ignored the words that mean nothing in a search */
  constructor(
    file: SearchFile,
    vocabulary: Vocabulary,
    countries: CountryNames,
    ignored: ReadonlySet<string>,
  ) {
    this.#vocabulary = vocabulary;
    this.#countries = countries;
    this.#ignored = ignored;
    this.#aliases = countEach(file.subjects.flatMap(([, , , aliases]) => aliases));
    this.#kinds = this.#kindsOf(file);
    const aliases = [...this.#aliases.keys()].filter((alias) => !this.isShared(alias));
    const subjectNames = file.subjects.map(([, name]) => name);
    this.#written = new Set([...subjectNames, ...aliases].map((name) => wordsIn(name).join(' ')));
    const groups = [...file.genres, ...file.categories].map(([, name]) => fold(name));
    this.#groups = new Set(groups);
    const subjectRows = file.subjects.map((row) => this.ofSubject(row));
    this.#ofSubjects = new Set(
      subjectRows.flatMap(({ names, aliasNames }) => [...names, ...aliasNames]),
    );
  }

  #kindsOf({ subjects, genres, categories, places }: SearchFile): Map<string, Kind> {
    const [shared, aliases] = [true, false].map((isShared) =>
      [...this.#aliases.keys()].filter((alias) => this.isShared(alias) === isShared),
    ) as [string[], string[]];
    const codes = new Set(places.flatMap(([, , code]) => code || []));
    const placeNames = [...places.map(([name]) => name), ...[...codes].flatMap(wordsForCountry)];
    const inAddresses = places.flatMap(([, address]) => address.split(','));
    return new Map([
      // A club has the name of its city.
      ...inAddresses.map((name) => [this.nameOf(name), 'place'] as const),
      ...shared.map((alias) => [this.nameOf(alias), 'group'] as const),
      ...aliases.map((alias) => [this.nameOf(alias), 'alias'] as const),
      // "The Blues" are not blue.
      ...aliases.map((alias) => [this.#meantIn(alias).join(' '), 'thing'] as const),
      ...[...genres, ...categories].map(([, name]) => [this.nameOf(name), 'group'] as const),
      ...subjects.map(([, name]) => [this.nameOf(name), 'thing'] as const),
      ...placeNames.map((name) => [this.nameOf(name), 'place'] as const),
    ]);
  }

  /**
   * Whether so many subjects have an alias that it names what they are, such as `solar eclipse`.
   */
  isShared(alias: string): boolean {
    return (this.#aliases.get(alias) ?? 0) >= manyNamed;
  }

  ofSubject([, name, , aliases]: SubjectRow): SubjectNames {
    return {
      // "King's Day (Netherlands)" is King's Day to most people.
      names: [name.replace(/ \(.*\)$/, ''), ...this.#countries.variantsOf(name)].map((alias) =>
        this.nameOf(alias),
      ),
      aliasNames: aliases
        .filter((alias) => !this.isShared(alias))
        .map((alias) => this.nameOf(alias)),
    };
  }

  /** @param isPerCountry whether a genre, by its number, has about one subject for each country */
  ofGenres({ subjects, genres }: SearchFile, isPerCountry: readonly boolean[]): GenreNames[] {
    const members = groupBy(subjects, ([, , genre]) => genre);
    return genres.map(([, name], number) => {
      const rows = members.get(number) ?? [];
      // An alias of each country, or one that another genre has too, names no genre.
      const isOwn = ([alias, count]: readonly [string, number]) =>
        this.isShared(alias) && 2 * count > rows.length && count === this.#aliases.get(alias);
      const counts = countEach(rows.flatMap(([, , , aliases]) => aliases));
      const shared =
        isPerCountry[number] === true ? [] : [...counts].filter(isOwn).map(([alias]) => alias);
      return {
        names: this.#countries.variantsOf(name),
        parts: [...partsOf(name), ...shared],
      };
    });
  }

  /** Whether words are the whole name of a subject. */
  isName(words: readonly string[]): boolean {
    return this.#ofSubjects.has(words.map(stem).join(' '));
  }

  /**
   * Returns which of the words are a name, alone or with those next to them, whether one names more
   * than a place, and the runs of words that name one subject each.
   */
  among(words: readonly string[]): {
    readonly named: ReadonlySet<string>;
    readonly hasThing: boolean;
    readonly subjects: readonly (readonly string[])[];
  } {
    const used = new Set<string>();
    const subjects: (readonly string[])[] = [];
    let hasThing = false;
    for (const from of words.keys()) {
      for (let until = from + 1; until <= words.length; until++) {
        const run = words.slice(from, until);
        const names = [...this.sensesOf(run), run.join(' ')].filter(
          (name) => !/^.?$|^\d+$/.test(name),
        );
        const kinds = names.flatMap((name) => this.#kinds.get(name) ?? []);
        if (kinds.length > 0) for (const word of run) used.add(word);
        const isPlace = kinds.includes('place');
        hasThing ||= !isPlace && (kinds.includes('thing') || kinds.includes('group'));
        if (!isPlace && this.#written.has(run.join(' '))) subjects.push(run);
      }
    }
    return { named: used, hasThing, subjects };
  }

  /** Whether words are the name of a place. */
  isPlace(words: readonly string[]): boolean {
    return this.sensesOf(words).some((name) => this.#kinds.get(name) === 'place');
  }

  /** Whether a word is the name of a group, as the group writes it. */
  isGroup(word: string): boolean {
    return this.#groups.has(word);
  }

  /**
   * Whether words are names and nothing else, and not all of places: they say enough if a word
   * beside them is left out.
   */
  areNames(words: readonly string[]): boolean {
    const { named: used, hasThing } = this.among(words);
    return hasThing && words.every((word) => used.has(word));
  }

  /**
   * Whether words are those of a name in any order, or its initials with a number, such as `f1`.
   */
  isNamed(name: string, words: readonly string[]): boolean {
    const wanted = this.nameOf(name).split(' ');
    const senses = words.map((typed) => this.sensesOf([typed]));
    const isSame =
      wanted.every((word) => senses.some((some) => some.includes(word))) &&
      senses.every((some) => some.some((word) => wanted.includes(word)));
    return (
      isSame ||
      (words.length === 1 && /\d/.test(words[0] ?? '') && initialsOf(wordsIn(name)) === words[0])
    );
  }

  /** Returns the names that words may be: a single one has synonyms. */
  sensesOf(words: readonly string[]): string[] {
    return words.length === 1
      ? this.#vocabulary.sensesOf(words[0] ?? '').map(stem)
      : [words.map(stem).join(' ')];
  }

  /**
   * Returns a name as names are compared: folded, without plurals and the words that mean nothing.
   */
  nameOf(name: string): string {
    return this.#meantIn(name).map(stem).join(' ');
  }

  #meantIn(name: string): string[] {
    const words = wordsIn(name);
    const significant = words.filter((word) => !this.#ignored.has(word));
    return significant.length === 0 ? words : significant;
  }
}

const conjunctions = new Set(Object.values(searchWords).flatMap(({ and }) => wordsIn(and)));

/** Rock and metal are two things. */
function partsOf(name: string): string[] {
  const words = wordsIn(name);
  const at = words.findIndex((word) => conjunctions.has(word));
  return at < 1 ? [] : [words.slice(0, at).join(' '), words.slice(at + 1).join(' ')];
}
