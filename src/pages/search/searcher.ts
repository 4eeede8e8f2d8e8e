import { countEach } from '../../catalogue/group.ts';
import { countryNames, countryOfReader, wordsForCountry } from './countries.ts';
import { eventsOf, type IndexedEvent, type SearchFile, type SubjectRow } from './index-file.ts';
import { initialsOf, stem, wordsIn } from './text.ts';
import { rangeOfPeriod, type Range } from './times.ts';
import { level, none, scoreOf, Vocabulary, type Score, type TextWords, type Token } from './vocabulary.ts';

/** What to search for. Dates count in the zone of the reader. */
export interface Query {
  /** Folded. An event must have all of them, in its own names or those around it. */
  readonly words: readonly string[];
  readonly range: Range | null;
  /** Whether the soonest is wanted, not the best. */
  readonly isNext: boolean;
  /** Whether the last word may be the beginning of a longer one. */
  readonly isOpen: boolean;
  /** Events that began before this instant are left out, in milliseconds since the Unix epoch. */
  readonly now: number;
}

/** A subject that a query finds, with those of its events that it finds, by their starts. */
export interface Found {
  readonly row: SubjectRow;
  readonly events: readonly IndexedEvent[];
  /** Whether the words are the name or an alias of the subject, with nothing left out. */
  readonly isWhole: boolean;
  /** Whether some words are those of its events, not of the subject. */
  readonly isByEvent: boolean;
  /** Whether it is that of the reader's country, where each country has one. */
  readonly isOwn: boolean;
  readonly score: number;
}

/**
 * The points of a match, by its level: a name counts more than anything else together, then title, place, genre. All
 * matches of beginnings together count less than one whole word.
 */
const pointsOf = {
  name: [0, 1.6, 1.6, 200],
  alias: [0, 1.2, 1.2, 20],
  shared: [0, 0.6, 0.6, 10],
  title: [0, 0.8, 0.8, 8],
  place: [0, 0.4, 0.4, 5],
  genre: [0, 0.1, 0.1, 3],
};
const bonuses = { whole: 2000, covered: 400, start: 500 };

/** The number of subjects that have an alias from which on it names none of them. */
const manyNamed = 3;

const minute = 60_000;
const day = 24 * 3600_000;

interface Subject {
  readonly row: SubjectRow;
  /** Its name, and what else a country is called. */
  readonly text: TextWords;
  readonly aliases: TextWords;
  /** The aliases that several subjects have, which name what they are, such as `solar eclipse`. */
  readonly shared: TextWords;
  /** Its names, as {@link Searcher.nameOf} has them, without the aliases that say what several subjects are. */
  readonly names: readonly string[];
}

interface EventScores {
  readonly titles: readonly Score[];
  readonly places: readonly Score[];
}

/** Searches an index, linearly: subjects and events by the numbers of the words that match. */
export class Searcher {
  readonly #file: SearchFile;
  readonly vocabulary = new Vocabulary();
  readonly #subjects: readonly Subject[];
  readonly #titles: readonly TextWords[];
  readonly #genres: readonly TextWords[];
  readonly #places: readonly TextWords[];
  /** The genres with about one subject for each country, such as elections. */
  readonly #isPerCountry: readonly boolean[];
  readonly #country: string | null;
  readonly #dayFormat: Intl.DateTimeFormat;
  readonly #ignored: ReadonlySet<string>;
  /** Everything that has a name: subjects, genres, categories, cities and countries. */
  readonly #names: ReadonlySet<string>;

