import { expect, test } from 'vitest';
import { indexDocument } from '../../src/api/index-document.ts';
import { openapiDocument, type OpenApi } from '../../src/api/openapi/document.ts';
import { problemDocument } from '../../src/api/problems.ts';
import { companions } from '../../src/catalogue/model.ts';
import { publishedFilters, type Filters } from '../../src/api/scopes.ts';
import { operationArticle, operationsOf } from '../../src/pages/reference-operation.ts';

const baseUrl = 'https://a.example';
const totals = { categories: 1, genres: 1, subjects: 0, upcoming: 0 };
const service = { name: 'S', license: 'L', authority: null, formats: companions };
const sample = {
  index: indexDocument(service, baseUrl, totals, '2026-11-20T12:17:00.000Z', null),
  notFound: problemDocument(baseUrl, 'not-found', 'There is no such document.'),
  categories: [{ id: 'tv', name: 'TV', genres: 1, upcoming: 0 }],
  genres: [{ id: 'drama-tv', name: 'Drama', category: 'tv', subjects: 0, upcoming: 0 }],
  scopes: { everything: scopeOf({}), category: scopeOf({ category: 'tv' }), genre: scopeOf({ genre: 'drama-tv' }) },
  subject: null,
  generator: 'almanac/1.0.0',
  log: null,
  lists: [],
};

/** A scope without events. */
function scopeOf(filters: Filters) {
  const totals = { upcoming: 0, under_way: 0, cancelled: 0, announced: 0, subjects: 0 };
  return {
    filters: publishedFilters(filters),
    upcoming: [],
    under_way: [],
    cancelled: [],
    announced: [],
    subjects: [],
    totals,
  };
}

const bulk = { formats: companions, pages: 'all' } as const;

test('an operation leads with the form that the host answers, and marks the others', () => {
  const openapi = openapiDocument(baseUrl, sample, bulk);
  const eventsFor = (answersQueries: boolean | null): string => {
    const [forms = []] = operationsOf(openapi, 'Events', answersQueries);
    return operationArticle(openapi, forms, answersQueries).markup.replaceAll('&#38;', '&');
  };
  const operations = openapi.tags.flatMap(({ name }) => operationsOf(openapi, name, null));
  expect(operations.flat()).toHaveLength(Object.keys(openapi.paths).length);
  expect(operations.length).toBeLessThan(24);
  expect(eventsFor(null)).toContain('curl &#39;https://a.example/api/v1/events.json&#39;');
  expect(eventsFor(null)).toContain('Works on hosts that run code; a plain host ignores the query.');
  expect(eventsFor(true)).toContain('api/v1/events?genre=drama-tv&category=tv&limit=2');
  expect(eventsFor(true)).toContain('Works on this host.');
  expect(eventsFor(false)).toContain('Does not work on this host, which ignores the query.');
});

test('every path of an operation links to an address with ids of the catalogue', () => {
  expect(addressesIn(openapiDocument(baseUrl, sample, bulk))).toEqual([
    '/api/v1/events.json',
    '/api/v1/category/tv/events.json',
    '/api/v1/genre/drama-tv/events.json',
    '/api/v1/category/tv/genre/drama-tv/events.json',
    '/api/v1/events?genre=drama-tv&category=tv&limit=2',
  ]);
});

test('a path whose parameters have no example has no link', () => {
  const none = scopeOf({});
  const empty = { ...sample, categories: [], genres: [], scopes: { everything: none, category: none, genre: none } };
  expect(addressesIn(openapiDocument(baseUrl, empty, bulk))).toEqual(['/api/v1/events.json', '/api/v1/events?limit=2']);
});

/** Returns the addresses that the operation "List upcoming events" links to, on a host that ignores queries. */
function addressesIn(openapi: OpenApi): string[] {
  const [forms = []] = operationsOf(openapi, 'Events', false);
  const { markup } = operationArticle(openapi, forms, false);
  return [...markup.matchAll(/href="..\/..(\/[^"]+)"/g)].map(([, address = '']) => address.replaceAll('&#38;', '&'));
}
