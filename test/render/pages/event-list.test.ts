import { expect, test } from 'vitest';
import { isNamedIn } from '../../../src/render/subject-name.ts';

test.each([
  ['S', 'Yesterday date', false],
  ['Up', 'Upfronts', false],
  ['Up', 'Follow-up to Up', true],
  ['Severance', 'severance, season 3', true],
  ['Élan', 'Élan’s return', true],
  ['lan', 'Élan', false],
  ['F1', 'F12 opens', false],
  ['C++', 'C++ 29 is out', true],
  ['(a|b)', 'Premiere of (a|b)', true],
  ['東京マラソン', '第20回東京マラソン開始', true],
])('%j is named in %j: %j', (subject, title, isNamed) => {
  expect(isNamedIn(title, subject)).toBe(isNamed);
});
