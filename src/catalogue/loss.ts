/** How much of a total may be lost: the help and the documentation quote it. */
export const lossRule = {
  /** In per cent of each total, genre and remote source. */
  maxLoss: 30,
  /** So few losses pass, unless none may be lost: in a small catalogue, one is a large share. */
  minLost: 5,
} as const;

/**
 * Whether more of a total is lost than may be.
 *
 * @param maxLoss in per cent
 */
export function isDrop(before: number, after: number, maxLoss: number): boolean {
  const lost = before - after;
  if (maxLoss === 0) return lost > 0;
  return lost >= lossRule.minLost && (lost / before) * 100 > maxLoss;
}
