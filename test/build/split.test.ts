import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitByBytes } from '../../src/builder/threads.ts';

const items = fc.uniqueArray(fc.record({ id: fc.string(), bytes: fc.nat(10_000_000) }), { selector: ({ id }) => id });

test('every item is in exactly one share, whatever the order of the items', () => {
  fc.assert(
    fc.property(items, fc.integer({ min: 1, max: 8 }), fc.infiniteStream(fc.nat()), (some, count, random) => {
      const shares = splitByBytes(some, count);
      expect(shares.length).toBe(count);
      expect(shares.flat().toSorted(byId)).toEqual(some.toSorted(byId));
      const order = new Map(some.map((item) => [item, random.next().value ?? 0]));
      const shuffled = splitByBytes(
        some.toSorted((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0)),
        count,
      );
      expect(shuffled.map((share) => share.toSorted(byId))).toEqual(shares.map((share) => share.toSorted(byId)));
    }),
  );
});

test('no share has more than another and its largest item', () => {
  fc.assert(
    fc.property(items, fc.integer({ min: 1, max: 8 }), (some, count) => {
      const overhead = 16 * 1024;
      const sums = splitByBytes(some, count).map((share) =>
        share.reduce((sum, { bytes }) => sum + bytes + overhead, 0),
      );
      const largest = Math.max(0, ...some.map(({ bytes }) => bytes + overhead));
      expect(Math.max(...sums) - Math.min(...sums)).toBeLessThanOrEqual(largest);
    }),
  );
});

function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : 1;
}
