import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { bySoonest, Soonest, type Ordered } from '../../src/catalogue/soonest.ts';
import { seed } from '../setup/seed.ts';

const limit = 3;

/** Few starts for many events, so that many tie. */
const events: fc.Arbitrary<Ordered[]> = fc
  .array(fc.integer({ min: 0, max: 4 }), { minLength: 20, maxLength: 60, size: 'max' })
  .chain((starts) => {
    const made = starts.map((startsAt, index) => ({ startsAt, id: `e-${index}` }));
    return fc.shuffledSubarray(made, { minLength: made.length, maxLength: made.length });
  });

test('keeps the soonest events in order, in whichever order they were added', () => {
  fc.assert(
    fc.property(events, (all) => {
      const soonest = new Soonest<Ordered>(limit);
      for (const event of all) soonest.add(event);
      expect(soonest.list()).toEqual(all.toSorted(bySoonest).slice(0, limit));
    }),
    { seed, numRuns: 1000 },
  );
});
