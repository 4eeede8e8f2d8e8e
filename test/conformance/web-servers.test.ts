import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { contentTypeOf } from '../../src/api/content-types.ts';
import type { IndexDocument } from '../../src/api/documents.ts';
import { formats } from '../../src/api/formats.ts';
import { findHost } from '../../src/hosts/table.ts';
import { engines, now, writeHost } from './engines.ts';
import { askOver, runRows, type Ask } from './run-rows.ts';
import { startCaddyBelow, startNginxBelow, type Running } from './start-hosts.ts';
import { buildSite } from './site.ts';

/*
 * nginx and Caddy do more than the table requires: they send the compressed copies that are next to
 * the files, and a Vary header for caches.
 */
describe.each([
  { name: 'nginx', encodings: ['gzip'] },
  { name: 'caddy', encodings: ['gzip', 'br'] },
])('$name with a compressed site', ({ name, encodings }) => {
  let running: Running | null = null;
  beforeAll(async () => {
    running =
      (await engines[name]?.(await buildSite('https://example.org/almanac', 'dist', true))) ?? null;
  });
  afterAll(async () => running?.close());

  const asking =
    (ask: Ask, encoding: string): Ask =>
    (path, method, headers) =>
      ask(path, method, { 'accept-encoding': encoding, ...headers });

  test.for(encodings)(
    'sends the %s copy with Content-Encoding and Vary',
    async (encoding, { skip }) => {
      const { ask } = running ?? skip();
      for (const path of [
        'api/v1/events.json',
        'api/v1/events?category=sports',
        'api/v1/events',
        'api/v1/events.ics',
        '',
      ]) {
        const plain = await ask(path, 'GET', {});
        const compressed = await asking(ask, encoding)(path, 'GET', {});
        expect([
          path,
          plain.headers['content-encoding'],
          compressed.headers['content-encoding'],
        ]).toEqual([path, undefined, encoding]);
        expect(compressed.text).toBe(plain.text);
        for (const header of ['content-type', 'cache-control', 'access-control-allow-origin'])
          expect([header, compressed.headers[header]]).toEqual([header, plain.headers[header]]);
        for (const { headers } of [plain, compressed])
          expect(headers['vary']).toMatch(/^Accept-Encoding$/);
        expect(compressed.headers['etag']).not.toBe(plain.headers['etag']);
      }
    },
  );

  test.for(encodings)(
    'passes every row of the abilities that it supports with %s too',
    async (encoding, { skip }) => {
      const { ask } = running ?? skip();
      // Caddy does not send the length of a compressed answer to HEAD.
      const unsupported = new Set([...(await findHost(name)).unsupported, 'methods']);
      const results = await runRows(asking(ask, encoding), now, '/almanac');
      const failures = results.filter(
        ({ row, failure }) => failure !== null && !unsupported.has(row.ability),
      );
      expect(failures).toEqual([]);
    },
  );

  test('sends every kind of file with its content type', async ({ skip }) => {
    const { ask } = running ?? skip();
    for (const path of [
      'index.html',
      'assets/style.css',
      'assets/app.js',
      'assets/icon.svg',
      'site.webmanifest',
      'api/v1/index.json',
      ...Object.values(formats).map(({ file }) => `api/v1/${file}`),
    ]) {
      const { status, headers } = await ask(path, 'GET', {});
      expect([path, status, headers['content-type']]).toEqual([path, 200, contentTypeOf(path)]);
    }
  });

  test.runIf(name === 'nginx')('sends Vary: Accept for the index', async ({ skip }) => {
    const { ask } = running ?? skip();
    for (const accept of ['text/html', 'application/json']) {
      for (const path of ['api/v1', 'api/v1/']) {
        const { status, headers } = await ask(path, 'GET', { accept });
        expect([status, headers['vary']]).toEqual([200, 'Accept-Encoding, Accept']);
        expect(headers['content-type']).toContain(accept);
      }
      expect((await ask('api/v1/events', 'GET', { accept })).headers['vary']).toBe(
        'Accept-Encoding',
      );
    }
  });
});

test.for([
  { name: 'nginx', start: startNginxBelow },
  { name: 'caddy', start: startCaddyBelow },
])(
  'two catalogues below paths of one $name answer for themselves',
  async ({ name, start }, { skip }) => {
    const bases = [
      'https://example.org/alma-nac',
      'https://example.org/caf%C3%A9/%E2%80%93a+b*1.0',
    ];
    const sites = await Promise.all(bases.map((base) => buildSite(base, '#a? "100%" %20')));
    const folders = await Promise.all(sites.map((site) => writeHost(name, site)));
    const running = (await start(folders, bases[0] ?? '')) ?? skip();
    onTestFinished(running.close);
    const { origin } = new URL(running.address);
    const { unsupported } = await findHost(name);
    for (const base of bases) {
      const ask = askOver(`${origin}${new URL(base).pathname}`);
      const index = JSON.parse((await ask('api/v1', 'GET', {})).text) as IndexDocument;
      expect(index.documentation).toBe(`${base}/api/v1/`);
      expect((await ask('api/v1/events?category=sports&category=tv', 'GET', {})).text).toContain(
        `${base}/api/v1/`,
      );
      const results = await runRows(ask, now, new URL(base).pathname);
      expect(
        results.filter(
          ({ row, failure }) => failure !== null && !unsupported.includes(row.ability),
        ),
      ).toEqual([]);
    }
  },
);
