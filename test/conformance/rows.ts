import type { Ability } from '../../src/hosts/host.ts';

/**
 * One request and the response that the interface requires. In paths, `{genre}`, `{category}` and `{other}` stand for
 * ids of the site under test: a genre with upcoming events, its category, and another category.
 */
export interface Row {
  /** The ability that a host needs for this response. */
  readonly ability: Ability;
  readonly path: string;
  readonly method?: 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'DELETE' | 'PATCH';
  readonly accept?: string;
  /** Sent as `If-None-Match`. `{etag}` stands for the ETag of an earlier response. */
  readonly ifNoneMatch?: string;
  readonly status: number;
  /** The pattern of each header, by its name in lower case. */
  readonly headers?: Readonly<Record<string, RegExp>>;
  /** The published document that the body must equal, cut to `limit`. */
  readonly same?: string;
  readonly limit?: number;
  /** Whether the response must not contain expired events. */
  readonly upcoming?: true;
  /** The kind of problem in the body. */
  readonly problem?: string;
  /** The pattern of the body. */
  readonly text?: RegExp;
}

const json = { 'content-type': /^application\/json\b/ };
const problemJson = { 'content-type': /^application\/problem\+json\b/ };
const html = { 'content-type': /^text\/html\b/ };
/** What browsers send when a person opens a page. */
const browser = 'text/html,application/xhtml+xml,*/*;q=0.8';
const cors = { 'access-control-allow-origin': /^\*$/ };
const events = 'api/v1/events.json';
const genres = 'api/v1/genres.json';

const documents = ['categories', 'genres', 'events'] as const;
const pairs = 'api/v1/category/{category}/genre/{genre}/events.json';
const enormous = '9'.repeat(4000);

/** Ids that no catalogue has. Some cannot even be file names. */
const unknownIds = [
  'zz-no-such',
  'TV',
  '..%2Fx',
  '../x',
  '..',
  '.',
  '%2e%2e',
  '%00',
  '%2500',
  '-',
  '%20',
  'a+b',
  '%C3%A9',
  '%zz',
  '{category}%00',
  enormous,
];

function row(ability: Ability, path: string, status: number, more: Omit<Row, 'ability' | 'path' | 'status'> = {}): Row {
  return { ability, path, status, ...more };
}

