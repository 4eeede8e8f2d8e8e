import { countEach, groupBy } from '../../catalogue/group.ts';
import { CountryNames, countryOfReader, wordsForCountry } from './countries.ts';
import { eventsOf, type IndexedEvent, type SearchFile, type SubjectRow } from './index-file.ts';
import { initialsOf, stem, wordsIn } from './text.ts';
import { rangeOfPeriod, type Range } from './times.ts';
import { level, none, scoreOf, Vocabulary, type Score, type TextWords } from './vocabulary.ts';
import { searchWords } from './words.ts';

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
  /** Whether they are only an alias. */
  readonly isAlias: boolean;
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
  country: [0, 0.3, 0.3, 4],
  genre: [0, 0.1, 0.1, 3],
};
const bonuses = { whole: 2000, alias: 1000, covered: 400, start: 500, prefix: 1 };

/** The number of subjects that have an alias from which on it names none of them. */
const manyNamed = 3;

const minute = 60_000;
const day = 24 * 3600_000;

interface Subject {
  readonly row: SubjectRow;
  /** Its name, and what else a country is called. */
  readonly text: TextWords;
  readonly aliases: TextWords;
  /** The names of the country in its name, or that it is about as a whole. */
  readonly country: TextWords;
  /** The aliases that several subjects have, which name what they are, such as `solar eclipse`. */
  readonly shared: TextWords;
  /** Its names, as {@link Searcher.nameOf} has them, and those aliases that are its own. */
  readonly names: readonly string[];
  readonly aliasNames: readonly string[];
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
  /** The words for each country, by its code. */
  readonly #countries: ReadonlyMap<string, TextWords>;
  /** The genres with about one subject for each country, such as elections. */
  readonly #isPerCountry: readonly boolean[];
  readonly #country: string | null;
  readonly #dayFormat: Intl.DateTimeFormat;
  readonly #ignored: ReadonlySet<string>;
  /** What has a name: places, things, or only people's aliases of things, whose plurals mean something else. */
  readonly #names: ReadonlyMap<string, 'place' | 'thing' | 'alias'>;
  /** What each genre is called. Others call it by the things that "and" joins in it, or an alias of its subjects. */
  readonly genreNames: readonly { readonly own: readonly string[]; readonly others: readonly string[] }[];

