import { expect, test } from 'vitest';
import { readClockRule } from '../../../src/catalogue/time/clock-rule.ts';
import { tableSteps, zdumpSteps } from '../../setup/zoneinfo.ts';

const hour = 3_600_000;
const zdump = zdumpSteps(2020, 2050);

test.skipIf(zdump === null)(
  'the table has every change of clocks that zdump has, until 2050',
  () => {
    const table = tableSteps(2020, 2050);
    const wrong = [...table].filter(
      ([zone, steps]) => JSON.stringify(steps) !== JSON.stringify(zdump?.get(zone)),
    );
    expect(wrong).toEqual([]);
    expect(table.size).toBeGreaterThan(500);
  },
);

test.each([
  ['<+04>-4', '2027-07-01T00:00Z', 4],
  ['<+0545>-5:45', '2027-07-01T00:00Z', 5.75],
  ['CET-1CEST,M3.5.0,M10.5.0/3', '2027-03-28T00:59:59Z', 1],
  ['CET-1CEST,M3.5.0,M10.5.0/3', '2027-03-28T01:00Z', 2],
  ['CET-1CEST,M3.5.0,M10.5.0/3', '2999-10-27T00:59:59Z', 2],
  ['CET-1CEST,M3.5.0,M10.5.0/3', '2999-10-27T01:00Z', 1],
  ['NZST-12NZDT,M9.5.0,M4.1.0/3', '2027-01-01T00:00Z', 13],
  ['NZST-12NZDT,M9.5.0,M4.1.0/3', '2027-07-01T00:00Z', 12],
  // Ireland's winter time is the exception, and Lord Howe's summer time is half an hour.
  ['IST-1GMT0,M10.5.0,M3.5.0/1', '2027-01-01T00:00Z', 0],
  ['<+1030>-10:30<+11>-11,M10.1.0,M4.1.0', '2027-01-01T00:00Z', 11],
  // Hours may be negative, and more than 24.
  ['<-02>2<-01>,M3.5.0/-1,M10.5.0/0', '2027-03-28T01:00Z', -1],
  ['EET-2EEST,M3.4.4/50,M10.4.4/50', '2027-03-27T00:00Z', 3],
])('with the rule %s clocks are %s ahead by %d hours', (rule, instant, hours) => {
  expect(readClockRule(rule)(Date.parse(instant)) / hour).toBe(hours);
});

test.each([
  '',
  'CET',
  'CET-1CEST',
  'CET-1CEST,M3.5.0',
  'CET-1CEST,J60,J300',
  'CET-1CEST,M3.6.0,M10.5.0',
])('refuses the rule "%s"', (rule) => {
  expect(() => readClockRule(rule)(0)).toThrow(/no rule/);
});
