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
  const loss = before - after;
  if (maxLoss === 0) return loss > 0;
  return loss >= lossRule.minLost && (loss / before) * 100 > maxLoss;
}
