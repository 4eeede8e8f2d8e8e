import { digitsOf, fold, initialsOf, isNear, isNumber, isSame, isUnspaced, wordsIn } from './text.ts';
import { searchWords } from './words.ts';

/** How well a word of the index matches a typed one: begins with it, has it in another way, or is the same. */
export const level = { none: 0, prefix: 1, part: 2, exact: 3 } as const;

/** A text of the index, by the numbers of its words in the vocabulary. */
export interface TextWords {
  readonly words: readonly number[];
  /** Neighbours written as one, such as `+superbowl`. */
  readonly joined: readonly number[];
  readonly initials: readonly string[];
}

/** A typed word, and how well each word of the vocabulary matches it. */
export interface Token {
  readonly typed: string;
  readonly levels: Uint8Array;
  readonly best: number;
}

/** Which typed words a text has (one bit for each), and the points for them. */
export interface Score {
  readonly mask: number;
  readonly points: number;
}

export const none: Score = { mask: 0, points: 0 };

/** The typed words to remember, since the next letter changes only one of them. */
const remembered = 50;

/** The words of an index by numbers, so that a typed word is compared once with each. */
export class Vocabulary {
  readonly #numbers = new Map<string, number>();
  readonly #initials = new Set<string>();
  readonly #synonyms: ReadonlyMap<string, readonly string[]>;
  readonly #tokens = new Map<string, Token>();

  constructor() {
    const synonyms = Object.values(searchWords).flatMap((words) => Object.entries(words.synonyms));
    this.#synonyms = new Map(synonyms.map(([word, others]) => [fold(word), wordsIn(others)]));
  }

  /** Adds texts, and returns their words. */
  add(...texts: readonly string[]): TextWords {
    const words: number[] = [];
    const joined: number[] = [];
    const initials: string[] = [];
    for (const text of texts) {
      const list = wordsIn(text);
      for (const [n, word] of list.entries()) {
        words.push(...new Set([this.#number(word), this.#number(digitsOf(word))]));
        if (n > 0) joined.push(this.#number(`+${list[n - 1] ?? ''}${word}`));
      }
      if (list.length > 1) initials.push(initialsOf(list));
    }
    for (const one of initials) this.#initials.add(one);
    return { words, joined, initials };
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

  /** Returns the word that is meant by one with a typing error, if nothing matches what is typed. */
  correct(typed: string): string {
    if (this.finds(typed)) return typed;
    for (const word of this.#numbers.keys()) if (isNear(typed, word.replace('+', ''))) return word.replace('+', '');
    return typed;
  }

  /** Compares a typed word with the vocabulary. */
  match(typed: string): Token {
    const token = this.#tokens.get(typed) ?? this.#compare(typed);
    if (this.#tokens.size > remembered) this.#tokens.clear();
    this.#tokens.set(typed, token);
    return token;
  }

  #compare(typed: string): Token {
    const levels = new Uint8Array(this.#numbers.size);
    const [senses, isAnywhere, isDigits] = [this.sensesOf(typed), isUnspaced(typed), isNumber(typed)];
    const levelOf = (word: string): number => {
      if (senses.some((sense) => isSame(word, sense))) return level.exact;
      if (isAnywhere) return word.includes(typed) ? level.part : level.none;
      // Version 3.9 is no beginning of 3.94, but of 3.9.4.
      if (isDigits) return word.startsWith(`${typed}.`) ? level.part : level.none;
      if (word.startsWith('+')) return word === `+${typed}` ? level.part : level.none;
      return word.startsWith(typed) ? level.prefix : level.none;
    };
    let best: number = level.none;
    for (const [word, number] of this.#numbers) {
      levels[number] = levelOf(word);
      best = Math.max(best, levels[number] ?? 0);
    }
    if (best === level.none && [...this.#initials].some((one) => areInitials(one, typed))) best = level.part;
    return { typed, levels, best };
  }

  #number(word: string): number {
    let number = this.#numbers.get(word);
    if (number === undefined) this.#numbers.set(word, (number = this.#numbers.size));
    return number;
  }
}

/**
 * Returns which of the typed words a text has, and the points for them. Before another word, a beginning counts only if
 * the text has both: the "all" of "all saints" is not that of Allemagne.
 *
 * @param points by level
 * @param isOpen whether the last word may be a beginning
 */
export function scoreOf(text: TextWords, tokens: readonly Token[], points: readonly number[], isOpen: boolean): Score {
  let [mask, sum] = [0, 0];
  let following: number = isOpen ? level.exact : level.none;
  for (let bit = tokens.length - 1; bit >= 0; bit--) {
    const token = tokens[bit];
    const best = token === undefined ? level.none : levelIn(text, token);
    if (best !== level.none && (best !== level.prefix || following !== level.none)) {
      mask |= 1 << bit;
      sum += points[best] ?? 0;
    }
    following = best;
  }
  return mask === 0 ? none : { mask, points: sum };
}

function levelIn({ words, joined, initials }: TextWords, { typed, levels }: Token): number {
  let best: number = level.none;
  for (const word of words) best = Math.max(best, levels[word] ?? 0);
  for (const word of joined) best = Math.max(best, levels[word] ?? 0);
  return best === level.none && initials.some((one) => areInitials(one, typed)) ? level.part : best;
}

/** Whether a word is initials, or the end of them. Two letters alone, such as the pi of "pi day", are those of too much. */
function areInitials(initials: string, typed: string): boolean {
  if (typed.length > 5 || (typed.length < 3 && !/\d/.test(typed)) || /^\d+$/.test(typed)) return false;
  return initials === typed || (typed.length > 2 && initials.endsWith(typed));
}
