/** How far ahead {@link inOrder} works. */
interface Limits<T> {
  /** The maximum number of calls at a time. */
  readonly concurrency: number;
  readonly sizeOf: (item: T) => number;
  /** The maximum size of the items that are being worked on, apart from one that is larger. */
  readonly maxSize: number;
}

/** Calls `work` for every item, ahead of the reader, and yields the results in the order of the items. */
export async function* inOrder<T, R>(
  items: readonly T[],
  { concurrency, sizeOf, maxSize }: Limits<T>,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const running: { readonly size: number; readonly result: Promise<R> }[] = [];
  let [next, size] = [0, 0];
  while (next < items.length || running.length > 0) {
    for (; next < items.length && running.length < concurrency; next++) {
      const item = items[next] as T;
      if (running.length > 0 && size + sizeOf(item) > maxSize) break;
      const result = work(item);
      // A failure is reported when its turn comes, if that comes.
      result.catch(() => {});
      running.push({ size: sizeOf(item), result });
      size += sizeOf(item);
    }
    const first = running.shift();
    if (first === undefined) return;
    yield await first.result;
    size -= first.size;
  }
}

/**
 * Calls `work` for every item, with at most `concurrency` calls at a time. After a failure no further call is started;
 * the failure is thrown once the running calls have ended, so that the caller can clean up after them.
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
  const worker = async (): Promise<void> => {
    for (const [index, item] of rest) {
      if (hasFailed) return;
      results[index] = await work(item).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: Math.min(concurrency, items.length) }, worker));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  return results;
}
