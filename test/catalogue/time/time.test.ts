import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isoDate, isoInstant, isoOffset, readOffset } from '../../../src/catalogue/time/time.ts';

const dates = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
});

test('formats instants and dates like Date, including fractions of a second', () => {
  fc.assert(
    fc.property(
      fc.oneof(dates, fc.constantFrom(new Date(0), new Date(-1), new Date(86_400_000))),
      (date) => {
        const iso = date.toISOString();
        expect(isoInstant(date.getTime())).toBe(iso);
        expect(isoDate(date.getTime())).toBe(iso.slice(0, 10));
      },
    ),
  );
});

test('parses every offset that it formats, with or without seconds', () => {
  for (let offset = -86_399_000; offset < 86_400_000; offset += 1000) {
    if (readOffset(isoOffset(offset)) !== offset)
      expect(readOffset(isoOffset(offset))).toBe(offset);
  }
  // ISO 8601 allows no minus sign here.
  expect(isoOffset(0)).toBe('+00:00');
});