  /** @param ignored the words that mean nothing in a search */
  constructor(file: SearchFile, reader: { readonly tag: string; readonly zone: string }, ignored: ReadonlySet<string>) {
    this.#file = file;
    this.#ignored = ignored;
    this.#dayFormat = new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeZone: reader.zone });
    const { categories, genres, places, subjects, titles } = file;
    const codes = new Set(places.flatMap(([, , code]) => code ?? []));
    const countries = new CountryNames(codes);
    this.#country = countryOfReader(codes, reader);
    this.#titles = titles.map((title) => this.vocabulary.add(typeof title === 'string' ? title : title[0]));
    this.#genres = genres.map(([, name, category]) =>
      this.vocabulary.add(...countries.variantsOf(name), categories[category]?.[1] ?? ''),
    );
    const areaOf = ([name = '', , code]: readonly (string | undefined)[] = []): string | undefined =>
      countries.codeOf(name) === code ? code : undefined;
    this.#places = places.map((place) => {
      const [name, address = ''] = place;
      const area = areaOf(place);
      return this.vocabulary.add(name, address, ...(area === undefined ? [] : wordsForCountry(area)));
    });
    this.#countries = new Map(Array.from(codes, (code) => [code, this.vocabulary.add(...wordsForCountry(code))]));
    const counts = countEach(subjects.flatMap(([, , , aliases = []]) => aliases));
    const isShared = (alias: string): boolean => (counts.get(alias) ?? 0) >= manyNamed;
    this.#subjects = subjects.map((row) => {
      const [, name, , aliases = []] = row;
      const own = countries.variantsOf(name);
      const ownAliases = aliases.filter((one) => !isShared(one));
      // What is called like a country has all its names.
      const isCountry = countries.codeOf(name) !== undefined;
      const [area, ...otherAreas] = new Set(eventsOf(row).map(({ place }) => areaOf(places[place - 1])));
      return {
        row,
        // "King's Day (Netherlands)" is King's Day to most people.
        names: [name.replace(/ \(.*\)$/, ''), ...own].map((one) => this.nameOf(one)),
        aliasNames: ownAliases.map((one) => this.nameOf(one)),
        text: this.vocabulary.add(...(isCountry ? own : [name])),
        country: isCountry
          ? []
          : this.vocabulary.add(...own.slice(1), ...(area && otherAreas.length === 0 ? wordsForCountry(area) : [])),
        aliases: this.vocabulary.add(...ownAliases),
        shared: this.vocabulary.add(...aliases.filter(isShared)),
      };
    });
    this.#isPerCountry = this.#genresPerCountry();
    const members = groupBy(subjects, ([, , genre]) => genre);
    this.genreNames = genres.map(([, name], number) => {
      const rows = members.get(number) ?? [];
      const ofSubjects = countEach(rows.flatMap(([, , , aliases = []]) => aliases));
      // An alias of each country, or one that another genre has too, names no genre.
      const isOwn = ([alias, count]: readonly [string, number]): boolean =>
        isShared(alias) && 2 * count > rows.length && count === counts.get(alias);
      const shared = this.#isPerCountry[number] === true ? [] : [...ofSubjects].filter(isOwn).map(([alias]) => alias);
      return { own: countries.variantsOf(name), others: [...partsOf(name), ...shared] };
    });
    const aliases = [...counts.keys()];
    this.#names = new Map([
      ...aliases.map((alias) => [this.nameOf(alias), 'alias'] as const),
      // "The Blues" are not blue.
      ...aliases.map((alias) => [this.#meantIn(alias).join(' '), 'thing'] as const),
      ...[...subjects, ...genres, ...categories].map(([, name]) => [this.nameOf(name), 'thing'] as const),
      ...[
        ...places.flatMap(([name, address = '']) => `${name},${address}`.split(',')),
        ...[...codes].flatMap(wordsForCountry),
      ].map((name) => [this.nameOf(name), 'place'] as const),
    ]);
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
    const countries = new Map(Array.from(this.#countries, ([code, text]) => [code, score(text, pointsOf.country)]));
    const scores = {
      titles: this.#titles.map((text) => score(text, pointsOf.title)),
      places: this.#places.map((text, n) => {
        const [own, country] = [score(text, pointsOf.place), countries.get(this.#file.places[n]?.[2] ?? '') ?? none];
        const mask = own.mask | country.mask;
        return mask === own.mask ? own : { mask, points: own.points + country.points };
      }),
    };
    const found = this.#subjects.flatMap((subject): Found | [] => {
      const { row, text, aliases, shared, country } = subject;
      const own = score(text, pointsOf.name);
      const [genre, group] = [genres[row[2]] ?? none, score(shared, pointsOf.shared)];
      const [alias, ofCountry] = [score(aliases, pointsOf.alias), score(country, pointsOf.genre)];
      const mask = own.mask | genre.mask | group.mask | alias.mask | ofCountry.mask;
      // If the name has all words, it does not matter what else has them.
      const best = own.mask === all ? none : bestScore(row, scores, mask, all);
      if (mask !== all && best === none) return [];
      const events = this.#eventsOf(row, mask, all, scores, query);
      // A name is found even if there is nothing to come. At a place or a time, there must be something.
      if (events.length === 0 && (mask !== all || query.range !== null)) return [];
      const bonus = (own.mask | alias.mask) === 0 ? 0 : this.#bonusOf(subject, query.words);
      const isWhole = bonus >= bonuses.alias;
      const isAlias = bonus < bonuses.whole;
      const isDated = events.some(({ period }) => period === null);
      const points =
        own.points +
        (own.mask === all ? 0 : Math.max(...[genre, group, alias, ofCountry].map((one) => one.points)) + best.points) +
        bonus;
      const hasCountries = tokens.length > 0 && (isWhole || this.#isPerCountry[row[2]] === true);
      return {
        row,
        events,
        isWhole,
        isAlias,
        isByEvent: mask !== all,
        isOwn: hasCountries && events.some((event) => this.#countryOf(event) === this.#country),
        score: points * (isDated || isWhole ? 1 : 0.5),
      };
    });
    // The next one of all is not that of the reader's country if some are of no country.
    const isOfCountries = found.every(({ row }) => this.#isPerCountry[row[2]] === true);
    const isOwn = (one: Found): boolean => one.isOwn && (isOfCountries || !query.isNext);
    return found.map((one) => ({ ...one, isOwn: isOwn(one) })).sort(orderOf(query.isNext));
  }

  /** Returns the date of an instant, in milliseconds since the Unix epoch, in the zone of the reader. */
  dayOf(instant: number): string {
    return this.#dayFormat.format(instant);
  }

  /** Whether words are the whole name of a subject. */
  isName(words: readonly string[]): boolean {
    const phrase = words.map(stem).join(' ');
    return this.#subjects.some(({ names, aliasNames }) => names.includes(phrase) || aliasNames.includes(phrase));
  }

  /** Returns which of the words are a name, alone or with those next to them, and whether one names more than a place. */
  namesAmong(words: readonly string[]): { readonly named: ReadonlySet<string>; readonly hasThing: boolean } {
    const named = new Set<string>();
    let hasThing = false;
    for (const from of words.keys()) {
      for (let until = from + 1; until <= words.length; until++) {
        const run = words.slice(from, until);
        const senses = run.length === 1 ? this.vocabulary.sensesOf(run[0] ?? '').map(stem) : [run.map(stem).join(' ')];
        const names = [...senses, run.join(' ')].filter((name) => !/^.?$|^\d+$/.test(name));
        const kinds = names.flatMap((name) => this.#names.get(name) ?? []);
        if (kinds.length > 0) for (const word of run) named.add(word);
        hasThing ||= kinds.includes('thing') && !kinds.includes('place');
      }
    }
    return { named, hasThing };
  }

  /** Whether words are names and nothing else, and not all of places: they say enough if a word beside them is left out. */
  areNames(words: readonly string[]): boolean {
    const { named, hasThing } = this.namesAmong(words);
    return hasThing && words.every((word) => named.has(word));
  }

  /** Whether words are those of a name in any order, or its initials with a number, such as `f1`. */
  isNamed(name: string, words: readonly string[]): boolean {
    const own = this.nameOf(name).split(' ');
    const senses = words.map((typed) => this.vocabulary.sensesOf(typed).map(stem));
    const isSame =
      own.every((word) => senses.some((some) => some.includes(word))) &&
      senses.every((some) => some.some((word) => own.includes(word)));
    return isSame || (words.length === 1 && /\d/.test(words[0] ?? '') && initialsOf(wordsIn(name)) === words[0]);
  }

  /** Returns a name as names are compared: folded, without plurals and the words that mean nothing. */
  nameOf(name: string): string {
    return this.#meantIn(name).map(stem).join(' ');
  }

  #meantIn(name: string): string[] {
    const words = wordsIn(name);
    const meant = words.filter((word) => !this.#ignored.has(word));
    return meant.length === 0 ? words : meant;
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
  #bonusOf({ row, names: own, aliasNames }: Subject, words: readonly string[]): number {
    const stems = words.map(stem);
    const phrase = stems.join(' ');
    // Martin Luther King Jr. Day is King Day, but King's Day is another.
    const [full, typed] = [wordsIn(row[1]).join(' '), words.join(' ')];
    const isAsTyped = full.startsWith(typed);
    const senses = words.length === 1 ? this.vocabulary.sensesOf(words[0] ?? '').map(stem) : [phrase];
    if (own.some((name) => senses.includes(name))) return bonuses.whole + Number(isAsTyped);
    if (aliasNames.includes(phrase)) return bonuses.alias;
    const names = [...own, ...aliasNames];
    if (names.some((name) => name.split(' ').every((word) => stems.includes(word)))) return bonuses.covered;
    if (stems.length > 1 && names.some((name) => name.startsWith(`${phrase} `))) return bonuses.start;
    return isAsTyped && full[typed.length] !== ' ' ? bonuses.prefix : 0;
  }
}

const conjunctions = new Set(Object.values(searchWords).flatMap(({ and }) => wordsIn(and)));

/** Returns the things that a name joins: rock and metal. */
function partsOf(name: string): string[] {
  const words = wordsIn(name);
  const at = words.findIndex((word) => conjunctions.has(word));
  return at < 1 ? [] : [words.slice(0, at).join(' '), words.slice(at + 1).join(' ')];
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
