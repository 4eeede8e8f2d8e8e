import { parseAllHeaders } from '@netlify/headers-parser';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contentTypeOf } from '../../src/api/content-types.ts';
import { mountOf } from '../../src/api/address.ts';
import { filesFor } from '../hosts/base-urls.ts';
import { tempFolder, writeTree } from '../setup/folders.ts';

test.each(['https://example.org', 'https://example.org/almanac'])(
  'the headers that Netlify parses for %s set the content type of API documents',
  async (baseUrl) => {
    const mount = mountOf(baseUrl);
    const folder = writeTree(tempFolder(), await filesFor('netlify', baseUrl));
    const headersFiles = [join(folder, '_headers')];
    const { headers, errors } = await parseAllHeaders({ headersFiles, configHeaders: [], minimal: false });
    expect(errors).toEqual([]);
    const valuesFor = (path: string): object =>
      Object.assign(
        {},
        ...headers.map((header) => ('forRegExp' in header && header.forRegExp.test(path) ? header.values : {})),
      );
    for (const path of ['api/v1/events.ics', 'api/v1/genre/drama-tv/events.ics', 'api/v1/events', 'api/v1/genres']) {
      expect(valuesFor(`${mount}/${path}`)).toMatchObject({
        'Content-Type': contentTypeOf(path),
        'Access-Control-Allow-Origin': '*',
      });
    }
    expect(valuesFor(`${mount}/index.html`)).not.toHaveProperty('Content-Type');
  },
);
