import { describe, expect, test } from 'vitest';
import { contentTypeOf } from '../../src/api/content-types.ts';
import { formats, type Format } from '../../src/api/formats.ts';
import { rows } from '../../src/api/openapi/paths.ts';

describe.each(Object.entries<Format>(formats))('the format %s', (_, format) => {
  test('has a content type', () => {
    expect(contentTypeOf(format.file)?.split(';')[0]).toBe(format.mediaType);
  });

  test('has an operation of the OpenAPI document for each of its scopes', () => {
    const described = rows
      .filter(({ path }) => path.endsWith(`/${format.file}`))
      .map(({ id }) => id);
    expect(described).toHaveLength(format.scopes.length);
    expect(described.length).toBeGreaterThan(0);
  });
});

test.each([
  ['api/v1/events', 'application/json'],
  ['api/v1/feed.xml', 'application/atom+xml'],
  ['sitemap.xml', 'application/xml'],
  ['a/index.html', 'text/html; charset=utf-8'],
  ['assets/icon.svg', 'image/svg+xml'],
  ['a.unknown', null],
  ['a/', null],
])('the content type of %s is %j', (path, type) => {
  expect(contentTypeOf(path)).toBe(type);
});
