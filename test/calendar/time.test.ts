import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isoDate, isoInstant } from '../../src/calendar/time.ts';

test('instants and dates are written as Date writes them, far years and fractions of a second included', () => {
  const instants = fc.oneof(
    fc.date({ noInvalidDate: true }),
    fc.constantFrom(new Date(0), new Date(-1), new Date(86_400_000)),
  );
  fc.assert(
    fc.property(instants, (date) => {
      expect(isoInstant(date.getTime())).toBe(date.toISOString());
      expect(isoDate(date.getTime())).toBe(date.toISOString().split('T')[0]);
    }),
  );
});
