import { plainWords } from '../../catalogue/text.ts';
import columnWords from './column-words.json' with { type: 'json' };

/** The words of tables, by what they say. Those of a list are separated by ", ". */
export { columnWords };

/** Returns the words of a list in lower case and without accents. */
export function wordSet(list: string): ReadonlySet<string> {
  return new Set(plainWords(list).split(', '));
}

/** What the keys of lists and pages call the start, best first. */
export const startNames = wordSet(columnWords.days.starts);

/** `StartDate`, `start.date` and `Début` → `start date`, `start date` and `debut`. */
export function plainName(name: string): string {
  const spaced = name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
  return plainWords(spaced)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
