import { expect, test } from 'vitest';
import { fillPath } from '../../../src/site/pages/reference-operation.ts';

test('a value in a path ends neither the path nor the quotation marks of a shell', () => {
  const given = new Map([
    ['genre', { in: 'path', value: "l'art/é" }],
    ['limit', { in: 'query', value: "1'" }],
  ]);
  expect(fillPath('/genre/{genre}/events', given)).toBe('/genre/l%27art%2F%C3%A9/events?limit=1%27');
});
