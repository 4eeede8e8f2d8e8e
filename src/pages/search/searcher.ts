import { day, isoDate, minute } from '../../catalogue/time/time.ts';
import { CountryNames, countryOfReader, wordsForCountry } from './countries.ts';
import {
  eventsOf,
  recentDays,
  type IndexedEvent,
  type SearchFile,
  type SubjectRow,
} from './index-file.ts';
import { dateAfter } from '../dates.ts';
import { byStartAt, orderOf, type Found } from './found.ts';
import { Names, type GenreNames } from './names.ts';
import { stem, wordsIn } from './text.ts';
import { rangeOfPeriod, type Range } from './ranges.ts';
import { level, none, scoreText, Vocabulary, type Score, type TextWords } from './vocabulary.ts';

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

/**
 * The points of a match, by its level: a name counts more than anything else together, then title,
 * place, genre. All matches of beginnings together count less than one whole word.
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
const bonuses = {
  whole: 2000,
  alias: 1000,
  start: 500,
  prefix: 1,
};

interface Subject {
  readonly row: SubjectRow;
  readonly events: readonly IndexedEvent[];
  /** Its name, and what else a country is called. */
  readonly text: TextWords;
  readonly aliases: TextWords;
  /** The names of the country in its name, or that it is about as a whole. */
  readonly country: TextWords;
  /** The aliases that several subjects have. */
  readonly shared: TextWords;
  readonly names: readonly string[];
  readonly aliasNames: readonly string[];
}

/** What the words of a query match: any text, and the texts that several subjects share. */
interface Scores {
  readonly score: (text: TextWords, points: readonly number[]) => Score;
  readonly genres: readonly Score[];
  readonly ofEvent: (event: IndexedEvent) => Score;
}

/** Searches an index, linearly: subjects and events by the numbers of the words that match. */
export class Searcher {
  readonly vocabulary = new Vocabulary();
  readonly names: Names;
  readonly genreNames: readonly GenreNames[];
  readonly #file: SearchFile;
  readonly #countryNames: CountryNames;
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
  readonly #isAtPlace: boolean;

