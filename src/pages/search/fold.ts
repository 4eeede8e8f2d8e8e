/** The letters that Unicode does not take apart, as people type them. */
const letters: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ß: 'ss',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** Returns a text as search compares it: without marks, in lower case, with one space for each run of other characters. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}'’]/gu, '')
    .replace(/[æœøßłđðþı]/g, (letter) => letters[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Returns the folded words of a text. */
export function wordsIn(text: string): string[] {
  const folded = fold(text);
  return folded === '' ? [] : folded.split(' ');
}

/** Whether a text is written in letters that stand without spaces. */
export function isUnspaced(text: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text);
}

/** Numbers that names spell out and people type as digits. */
const digits: Readonly<Record<string, string>> = {
  one: '1',
  two: '2',
  three: '3',
  four: '4',
  five: '5',
  six: '6',
  seven: '7',
  eight: '8',
  nine: '9',
  ten: '10',
};

/** Writes numbers as digits, so that `formula one` and `formula 1` are the same. */
export function withDigits(words: readonly string[]): string[] {
  return words.map((word) => digits[word] ?? word);
}

/** Returns the first letters of words, such as `eol` of `end of life` and `f1` of `formula one`. Numbers stay whole. */
export function initialsOf(words: readonly string[]): string {
  return words.map((word) => digits[word] ?? (/^\d/.test(word) ? word : (word[0] ?? ''))).join('');
}

/**
 * Whether two words differ by at most one typing error: a letter more, fewer or other, or two neighbours swapped. With
 * `isPrefix`, the second may be longer.
 */
export function isNear(typed: string, word: string, isPrefix: boolean): boolean {
  const longest = Math.min(typed.length, word.length);
  let at = 0;
  while (at < longest && typed[at] === word[at]) at++;
  if (at === typed.length) return isPrefix || word.length - at <= 1;
  const rest = (from: number, wordFrom: number): boolean => {
    const tail = typed.slice(from);
    return isPrefix ? word.startsWith(tail, wordFrom) : word.slice(wordFrom) === tail;
  };
  const isSwapped = typed[at] === word[at + 1] && typed[at + 1] === word[at];
  return rest(at + 1, at + 1) || rest(at, at + 1) || rest(at + 1, at) || (isSwapped && rest(at + 2, at + 2));
}

/** Splits a text into parts that begin with a searched word and parts that do not, to mark the former. */
export function markedParts(text: string, query: string): { readonly text: string; readonly isMarked: boolean }[] {
  const typed = wordsIn(query);
  return text
    .split(/([\p{L}\p{M}\p{N}]+)/u)
    .filter((part) => part !== '')
    .map((part) => {
      const word = fold(part);
      return {
        text: part,
        isMarked:
          word !== '' &&
          typed.some((one) => word.startsWith(one) || (one.length >= 4 && isNear(one, word, one.length >= 5))),
      };
    });
}
