import { expect, test } from 'vitest';
import { inParallel } from '../../src/system/parallel.ts';

test('returns results in the order of the items', async () => {
  const ends: (() => void)[] = [];
  const work = inParallel(['a', 'b', 'c'], 2, async (item) => {
    await new Promise<void>((resolve) => ends.push(resolve));
    return item.toUpperCase();
  });
  expect(ends).toHaveLength(2);
  ends[1]?.();
  await expect.poll(() => ends.length).toBe(3);
  ends[2]?.();
  ends[0]?.();
  expect(await work).toEqual(['A', 'B', 'C']);
});

test('throws a failure after the running items have ended, and starts no other item', async () => {
  const [begun, ended]: [number[], number[]] = [[], []];
  let mayEnd = (): void => {};
  const work = inParallel([1, 2, 3, 4], 2, async (item) => {
    begun.push(item);
    if (item === 1) throw new Error('no');
    await new Promise<void>((resolve) => (mayEnd = resolve));
    ended.push(item);
  }).then(
    () => 'done',
    (error: unknown) => `${String(error)} after ${ended.join()}`,
  );
  await new Promise((resolve) => void setImmediate(resolve));
  mayEnd();
  expect(await work).toBe('Error: no after 2');
  expect(begun).toEqual([1, 2]);
});
