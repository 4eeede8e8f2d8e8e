import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  basicDate,
  basicInstant,
  isoDate,
  isoInstant,
  isoMonth,
  isoOffset,
  readOffset,
} from '../../../src/catalogue/time/time.ts';

test('instants and dates are written as Date writes them, far years and fractions of a second included', () => {
  const instants = fc.oneof(
    fc.date({ noInvalidDate: true }),
    fc.constantFrom(new Date(0), new Date(-1), new Date(86_400_000)),
  );
  fc.assert(
    fc.property(instants, (date) => {
      expect(isoInstant(date.getTime())).toBe(date.toISOString());
      const written = date.toISOString();
      expect(isoDate(date.getTime())).toBe(written.split('T')[0]);
      expect(isoMonth(date.getTime())).toBe(written.replace(/-\d\d(?=T).*/, ''));
    }),
  );
});

test('an offset is read as it is written, with seconds or without', () => {
  for (let offset = -86_399_000; offset < 86_400_000; offset += 1000) {
    if (readOffset(isoOffset(offset)) !== offset) expect(readOffset(isoOffset(offset))).toBe(offset);
  }
  // ISO 8601 has no other sign for it.
  expect(isoOffset(0)).toBe('+00:00');
});

test('the basic form is the same without what stands between the digits', () => {
  const published = fc.date({ min: new Date('1899-12-30'), max: new Date('3000-01-02'), noInvalidDate: true });
  fc.assert(
    fc.property(published, (date) => {
      const basic = date.toISOString().replaceAll(/[-:]|\.\d+/g, '');
      expect(basicInstant(date.getTime())).toBe(basic);
      expect(basicDate(date.getTime())).toBe(basic.split('T')[0]);
    }),
  );
});
