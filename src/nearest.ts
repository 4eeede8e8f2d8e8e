/** The candidate that was most likely meant by `written`, letter case aside; null where none is near enough. */
export function nearest(written: string, candidates: readonly string[]): string | null {
  if (written === '' || written.length > 100) return null;
  const word = written.toLowerCase();
  let best: string | null = null;
  let least = Infinity;
  for (const candidate of candidates) {
    const other = candidate.toLowerCase();
    const most = Math.max(1, Math.floor(other.length / 3));
    if (Math.abs(other.length - word.length) > most) continue;
    const found = distance(word, other);
    if (found <= most && found < least) [best, least] = [candidate, found];
  }
  return best ?? onlyOne(candidates.filter((candidate) => isPart(word, candidate.toLowerCase())));
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

/** How many letters are left out, put in, changed or swapped with their neighbour: the optimal string alignment. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const next = [row];
    for (let column = 1; column <= b.length; column++) {
      const change = at(last, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swap = isSwap ? at(before, column - 2) + 1 : Infinity;
      next.push(Math.min(change, swap, at(last, column) + 1, at(next, column - 1) + 1));
    }
    [before, last] = [last, next];
  }
  return at(last, b.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? 0;
}
