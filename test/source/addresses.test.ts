import { expect, test } from 'vitest';
import { parseSource } from '../../src/source/json/validate.ts';

test('a page is refused as a calendar or table, and may be a source of JSON-LD', () => {
  const source = (format: string) => JSON.stringify({ source: 'https://www.meetup.com/chess-club/', format });
  expect(parseSource(source('ics'), 'source')).toBe(null);
  expect(parseSource(source('jsonld'), 'source')).not.toBe(null);
});
