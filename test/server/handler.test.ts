import { build } from 'esbuild';
import fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { answer, type FetchFile } from '../../src/server/handler.ts';
import { fetchFrom } from '../../src/server/site-folder.ts';
import { runRows, targetOf, type Answer } from '../conformance/run-rows.ts';
import { buildSite } from '../conformance/site.ts';

const events = [
  { id: 'a/b/one', title: 'One', upcoming_until: '2027-01-01T00:00:00.000Z' },
  {
    id: 'a/b/two',
    title: 'Says ],{"id":"a","upcoming_until":"2000-01-01"}',
    upcoming_until: '2027-01-01T00:02:05.000Z',
  },
  { id: 'a/b/three', title: 'Three', upcoming_until: '2028-01-01T00:00:00.000Z' },
];
const eventsDocument = { filters: { genre: null, category: null }, limit: 200, total: 345, events };

const files: Readonly<Record<string, string>> = {
  'index.html': '<h1>home</h1>',
  '404.html': '<h1>none</h1>',
  'calendar.ics': 'BEGIN:VCALENDAR',
  'logo.unknown': 'bytes',
  'api/v1/index.json': '{"documentation":"https://example.org/almanac/api/v1/"}\n',
  'api/v1/index.html': '<h1>reference</h1>',
  'api/v1/events.json': `${JSON.stringify(eventsDocument)}\n`,
  'api/v1/category/tv/genres.json': '{"filters":{"category":"tv"},"genres":[]}\n',
};

const fetchFile: FetchFile = async (path) =>
  path in files
    ? new Response(files[path], { headers: { ETag: `"${path}"`, 'Content-Type': 'text/x-host' } })
    : new Response('a page of the host', { status: 404 });

const before = Date.parse('2026-01-01T00:00:00Z');

function ask(
  path: string,
  headers: Record<string, string> = {},
  now = before,
  mount = '',
): Promise<Response> {
  return answer(new Request(`https://host.example${path}`, { headers }), fetchFile, now, mount);
}

test.each(['', '/caf%C3%A9/a+b'])(
  'the handler passes every row of the interface, below the path "%s"',
  async (mount) => {
    const { site } = await buildSite(`https://example.org${mount}`);
    const ofSite = fetchFrom(site);
    const ask = async (
      path: string,
      method: string,
      headers: Record<string, string>,
    ): Promise<Answer> => {
      const url = targetOf(mount, path);
      const answered = await answer(
        { method, url, headers: new Headers(headers) },
        ofSite,
        before,
        mount,
      );
      const sent = Object.fromEntries(answered.headers) as Answer['headers'];
      return { status: answered.status, headers: sent, text: await answered.text() };
    };
    const results = await runRows(ask, before, mount);
    expect(results.length).toBeGreaterThan(200);
    expect(results.filter(({ failure }) => failure !== null)).toEqual([]);
  },
);

test('a range is answered with the whole file', async () => {
  const part = await ask('/calendar.ics', { Range: 'bytes=0-4' });
  expect([part.status, await part.text()]).toEqual([200, files['calendar.ics']]);
});

