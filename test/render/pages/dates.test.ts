import { expect, test } from 'vitest';
import { dateAfter } from '../../../src/render/pages/dates.ts';

test.each([
  ['2027-03-27', '2027-03-28'],
  ['2027-10-31', '2027-11-01'],
  ['2028-02-28', '2028-02-29'],
  ['2026-12-31', '2027-01-01'],
])('after %s comes %s, whatever clocks do', (date, next) => {
  expect(dateAfter(date)).toBe(next);
});
