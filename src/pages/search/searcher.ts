import { rangeOfPeriod, type Range } from './dates.ts';
import { fold, initialsOf, isNear, isUnspaced, wordsIn } from './fold.ts';
import { eventsOf, type IndexedEvent, type SearchFile, type SubjectRow } from './index-file.ts';
import { bestEvent, none, scoreOf, scoreOfEvent, weights, type EventScores } from './score.ts';
import type { TextWords, Token } from './score.ts';

/** What to search for. Dates count in the zone of the reader, which `dayOf` knows. */
export interface Query {
  /** Folded. An event must have all of them. */
  readonly words: readonly string[];
  /** Everything that was typed, folded: a subject with all of it in its name is found in any case. */
  readonly phrase: string;
  readonly range: Range | null;
  /** The genres of the events, by number. Null for all. */
  readonly genres: ReadonlySet<number> | null;
  /** The countries and tags of the events, by number: one of each set. */
  readonly lists: readonly ReadonlySet<number>[];
  /** Events that began before this instant are left out, in milliseconds since the Unix epoch. */
  readonly now: number;
  readonly dayOf: (instant: number) => string;
}

/** A subject that a query finds, with those of its events that it finds, by their starts. */
export interface Found {
  readonly row: SubjectRow;
  readonly events: readonly IndexedEvent[];
  readonly score: number;
}

const maxWords = 12;
const day = 24 * 3600_000;

/**
 * Searches an index, linearly: words are compared once with the vocabulary, and subjects and events with the numbers of
 * the words that matched.
 */
export class Searcher {
  readonly #file: SearchFile;
  readonly #vocabulary = new Map<string, number>();
  readonly #subjects: readonly SubjectWords[];
  readonly #titles: readonly TextWords[];
  readonly #genres: readonly TextWords[];
  readonly #places: readonly TextWords[];