describe('expired events', () => {
  const first = Date.parse('2027-01-01T00:00:00Z');

  test('the published bytes and ETag are returned while no event has expired', async () => {
    for (const path of [
      '/api/v1/events',
      '/api/v1/events.json?',
      '/api/v1/events/?limit=200',
      '/api/v1/events?limit=',
    ]) {
      const answered = await ask(path, {}, first - 1);
      expect(await answered.text()).toBe(files['api/v1/events.json']);
      expect(answered.headers.get('etag')).toBe('"api/v1/events.json"');
    }
  });

  test('an event is left out from the instant it expires, and the total decreases', async () => {
    const answered = await ask('/api/v1/events', {}, first);
    expect(await answered.json()).toEqual({
      ...eventsDocument,
      total: 344,
      events: events.slice(1),
    });
    expect(answered.headers.get('etag')).toMatch(/^"[0-9a-f]{32}"$/);
  });

  test('the limit counts events that are still upcoming; the total counts all of them', async () => {
    const limited = (await (await ask('/api/v1/events?limit=1', {}, first)).json()) as object;
    expect(limited).toEqual({ ...eventsDocument, limit: 1, total: 344, events: [events[1]] });
  });

  test('a response is fresh until its first event expires, at least 1 second and at most 300', async () => {
    const age = async (path: string, now: number) =>
      (await ask(path, {}, now)).headers.get('cache-control');
    expect(await age('/api/v1/events', before)).toBe('public, max-age=300');
    expect(await age('/api/v1/events', first - 299_999)).toBe('public, max-age=299');
    expect(await age('/api/v1/events', first - 1)).toBe('public, max-age=1');
    expect(await age('/api/v1/events', first)).toBe('public, max-age=125');
    expect(await age('/api/v1/events', Date.parse('2029-01-01T00:00:00Z'))).toBe(
      'public, max-age=300',
    );
    expect(await age('/api/v1/index.json', first)).toBe('public, max-age=300');
    expect(await age('/api/v1/events?limit=0', first)).toBe('public, max-age=60');
  });
});

test('now.json is answered for the time of the request', async () => {
  const builtAt = Date.parse('2027-01-01T00:00:00Z');
  const at = (minutes: number): string => new Date(builtAt + minutes * 60_000).toISOString();
  const event = (id: string, from: number, to: number | null) => ({
    id: `g-c/s/${id}`,
    subject: { id: 's', name: 'Says ,{"id":"x"}' },
    upcoming_until: at(from),
    over_at: to === null ? null : at(to),
  });
  const filters = { genre: null, category: 'c' };
  const upcoming = [event('short', 1, 3), event('moment', 1, null), event('later', 9, 10)];
  const documents = new Map([
    [
      'api/v1/category/c/now.json',
      { filters, limit: 200, total: 201, events: [event('long', -90, 4)] },
    ],
    ['api/v1/category/c/events.json', { filters, limit: 200, total: 3, events: upcoming }],
  ]);
  const fetchDocument: FetchFile = async (path) =>
    documents.has(path)
      ? new Response(`${JSON.stringify(documents.get(path))}\n`, { headers: { ETag: '"built"' } })
      : null;
  const askAfter = async (minutes: number) => {
    const now = builtAt + minutes * 60_000;
    const response = await answer(
      new Request('https://host.example/api/v1/category/c/now.json'),
      fetchDocument,
      now,
    );
    const { total, events } = (await response.json()) as {
      total: number;
      events: { id: string }[];
    };
    const age = response.headers.get('cache-control')?.split('=')[1];
    return [
      total,
      events.map(({ id }) => id.slice('g-c/s/'.length)),
      age,
      response.headers.get('etag') === '"built"',
    ];
  };
  expect(await askAfter(0)).toEqual([201, ['long'], '60', true]);
  expect(await askAfter(1)).toEqual([202, ['short', 'long'], '120', false]);
  expect(await askAfter(3)).toEqual([201, ['long'], '60', true]);
  expect(await askAfter(4)).toEqual([200, [], '300', false]);
});

