import { expect, test } from 'vitest';
import { indexDocument } from '../../src/api/index-document.ts';
import { openapiDocument } from '../../src/api/openapi/document.ts';
import { problemDocument } from '../../src/api/problems.ts';
import { fillPath, operationArticle, operationsOf } from '../../src/pages/reference-operation.ts';

test('values are escaped for paths and for a shell', () => {
  const values = new Map([
    ['genre', "l'art/é"],
    ['limit', "1'"],
  ]);
  expect(fillPath('/genre/{genre}/events.json', values)).toBe('/genre/l%27art%2F%C3%A9/events.json');
  expect(fillPath('/events', values)).toBe('/events?genre=l%27art%2F%C3%A9&limit=1%27');
});

test('an operation leads with the form that the host answers, and marks the others', () => {
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
  const eventsFor = (answersQueries: boolean | null): string => {
    const [forms = []] = operationsOf(openapi, 'Events', answersQueries);
    return operationArticle(openapi, forms, answersQueries).markup.replaceAll('&#38;', '&');
  };
  const operations = openapi.tags.flatMap(({ name }) => operationsOf(openapi, name, null));
  expect(operations.flat()).toHaveLength(Object.keys(openapi.paths).length);
  expect(operations.length).toBeLessThan(20);
  expect(eventsFor(null)).toContain('curl &#39;https://a.example/api/v1/events.json&#39;');
  expect(eventsFor(null)).toContain('Works on hosts that run code; a plain host ignores the query.');
  expect(eventsFor(true)).toContain('api/v1/events?genre=drama-tv&category=tv&limit=2');
  expect(eventsFor(true)).toContain('Works on this host.');
  expect(eventsFor(false)).toContain('Does not work on this host, which ignores the query.');
  expect(eventsFor(false)).toContain('<option selected>drama-tv</option>');
});
