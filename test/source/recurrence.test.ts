import * as fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Budget, followRule, type Span } from '../../src/readers/ics/recurrence.ts';
import { FoundError } from '../../src/readers/schema/finding.ts';
import { readRule, type Rule } from '../../src/readers/ics/rule.ts';

/*
 * Rules with their first occurrences before 2040, at most eight, according to python-dateutil
 * 2.9.0: the examples of RFC 5545 (3.8.5.3), rules with which this program or rrule-temporal once
 * failed, and random ones.
 */
interface Case {
  readonly rule: string;
  readonly start: string;
  readonly occurrences: readonly string[];
}

const cases = JSON.parse(
  readFileSync(join(import.meta.dirname, '../fixtures/recurrence.json'), 'utf8'),
) as Case[];
const end = Date.UTC(2040, 0);

test.each(cases)('$rule from $start', ({ rule, start, occurrences }) => {
  expect(occurrencesOf(rule, start, 8)).toEqual(occurrences);
});

const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/** Generates a part of a rule, such as `BYMONTH=3,10`, which is often empty. */
function part(name: string, values: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const list = fc.uniqueArray(values, { minLength: 1, maxLength: 3 });
  return fc
    .option(list, { nil: null, freq: 2 })
    .map((found) => (found === null ? '' : `;${name}=${found.join()}`));
}

function numbers(min: number, max: number): fc.Arbitrary<string> {
  return fc.integer({ min, max }).map(String);
}

const start = fc.date({
  min: new Date('1960-01-01T00:00Z'),
  max: new Date('2026-01-01T00:00Z'),
  noInvalidDate: true,
});

test('expanding a rule from the middle gives the same occurrences as expanding it from its start', () => {
  const frequency = fc.constantFrom('YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY');
  const rule = fc
    .tuple(
      frequency,
      part('INTERVAL', numbers(1, 9)).map((text) => text.split(',')[0] ?? ''),
      part('COUNT', numbers(1, 500)).map((text) => text.split(',')[0] ?? ''),
      part('BYMONTH', numbers(1, 12)),
      part('BYDAY', fc.constantFrom(...weekdays)),
      part('BYHOUR', numbers(0, 23)),
      part('BYSETPOS', fc.constantFrom('1', '2', '-1')),
    )
    .map((parts) => `FREQ=${parts.join('')}`);
  fc.assert(
    fc.property(rule, start, fc.integer({ min: 0, max: 500 }), (text, from, months) => {
      const middle = Date.UTC(1990, months);
      const all = walls(text, from.getTime(), {
        from: -Infinity,
        to: middle + 2 * 366 * 86_400_000,
      });
      const late = walls(text, from.getTime(), { from: middle, to: middle + 2 * 366 * 86_400_000 });
      if (all !== null) expect(late).toEqual(all.filter((wall) => wall >= middle));
    }),
  );
});

/** Returns the occurrences of a rule in a span, or null if they cost too much. */
function walls(rule: string, from: number, span: Span): number[] | null {
  try {
    return [...followRule(readRule(`RRULE:${rule}`) as Rule, from, span, new Budget())];
  } catch (error) {
    if (error instanceof FoundError) return null;
    throw error;
  }
}

function occurrencesOf(rule: string, start: string, most: number, from = -Infinity): string[] {
  const walls = followRule(
    readRule(`RRULE:${rule}`) as Rule,
    Date.parse(`${start}Z`),
    { from, to: end },
    new Budget(),
  );
  const found: string[] = [];
  for (const wall of walls) {
    found.push(new Date(wall).toISOString().slice(0, wall % 60_000 === 0 ? 16 : 19));
    if (found.length === most) break;
  }
  return found;
}