test('caching does not change any response', async () => {
  const kept = new TextEncoder().encode(files['api/v1/events.json']).buffer;
  const headers = new Headers();
  const sameBytes: FetchFile = async () => ({
    status: 200,
    headers,
    arrayBuffer: async () => kept,
  });
  const newBytes: FetchFile = async () => ({
    status: 200,
    headers,
    arrayBuffer: async () => kept.slice(0),
  });
  const whole = async (answered: Promise<Response>) => {
    const response = await answered;
    return { status: response.status, headers: [...response.headers], text: await response.text() };
  };
  const instants = events.flatMap(({ upcoming_until: until }) =>
    [-1, 0, 1].map((by) => Date.parse(until) + by),
  );
  const asked = fc.record({
    path: fc.oneof(
      fc.integer({ min: 1, max: 5 }).map((limit) => `/api/v1/events?limit=${limit}`),
      fc.constantFrom('/api/v1/events', '/api/v1/events?limit=200', '/api/v1/index.json'),
    ),
    now: fc.oneof(
      fc.constantFrom(...instants),
      fc.integer({ min: before, max: Date.parse('2029-01-01T00:00:00Z') }),
    ),
  });
  await fc.assert(
    fc.asyncProperty(asked, async ({ path, now }) => {
      const request = new Request(`https://host.example${path}`);
      expect(await whole(answer(request, sameBytes, now))).toEqual(
        await whole(answer(request, newBytes, now)),
      );
    }),
    { numRuns: 300 },
  );
});

test('a tag without quotation marks matches nothing, and each limit has a tag of its own', async () => {
  const isMatched = async (path: string, tag: string): Promise<boolean> => {
    const answered = await ask(path, { 'If-None-Match': tag });
    expect(answered.headers.get('cache-control')).toBe('public, max-age=300');
    return answered.status === 304;
  };
  for (const tag of ['api/v1/events.json', '"'])
    expect(await isMatched('/api/v1/events', tag)).toBe(false);
  const tag = (await ask('/api/v1/events?limit=2')).headers.get('etag') ?? '';
  expect(await isMatched('/api/v1/events?limit=2', tag)).toBe(true);
  expect(await isMatched('/api/v1/events?limit=1', tag)).toBe(false);
});

describe('pages', () => {
  test.each([
    ['TEXT/HTML', true],
    ['text/html, text/html;level=1;q=0.1, application/json;q=0.5', true],
    ['text/*;q=0.5, */*;q=0.6', false],
    ['*/*, application/json;q=0', true],
    ['text/html;q=2', false],
    ['text/html ; charset=utf-8 ; q=0.9 , application/json ; q=0.901', false],
    ['', false],
    [',;=,', false],
  ])('Accept: %s', async (accept, isPage) => {
    const answered = await ask('/api/v1', { Accept: accept });
    expect(await answered.text()).toBe(files[isPage ? 'api/v1/index.html' : 'api/v1/index.json']);
  });

  test('the index document and a problem document are returned if no pages are published', async () => {
    const noPages: FetchFile = (path) => fetchFile(path.replace('html', 'none'));
    const request = (path: string) =>
      new Request(`https://h${path}`, { headers: { Accept: 'text/html' } });
    expect((await answer(request('/api/v1'), noPages, before)).headers.get('content-type')).toBe(
      'application/json',
    );
    expect((await answer(request('/'), noPages, before)).headers.get('content-type')).toBe(
      'application/problem+json',
    );
  });
});

test('null and any status but 200 mean that there is no file', async () => {
  const orNull: FetchFile = async (path) => (path in files ? fetchFile(path) : null);
  const none: FetchFile = async () => null;
  const paths = [
    '/',
    '/nothing',
    '/api/v1/',
    '/api/v1/events?genre=x',
    '/api/v1/genres?category=x',
    '/api/v1/events',
  ];
  for (const path of paths) {
    for (const accept of ['application/json', 'text/html']) {
      const request = new Request(`https://host.example${path}`, { headers: { accept } });
      const whole = async (answered: Response) => [path, answered.status, await answered.text()];
      const plain = await whole(await answer(request, fetchFile, before));
      expect(await whole(await answer(request, orNull, before))).toEqual(plain);
      expect((await answer(request, none, before)).status).toBe(404);
    }
  }
});