  /** @param ignored the words that mean nothing in a search */
  constructor(
    file: SearchFile,
    reader: Readonly<{ tag: string; zone: string; isAtPlace: boolean }>,
    ignored: ReadonlySet<string>,
  ) {
    this.#file = file;
    this.#isAtPlace = reader.isAtPlace;
    this.#dayFormat = new Intl.DateTimeFormat('sv', {
      dateStyle: 'short',
      timeZone: reader.zone,
    });
    const { categories, genres, places, subjects, titles } = file;
    const codes = new Set(places.flatMap(([, , code]) => code || []));
    this.#countryNames = new CountryNames(codes);
    this.#country = countryOfReader(codes, reader);
    this.names = new Names(file, this.vocabulary, this.#countryNames, ignored);
    this.#titles = titles.map((title) =>
      this.vocabulary.addTitle(typeof title === 'string' ? title : title[0]),
    );
    this.#genres = genres.map(([, name, category]) =>
      this.vocabulary.add(...this.#countryNames.variantsOf(name), categories[category]?.[1] ?? ''),
    );
    this.#places = places.map((place) => {
      const [name, address] = place;
      return this.vocabulary.add(name, address, ...namesOfArea(this.#areaOf(place)));
    });
    this.#countries = new Map(
      Array.from(codes, (code) => [code, this.vocabulary.add(...wordsForCountry(code))]),
    );
    this.#subjects = subjects.map((row) => this.#readSubject(row));
    this.#isPerCountry = this.#genresPerCountry();
    this.genreNames = this.names.ofGenres(file, this.#isPerCountry);
  }

  #readSubject(row: SubjectRow): Subject {
    const [, name, , aliases] = row;
    const events = eventsOf(row, this.#isAtPlace);
    const variants = this.#countryNames.variantsOf(name);
    // What is called like a country has all its names.
    const isCountry = this.#countryNames.codeOf(name) !== undefined;
    const [area, ...otherAreas] = new Set(
      events.map(({ place }) => this.#areaOf(this.#file.places[place - 1])),
    );
    return {
      row,
      events,
      ...this.names.ofSubject(row),
      text: this.vocabulary.add(...(isCountry ? variants : [name])),
      country: isCountry
        ? []
        : this.vocabulary.add(
            ...variants.slice(1),
            ...(otherAreas.length === 0 ? namesOfArea(area) : []),
          ),
      aliases: this.vocabulary.add(...aliases.filter((alias) => !this.names.isShared(alias))),
      shared: this.vocabulary.add(...aliases.filter((alias) => this.names.isShared(alias))),
    };
  }

  /** Returns the country that a place is itself. */
  #areaOf([name = '', , code]: readonly (string | undefined)[] = []): string | undefined {
    return this.#countryNames.codeOf(name) === code ? code : undefined;
  }

  /** Returns what a query finds, the best first. */
  search(query: Query): Found[] {
    const { words, isNext } = query;
    const tokens = words.map((word, n) => {
      const [before, after] = [words[n - 1] ?? ' ', words[n + 1] ?? ' '];
      return this.vocabulary.match(word, [before + word, word + after]);
    });
    if (tokens.some(({ best }) => best === level.none)) return [];
    const scores = this.#scoresOf((text, points) => scoreText(text, tokens, points, query.isOpen));
    const matches = this.#subjects.flatMap((subject) => this.#find(subject, query, scores));
    // For "next X", prefer the reader's country only if every result belongs to one.
    const isOfCountries = matches.every(({ row }) => this.#isPerCountry[row[2]] === true);
    const results =
      isOfCountries || !isNext ? matches : matches.map((match) => ({ ...match, isOwn: false }));
    // At a place, people ask what is next there.
    const isPlace = this.names.isPlace(words) && !results.some(({ isWhole }) => isWhole);
    results.sort(isPlace ? byStartAt(words) : orderOf(isNext));
    const last = new Set(results.filter((match) => match.isOver || this.#isRunning(match, query)));
    return [...results.filter((match) => !last.has(match)), ...last];
  }

  /** Whether something began before the days that are asked. */
  #isRunning({ events }: Found, { range }: Query): boolean {
    const [first] = events;
    if (range === null || first === undefined || first.period !== null) return false;
    return this.#dateOf(first) < range.from;
  }

  /** Scores the texts that several subjects share once. */
  #scoresOf(score: Scores['score']): Scores {
    const genres = this.#genres.map((text) => score(text, pointsOf.genre));
    const countries = new Map(
      Array.from(this.#countries, ([code, text]) => [code, score(text, pointsOf.country)]),
    );
    const titles = this.#titles.map((text) => score(text, pointsOf.title));
    const places = this.#places.map((text, n) => {
      const place = score(text, pointsOf.place);
      const country = countries.get(this.#file.places[n]?.[2] ?? '') ?? none;
      const both = sumOf(place, country);
      return both.mask === place.mask ? place : both;
    });
    const ofEvent = ({ title, place }: IndexedEvent): Score =>
      sumOf(titles[title] ?? none, places[place - 1] ?? none);
    return { score, genres, ofEvent };
  }

  /** Returns a subject, if its names, what is around them, and its events have all words. */
  #find(subject: Subject, query: Query, { score, genres, ofEvent }: Scores): Found | [] {
    const { row } = subject;
    const all = 2 ** query.words.length - 1;
    const name = score(subject.text, pointsOf.name);
    const alias = score(subject.aliases, pointsOf.alias);
    const around = [
      alias,
      genres[row[2]] ?? none,
      score(subject.shared, pointsOf.shared),
      score(subject.country, pointsOf.genre),
    ];
    let { mask } = name;
    for (const part of around) mask |= part.mask;
    const events = this.#eventsOf(subject, query, (event) => (mask | ofEvent(event).mask) === all);
    // A name is found even if there is nothing to come. At a place or a time, there must be
    // something.
    if (events.length === 0 && (mask !== all || query.range !== null)) return [];
    const bonus = (name.mask | alias.mask) === 0 ? 0 : this.#bonusOf(subject, query.words);
    const isWhole = bonus >= bonuses.alias;
    // If the name has all words, it does not matter what else has them.
    const beside =
      name.mask === all
        ? 0
        : Math.max(...around.map(({ points }) => points)) +
          Math.max(0, ...events.map((event) => ofEvent(event).points));
    const hasCountries = all > 0 && (isWhole || this.#isPerCountry[row[2]] === true);
    return {
      row,
      events,
      isWhole,
      isAlias: bonus < bonuses.whole,
      isByEvent: mask !== all,
      isOwn: hasCountries && events.some((event) => this.#countryOf(event) === this.#country),
      isOver: !isWhole && events.some((event) => this.#isOver(event, query)),
      score: name.points + beside + bonus,
    };
  }

  /**
   * Returns the date of an instant, in milliseconds since the Unix epoch, in the zone of the
   * reader.
   */
  dayOf(instant: number): string {
    return this.#dayFormat.format(instant);
  }

  /**
   * The events of a subject that a query finds. That of the reader's country is first where each
   * country has one.
   */
  #eventsOf(
    subject: Subject,
    query: Query,
    isMatch: (event: IndexedEvent) => boolean,
  ): readonly IndexedEvent[] {
    const matches = subject.events.filter((event) => isMatch(event) && this.#isIn(event, query));
    const current = matches.filter((event) => !this.#isOver(event, query));
    // Past events are results only if the subject has no current ones.
    const isRecent = (event: IndexedEvent) => this.#isRecent(event, query);
    const events = current.length > 0 ? current : matches.filter(isRecent);
    const nearEvents = events.filter((event) => this.#countryOf(event) === this.#country);
    if (nearEvents.length === 0 || !isOnePerCountry(events.map((event) => this.#countryOf(event))))
      return events;
    return [...nearEvents, ...events.filter((event) => !nearEvents.includes(event))];
  }

  #isOver(event: IndexedEvent, { now }: Query): boolean {
    const { startsAt, isDate, days } = event;
    // The index has the minute of a start, and a date ends at noon of the next in UTC.
    if (days === null || startsAt > now) return startsAt <= now - (isDate ? 1.5 * day : minute);
    return this.#lastDateOf(event) < this.dayOf(now);
  }

  /** Whether the index keeps an event if it is past. */
  #isRecent(event: IndexedEvent, { now }: Query): boolean {
    return this.#lastDateOf(event) >= dateAfter(this.dayOf(now), -recentDays);
  }

  #isIn(event: IndexedEvent, { range }: Query): boolean {
    if (range === null) return true;
    const { startsAt, period, days } = event;
    // Most events are far from the range, and formatting a day is slow.
    const lastDay = startsAt + (days ?? 0) * day;
    if (lastDay < Date.parse(range.from) - day || startsAt > Date.parse(range.until) + 2 * day)
      return false;
    const last = period === null ? this.#lastDateOf(event) : rangeOfPeriod(period).from;
    return this.#dateOf(event) <= range.until && last >= range.from;
  }

  /** Returns the date of the start of an event. */
  #dateOf({ startsAt, ahead }: IndexedEvent): string {
    return ahead === null ? this.dayOf(startsAt) : isoDate(startsAt + ahead);
  }

  #lastDateOf(event: IndexedEvent): string {
    const date = this.#dateOf(event);
    return event.days === null ? date : dateAfter(date, event.days);
  }

  #genresPerCountry(): boolean[] {
    const countries = this.#file.genres.map((): string[] => []);
    for (const { row, events } of this.#subjects) {
      // Events at addresses, such as races, are not those of a country.
      const areas = events.map((event) =>
        this.#file.places[event.place - 1]?.[1] ? '' : this.#countryOf(event),
      );
      countries[row[2]]?.push(...new Set(areas));
    }
    return countries.map(isOnePerCountry);
  }

  #countryOf({ place }: IndexedEvent): string {
    return this.#file.places[place - 1]?.[2] ?? '';
  }

  /** The bonus of a subject for a name that is all of the words, or begins with them. */
  #bonusOf({ row, names: ownNames, aliasNames }: Subject, words: readonly string[]): number {
    const phrase = words.map(stem).join(' ');
    const [full, typed] = [wordsIn(row[1]).join(' '), words.join(' ')];
    const senses = this.names.sensesOf(words);
    if (ownNames.some((name) => senses.includes(name))) return bonuses.whole;
    if (aliasNames.includes(phrase)) return bonuses.alias;
    const names = [...ownNames, ...aliasNames];
    if (words.length > 1 && names.some((name) => name.startsWith(`${phrase} `)))
      return bonuses.start;
    return full.startsWith(typed) && full[typed.length] !== ' ' ? bonuses.prefix : 0;
  }
}

function sumOf(a: Score, b: Score): Score {
  return { mask: a.mask | b.mask, points: a.points + b.points };
}

function namesOfArea(code: string | undefined): readonly string[] {
  return code === undefined ? [] : wordsForCountry(code);
}

/** Whether most of at least five things are in different countries. */
function isOnePerCountry(countries: readonly string[]): boolean {
  return countries.length >= 5 && new Set(countries).size >= countries.length * 0.6;
}
