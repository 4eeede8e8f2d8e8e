/** The fixed cost of a genre, expressed in bytes: its files are written even if it has no events. */
const bytesPerItem = 16 * 1024;

/**
 * Splits items into parts that have about as many bytes each. The result depends only on the ids and the sizes, not on
 * the order of the items. The items of a part keep their order.
 */
export function splitByBytes<T extends { readonly id: string; readonly bytes: number }>(
  items: readonly T[],
  count: number,
): T[][] {
  const parts = Array.from({ length: count }, () => ({ bytes: 0, items: new Set<T>() }));
  // The largest first, each to the part with the fewest bytes so far.
  for (const item of items.toSorted((a, b) => b.bytes - a.bytes || (a.id < b.id ? -1 : 1))) {
    const part = parts.reduce((least, other) => (other.bytes < least.bytes ? other : least));
    part.items.add(item);
    part.bytes += item.bytes + bytesPerItem;
  }
  return parts.map((part) => items.filter((item) => part.items.has(item)));
}
