import { expect, test } from 'vitest';
import { nodeProblem } from '../../src/problem/node-version.ts';

test.each(['20.19.0', '20.20.2', '22.3.0', '24.21.0', '100.0.0', '21.0.0-nightly'])('%s is new enough', (version) => {
  expect(nodeProblem(version)).toBe(null);
});

test.each(['0.12.18', '18.20.4', '20.9.0', '20.18.9'])('%s is too old', (version) => {
  expect(nodeProblem(version)).toBe(`almanac needs Node.js 20.19 or later; this is ${version}`);
});
