/**
 * Does `work` for every item, at most `lanes` at a time. The first failure keeps the rest from being begun and is thrown
 * once those under way have ended: nothing is written, or asked for, behind the back of who cleans up.
 *
 * @returns what came of each item, in the order of the items
 */
export async function inParallel<T, R>(
  items: readonly T[],
  lanes: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const rest = items.entries();
  let hasFailed = false;
  const lane = async (): Promise<void> => {
    for (const [index, item] of rest) {
      if (hasFailed) return;
      results[index] = await work(item).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: Math.min(lanes, items.length) }, lane));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  return results;
}