  /** @param ignored the words that mean nothing in a search */
  constructor(file: SearchFile, reader: { readonly tag: string; readonly zone: string }, ignored: ReadonlySet<string>) {
    this.#file = file;
    this.#ignored = ignored;
    this.#dayFormat = new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeZone: reader.zone });
    const { categories, genres, places, subjects, titles } = file;
    const codes = new Set(places.flatMap(([, , code]) => code ?? []));
    this.#country = countryOfReader(codes, reader);
    this.#titles = titles.map((title) => this.vocabulary.add(typeof title === 'string' ? title : title[0]));
    this.#genres = genres.map(([, name, category]) => this.vocabulary.add(name, categories[category]?.[1] ?? ''));
    this.#places = places.map(([name, address = '', code]) =>
      this.vocabulary.add(name, address, ...(code === undefined ? [] : wordsForCountry(code))),
    );
    const codesByName = new Map([...codes].flatMap((code) => countryNames(code).map((name) => [name, code] as const)));
    const counts = countEach(subjects.flatMap(([, , , aliases = []]) => aliases));
    this.#subjects = subjects.map((row) => {
      const [, name, , aliases = []] = row;
      const code = codesByName.get(name);
      const own = [name, ...(code === undefined ? [] : wordsForCountry(code))];
      const isShared = (alias: string): boolean => (counts.get(alias) ?? 0) >= manyNamed;
      const ownAliases = aliases.filter((one) => !isShared(one));
      // "King's Day (Netherlands)" is King's Day to most people.
      const names = [name.replace(/ \(.*\)$/, ''), ...own, ...ownAliases].map((one) => this.nameOf(one));
      const [text, ofOwn, shared] = [own, ownAliases, aliases.filter(isShared)].map((some) =>
        this.vocabulary.add(...some),
      );
      return { row, names, text: text as TextWords, aliases: ofOwn as TextWords, shared: shared as TextWords };
    });
    this.#isPerCountry = this.#genresPerCountry();
    const named = [
      ...subjects.flatMap(([, name, , aliases = []]) => [name, ...aliases]),
      ...[...genres, ...categories].map(([, name]) => name),
      ...places.flatMap(([name, address = '']) => `${name},${address}`.split(',')),
      ...[...codes].flatMap(wordsForCountry),
    ];
    this.#names = new Set(
      named.map((name) => this.nameOf(name)).filter((name) => name.length > 1 && !/^\d+$/.test(name)),
    );
  }

  /** Returns what a query finds, the best first. */
  search(query: Query): Found[] {
    const tokens = query.words.map((word, n, { [n - 1]: before = ' ', [n + 1]: after = ' ' }) =>
      this.vocabulary.match(word, [before + word, word + after]),
    );
    if (tokens.some(({ best }) => best === level.none)) return [];
    const all = 2 ** tokens.length - 1;
    const score = (text: TextWords, points: readonly number[]): Score => scoreOf(text, tokens, points, query.isOpen);
    const genres = this.#genres.map((text) => score(text, pointsOf.genre));
    const scores = {
      titles: this.#titles.map((text) => score(text, pointsOf.title)),
      places: this.#places.map((text) => score(text, pointsOf.place)),
    };
    const found = this.#subjects.flatMap((subject): Found | [] => {
      const { row, text, aliases, shared } = subject;
      const own = score(text, pointsOf.name);
      const [genre, group] = [genres[row[2]] ?? none, score(shared, pointsOf.shared)];
      const alias = score(aliases, pointsOf.alias);
      const mask = own.mask | genre.mask | group.mask | alias.mask;
      // If the name has all words, it does not matter what else has them.
      const best = own.mask === all ? none : bestScore(row, scores, mask, all);
      if (mask !== all && best === none) return [];
      const events = this.#eventsOf(row, mask, all, scores, query);
      // A name is found even if there is nothing to come. At a place or a time, there must be something.
      if (events.length === 0 && (mask !== all || query.range !== null)) return [];
      const bonus = (own.mask | alias.mask) === 0 ? 0 : this.#bonusOf(subject, query.words);
      const isWhole = bonus >= bonuses.whole;
      const isDated = events.some(({ period }) => period === null);
      const points =
        own.points + (own.mask === all ? 0 : Math.max(genre.points, group.points, alias.points) + best.points) + bonus;
      const isOwn = this.#isOwn(row, events, tokens);
      return { row, events, isWhole, isByEvent: mask !== all, isOwn, score: points * (isDated || isWhole ? 1 : 0.5) };
    });
    return found.sort(orderOf(query.isNext));
  }

  /** Returns the date of an instant, in milliseconds since the Unix epoch, in the zone of the reader. */
  dayOf(instant: number): string {
    return this.#dayFormat.format(instant);
  }

  /** Whether words are the whole name of a subject. */
  isName(words: readonly string[]): boolean {
    const phrase = words.map(stem).join(' ');
    return this.#subjects.some(({ names }) => names.includes(phrase));
  }

  /** Returns which of the words are a name, alone or with those next to them. */
  namesAmong(words: readonly string[]): Set<string> {
    const named = new Set(words.filter((word) => this.#hasName(this.vocabulary.sensesOf(word))));
    for (const from of words.keys()) {
      for (let until = from + 2; until <= words.length; until++) {
        const run = words.slice(from, until);
        if (this.#hasName([run.join(' ')])) for (const word of run) named.add(word);
      }
    }
    return named;
  }

  #hasName(names: readonly string[]): boolean {
    return names.some((name) => this.#names.has(name.split(' ').map(stem).join(' ')));
  }

  /** Whether words are all of a name, in their order, or its initials with a number, such as `f1`. */
  isNamed(name: string, words: readonly string[]): boolean {
    const [own, all] = [this.nameOf(name).split(' '), wordsIn(name)];
    if (own.length === words.length)
      return words.every((typed, n) =>
        this.vocabulary
          .sensesOf(typed)
          .map(stem)
          .includes(own[n] ?? ''),
      );
    return words.length === 1 && /\d/.test(words[0] ?? '') && initialsOf(all) === words[0];
  }

  /** Returns a name as names are compared: folded, without plurals and the words that mean nothing. */
  nameOf(name: string): string {
    const words = wordsIn(name);
    const meant = words.filter((word) => !this.#ignored.has(word));
    return (meant.length === 0 ? words : meant).map(stem).join(' ');
  }

  /** The events of a subject that a query finds. That of the reader's country is first where each country has one. */
  #eventsOf(row: SubjectRow, mask: number, all: number, scores: EventScores, query: Query): IndexedEvent[] {
    const events = eventsOf(row).filter(
      (event) =>
        (mask === all || (mask | scoreOfEvent(scores, event.title, event.place).mask) === all) &&
        // The index has the minute of a start.
        event.startsAt > query.now - (event.isDate ? 2 * day : minute) &&
        this.#isIn(event, query),
    );
    const own = events.filter((event) => this.#countryOf(event) === this.#country);
    if (own.length === 0 || !isOnePerCountry(events.map((event) => this.#countryOf(event)))) return events;
    return [...own, ...events.filter((event) => !own.includes(event))];
  }

  #isIn(event: IndexedEvent, { range }: Query): boolean {
    if (range === null) return true;
    const { startsAt, isDate, period } = event;
    // Most events are far from the range, and formatting a day is slow.
    if (startsAt < Date.parse(range.from) - day || startsAt > Date.parse(range.until) + 2 * day) return false;
    const date = isDate ? new Date(startsAt).toISOString().slice(0, 'yyyy-mm-dd'.length) : this.dayOf(startsAt);
    return date <= range.until && (period === null ? date : rangeOfPeriod(period).from) >= range.from;
  }

  #isOwn(row: SubjectRow, events: readonly IndexedEvent[], tokens: readonly Token[]): boolean {
    if (tokens.length === 0 || this.#isPerCountry[row[2]] !== true) return false;
    return events.some((event) => this.#countryOf(event) === this.#country);
  }

  #genresPerCountry(): boolean[] {
    const countries = this.#file.genres.map((): string[] => []);
    for (const row of this.#file.subjects) {
      // Events at addresses, such as races, are not those of a country.
      const areas = eventsOf(row).map((event) =>
        this.#file.places[event.place - 1]?.[1] ? '' : this.#countryOf(event),
      );
      countries[row[2]]?.push(...new Set(areas));
    }
    return countries.map(isOnePerCountry);
  }

  #countryOf({ place }: IndexedEvent): string {
    return this.#file.places[place - 1]?.[2] ?? '';
  }

  /** The bonus of a subject for a name that is all of the words, is whole among them, or begins with them. */
  #bonusOf({ row, names }: Subject, words: readonly string[]): number {
    const stems = words.map(stem);
    const phrase = stems.join(' ');
    // Martin Luther King Jr. Day is King Day, but King's Day is another.
    if (names.includes(phrase)) return bonuses.whole + (wordsIn(row[1]).join(' ').startsWith(words.join(' ')) ? 1 : 0);
    if (names.some((name) => name.split(' ').every((word) => stems.includes(word)))) return bonuses.covered;
    return stems.length > 1 && names.some((name) => name.startsWith(`${phrase} `)) ? bonuses.start : 0;
  }
}

function scoreOfEvent({ titles, places }: EventScores, title: number, place: number): Score {
  const [ofTitle, ofPlace] = [titles[title] ?? none, places[place - 1] ?? none];
  return { mask: ofTitle.mask | ofPlace.mask, points: ofTitle.points + ofPlace.points };
}

/** Returns the score of the best event of a subject that has what the subject itself does not have. */
function bestScore([, , , , row = []]: SubjectRow, scores: EventScores, mask: number, all: number): Score {
  let [best, place] = [none, 0];
  for (let n = 0; n < row.length; n += 3) {
    place += Number(row[n + 2]);
    const score = scoreOfEvent(scores, Number(row[n]), place);
    if ((mask | score.mask) === all && score.points > best.points) best = score;
  }
  return best;
}

/** Whether most of at least five things are in different countries. */
function isOnePerCountry(countries: readonly string[]): boolean {
  return countries.length >= 5 && new Set(countries).size >= countries.length * 0.6;
}

/** Returns the order of what was found: the best first, and the soonest first among those that are as good. */
export function orderOf(isNext: boolean): (a: Found, b: Found) => number {
  return isNext ? bySoonest : byRank;
}

function byRank(a: Found, b: Found): number {
  return b.score - a.score || Number(b.isOwn) - Number(a.isOwn) || startOf(a) - startOf(b);
}

/** Orders by days: subjects, then events alone. */
function bySoonest(a: Found, b: Found): number {
  const dayOf = (one: Found): number => Math.floor(startOf(one) / day);
  const isOwn = Number(b.isOwn) - Number(a.isOwn);
  return Number(a.isByEvent) - Number(b.isByEvent) || isOwn || dayOf(a) - dayOf(b) || byRank(a, b);
}

function startOf({ events }: Found): number {
  return events.reduce((soonest, { startsAt }) => Math.min(soonest, startsAt), Infinity);
}
