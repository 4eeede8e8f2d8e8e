import { expect, test } from 'vitest';
import { printable } from '../../src/problem/problem.ts';

test.each([
  ['a\u001b[31mb\u0000', 'a\\u001b[31mb\\u0000'],
  ['a\u2028b\u202ec\ud800', 'a\\u2028b\\u202ec\\ud800'],
  ['found "##[add-mask]o"', 'found "##\\u005badd-mask]o"'],
  ['###[group]', '###\\u005bgroup]'],
  ['::error::x', '\\u003a:error::x'],
  ['  ::stop-commands::x', '  \\u003a:stop-commands::x'],
  ['a::b # [c] Ä', 'a::b # [c] Ä'],
])('%j is printed as %s', (text, expected) => {
  expect(printable(text)).toBe(expected);
});

test('what is escaped in JSON is the same value', () => {
  const value = { '::a': '##[b]\u001b', b: ['::', '##['] };
  const text = printable(JSON.stringify(value));
  expect(text).not.toContain('##[');
  expect(JSON.parse(text)).toEqual(value);
});
