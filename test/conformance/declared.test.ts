import { parseAllHeaders } from '@netlify/headers-parser';
import { getTransformedRoutes } from '@vercel/routing-utils';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contentTypeOf } from '../../src/api/content-types.ts';
import { mountOf } from '../../src/api/address.ts';
import { filesFor } from '../hosts/base-urls.ts';
import { tempFolder, writeTree } from '../setup/folders.ts';

/* What Netlify and Vercel read in the files of almanac, as their own programs read them. */

test.each(['https://example.org', 'https://example.org/almanac'])(
  'the headers that Netlify parses for %s set the content type of API documents',
  async (baseUrl) => {
    const mount = mountOf(baseUrl);
    const folder = writeTree(tempFolder(), await filesFor('netlify', baseUrl));
    const headersFiles = [join(folder, '_headers')];
    const { headers, errors } = await parseAllHeaders({
      headersFiles,
      configHeaders: [],
      minimal: false,
    });
    expect(errors).toEqual([]);
    const valuesFor = (path: string): object =>
      Object.assign(
        {},
        ...headers.map((header) =>
          'forRegExp' in header && header.forRegExp.test(path) ? header.values : {},
        ),
      );
    for (const path of [
      'api/v1/events.ics',
      'api/v1/genre/drama-tv/events.ics',
      'api/v1/events',
      'api/v1/genres',
    ]) {
      expect(valuesFor(`${mount}/${path}`)).toMatchObject({
        'Content-Type': contentTypeOf(path),
        'Access-Control-Allow-Origin': '*',
      });
    }
    expect(valuesFor(`${mount}/index.html`)).not.toHaveProperty('Content-Type');
  },
);

type Routes = Parameters<typeof getTransformedRoutes>[0]['routes'];

test.each(['https://example.org', 'https://example.org/almanac', 'https://example.org/a+b*[1.0]'])(
  'Vercel accepts the routes for %s',
  async (baseUrl) => {
    const mount = mountOf(baseUrl);
    const files = await filesFor('vercel', baseUrl);
    const { routes } = JSON.parse(files['vercel.json'] ?? '') as { routes: NonNullable<Routes> };
    expect(getTransformedRoutes({ routes })).toMatchObject({
      error: null,
      routes: expect.any(Array),
    });
    const types = routes.filter(
      (route) => 'src' in route && new RegExp(route.src ?? '').test(`${mount}/api/v1/events.ics`),
    );
    expect(types.map((route) => 'headers' in route && route.headers?.['Content-Type'])).toContain(
      'text/calendar; charset=utf-8',
    );
    const bare = routes.filter(
      (route) => 'src' in route && new RegExp(route.src ?? '').test(mount),
    );
    expect(bare.map((route) => 'headers' in route && route.headers?.['Location'])).toEqual(
      mount === '' ? [] : [`${mount}/`],
    );
    // The first matching route ends the search. Each filter has one for ids and one for other
    // values.
    const ending = routes.flatMap((route) =>
      'src' in route && route.src !== undefined && !('continue' in route) ? [route] : [],
    );
    const matching = ending.filter(({ src = '' }) =>
      new RegExp(src).test(`${mount}/api/v1/events/`),
    );
    expect(matching.map(({ dest }) => dest?.slice(mount.length))).toEqual([
      '/api/v1/category/$category/genre/$genre/events.json',
      '/404.json',
      '/api/v1/category/$category/events.json',
      '/404.json',
      '/api/v1/genre/$genre/events.json',
      '/404.json',
      '/api/v1/events.json',
      '/404.json',
    ]);
  },
);

test('Vercel refuses an invalid route, so the check above can fail', () => {
  expect(getTransformedRoutes({ routes: [{ src: '^/(', dest: '/x' }] }).error).not.toBeNull();
});
