import { expect, test } from 'vitest';
import { withinTime } from '../../src/system/time-limit.ts';

test('returns what the function returns, and throws what it throws', () => {
  const result = { answer: 42 };
  expect(withinTime(60_000, () => result)).toBe(result);
  const failure = new RangeError('Invalid time value');
  expect(() =>
    withinTime(60_000, () => {
      throw failure;
    }),
  ).toThrow(failure);
});

test.each([
  [
    'a loop without an end',
    () => {
      for (;;);
    },
  ],
  ['an expression that takes exponential time', () => /^(a|aa)+$/.test(`${'a'.repeat(100)}b`)],
])('ends %s', (_, work) => {
  expect(() => withinTime(20, work)).toThrow('it takes longer than 0.02 seconds to read');
});
