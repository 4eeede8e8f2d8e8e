import { distance } from 'fastest-levenshtein';

/** Returns the candidate that is most similar to `written`, ignoring case, or null if none is close enough. */
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
  const [part = null, ...others] = candidates.filter((candidate) => isPart(word, candidate.toLowerCase()));
  return best ?? (others.length === 0 ? part : null);
}

/** Counts the letters that are missing, added or changed. Two letters that change places are one mistake. */
function mistakes(word: string, other: string): number {
  const found = distance(word, other);
  return found === 2 && sorted(word) === sorted(other) ? 1 : found;
}

function sorted(word: string): string {
  return [...word].sort().join('');
}

function isPart(word: string, other: string): boolean {
  if (word.length < 3) return false;
  if (other.startsWith(word) || other.endsWith(word)) return true;
  return other.length > 3 && (word.startsWith(other) || word.endsWith(other));
}
