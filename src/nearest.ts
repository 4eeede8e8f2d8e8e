import { closest, distance } from 'fastest-levenshtein';

/** The candidate most like `written`, letter case aside; null where none is near enough to be what was meant. */
export function nearest(written: string, candidates: readonly string[]): string | null {
  if (written === '' || written.length > 100 || candidates.length === 0) return null;
  const lower = written.toLowerCase();
  const byLower = new Map(candidates.map((candidate) => [candidate.toLowerCase(), candidate]));
  const best = closest(lower, [...byLower.keys()]);
  return distance(lower, best) <= Math.max(1, Math.floor(best.length / 3)) ? (byLower.get(best) ?? null) : null;
}
