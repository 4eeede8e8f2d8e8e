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

/**
 * Returns a text as search compares it: without marks, in lower case, with one space for each run
 * of other characters.
 */
export function fold(text: string): string {
  return (
    text
      .normalize('NFKD')
      .toLowerCase()
      .replace(/\p{M}/gu, '')
      // The article of l'éclipse is no part of the word.
      .replace(/(?<!\p{L})(?:[dl]|qu)['’](?=\p{L})|['’]/gu, '')
      .replace(/[æœøßłđðþı]/g, (letter) => letters[letter] ?? letter)
      // The dot of a version is a part of it.
      .replace(/(?!(?<=\d)\.\d)[^\p{L}\p{N}]+/gu, ' ')
      .trim()
  );
}

/** Returns the folded words of a text. */
export function wordsIn(text: string): string[] {
  return fold(text).split(' ').filter(Boolean);
}

/** Whether a text is written in letters that stand without spaces. */
export function isUnspaced(text: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text);
}

const numbers = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const roman: Readonly<Record<string, number>> = {
  i: 1,
  v: 5,
  x: 10,
  l: 50,
};

/**
 * Returns a number as digits, so that `formula one`, `formula 1`, `artemis iii` and `artemis 3` are
 * the same.
 */
export function digitsOf(word: string): string {
  const spelt = numbers.indexOf(word);
  if (spelt !== -1) return String(spelt + 1);
  // A single letter is a word more often than a number, such as the v between two teams.
  if (!/^(?=..)(xl|l?x{0,3})(ix|iv|v?i{0,3})$/.test(word)) return word;
  const values = [...word].map((letter) => roman[letter] ?? 0);
  return String(
    values.reduce((sum, value, n) => sum + (value < (values[n + 1] ?? 0) ? -value : value), 0),
  );
}

/** Whether a word is a number, or begins with one. */
export function isNumber(word: string): boolean {
  return /^\d/.test(digitsOf(word));
}

/**
 * Returns the first letters of words, such as `eol` of `end of life` and `f1` of `formula one`.
 * Numbers stay whole.
 */
export function initialsOf(words: readonly string[]): string {
  return words.map((word) => (isNumber(word) ? digitsOf(word) : (word[0] ?? ''))).join('');
}

/** Whether two words are the same, or one is the plural of the other. */
export function isSame(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return (
    short.length >= 4 &&
    (long === `${short}s` || (short.endsWith('y') && long === `${short.slice(0, -1)}ies`))
  );
}

/** Returns a word as names are compared: a number as digits, and a plural as its singular. */
export function stem(word: string): string {
  return digitsOf(word.length > 4 ? word.replace(/s$/, '').replace(/(?:ie|y)$/, 'i') : word);
}

/**
 * Whether a typed word of at least five letters is another with one typing error: a letter more or
 * fewer, two neighbours swapped, a letter doubled or not, or another letter. The last is likely in
 * long words alone: `match` is not `march`.
 */
export function isNear(typed: string, word: string): boolean {
  if (typed.length < 5 || /\d/.test(typed + word)) return false;
  const single = (text: string) => text.replace(/(.)\1/gu, '$1');
  if (
    single(typed) === single(word) ||
    (single(word).startsWith(single(typed)) && !word.startsWith(typed))
  )
    return true;
  const [a, b] = [typed, word].map((text) => text.replace(/(?<=....)s$/, '')) as [string, string];
  if (a === b || Math.abs(a.length - b.length) > 1) return a === b;
  let at = 0;
  while (at < Math.min(a.length, b.length) && a[at] === b[at]) at++;
  if (a.slice(at, at + 2) === `${b[at + 1]}${b[at]}` && a.slice(at + 2) === b.slice(at + 2))
    return true;
  // Short words agree by chance: brits is not bits, and heute is not Haute.
  if (typed.length < 6 && at < 2) return false;
  // The first letter is hardly ever wrong, and a letter more at the end of a short word makes
  // another.
  if (at === 0 || (at === b.length && at < 7)) return false;
  if (a.slice(at + 1) === b.slice(at) || a.slice(at) === b.slice(at + 1)) return true;
  const isLikely = a.length >= 7 || (/[aeiou]/.test(a[at] ?? '') && /[aeiou]/.test(b[at] ?? ''));
  return isLikely && a.slice(at + 1) === b.slice(at + 1);
}
