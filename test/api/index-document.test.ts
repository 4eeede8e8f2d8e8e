import { expect, test } from 'vitest';
import { indexDocument, type ExampleQuery } from '../../src/api/index-document.ts';

const totals = { genres: 0, subjects: 0, upcoming: 0, categories: 0 };

function labels(example: ExampleQuery): string[] {
  const service = { name: 'S', license: 'L', authority: null, isBulk: true };
  return Object.keys(
    indexDocument(service, 'https://e.example', totals, '2026-11-20T12:17:00.000Z', example).endpoints,
  );
}

test('the labels contain example queries that work on the catalogue', () => {
  expect(labels({ genre: 'drama-tv', category: 'tv' })).toEqual([
    'GET /api/v1/categories',
    'GET /api/v1/genres?category=tv',
    'GET /api/v1/events?genre=drama-tv&category=tv&limit=10',
  ]);
  expect(labels({ category: 'tv' })).toEqual([
    'GET /api/v1/categories',
    'GET /api/v1/genres?category=tv',
    'GET /api/v1/events?category=tv&limit=10',
  ]);
  expect(labels({})).toEqual(['GET /api/v1/categories', 'GET /api/v1/genres', 'GET /api/v1/events']);
});
