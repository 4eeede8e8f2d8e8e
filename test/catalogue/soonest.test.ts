import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { bySoonest, compareTexts, Soonest, type Ordered } from '../../src/catalogue/soonest.ts';

const limit = 3;

/** Generates many events with few different starts. */
const events: fc.Arbitrary<Ordered[]> = fc
  .array(fc.integer({ min: 0, max: 4 }), { minLength: 20, maxLength: 60, size: 'max' })
  .chain((starts) => {
    const list = starts.map((startsAt, index) => ({ startsAt, id: `e-${index}` }));
    return fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length });
  });

test('keeps the soonest events in order, regardless of the order in which they were added', () => {
  fc.assert(
    fc.property(events, (all) => {
      const soonest = new Soonest<Ordered>(limit, bySoonest);
      for (const event of all) soonest.add(event);
      expect(soonest.list()).toEqual(all.toSorted(bySoonest).slice(0, limit));
    }),
    { numRuns: 1000 },
  );
});

test('compares texts in code unit order', () => {
  expect([compareTexts('a', 'Z'), compareTexts('Z', 'a'), compareTexts('a', 'a')]).toEqual([
    1, -1, 0,
  ]);
});
