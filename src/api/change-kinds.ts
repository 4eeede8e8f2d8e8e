/** The kinds of changes in the order in which readers need them: bad news first. */
export const changeKinds = [
  'cancelled',
  'removed',
  'postponed',
  'moved',
  'dated',
  'added',
  'changed',
] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** The number of changes of each kind. Kinds without a change are left out. */
export type ChangeCounts = Readonly<Partial<Record<ChangeKind, number>>>;

/** Adds up counts of different changes. */
export function addUpCounts(parts: readonly ChangeCounts[]): ChangeCounts {
  const sum: Partial<Record<ChangeKind, number>> = {};
  for (const kind of changeKinds) {
    const count = parts.reduce((total, part) => total + (part[kind] ?? 0), 0);
    if (count > 0) sum[kind] = count;
  }
  return sum;
}

/** Counts changes by their kinds. */
export function countKinds(changes: Iterable<{ readonly kind: ChangeKind }>): ChangeCounts {
  const counts: Partial<Record<ChangeKind, number>> = {};
  for (const { kind } of changes) counts[kind] = (counts[kind] ?? 0) + 1;
  return addUpCounts([counts]);
}

/** Returns the number of changes of all kinds. */
export function totalOf(counts: ChangeCounts): number {
  let total = 0;
  for (const count of Object.values(counts)) total += count;
  return total;
}
