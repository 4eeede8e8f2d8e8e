import { distance } from 'fastest-levenshtein';

/**
 * Returns the candidate that is most similar to `text`, ignoring case, or null if none is close
 * enough.
 */
export function nearest(text: string, candidates: readonly string[]): string | null {
  if (text === '' || text.length > 100) return null;
  const word = text.toLowerCase();
  let best: string | null = null;
  let least = Infinity;
  for (const candidate of candidates) {
    const compared = candidate.toLowerCase();
    const edits = mistakes(word, compared);
    if (edits <= Math.max(1, Math.floor(compared.length / 3)) && edits < least)
      [best, least] = [candidate, edits];
  }
  const [part = null, ...rest] = candidates.filter((candidate) =>
    isPart(word, candidate.toLowerCase()),
  );
  return best ?? (rest.length === 0 ? part : null);
}

/**
 * Counts the letters that are missing, added or changed. Two letters that change places are one
 * mistake.
 */
function mistakes(word: string, compared: string): number {
  const edits = distance(word, compared);
  if (edits === 2 && sorted(word) === sorted(compared)) return 1;
  return edits;
}

function sorted(word: string): string {
  return [...word].sort().join('');
}

function isPart(word: string, compared: string): boolean {
  if (word.length < 3) return false;
  if (compared.startsWith(word) || compared.endsWith(word)) return true;
  return compared.length > 3 && (word.startsWith(compared) || word.endsWith(compared));
}