const published: Row[] = [
  ...documents.map((name) => row('paths', `api/v1/${name}.json`, 200, { headers: json, same: `api/v1/${name}.json` })),
  row('paths', 'api/v1/index.json', 200, { headers: json, text: /"version":1/ }),
  row('paths', 'api/v1/lists.json', 200, { headers: json, text: /^\{"lists":\[/ }),
  row('paths', 'api/v1/month/zz-no-such/events.json', 404),
  row('paths', 'api/v1/category/{category}/genres.json', 200, { text: /"category":"{category}"/ }),
  row('paths', 'api/v1/category/{category}/events.json', 200, { text: /"category":"{category}"/ }),
  row('paths', 'api/v1/genre/{genre}/events.json', 200, { text: /"genre":"{genre}"/ }),
  row('paths', pairs, 200, { text: /"genre":"{genre}","category":"{category}"/ }),
  row('paths', 'api/v1/category/{other}/genre/{genre}/events.json', 200, { text: /"total":0,"events":\[\]/ }),
  row('paths', 'api/v1/genre/{genre}/events.json?genre=x&limit=0', 200, { same: 'api/v1/genre/{genre}/events.json' }),
  row('paths', 'api/v1/nothing.json', 404),
  row('paths', 'api/v1/category/zz-no-such/events.json', 404),
  row('paths', 'nothing/at/all', 404, { ifNoneMatch: '*' }),
  row('problems', 'api/v1/..%2f..%2f..%2f..%2fetc/passwd', 404),
  ...documents.map((name) => row('spellings', `api/v1/${name}`, 200, { headers: json, same: `api/v1/${name}.json` })),
  ...documents.map((name) => row('spellings', `api/v1/${name}/`, 200, { headers: json, same: `api/v1/${name}.json` })),
  row('spellings', 'api/v1/categories?category={category}&limit=0&limit=x', 200, { same: 'api/v1/categories.json' }),
];

const filters: Row[] = [
  row('filters', 'api/v1/genres?category={category}', 200, { same: 'api/v1/category/{category}/genres.json' }),
  ...['events', 'events.json', 'events/'].flatMap((spelling) => [
    row('filters', `api/v1/${spelling}?category={category}`, 200, {
      headers: json,
      same: 'api/v1/category/{category}/events.json',
    }),
    row('filters', `api/v1/${spelling}?genre={genre}`, 200, { same: 'api/v1/genre/{genre}/events.json' }),
    row('filters', `api/v1/${spelling}?genre={genre}&category={category}`, 200, { same: pairs }),
  ]),
  row('filters', 'api/v1/genres/?category={category}', 200, { same: 'api/v1/category/{category}/genres.json' }),
  row('filters', 'api/v1/genres.json?category={category}&genre=x', 200, {
    same: 'api/v1/category/{category}/genres.json',
  }),
  row('filters', 'api/v1/events?category={other}&genre={genre}', 200, {
    same: 'api/v1/category/{other}/genre/{genre}/events.json',
  }),
  row('empties', 'api/v1/events?category=&genre=', 200, { same: events }),
  row('empties', 'api/v1/events?category=&genre={genre}', 200, { same: 'api/v1/genre/{genre}/events.json' }),
  row('empties', 'api/v1/events?genre', 200, { same: events }),
  row('filters', 'api/v1/events?genre[]=x&GENRE=x&xgenre=y&a=1&a=2', 200, { same: events }),
  row('filters', 'api/v1/events?constructor=1&toString=2&__proto__=3', 200, { same: events }),
  row('filters', 'api/v1/genres?genre=x&limit=0', 200, { same: genres }),
  row('filters', 'api/v1/events?xgenre=a&genre={genre}&genrex=b', 200, { same: 'api/v1/genre/{genre}/events.json' }),
  ...unknownIds.flatMap((id) => [
    row('filters', `api/v1/events?genre=${id}`, 404),
    row('filters', `api/v1/events?category=${id}`, 404),
  ]),
  row('filters', 'api/v1/genres?category=zz-no-such', 404),
  row('filters', 'api/v1/events?category={category}&genre=zz-no-such', 404),
  row('filters', 'api/v1/events?category=zz-no-such&genre={genre}', 404),
  row('filters', 'api/v1/events?genre={genre};limit=1', 404),
  row('filters', 'api/v1/events??genre={genre}', 200, { same: events }),
  ...['/api/v1/events', 'api/v1//events.json', 'api//v1/events/', 'api/v1/events//', 'api/v1/%2Fevents'].flatMap(
    (path) => [row('filters', `${path}?genre=zz-no-such`, 404), row('filters', `${path}?genre={genre}`, 404)],
  ),
  ...['a;b', '%', '%z', 'a%2', '%zz'].map((value) =>
    row('filters', `api/v1/genres?utm=${value}&category={category}&genre=%zz`, 200, {
      same: 'api/v1/category/{category}/genres.json',
    }),
  ),
  ...['{genre},', '{genre},{genre}', ',', '{genre}%', '{genre}%2'].map((value) =>
    row('filters', `api/v1/events?x=1&genre=${value}`, 404),
  ),
  row('repeats', 'api/v1/events?category=%zz&category={category}', 400),
  row('repeats', 'api/v1/events?genre=a;b&genre=%', 400),
  row('repeats', 'api/v1/events?genre={genre}&genre={genre}', 400),
  row('repeats', 'api/v1/events?genre={genre}&genre=', 400),
  row('repeats', 'api/v1/events?genre=&genre', 400),
  row('repeats', 'api/v1/events?genre&genre={genre}', 400),
  row('repeats', 'api/v1/events?category={category}&genre={genre}&category={other}', 400),
  row('repeats', 'api/v1/genres?category={category}&x=1&category=zz-no-such', 400),
  row('encoding', 'api/v1/events?%67en%72e={genre}', 200, { same: 'api/v1/genre/{genre}/events.json' }),
  row('encoding', 'api/v1/events?genre={genre:encoded}', 200, { same: 'api/v1/genre/{genre}/events.json' }),
  row('encoding', 'api/v1/events?%63ategory={category:encoded}', 200, {
    same: 'api/v1/category/{category}/events.json',
  }),
  row('encoding', 'api/v1/events?genre={genre}&%67enre={genre}', 400),
  row('encoding', 'api/v1/%65vents?genre={genre}', 200, { same: 'api/v1/genre/{genre}/events.json' }),
];

const limits: Row[] = [
  ...[1, 2, 199, 200].map((limit) => row('limit', `api/v1/events?limit=${limit}`, 200, { same: events, limit })),
  row('limit', 'api/v1/events?category={category}&limit=1', 200, {
    same: 'api/v1/category/{category}/events.json',
    limit: 1,
  }),
  row('limit', 'api/v1/events/?genre={genre}&category={category}&limit=1', 200, { same: pairs, limit: 1 }),
  ...['201', '1000', enormous].map((limit) =>
    row('limit', `api/v1/events?limit=${limit}`, 200, { same: events, limit: 200 }),
  ),
  row('limit', 'api/v1/events?limit=', 200, { same: events, limit: 200 }),
  ...['0', '-1', '1.5', '1e2', 'ten', '007', '+5', '%2B5', '%205', '0x10', '%00', '%EF%BC%95', 'null', '5%0A'].map(
    (limit) => row('limit', `api/v1/events?limit=${limit}`, 400, { problem: 'invalid-limit' }),
  ),
  row('limit', 'api/v1/events?genre=zz-no-such&limit=0', 400, { problem: 'invalid-limit' }),
  row('limit', 'api/v1/events?limit=5&limit=5', 400, { problem: 'repeated-parameter' }),
  row('limit', 'api/v1/events?limit=5&l%69mit=', 400, { problem: 'repeated-parameter' }),
];

const problems: Row[] = [
  row('problems', 'api/v1/events?genre=zz-no-such', 404, {
    headers: { ...problemJson, ...cors },
    problem: 'unknown-genre',
  }),
  row('problems', 'api/v1/events?category=zz-no-such', 404, { headers: problemJson, problem: 'unknown-category' }),
  row('problems', 'api/v1/genres?category=zz-no-such', 404, { problem: 'unknown-category' }),
  row('problems', 'api/v1/events?category={category}&genre=zz-no-such', 404, { problem: 'unknown-genre' }),
  row('problems', 'api/v1/events?category=zz-no-such&genre=zz-no-such', 404, { problem: 'unknown-category' }),
  row('problems', 'api/v1/events?category=zz-no-such&category=x', 400, {
    headers: problemJson,
    problem: 'repeated-parameter',
  }),
  row('problems', 'api/v1/nothing', 404, {
    headers: { ...problemJson, 'cache-control': /^public, max-age=60$/ },
    problem: 'not-found',
  }),
  row('problems', 'api//v1/events', 404, { problem: 'not-found' }),
  row('problems', 'api/v1/events//', 404, { problem: 'not-found' }),
  row('problems', 'API/v1/events', 404, { problem: 'not-found' }),
  row('problems', 'api/v1/genre/', 404, { problem: 'not-found' }),
  row('problems', 'nothing/%00', 404, { problem: 'not-found' }),
  row('problems', '..%5c..%5cetc%5cpasswd', 404, { problem: 'not-found' }),
  row('problems', `api/v1/genre/${'x'.repeat(3000)}/events.json`, 404, { problem: 'not-found' }),
];

const methods: Row[] = [
  row('methods', 'api/v1/events', 200, {
    method: 'HEAD',
    headers: { ...json, etag: /./, 'content-length': /^[1-9]/ },
    text: /^$/,
  }),
  row('limit', 'api/v1/events?limit=0', 400, { method: 'HEAD', text: /^$/ }),
  ...(['POST', 'PUT', 'DELETE', 'PATCH'] as const).map((method) =>
    row('methods', 'api/v1/events?genre=zz-no-such&limit=0', 405, {
      method,
      headers: { ...problemJson, ...cors, allow: /^GET, HEAD, OPTIONS$/ },
      problem: 'method-not-allowed',
    }),
  ),
  // The content type is that of a problem, not that of the file.
  ...['index.html', 'api/v1/events.json', 'api/v1/category/{category}/events.ics'].map((path) =>
    row('methods', path, 405, {
      method: 'POST',
      headers: { ...problemJson, ...cors, allow: /^GET, HEAD, OPTIONS$/ },
      problem: 'method-not-allowed',
    }),
  ),
  row('methods', 'api/v1/events', 204, {
    method: 'OPTIONS',
    headers: { ...cors, 'access-control-allow-methods': /GET/, 'access-control-allow-headers': /If-None-Match/i },
    text: /^$/,
  }),
];

const negotiation: Row[] = [
  ...['api/v1', 'api/v1/'].flatMap((path) => [
    row('accept', path, 200, { headers: { ...json, vary: /\baccept\b/i }, same: 'api/v1/index.json' }),
    row('accept', path, 200, { accept: '*/*', headers: json, same: 'api/v1/index.json' }),
    row('accept', path, 200, { accept: 'text/html, application/json', headers: json }),
    row('accept', path, 200, { accept: 'application/json;q=0.9, text/html;q=0.8', headers: json }),
    row('accept', path, 200, { accept: 'text/html;q=0', headers: json }),
    row('accept', path, 200, { accept: 'nonsense, ;;q=, text/html;q=x', headers: json }),
  ]),
  row('accept', 'api/v1/?limit=0&limit=x', 200, { headers: json, same: 'api/v1/index.json' }),
  row('accept', 'api/v1/nothing', 404, {
    accept: 'application/json',
    headers: { ...problemJson, vary: /\baccept\b/i },
  }),
];

/** Rows for base URLs with a path. A row that begins with a query requests that path without a trailing slash. */
export const mountRows: readonly Row[] = (
  [
    ['?', '\\/'],
    ['?genre={genre}', '\\/\\?genre={genre}'],
    ['?q=a%20b%2F&q=c+d&category=', '\\/\\?q=a%20b%2F&q=c\\+d&category='],
  ] as const
).map(([path, location]) =>
  row('base', path, 308, {
    headers: {
      ...cors,
      location: new RegExp(`^(https?:\\/\\/[^/]+)?{mount}${location}$`),
      'cache-control': /^public, max-age=60$/,
    },
  }),
);

/** Rows for sites that have the page. */
export const pageRows: Readonly<Record<string, readonly Row[]>> = {
  'index.html': [row('base', '', 200, { headers: html, text: /<title>/ })],
  'category/{category}/index.html': [
    row('base', 'category/{category}/', 200, { headers: html, text: /<title>/ }),
    ...['', '?utm=a%20b&q=c+d'].map((query) =>
      row('pages', `category/{category}${query}`, 308, {
        headers: {
          ...cors,
          location: new RegExp(
            `^(https?:\\/\\/[^/]+)?{mount}\\/category\\/{category}\\/${query.replace(/[?+]/g, '\\$&')}$`,
          ),
          'cache-control': /^public, max-age=60$/,
        },
      }),
    ),
    row('pages', 'category/{category}/index', 404),
    row('pages', 'category/zz-no-such', 404),
  ],
  'api/v1/index.html': [
    row('accept', 'api/v1/', 200, { accept: browser, headers: { ...html, vary: /\baccept\b/i } }),
    row('accept', 'api/v1', 200, { accept: 'application/json;q=0.5, text/*', headers: html }),
  ],
  '404.html': [
    ...['nothing', 'nothing/at/all/', 'category/zz-no-such/', '404'].map((path) =>
      row('pages', path, 404, {
        accept: browser,
        headers: { ...html, ...cors, vary: /\baccept\b/i, 'cache-control': /^public, max-age=60$/ },
        text: /<title>/,
      }),
    ),
    row('pages', 'nothing', 404, { headers: problemJson }),
    row('pages', 'api/v1/events?genre=zz-no-such', 404, { accept: browser, headers: problemJson }),
    row('accept', 'nothing', 404, { accept: browser, headers: { ...html, vary: /\baccept\b/i } }),
  ],
};

const caching: Row[] = [
  ...['api/v1/events', 'api/v1/events.json', 'api/v1/genres.json', 'api/v1/index.json'].flatMap((path) => [
    row('caching', path, 200, {
      headers: { etag: /^(W\/)?"[^"]+"$/, 'cache-control': /^public, max-age=([1-9]\d?|[12]\d\d|300)$/ },
    }),
    row('caching', path, 304, { ifNoneMatch: '{etag}', headers: { etag: /./ }, text: /^$/ }),
    row('caching', path, 200, { ifNoneMatch: '"other"' }),
  ]),
  row('etags', 'api/v1/events.json', 304, { ifNoneMatch: 'W/{etag}', text: /^$/ }),
  row('etags', 'api/v1/events.json', 304, { ifNoneMatch: '"a", W/"b,c", {etag}', text: /^$/ }),
  row('etags', 'api/v1/events.json', 304, { ifNoneMatch: '*', text: /^$/ }),
  row('limit', 'api/v1/events?limit=1', 304, { ifNoneMatch: '{etag}', text: /^$/ }),
  row('caching', 'nothing/at/all', 404, { ifNoneMatch: '*' }),
];

const sharing: Row[] = ['api/v1/events.json', 'api/v1/nothing'].map((path) =>
  row('cors', path, path.endsWith('nothing') ? 404 : 200, {
    headers: { ...cors, 'access-control-expose-headers': /^ETag$/ },
  }),
);

const current: Row[] = ['api/v1/events.json', 'api/v1/events', 'api/v1/events?limit=1'].map((path) =>
  row('upcoming', path, 200, { upcoming: true }),
);

/** All other rows. */
export const rows: readonly Row[] = [
  ...published,
  ...filters,
  ...limits,
  ...problems,
  ...methods,
  ...negotiation,
  ...caching,
  ...sharing,
  ...current,
];
