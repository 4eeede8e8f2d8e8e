import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readStart } from '../../../src/catalogue/time/start.ts';

const two = fc.integer({ min: 0, max: 62 }).map((value) => String(value).padStart(2, '0'));
const date = fc
  .tuple(fc.constantFrom('1899', '1900', '2027', '2028', '2999', '3000'), two, two)
  .map((parts) => parts.join('-'));
const clock = fc.oneof(
  fc.constantFrom('', 'T', 'T24', 'T7:00', ' 20:00', 'T20:00:30.5', 'T20+0100'),
  fc
    .tuple(
      two,
      fc.constantFrom('', ':00', ':59', ':60'),
      fc.constantFrom('', ':00', ':61'),
      fc.constantFrom('', 'Z', '-05:00', '+24:00'),
    )
    .map(([hours, ...rest]) => `T${hours}${rest.join('')}`),
);

/** A start with a date, as docs/sources.md describes it. */
const dated =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:T(?:[01]\d|2[0-3])(?::[0-5]\d(?::[0-5]\d)?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?)?$/;

test('accepts exactly the starts with a date that the documentation describes', () => {
  fc.assert(
    fc.property(date, clock, (day, time) => {
      const reading = readStart(day + time, 'UTC');
      const isBad =
        typeof reading === 'object' && 'code' in reading && reading.code === 'bad-starts';
      expect(isBad).toBe(!dated.test(day + time));
    }),
    { numRuns: 2000 },
  );
});
