import {
  digitsOf,
  fold,
  initialsOf,
  isNear,
  isNumber,
  isSame,
  isUnspaced,
  wordsIn,
} from './text.ts';
import { searchWords } from './words.ts';

/**
 * How well a word of the index matches a typed one: begins with it, has it in another way, or is
 * the same.
 */
export const level = {
  none: 0,
  prefix: 1,
  part: 2,
  exact: 3,
} as const;

/**
 * A text of the index: the numbers of its words in the vocabulary, of neighbours written as one,
 * such as `+superbowl`, and of its initials, such as `=eol`.
 */
export type TextWords = readonly number[];

/** From this length on, a word that the index has is no beginning of a longer one. */
const shortestWhole = 4;

/** A typed word, and how well each word of the vocabulary matches it. */
export interface Token {
  readonly levels: Uint8Array;
  readonly best: number;
}

/** Which typed words a text has (one bit for each), and the points for them. */
export interface Score {
  readonly mask: number;
  readonly points: number;
}

export const none: Score = { mask: 0, points: 0 };

/** The words of an index by numbers, so that a typed word is compared once with each. */
export class Vocabulary {
  readonly #numbers = new Map<string, number>();
  /** The numbers of the words of names and places. Typing errors are forgiven in these alone. */
  readonly #forgiving = new Set<number>();
  /** The words for times in every language, which are no typing errors. */
  readonly #timeWords: ReadonlySet<string>;
  readonly #synonyms: ReadonlyMap<string, readonly string[]>;

  constructor() {
    const synonyms = Object.values(searchWords).flatMap((words) => Object.entries(words.synonyms));
    this.#synonyms = new Map(synonyms.map(([word, meanings]) => [fold(word), wordsIn(meanings)]));
    const times = Object.values(searchWords).flatMap((words) => Object.values(words.times).flat());
    this.#timeWords = new Set(times.flatMap(wordsIn));
  }

  /** Adds names, and returns their words. */
  add(...names: readonly string[]): TextWords {
    const words = this.addTitle(...names);
    for (const number of words) this.#forgiving.add(number);
    return words;
  }

  /** Adds texts in which typing errors are not forgiven, and returns their words. */
  addTitle(...texts: readonly string[]): TextWords {
    const words = texts.flatMap((text) => {
      const list = wordsIn(text);
      const joined = list.flatMap((word, n) => [
        word,
        digitsOf(word),
        ...(n > 0 ? [`+${list[n - 1]}${word}`] : []),
      ]);
      return list.length > 1 ? [...joined, `=${initialsOf(list)}`] : joined;
    });
    return Array.from(new Set(words), (word) => {
      const number = this.#numbers.get(word) ?? this.#numbers.size;
      this.#numbers.set(word, number);
      return number;
    });
  }

  /** Whether a word is in the index as it is. */
  has(word: string): boolean {
    return this.#numbers.has(word);
  }

  /** Whether a word finds anything. */
  finds(word: string): boolean {
    return this.match(word).best !== level.none;
  }

  /** Returns what a typed word stands for: itself, its number and its synonyms. */
  sensesOf(typed: string): string[] {
    return [typed, digitsOf(typed), ...(this.#synonyms.get(typed) ?? [])];
  }

  /**
   * Returns the word that is meant by one with a typing error, if nothing matches what is typed.
   */
  correct(typed: string): string {
    if (this.finds(typed) || this.#timeWords.has(typed)) return typed;
    const near = [...this.#numbers].flatMap(([word, number]) =>
      this.#forgiving.has(number) && isNear(typed, word.replace('+', '')) ? [word] : [],
    );
    return (near.find((word) => !word.startsWith('+')) ?? near[0])?.replace('+', '') ?? typed;
  }

  /**
   * Compares a typed word with the vocabulary.
   *
   * @param joins the word together with its neighbours, which may be one: the "moto" of "moto gp"
   */
  match(typed: string, joins: readonly string[] = []): Token {
    const levels = new Uint8Array(this.#numbers.size);
    const [senses, isAnywhere, isDigits] = [
      this.sensesOf(typed),
      isUnspaced(typed),
      isNumber(typed),
    ];
    const levelOf = (word: string) => {
      if (word.startsWith('=')) return areInitials(word.slice(1), typed) ? level.part : level.none;
      if (word.startsWith('+')) return word === `+${typed}` ? level.part : level.none;
      if (senses.some((sense) => isSame(word, sense))) return level.exact;
      // Without spaces, what a word is stands at its end.
      if (isAnywhere && word.endsWith(typed)) return level.exact;
      // Version 3.9 is no beginning of 3.94, but of 3.9.4.
      const isPart = isAnywhere ? word.includes(typed) : isDigits && word.startsWith(`${typed}.`);
      if (isPart || joins.includes(word)) return level.part;
      return word.startsWith(typed) && !isDigits ? level.prefix : level.none;
    };
    let best: number = level.none;
    for (const [word, number] of this.#numbers) {
      levels[number] = levelOf(word);
      best = Math.max(best, levels[number] ?? 0);
    }
    // Easter is a word of its own, and no beginning of eastern.
    if (best === level.exact && typed.length >= shortestWhole) {
      for (const [number, match] of levels.entries()) {
        if (match === level.prefix) levels[number] = level.none;
      }
    }
    return { levels, best };
  }
}

/**
 * Returns which of the typed words a text has, and the points for them. Before another word, a
 * beginning counts only if the text has both: the "all" of "all saints" is not that of Allemagne.
 *
 * @param points by level
 * @param isOpen whether the last word may be a beginning
 */
export function scoreText(
  text: TextWords,
  tokens: readonly Token[],
  points: readonly number[],
  isOpen: boolean,
): Score {
  let [mask, sum] = [0, 0];
  let following: number = isOpen ? level.exact : level.none;
  for (let bit = tokens.length - 1; bit >= 0; bit--) {
    const { levels } = tokens[bit] ?? {};
    let best: number = level.none;
    for (const word of text) best = Math.max(best, levels?.[word] ?? 0);
    if (best !== level.none && (best !== level.prefix || following !== level.none)) {
      mask |= 1 << bit;
      sum += points[best] ?? 0;
    }
    following = best;
  }
  return mask === 0 ? none : { mask, points: sum };
}

/**
 * Whether a word is initials, or the end of them. Two letters alone, such as the pi of "pi day",
 * are those of too much.
 */
function areInitials(initials: string, typed: string): boolean {
  if (typed.length > 5 || (typed.length < 3 && !/\d/.test(typed)) || /^\d+$/.test(typed))
    return false;
  return initials === typed || (typed.length > 2 && initials.endsWith(typed));
}
