import type { Searcher } from './searcher.ts';
import { fold, isUnspaced, wordsIn } from './text.ts';
import { readTimes, spacedTimes, type Time, type TimeContext, type Token } from './times.ts';
import { searchWords } from './words.ts';

/** A longer query is cut before it is read, so that no text takes long. */
const most = {
  characters: 100,
  words: 12,
  readings: 4,
} as const;

/** The dash of `24-26 dec`, `24.12.-26.12.` and of two ISO dates, which may have a slash as well. */
const daysWithDash =
  /(?<=(?:^|\s)\d\d?\.?(?:\d\d?\.)?)\s?[-–—]\s?(?=\d\d?\.?(?:\d\d?\.(?:\d{4})?)?(?:\s|$))|(?<=\d{4}-\d\d-\d\d)\s?[-–—/]\s?(?=\d{4}-\d\d-\d\d)/g;

/**
 * A word of a query that means something: folded, as it was typed, and its place between words such
 * as "and".
 */
export interface Word {
  readonly word: string;
  readonly raw: string;
  readonly part: number;
}

/** A way to understand a query: a time or none, the words that say it, and the others. */
export interface Reading {
  readonly time: Time | null;
  readonly timeWords: readonly string[];
  readonly words: readonly Word[];
  /** Whether the words ask for what is next. */
  readonly isNext: boolean;
}

/** Returns the words of some languages that mean nothing in a search, folded. */
export function ignoredWords(languages: Iterable<string>): ReadonlySet<string> {
  const lists = [...languages].flatMap((language) => searchWords[language] ?? []);
  return new Set(lists.flatMap(({ ignored, and, next }) => wordsIn(`${ignored} ${and} ${next}`)));
}

/** Reads queries in some languages. */
export class QueryReader {
  readonly #context: Omit<TimeContext, 'today'>;
  readonly #ignored: ReadonlySet<string>;
  readonly #and: ReadonlySet<string>;
  readonly #next: ReadonlySet<string>;
  readonly #index: Searcher;

  constructor(languages: readonly string[], tag: string, index: Searcher) {
    const words = languages.flatMap((language) => searchWords[language] ?? []);
    this.#ignored = ignoredWords(languages);
    this.#and = new Set(words.flatMap(({ and }) => wordsIn(and)));
    this.#next = new Set(words.flatMap(({ next }) => wordsIn(next)));
    this.#context = {
      tag,
      languages,
      words,
      isWord: (word) => index.vocabulary.has(word),
    };
    this.#index = index;
  }

  /**
   * Returns the ways to understand a query, the likeliest first. What is a name whole has no time:
   * "Black Friday".
   */
  read(text: string, today: string): Reading[] {
    const tokens = this.#tokensOf(text);
    if (tokens.length === 0) return [];
    const plain = this.#readingOf(tokens, null);
    if (this.#index.names.isName(plain.words.map(({ word }) => word))) return [plain];
    const times = readTimes(tokens, { ...this.#context, today }).slice(0, most.readings);
    return [...times.map((time) => this.#readingOf(tokens, time)), plain];
  }

  #tokensOf(text: string): Token[] {
    const cut = [...text].slice(0, most.characters).join('').replace(daysWithDash, ' to ');
    return spacedTimes(cut, this.#context.words)
      .split(/\s+/)
      .map((raw) => ({
        raw,
        folded: fold(this.#withoutParticles(raw)),
      }))
      .filter(({ folded }) => folded !== '')
      .slice(0, most.words);
  }

  /**
   * Cuts particles off a text in letters that stand without spaces, which are parts of no word
   * there.
   */
  #withoutParticles(text: string): string {
    if (!isUnspaced(text) || this.#ignored.has(text)) return text;
    const particles = [...this.#ignored].filter(isUnspaced).toSorted((a, b) => b.length - a.length);
    const before =
      particles.find((particle) => text.length > particle.length && text.startsWith(particle)) ??
      '';
    const rest = text.slice(before.length);
    const after =
      particles.find((particle) => rest.length > particle.length && rest.endsWith(particle)) ?? '';
    return rest.slice(0, rest.length - after.length);
  }

  #readingOf(tokens: readonly Token[], time: Time | null): Reading {
    const isTime = (n: number) => time !== null && n >= time.from && n < time.until;
    let part = 0;
    const words = tokens.flatMap(({ raw, folded }, n) => {
      if (this.#and.has(folded)) part++;
      return isTime(n)
        ? []
        : folded.split(' ').map((word) => ({
            word: this.#index.vocabulary.correct(word),
            raw,
            part,
            isIgnored: this.#ignored.has(folded),
          }));
    });
    const significant = words.filter(({ isIgnored }) => !isIgnored);
    return {
      time,
      timeWords: tokens.flatMap(({ raw }, n) => (isTime(n) ? [raw] : [])),
      words: (significant.length === 0 && time === null ? words : significant).slice(0, most.words),
      isNext: tokens.some(({ folded }, n) => !isTime(n) && this.#next.has(folded)),
    };
  }
}
