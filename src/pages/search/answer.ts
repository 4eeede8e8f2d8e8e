import { searchWords } from '../words/search-words.ts';
import type { Language } from '../../catalogue/model.ts';
import { nameOfRange, type Range } from './dates.ts';
import { fold } from './fold.ts';
import { genreId, subjectId, type IndexedEvent, type SearchFile, type SubjectRow } from './index-file.ts';
import { NameFinder, namesOfLists, type Named } from './names.ts';
import { pagesOf, type PageHit } from './page-hits.ts';
import { readQuery, withoutStopWords, type ReaderContext, type Reading } from './read-query.ts';
import { dateOf, Searcher, type Found, type Query } from './searcher.ts';

/** A part of a query that was understood as dates or as a name. */
export interface Chip {
  readonly name: string | null;
  readonly range: Range | null;
  /** What the home page calls the range. */
  readonly on: string | null;
  /** The query without it. */
  readonly without: string;
}

/** A subject, or an event of a subject. `category` is its number, which decides its colour. */
interface Place {
  readonly subject: { readonly id: string; readonly name: string; readonly aliases: readonly string[] };
  readonly genre: { readonly id: string; readonly name: string };
  readonly category: number;
}

export interface SubjectHit extends Place {
  /** The soonest of its events that were found, and the number of all. */
  readonly events: readonly IndexedEvent[];
  readonly count: number;
}

export interface EventHit extends Place {
  readonly event: IndexedEvent;
  /** Its date where the reader is. */
  readonly date: string;
}

export interface Answer {
  readonly chips: readonly Chip[];
  readonly pages: readonly PageHit[];
  /** Subjects, the best first. Empty if the query has dates. */
  readonly subjects: readonly SubjectHit[];
  /** Events by day, if the query has dates. */
  readonly events: readonly EventHit[];
  /** The words that were searched, folded. */
  readonly words: readonly string[];
  /** The words that were left out because nothing has all of them. */
  readonly dropped: readonly string[];
  /** The number of events or, where there is none, of subjects that were found. */
  readonly total: number;
  /** How many subjects or events there are beyond those of the answer. */
  readonly more: number;
  /** Names that are near, if nothing was found. */
  readonly suggestions: readonly string[];
}

/** What the reader asks, and the circumstances. */
export interface Asked extends ReaderContext {
  readonly text: string;
  readonly now: number;
  readonly dayOf: (instant: number) => string;
  /** The maximum number of subjects, or of events by day. */
  readonly limits: { readonly subjects: number; readonly events: number };
}

const eventsPerSubject = 3;

/** Understands queries, and answers them from an index. */
export class Answerer {
  readonly #file: SearchFile;
  readonly #searcher: Searcher;
  readonly #finder: NameFinder;

