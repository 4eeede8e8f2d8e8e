import type { Range } from './dates.ts';
import { fold, initialsOf, isNear, wordsIn } from './fold.ts';
import { eventsOf, type IndexedEvent, type SearchFile, type SubjectRow } from './index-file.ts';
import { bestTitle, none, scoreOf, weights, type Score, type TextWords, type Token } from './score.ts';

/** A subject that a query finds, with those of its events that it finds. */
export interface Hit {
  readonly subject: { readonly id: string; readonly name: string; readonly aliases: readonly string[] };
  readonly genre: { readonly id: string; readonly name: string };
  /** The place of its category among all. */
  readonly category: { readonly id: string; readonly name: string };
  /** The soonest of its events. */
  readonly events: readonly IndexedEvent[];
  /** The number of all events that were found. */
  readonly count: number;
}

export interface SearchReply {
  readonly hits: readonly Hit[];
  /** The number of events or, where there is none, of subjects that were found. */
  readonly total: number;
  /** Names that are near, if nothing was found. */
  readonly suggestions: readonly string[];
}

/** What to search for. Dates count in the zone of the reader, which `dayOf` knows. */
export interface Query {
  readonly words: string;
  readonly range: Range | null;
  /** Events that began before this instant are left out, in milliseconds since the Unix epoch. */
  readonly now: number;
  readonly dayOf: (instant: number) => string;
}

const maxHits = 20;
const eventsPerSubject = 3;
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

  constructor(file: SearchFile) {
    this.#file = file;
    this.#titles = file.titles.map((title) => this.#read(typeof title === 'string' ? title : title[0]));
    this.#genres = file.genres.map(([, name, category]) => this.#read(name, file.categories[category]?.[1] ?? ''));
    this.#subjects = file.subjects.map(([, name, genre, aliases]) => ({
      own: this.#read(name, ...aliases),
      folded: fold(name),
      genre,
    }));
  }

  search(query: Query): SearchReply {
    const words = wordsIn(query.words).slice(0, 8);
    if (words.length === 0 && query.range === null) return { hits: [], total: 0, suggestions: [] };
    const tokens = words.map((word) => this.#match(word));
    const all = (1 << tokens.length) - 1;
    const genres = this.#genres.map((text) => scoreOf(text, tokens));
    const titles = words.length === 0 ? [] : this.#titles.map((text) => scoreOf(text, tokens));
    const found: Found[] = [];
    for (const [index, { own, folded, genre }] of this.#subjects.entries()) {
      const mine = scoreOf(own, tokens);
      const above = genres[genre] ?? none;
      const mask = mine.mask | above.mask;
      const row = this.#file.subjects[index];
      const best = row === undefined || words.length === 0 ? none : bestTitle(row[4], titles, mask, all);
      if (row === undefined || (mask !== all && best === none)) continue;
      const events = this.#eventsOf(row, mask, all, titles, query);
      if (events.length === 0 && (mask !== all || query.range !== null)) continue;
      const whole = fold(query.words);
      const bonus = folded === whole ? weights.whole : whole !== '' && folded.startsWith(whole) ? weights.start : 0;
      const score = mine.score * weights.name + above.score * weights.genre + best.score * weights.title + bonus;
      found.push({ index, events, score: events.length === 0 ? score / 2 : score });
    }
    found.sort((a, b) => b.score - a.score || startOf(a) - startOf(b));
    if (words.length === 0) found.sort((a, b) => startOf(a) - startOf(b));
    const hits = found.slice(0, maxHits).map((one) => this.#hit(one));
    const total = found.reduce((sum, { events }) => sum + Math.max(1, events.length), 0);
    return { hits, total, suggestions: hits.length === 0 ? this.#suggest(words) : [] };
  }

  /** The events of a subject that a query finds: all of them if the words are those of the subject. */
  #eventsOf(
    row: SubjectRow,
    mask: number,
    all: number,
    titles: readonly Score[],
    { range, now, dayOf }: Query,
  ): IndexedEvent[] {
    return eventsOf(this.#file, row).filter((event, n) => {
      const title = titles[row[4][2 * n] ?? 0] ?? none;
      return (
        (mask | title.mask) === all && event.startsAt > now - (event.isDate ? 2 * day : 0) && isIn(event, range, dayOf)
      );
    });
  }

  #hit({ index, events }: Found): Hit {
    const [id, name, genre, aliases] = this.#file.subjects[index] ?? ['', '', 0, []];
    const [genreId, genreName, category] = this.#file.genres[genre] ?? ['', '', 0];
    const [categoryId, categoryName] = this.#file.categories[category] ?? ['', ''];
    return {
      subject: { id, name, aliases },
      genre: { id: genreId, name: genreName },
      category: { id: categoryId, name: categoryName },
      events: events.slice(0, eventsPerSubject),
      count: events.length,
    };
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
    let hasMatch = false;
    for (const [word, number] of this.#vocabulary) {
      if (!word.startsWith(typed)) continue;
      scores[number] = word === typed ? weights.exact : weights.prefix;
      hasMatch = true;
    }
    if (!hasMatch && typed.length >= 4) {
      for (const [word, number] of this.#vocabulary) {
        if (isNear(typed, word, typed.length >= 5)) scores[number] = weights.near;
      }
    }
    return { typed, scores, hasMatch };
  }

  /** Names that begin like a word that was not found, or contain the other words. */
  #suggest(words: readonly string[]): string[] {
    const likeness = ({ folded }: SubjectWords): number =>
      Math.max(
        ...words.map((word) => Math.max(...folded.split(' ').map((name) => commonStart(word, name) / word.length))),
      );
    const ranked = this.#subjects
      .map((subject, index) => ({ index, likeness: likeness(subject) }))
      .filter((one) => one.likeness >= 0.5);
    ranked.sort((a, b) => b.likeness - a.likeness);
    return ranked.slice(0, 5).map(({ index }) => this.#file.subjects[index]?.[1] ?? '');
  }
}

interface SubjectWords {
  readonly own: TextWords;
  readonly folded: string;
  readonly genre: number;
}

interface Found {
  readonly index: number;
  readonly events: readonly IndexedEvent[];
  readonly score: number;
}

function isIn({ startsAt, isDate }: IndexedEvent, range: Range | null, dayOf: (instant: number) => string): boolean {
  if (range === null) return true;
  // Most events are far from the range, and formatting a day is slow.
  if (startsAt < Date.parse(range.from) - day || startsAt > Date.parse(range.until) + 2 * day) return false;
  const date = isDate ? new Date(startsAt).toISOString().slice(0, 10) : dayOf(startsAt);
  return date >= range.from && date <= range.until;
}

function startOf({ events }: Found): number {
  return events[0]?.startsAt ?? Infinity;
}

function commonStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}
