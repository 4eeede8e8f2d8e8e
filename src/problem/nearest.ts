import { distance } from 'fastest-levenshtein';

/** The candidate that was most likely meant by `written`, letter case aside; null where none is near enough. */
export function nearest(written: string, candidates: readonly string[]): string | null {
  if (written === '' || written.length > 100) return null;
  const word = written.toLowerCase();
  let best: string | null = null;
  let least = Infinity;
  for (const candidate of candidates) {
    const other = candidate.toLowerCase();
    const found = mistakes(word, other);
    if (found <= Math.max(1, Math.floor(other.length / 3)) && found < least) [best, least] = [candidate, found];
  }
  return best ?? onlyOne(candidates.filter((candidate) => isPart(word, candidate.toLowerCase())));
}

/** How many letters are left out, put in or changed; two that have changed places are one mistake. */
function mistakes(word: string, other: string): number {
  const found = distance(word, other);
  return found === 2 && sorted(word) === sorted(other) ? 1 : found;
}

function sorted(word: string): string {
  return [...word].sort().join('');
}

function onlyOne(found: readonly string[]): string | null {
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** Whether a word was cut short (`tit`, `Berlin`) or drawn out (`timezone`): three letters would end many words. */
function isPart(word: string, other: string): boolean {
  if (word.length < 3) return false;
  if (other.startsWith(word) || other.endsWith(word)) return true;
  return other.length > 3 && (word.startsWith(other) || word.endsWith(other));
}
