import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Budget } from '../../src/source/ics/budget.ts';
import { followRule } from '../../src/source/ics/recurrence.ts';
import { readRule, type Rule } from '../../src/source/ics/rule.ts';

/*
 * Rules with their first eight occurrences at most, before 2040: faults that were found, those of RFC 5545 (3.8.5.3),
 * and others made at random, all as python-dateutil 2.9.0 follows them.
 */
interface Case {
  readonly rule: string;
  readonly start: string;
  readonly occurrences: readonly string[];
}

const cases = JSON.parse(readFileSync(join(import.meta.dirname, '../fixtures/recurrence.json'), 'utf8')) as Case[];
const end = Date.UTC(2040, 0);

test.each(cases)('$rule from $start', ({ rule, start, occurrences }) => {
  expect(occurrencesOf(rule, start, 8)).toEqual(occurrences);
});

test('a week without a day has the day of the start, and the first week is counted as a whole', () => {
  expect(occurrencesOf('FREQ=YEARLY;BYWEEKNO=20', '2027-05-19T09:00', 2)).toEqual([
    '2027-05-19T09:00',
    '2028-05-17T09:00',
  ]);
  expect(occurrencesOf('FREQ=WEEKLY;BYDAY=MO,WE;BYSETPOS=1', '2027-01-05T09:00', 2)).toEqual([
    '2027-01-11T09:00',
    '2027-01-18T09:00',
  ]);
});

test('days that belong to the first week of the next year, or the last of the one before, are of that week', () => {
  expect(occurrencesOf('FREQ=YEARLY;BYWEEKNO=1,-1;BYDAY=MO,FR', '2027-01-01T09:00', 5)).toEqual([
    '2027-01-01T09:00',
    '2027-01-04T09:00',
    '2027-01-08T09:00',
    '2027-12-27T09:00',
    '2027-12-31T09:00',
  ]);
});

function occurrencesOf(rule: string, start: string, most: number, from = -Infinity): string[] {
  const walls = followRule(readRule(`RRULE:${rule}`) as Rule, Date.parse(`${start}Z`), { from, to: end }, new Budget());
  const found: string[] = [];
  for (const wall of walls) {
    found.push(new Date(wall).toISOString().slice(0, wall % 60_000 === 0 ? 16 : 19));
    if (found.length === most) break;
  }
  return found;
}
