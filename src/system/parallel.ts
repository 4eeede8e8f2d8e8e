/**
 * Calls `work` for every item, with at most `concurrency` calls at a time. After a failure no
 * further call is started; the failure is thrown once the running calls have ended, so that the
 * caller can clean up after them.
 *
 * @returns the results in the order of the items
 */
export async function inParallel<T, R>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const rest = items.entries();
  let hasFailed = false;
  const worker = async () => {
    for (const [index, item] of rest) {
      if (hasFailed) return;
      results[index] = await work(item).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
    }
  };
  const ended = await Promise.allSettled(
    Array.from({ length: Math.min(concurrency, items.length) }, worker),
  );
  for (const outcome of ended) if (outcome.status === 'rejected') throw outcome.reason;
  return results;
}