  constructor(file: SearchFile, { language }: Pick<ReaderContext, 'language'>) {
    this.#file = file;
    const all = Object.keys(searchWords) as Language[];
    const names = namesOfLists(file, [...new Set([language, 'en', ...all] as const)]);
    // Every language would make the vocabulary twice as large.
    this.#searcher = new Searcher(
      file,
      names.map((ofList) => ofList.slice(0, 2)),
    );
    this.#finder = new NameFinder(file, names);
  }

  answer({ text, ...circumstances }: Asked): Answer {
    const asked = { ...circumstances, text: cut(text) };
    if (fold(asked.text) === '') return { ...nothing, suggestions: [] };
    const readings = readQuery(asked.text, this.#finder, asked);
    const attempt = this.#attempt(readings, asked) ?? this.#withFewerWords(readings, asked);
    if (attempt !== null) return this.#answerOf(attempt, asked);
    const [first] = readings;
    if (first === undefined) return nothing;
    const { words, names } = first;
    const suggestions = names.length > 0 ? [] : this.#searcher.suggest(words);
    return { ...this.#answerOf({ reading: first, found: [], dropped: [] }, asked), suggestions };
  }

  /** Tries readings until one finds something. What is a name is not read as dates: "Black Friday". */
  #attempt(readings: readonly Reading[], asked: Asked): Attempt | null {
    const isName = this.#searcher.hasName(fold(asked.text));
    for (const reading of isName ? readings.filter(({ dated }) => dated === null) : readings) {
      const attempt = this.#search(reading, asked);
      if (attempt.found.length > 0) return attempt;
    }
    return null;
  }

  /** Searches within what the names of a reading stand for or, if nothing is there, for the words of the names. */
  #search(reading: Reading, asked: Asked): Attempt {
    const query = this.#queryOf(reading, asked);
    const found = this.#searcher.search(query);
    if (found.length > 0 || reading.names.length === 0) return { reading, found, dropped: [] };
    const words = [...reading.names.flatMap((name) => name.words.split(' ')), ...reading.words];
    const plain: Reading = { ...reading, names: [], words };
    return { reading: plain, found: this.#searcher.search(this.#queryOf(plain, asked)), dropped: [] };
  }

  #queryOf({ dated, names, words }: Reading, { text, now, dayOf }: Asked): Query {
    const named = names.flatMap((name) => [name.named]);
    const lists = named.map((all) => all.filter(({ kind }) => kind === 'country' || kind === 'tag'));
    return {
      words,
      phrase: fold(text),
      range: dated?.range ?? null,
      genres: this.#genresOf(named.flat()),
      lists: lists.filter((all) => all.length > 0).map((all) => new Set(all.map(({ number }) => number))),
      now,
      dayOf,
    };
  }

  /** Returns the genres that are named, and are in a category that is named. Null if none is named. */
  #genresOf(named: readonly Named[]): ReadonlySet<number> | null {
    const numbers = (kind: Named['kind']): ReadonlySet<number> =>
      new Set(named.flatMap((one) => (one.kind === kind ? [one.number] : [])));
    const [genres, categories] = [numbers('genre'), numbers('category')];
    if (genres.size + categories.size === 0) return null;
    const isIn = (genre: number): boolean =>
      (genres.size === 0 || genres.has(genre)) &&
      (categories.size === 0 || categories.has(this.#file.genres[genre]?.[2] ?? -1));
    return new Set(this.#file.genres.flatMap((_, genre) => (isIn(genre) ? [genre] : [])));
  }

  /** Leaves out words, the rarest first, until something is found. At least half of a query without names stays. */
  #withFewerWords([reading]: readonly Reading[], asked: Asked): Attempt | null {
    if (reading === undefined) return null;
    const { words, names } = reading;
    const counted = words.map((word) => ({ word, count: this.#searcher.frequencyOf(word) }));
    const rare = counted.toSorted((a, b) => a.count - b.count);
    for (let left = 1; left <= words.length; left++) {
      const rarest = new Set(rare.slice(0, left));
      const kept = counted.filter((one) => !rarest.has(one));
      if (names.length === 0 && (kept.length === 0 || kept.length * 2 < words.length)) return null;
      if (kept.some(({ count }) => count === 0)) continue;
      const shorter = { ...reading, words: kept.map(({ word }) => word) };
      const found = this.#searcher.search(this.#queryOf(shorter, asked));
      const dropped = words.filter((word) => !shorter.words.includes(word));
      if (found.length > 0) return { reading: shorter, found, dropped };
    }
    return null;
  }

  #answerOf({ reading, found, dropped }: Attempt, asked: Asked): Answer {
    const { dated, names, words } = reading;
    const isDated = dated !== null;
    const events = isDated ? this.#byDay(found, asked.dayOf) : [];
    const { limits } = asked;
    const eventsOf = (named: readonly Named[]): IndexedEvent[] => {
      const query = this.#queryOf({ ...reading, names: [], words: [] }, asked);
      const atDates = this.#searcher.search({ ...query, phrase: '', genres: this.#genresOf(named) });
      return atDates.flatMap((one) => one.events);
    };
    return {
      chips: chipsOf(reading, asked),
      pages: pagesOf(this.#file, reading, this.#finder.like(names.length === 0 && !isDated ? words : []), {
        on: dated && nameOfRange(dated.range, asked.today),
        eventsOf,
      }),
      subjects: isDated ? [] : found.slice(0, limits.subjects).map((one) => this.#hit(one)),
      events: events.slice(0, limits.events),
      words: [...words, ...names.flatMap((name) => name.words.split(' '))],
      dropped,
      total: sum(found),
      more: Math.max(0, isDated ? events.length - limits.events : found.length - limits.subjects),
      suggestions: [],
    };
  }

  #byDay(found: readonly Found[], dayOf: Asked['dayOf']): EventHit[] {
    const hits = found.flatMap(({ row, events }) =>
      events.map((event) => ({ ...this.#placeOf(row), event, date: dateOf(event, dayOf) })),
    );
    const orderOf = ({ event }: EventHit): number => (event.period !== null ? 2 : event.isDate ? 0 : 1);
    return hits.sort((a, b) => {
      const byPeriod = Number(a.event.period !== null) - Number(b.event.period !== null);
      const byDate = a.date < b.date ? -1 : a.date > b.date ? 1 : 0;
      return byPeriod || byDate || orderOf(a) - orderOf(b) || a.event.startsAt - b.event.startsAt;
    });
  }

  #hit({ row, events }: Found): SubjectHit {
    return { ...this.#placeOf(row), events: events.slice(0, eventsPerSubject), count: events.length };
  }

  #placeOf(row: SubjectRow): Place {
    const [, name, number, aliases] = row;
    const genre = this.#file.genres[number] ?? ['', '', 0];
    const [, genreName, category] = genre;
    const subject = { id: subjectId(row), name, aliases };
    return { subject, genre: { id: genreId(this.#file, genre), name: genreName }, category };
  }
}

/** A reading, and what it finds. */
interface Attempt {
  readonly reading: Reading;
  readonly found: readonly Found[];
  readonly dropped: readonly string[];
}

const nothing: Answer = {
  chips: [],
  pages: [],
  subjects: [],
  events: [],
  words: [],
  dropped: [],
  total: 0,
  more: 0,
  suggestions: [],
};

/** Cuts a query before it is read, because the time to find names in it grows faster than its length. */
function cut(text: string): string {
  return text.slice(0, 100).split(/\s+/).slice(0, 12).join(' ');
}

function sum(found: readonly Found[]): number {
  return found.reduce((total, { events }) => total + Math.max(1, events.length), 0);
}

function chipsOf({ dated, names }: Reading, { text, today, language }: Asked): Chip[] {
  const phrase = fold(text);
  const without = (words: string): string => {
    const rest = phrase.replace(words, ' ').split(/ +/).filter(Boolean);
    return withoutStopWords(rest, [language, 'en']).join(' ');
  };
  const chips: Chip[] = names.map(({ words, named: [first] }) => ({
    name: first?.name ?? words,
    range: null,
    on: null,
    without: without(words),
  }));
  if (dated === null) return chips;
  const { range, words } = dated;
  return [...chips, { name: null, range, on: nameOfRange(range, today), without: without(words) }];
}