test('the path of a base URL is compared when it is decoded, and may end with a slash', async () => {
  for (const [mount, shown] of [
    ['/caf%C3%A9/a+b', '/caf%C3%A9/a+b'],
    ['/caf%c3%a9/a%2Bb', '/caf%c3%a9/a%2Bb'],
    ['/café/a+b/', '/caf%C3%A9/a+b'],
  ]) {
    for (const path of ['/caf%C3%A9/a+b', '/caf%c3%a9/a%2bb', '/%63af%C3%A9/a+b']) {
      expect((await ask(`${path}/api/v1/events`, {}, before, mount)).status).toBe(200);
      const { status, headers } = await ask(`${path}?x=%2F#y`, {}, before, mount);
      expect([status, headers.get('location')]).toEqual([308, `${shown}/?x=%2F`]);
    }
    for (const path of [
      '',
      '/cafe/a+b',
      '/caf%C3/a+b',
      '/caf%C3%A9/a%20b',
      '/caf%C3%A9%2Fa+b/x',
      '/caf%C3%A9/a+bc',
    ]) {
      expect((await ask(`${path}/api/v1/events`, {}, before, mount)).status).toBe(404);
    }
    const problem = (await (await ask('/caf%C3%A9/a+b/x', {}, before, mount)).json()) as {
      detail: string;
    };
    expect(problem.detail).toContain(` ${shown}/api/v1/index.json lists the documents`);
  }
  expect((await ask('/api/v1/events', {}, before, '/')).status).toBe(200);
});

test('the type of a problem starts with the base URL of the site on every host', async () => {
  const problem = (await (await ask('/api/v1/genres?category=film')).json()) as Record<
    string,
    unknown
  >;
  expect(problem).toEqual({
    type: 'https://example.org/almanac/api/v1/#unknown-category',
    title: 'Unknown category',
    status: 404,
    detail:
      'category is "film"; there is no such category. /api/v1/categories lists all categories.',
  });
});

test('details quote the given values, shortened, and name existing paths', async () => {
  const detail = async (path: string, mount = '') =>
    ((await (await ask(mount + path, {}, before, mount)).json()) as { detail: string }).detail;
  expect(await detail('/api/v1/genres?category=film', '/a')).toContain(
    ' /a/api/v1/categories lists ',
  );
  expect(await detail('/api/v1/events?genre=x', '/a')).toContain(' /a/api/v1/genres lists ');
  expect(await detail('/nothing', '/a')).toMatch(
    /^The path is "\/a\/nothing"; .* \/a\/api\/v1\/index\.json lists /,
  );
  expect(await detail('/api/v1/events?genre=%22a%0A&genre=')).toContain(
    'genre is given 2 times: "\\"a\\n", "";',
  );
  for (const [given, shown] of [
    ['9'.repeat(81), `${'9'.repeat(80)}…`],
    ['9'.repeat(80), '9'.repeat(80)],
  ]) {
    const found = await detail(`/api/v1/events?limit=${given}&limit=1&limit=2`);
    expect(found).toBe(`limit is given 3 times: "${shown}", "1", "2"; give it once.`);
  }
});

test('no path leads out of the site, however it is encoded', async () => {
  const asked: string[] = [];
  const recordPath: FetchFile = (path) => {
    asked.push(path);
    return fetchFile(path);
  };
  const targets = [
    '/../x', '/%2e%2e/x', '/api/v1/category/../events.json', '/api/v1/./events.json', '/a\\b', '/a%5cb', '/a%2fb',
    '/%00', '/%zz', '/%c0%ae%c0%ae/x', '//host/x', '/a//b', '*', 'x', '/a b', '/caf%C3%A9', '/a:b', '/~root',
  ]; // prettier-ignore
  for (const url of targets) {
    const answered = await answer(
      { method: 'GET', url, headers: new Headers() },
      recordPath,
      before,
    );
    expect([url, answered.status]).toEqual([url, 404]);
  }
  expect(new Set(asked)).toEqual(new Set(['api/v1/index.json']));
});

test('the handler has less than 5 kB, minified and compressed', async () => {
  const { outputFiles } = await build({
    entryPoints: ['src/server/handler.ts'],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  const bytes = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
  expect(bytes).toBeLessThan(5120);
  expect(bytes).toBeGreaterThan(1000);
});
