import { expect, test } from 'vitest';
import { indexDocument } from '../../../src/api/index-document.ts';
import { openapiDocument } from '../../../src/api/openapi/document.ts';
import { problemDocument } from '../../../src/api/problems.ts';
import { fillPath, operationArticle } from '../../../src/render/pages/reference-operation.ts';

test('values are escaped for paths and for a shell', () => {
  const given = new Map([
    ['genre', { in: 'path', value: "l'art/é" }],
    ['limit', { in: 'query', value: "1'" }],
  ]);
  expect(fillPath('/genre/{genre}/events', given)).toBe('/genre/l%27art%2F%C3%A9/events?limit=1%27');
});

test('examples of queries have values that work, and examples of files have no query', () => {
  const baseUrl = 'https://a.example';
  const totals = { categories: 1, genres: 1, subjects: 0, upcoming: 0 };
  const service = { name: 'S', license: 'L', authority: null, isBulk: true };
  const sample = {
    index: indexDocument(service, baseUrl, totals, '2026-11-20T12:17:00.000Z', null),
    notFound: problemDocument(baseUrl, 'not-found', 'There is no such document.'),
    categories: [{ id: 'tv', name: 'TV', genres: 1, upcoming: 0 }],
    genres: [{ id: 'drama-tv', name: 'Drama', category: 'tv', subjects: 0, upcoming: 0 }],
    events: [],
  };
  const openapi = openapiDocument(baseUrl, sample, true);
  const articleOf = (path: string): string => {
    const operation = openapi.paths[path]?.get;
    return operation === undefined ? '' : operationArticle(openapi, path, operation).markup.replaceAll('&#38;', '&');
  };
  const query = /\?genre=drama-tv&category=tv&limit=2/;
  expect(articleOf('/api/v1/events')).toMatch(query);
  expect(articleOf('/api/v1/events')).toContain('<option selected>drama-tv</option>');
  expect(articleOf('/api/v1/events.json')).toContain('https://a.example/api/v1/events.json');
  expect(articleOf('/api/v1/events.json')).toContain('name="limit"');
  expect(articleOf('/api/v1/events.json')).not.toMatch(/events\.json\?|drama-tv<\/option>/);
});