  /** @param listNames the names of each country, tag and collection */
  constructor(file: SearchFile, listNames: readonly (readonly string[])[]) {
    this.#file = file;
    this.#titles = file.titles.map((title) => this.#read(typeof title === 'string' ? title : title[0]));
    this.#genres = file.genres.map(([, name, category]) => this.#read(name, file.categories[category]?.[1] ?? ''));
    this.#places = file.places.map(([name, ...lists]) =>
      this.#read(name, ...lists.flatMap((list) => listNames[list] ?? [])),
    );
    this.#subjects = file.subjects.map((row) => ({
      row,
      own: this.#read(row[1], ...row[3]),
      names: [row[1], ...row[3]].map(fold),
    }));
  }

  /** Returns what a query finds, the best first, and the soonest first among those that are as good. */
  search(query: Query): Found[] {
    const words = query.words.slice(0, maxWords);
    const tokens = words.map((word) => this.#match(word));
    const all = (1 << tokens.length) - 1;
    const phrase = query.phrase === words.join(' ') ? [] : wordsIn(query.phrase).slice(0, maxWords);
    const named = phrase.map((word) => this.#match(word));
    const genres = this.#genres.map((text) => scoreOf(text, tokens));
    const score = (texts: readonly TextWords[]) =>
      tokens.length === 0 ? [] : texts.map((text) => scoreOf(text, tokens));
    const scores = { titles: score(this.#titles), places: score(this.#places) };
    const found: Found[] = [];
    for (const { row, own, names } of this.#subjects) {
      const above = genres[row[2]] ?? none;
      const mine = scoreOf(own, tokens);
      const hasPhrase = named.length > 0 && scoreOf(own, named).mask === (1 << named.length) - 1;
      const isWide = hasPhrase || (query.genres === null && query.lists.length === 0);
      if (!isWide && query.genres?.has(row[2]) === false) continue;
      const mask = hasPhrase ? all : mine.mask | above.mask;
      const best = bestEvent(row, scores, mask, all);
      if (mask !== all && best === none) continue;
      const events = this.#eventsOf(row, mask, all, scores, hasPhrase ? { ...query, lists: [] } : query);
      const mayBeOver = query.range === null && (hasPhrase || query.lists.length === 0);
      if (events.length === 0 && (mask !== all || !mayBeOver)) continue;
      const bonus = bonusOf(names, query.phrase, words.join(' '));
      const within = query.genres?.has(row[2]) === true ? weights.within : 0;
      const total =
        mine.score * weights.name + above.score * weights.genre + best.score * weights.title + bonus + within;
      found.push({ row, events, score: events.length === 0 ? total / 2 : total });
    }
    return found.sort((a, b) => b.score - a.score || startOf(a) - startOf(b));
  }

  /** Whether a subject or an alias has a name, folded. */
  hasName(name: string): boolean {
    return this.#subjects.some(({ names }) => names.includes(name));
  }

  /** Whether a word, or its beginning, is in the index, and in how many subjects, genres, titles and places. */
  frequencyOf(word: string): number {
    const token = this.#match(word);
    if (!token.hasMatch) return 0;
    const texts = [this.#titles, this.#genres, this.#places, this.#subjects.map(({ own }) => own)].flat();
    return texts.filter((text) => scoreOf(text, [token]).mask !== 0).length;
  }

  /** The events of a subject that a query finds: all of them if the words are those of the subject. */
  #eventsOf(row: SubjectRow, mask: number, all: number, scores: EventScores, query: Query): IndexedEvent[] {
    const { range, now, dayOf, lists } = query;
    const isThere = ({ place }: IndexedEvent): boolean => {
      const [, ...own] = this.#file.places[place - 1] ?? [''];
      return lists.every((set) => own.some((list) => set.has(list)));
    };
    return eventsOf(this.#file, row).filter(
      (event) =>
        (mask === all || (mask | scoreOfEvent(scores, event.titleNumber, event.place).mask) === all) &&
        // The index has the minute of a start.
        event.startsAt > now - (event.isDate ? 2 * day : 60_000) &&
        (lists.length === 0 || isThere(event)) &&
        isIn(event, range, dayOf),
    );
  }

  /** Reads texts into the numbers of their words, and of neighbours written as one, such as `superbowl`. */
  #read(...texts: readonly string[]): TextWords {
    const words: number[] = [];
    const joined: number[] = [];
    const initials: string[] = [];
    for (const text of texts) {
      const list = wordsIn(text);
      for (const [n, word] of list.entries()) {
        words.push(this.#number(word));
        if (n > 0) joined.push(this.#number(`${list[n - 1] ?? ''}${word}`));
      }
      if (list.length > 1) initials.push(initialsOf(list));
    }
    return { words, joined, initials };
  }

  #number(word: string): number {
    let number = this.#vocabulary.get(word);
    if (number === undefined) this.#vocabulary.set(word, (number = this.#vocabulary.size));
    return number;
  }

  /** Compares a typed word with the vocabulary. Typing errors count only if nothing else matches. */
  #match(typed: string): Token {
    const scores = new Float32Array(this.#vocabulary.size);
    const isAnywhere = isUnspaced(typed);
    let hasMatch = false;
    for (const [word, number] of this.#vocabulary) {
      if (!(isAnywhere ? word.includes(typed) : word.startsWith(typed))) continue;
      scores[number] = word === typed ? weights.exact : weights.prefix;
      hasMatch = true;
    }
    // Another number is no typing error.
    if (!hasMatch && typed.length >= 4 && !/\d/.test(typed)) {
      for (const [word, number] of this.#vocabulary) {
        if (isNear(typed, word, typed.length >= 5)) scores[number] = weights.near;
      }
    }
    return { typed, scores, hasMatch };
  }

  /** Returns names of subjects with a word that has more than half of its letters in common with a word of a query. */
  suggest(words: readonly string[]): string[] {
    const typed = words.filter((word) => word.length >= 3);
    const ranked = this.#subjects.map(({ row, names: [name = ''] }) => ({
      name: row[1],
      likeness: Math.max(0, ...typed.flatMap((word) => name.split(' ').map((other) => likeness(word, other)))),
    }));
    return ranked
      .filter((one) => one.likeness > 0.5)
      .sort((a, b) => b.likeness - a.likeness)
      .slice(0, 5)
      .map(({ name }) => name);
  }
}

interface SubjectWords {
  readonly row: SubjectRow;
  readonly own: TextWords;
  /** Its name and its aliases, folded. */
  readonly names: readonly string[];
}

function bonusOf(names: readonly string[], phrase: string, words: string): number {
  if (names.includes(phrase) || (words !== '' && names.includes(words))) return weights.whole;
  return words !== '' && names.some((name) => name.startsWith(words)) ? weights.start : 0;
}

function isIn(event: IndexedEvent, range: Range | null, dayOf: (instant: number) => string): boolean {
  if (range === null) return true;
  const { startsAt, period } = event;
  // Most events are far from the range, and formatting a day is slow.
  if (startsAt < Date.parse(range.from) - day || startsAt > Date.parse(range.until) + 2 * day) return false;
  const date = dateOf(event, dayOf);
  const first = period === null ? date : rangeOfPeriod(period).from;
  return first >= range.from && date <= range.until;
}

/** Returns the date of an event where the reader is, or the last date of a period. */
export function dateOf({ startsAt, isDate }: IndexedEvent, dayOf: (instant: number) => string): string {
  return isDate ? new Date(startsAt).toISOString().slice(0, 'yyyy-mm-dd'.length) : dayOf(startsAt);
}

function startOf({ events }: Found): number {
  return events[0]?.startsAt ?? Infinity;
}

/** Returns the share of the longer word that is the common beginning of both. */
function likeness(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at / Math.max(a.length, b.length);
}
