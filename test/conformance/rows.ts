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

const published: Row[] = [
  ...documents.map((name): Row => ({
    ability: 'paths',
    path: `api/v1/${name}.json`,
    status: 200,
    headers: json,
    same: `api/v1/${name}.json`,
  })),
  { ability: 'paths', path: 'api/v1/index.json', status: 200, headers: json, text: /"version":1/ },
  { ability: 'paths', path: 'api/v1/lists.json', status: 200, headers: json, text: /^\{"lists":\[/ },
  { ability: 'paths', path: 'api/v1/month/zz-no-such/events.json', status: 404 },
  { ability: 'paths', path: 'api/v1/category/{category}/genres.json', status: 200, text: /"category":"{category}"/ },
  { ability: 'paths', path: 'api/v1/category/{category}/events.json', status: 200, text: /"category":"{category}"/ },
  { ability: 'paths', path: 'api/v1/genre/{genre}/events.json', status: 200, text: /"genre":"{genre}"/ },
  { ability: 'paths', path: pairs, status: 200, text: /"genre":"{genre}","category":"{category}"/ },
  {
    ability: 'paths',
    path: 'api/v1/category/{other}/genre/{genre}/events.json',
    status: 200,
    text: /"total":0,"events":\[\]/,
  },
  {
    ability: 'paths',
    path: 'api/v1/genre/{genre}/events.json?genre=x&limit=0',
    status: 200,
    same: 'api/v1/genre/{genre}/events.json',
  },
  { ability: 'paths', path: 'api/v1/nothing.json', status: 404 },
  { ability: 'paths', path: 'api/v1/category/zz-no-such/events.json', status: 404 },
  { ability: 'paths', path: 'nothing/at/all', status: 404, ifNoneMatch: '*' },
  { ability: 'problems', path: 'api/v1/..%2f..%2f..%2f..%2fetc/passwd', status: 404 },
  ...documents.map((name): Row => ({
    ability: 'spellings',
    path: `api/v1/${name}`,
    status: 200,
    headers: json,
    same: `api/v1/${name}.json`,
  })),
  ...documents.map((name): Row => ({
    ability: 'spellings',
    path: `api/v1/${name}/`,
    status: 200,
    headers: json,
    same: `api/v1/${name}.json`,
  })),
  {
    ability: 'spellings',
    path: 'api/v1/categories?category={category}&limit=0&limit=x',
    status: 200,
    same: 'api/v1/categories.json',
  },
];

const filters: Row[] = [
  {
    ability: 'filters',
    path: 'api/v1/genres?category={category}',
    status: 200,
    same: 'api/v1/category/{category}/genres.json',
  },
  ...['events', 'events.json', 'events/'].flatMap((spelling): Row[] => [
    {
      ability: 'filters',
      path: `api/v1/${spelling}?category={category}`,
      status: 200,
      headers: json,
      same: 'api/v1/category/{category}/events.json',
    },
    {
      ability: 'filters',
      path: `api/v1/${spelling}?genre={genre}`,
      status: 200,
      same: 'api/v1/genre/{genre}/events.json',
    },
    { ability: 'filters', path: `api/v1/${spelling}?genre={genre}&category={category}`, status: 200, same: pairs },
  ]),
  {
    ability: 'filters',
    path: 'api/v1/genres/?category={category}',
    status: 200,
    same: 'api/v1/category/{category}/genres.json',
  },
  {
    ability: 'filters',
    path: 'api/v1/genres.json?category={category}&genre=x',
    status: 200,
    same: 'api/v1/category/{category}/genres.json',
  },
  {
    ability: 'filters',
    path: 'api/v1/events?category={other}&genre={genre}',
    status: 200,
    same: 'api/v1/category/{other}/genre/{genre}/events.json',
  },
  { ability: 'empties', path: 'api/v1/events?category=&genre=', status: 200, same: events },
  {
    ability: 'empties',
    path: 'api/v1/events?category=&genre={genre}',
    status: 200,
    same: 'api/v1/genre/{genre}/events.json',
  },
  { ability: 'empties', path: 'api/v1/events?genre', status: 200, same: events },
  { ability: 'filters', path: 'api/v1/events?genre[]=x&GENRE=x&xgenre=y&a=1&a=2', status: 200, same: events },
  { ability: 'filters', path: 'api/v1/events?constructor=1&toString=2&__proto__=3', status: 200, same: events },
  { ability: 'filters', path: 'api/v1/genres?genre=x&limit=0', status: 200, same: genres },
  {
    ability: 'filters',
    path: 'api/v1/events?xgenre=a&genre={genre}&genrex=b',
    status: 200,
    same: 'api/v1/genre/{genre}/events.json',
  },
  ...unknownIds.flatMap((id): Row[] => [
    { ability: 'filters', path: `api/v1/events?genre=${id}`, status: 404 },
    { ability: 'filters', path: `api/v1/events?category=${id}`, status: 404 },
  ]),
  { ability: 'filters', path: 'api/v1/genres?category=zz-no-such', status: 404 },
  { ability: 'filters', path: 'api/v1/events?category={category}&genre=zz-no-such', status: 404 },
  { ability: 'filters', path: 'api/v1/events?category=zz-no-such&genre={genre}', status: 404 },
  { ability: 'filters', path: 'api/v1/events?genre={genre};limit=1', status: 404 },
  { ability: 'filters', path: 'api/v1/events??genre={genre}', status: 200, same: events },
  ...['/api/v1/events', 'api/v1//events.json', 'api//v1/events/', 'api/v1/events//', 'api/v1/%2Fevents'].flatMap(
    (path): Row[] => [
      { ability: 'filters', path: `${path}?genre=zz-no-such`, status: 404 },
      { ability: 'filters', path: `${path}?genre={genre}`, status: 404 },
    ],
  ),
  ...['a;b', '%', '%z', 'a%2', '%zz'].map((value): Row => ({
    ability: 'filters',
    path: `api/v1/genres?utm=${value}&category={category}&genre=%zz`,
    status: 200,
    same: 'api/v1/category/{category}/genres.json',
  })),
  ...['{genre},', '{genre},{genre}', ',', '{genre}%', '{genre}%2'].map((value): Row => ({
    ability: 'filters',
    path: `api/v1/events?x=1&genre=${value}`,
    status: 404,
  })),
  { ability: 'repeats', path: 'api/v1/events?category=%zz&category={category}', status: 400 },
  { ability: 'repeats', path: 'api/v1/events?genre=a;b&genre=%', status: 400 },
  { ability: 'repeats', path: 'api/v1/events?genre={genre}&genre={genre}', status: 400 },
  { ability: 'repeats', path: 'api/v1/events?genre={genre}&genre=', status: 400 },
  { ability: 'repeats', path: 'api/v1/events?genre=&genre', status: 400 },
  { ability: 'repeats', path: 'api/v1/events?genre&genre={genre}', status: 400 },
  { ability: 'repeats', path: 'api/v1/events?category={category}&genre={genre}&category={other}', status: 400 },
  { ability: 'repeats', path: 'api/v1/genres?category={category}&x=1&category=zz-no-such', status: 400 },
  {
    ability: 'encoding',
    path: 'api/v1/events?%67en%72e={genre}',
    status: 200,
    same: 'api/v1/genre/{genre}/events.json',
  },
  {
    ability: 'encoding',
    path: 'api/v1/events?genre={genre:encoded}',
    status: 200,
    same: 'api/v1/genre/{genre}/events.json',
  },
  {
    ability: 'encoding',
    path: 'api/v1/events?%63ategory={category:encoded}',
    status: 200,
    same: 'api/v1/category/{category}/events.json',
  },
  { ability: 'encoding', path: 'api/v1/events?genre={genre}&%67enre={genre}', status: 400 },
  { ability: 'encoding', path: 'api/v1/%65vents?genre={genre}', status: 200, same: 'api/v1/genre/{genre}/events.json' },
];

const limits: Row[] = [
  ...[1, 2, 199, 200].map((limit): Row => ({
    ability: 'limit',
    path: `api/v1/events?limit=${limit}`,
    status: 200,
    same: events,
    limit,
  })),
  {
    ability: 'limit',
    path: 'api/v1/events?category={category}&limit=1',
    status: 200,
    same: 'api/v1/category/{category}/events.json',
    limit: 1,
  },
  {
    ability: 'limit',
    path: 'api/v1/events/?genre={genre}&category={category}&limit=1',
    status: 200,
    same: pairs,
    limit: 1,
  },
  ...['201', '1000', enormous].map((limit): Row => ({
    ability: 'limit',
    path: `api/v1/events?limit=${limit}`,
    status: 200,
    same: events,
    limit: 200,
  })),
  { ability: 'limit', path: 'api/v1/events?limit=', status: 200, same: events, limit: 200 },
  ...['0', '-1', '1.5', '1e2', 'ten', '007', '+5', '%2B5', '%205', '0x10', '%00', '%EF%BC%95', 'null', '5%0A'].map(
    (limit): Row => ({
      ability: 'limit',
      path: `api/v1/events?limit=${limit}`,
      status: 400,
      problem: 'invalid-limit',
    }),
  ),
  { ability: 'limit', path: 'api/v1/events?genre=zz-no-such&limit=0', status: 400, problem: 'invalid-limit' },
  { ability: 'limit', path: 'api/v1/events?limit=5&limit=5', status: 400, problem: 'repeated-parameter' },
  { ability: 'limit', path: 'api/v1/events?limit=5&l%69mit=', status: 400, problem: 'repeated-parameter' },
];

const problems: Row[] = [
  {
    ability: 'problems',
    path: 'api/v1/events?genre=zz-no-such',
    status: 404,
    headers: { ...problemJson, ...cors },
    problem: 'unknown-genre',
  },
  {
    ability: 'problems',
    path: 'api/v1/events?category=zz-no-such',
    status: 404,
    headers: problemJson,
    problem: 'unknown-category',
  },
  { ability: 'problems', path: 'api/v1/genres?category=zz-no-such', status: 404, problem: 'unknown-category' },
  {
    ability: 'problems',
    path: 'api/v1/events?category={category}&genre=zz-no-such',
    status: 404,
    problem: 'unknown-genre',
  },
  {
    ability: 'problems',
    path: 'api/v1/events?category=zz-no-such&genre=zz-no-such',
    status: 404,
    problem: 'unknown-category',
  },
  {
    ability: 'problems',
    path: 'api/v1/events?category=zz-no-such&category=x',
    status: 400,
    headers: problemJson,
    problem: 'repeated-parameter',
  },
  {
    ability: 'problems',
    path: 'api/v1/nothing',
    status: 404,
    headers: { ...problemJson, 'cache-control': /^public, max-age=60$/ },
    problem: 'not-found',
  },
  { ability: 'problems', path: 'api//v1/events', status: 404, problem: 'not-found' },
  { ability: 'problems', path: 'api/v1/events//', status: 404, problem: 'not-found' },
  { ability: 'problems', path: 'API/v1/events', status: 404, problem: 'not-found' },
  { ability: 'problems', path: 'api/v1/genre/', status: 404, problem: 'not-found' },
  { ability: 'problems', path: 'nothing/%00', status: 404, problem: 'not-found' },
  { ability: 'problems', path: '..%5c..%5cetc%5cpasswd', status: 404, problem: 'not-found' },
  { ability: 'problems', path: `api/v1/genre/${'x'.repeat(3000)}/events.json`, status: 404, problem: 'not-found' },
];

const methods: Row[] = [
  {
    ability: 'methods',
    path: 'api/v1/events',
    method: 'HEAD',
    status: 200,
    headers: { ...json, etag: /./, 'content-length': /^[1-9]/ },
    text: /^$/,
  },
  { ability: 'limit', path: 'api/v1/events?limit=0', method: 'HEAD', status: 400, text: /^$/ },
  ...(['POST', 'PUT', 'DELETE', 'PATCH'] as const).map((method): Row => ({
    ability: 'methods',
    path: 'api/v1/events?genre=zz-no-such&limit=0',
    method,
    status: 405,
    headers: { ...problemJson, ...cors, allow: /^GET, HEAD, OPTIONS$/ },
    problem: 'method-not-allowed',
  })),
  // The content type is that of a problem, not that of the file.
  ...['index.html', 'api/v1/events.json', 'api/v1/category/{category}/events.ics'].map((path): Row => ({
    ability: 'methods',
    path,
    method: 'POST',
    status: 405,
    headers: { ...problemJson, ...cors, allow: /^GET, HEAD, OPTIONS$/ },
    problem: 'method-not-allowed',
  })),
  {
    ability: 'methods',
    path: 'api/v1/events',
    method: 'OPTIONS',
    status: 204,
    headers: { ...cors, 'access-control-allow-methods': /GET/, 'access-control-allow-headers': /If-None-Match/i },
    text: /^$/,
  },
];

const negotiation: Row[] = [
  ...['api/v1', 'api/v1/'].flatMap((path): Row[] => [
    { ability: 'accept', path, status: 200, headers: { ...json, vary: /\baccept\b/i }, same: 'api/v1/index.json' },
    { ability: 'accept', path, accept: '*/*', status: 200, headers: json, same: 'api/v1/index.json' },
    { ability: 'accept', path, accept: 'text/html, application/json', status: 200, headers: json },
    { ability: 'accept', path, accept: 'application/json;q=0.9, text/html;q=0.8', status: 200, headers: json },
    { ability: 'accept', path, accept: 'text/html;q=0', status: 200, headers: json },
    { ability: 'accept', path, accept: 'nonsense, ;;q=, text/html;q=x', status: 200, headers: json },
  ]),
  { ability: 'accept', path: 'api/v1/?limit=0&limit=x', status: 200, headers: json, same: 'api/v1/index.json' },
  {
    ability: 'accept',
    path: 'api/v1/nothing',
    accept: 'application/json',
    status: 404,
    headers: { ...problemJson, vary: /\baccept\b/i },
  },
];

/** Rows for base URLs with a path. A row that begins with a query requests that path without a trailing slash. */
export const mountRows: readonly Row[] = (
  [
    ['?', '\\/'],
    ['?genre={genre}', '\\/\\?genre={genre}'],
    ['?q=a%20b%2F&q=c+d&category=', '\\/\\?q=a%20b%2F&q=c\\+d&category='],
  ] as const
).map(([path, location]) => ({
  ability: 'base',
  path,
  status: 308,
  headers: {
    ...cors,
    location: new RegExp(`^(https?:\\/\\/[^/]+)?{mount}${location}$`),
    'cache-control': /^public, max-age=60$/,
  },
}));

/** Rows for sites that have the page. */
export const pageRows: Readonly<Record<string, readonly Row[]>> = {
  'index.html': [{ ability: 'base', path: '', status: 200, headers: html, text: /<title>/ }],
  'category/{category}/index.html': [
    { ability: 'base', path: 'category/{category}/', status: 200, headers: html, text: /<title>/ },
    ...['', '?utm=a%20b&q=c+d'].map((query): Row => ({
      ability: 'pages',
      path: `category/{category}${query}`,
      status: 308,
      headers: {
        ...cors,
        location: new RegExp(
          `^(https?:\\/\\/[^/]+)?{mount}\\/category\\/{category}\\/${query.replace(/[?+]/g, '\\$&')}$`,
        ),
        'cache-control': /^public, max-age=60$/,
      },
    })),
    { ability: 'pages', path: 'category/{category}/index', status: 404 },
    { ability: 'pages', path: 'category/zz-no-such', status: 404 },
  ],
  'api/v1/index.html': [
    {
      ability: 'accept',
      path: 'api/v1/',
      accept: browser,
      status: 200,
      headers: { ...html, vary: /\baccept\b/i },
    },
    { ability: 'accept', path: 'api/v1', accept: 'application/json;q=0.5, text/*', status: 200, headers: html },
  ],
  '404.html': [
    ...['nothing', 'nothing/at/all/', 'category/zz-no-such/', '404'].map((path): Row => ({
      ability: 'pages',
      path,
      accept: browser,
      status: 404,
      headers: { ...html, ...cors, vary: /\baccept\b/i, 'cache-control': /^public, max-age=60$/ },
      text: /<title>/,
    })),
    { ability: 'pages', path: 'nothing', status: 404, headers: problemJson },
    { ability: 'pages', path: 'api/v1/events?genre=zz-no-such', accept: browser, status: 404, headers: problemJson },
    {
      ability: 'accept',
      path: 'nothing',
      accept: browser,
      status: 404,
      headers: { ...html, vary: /\baccept\b/i },
    },
  ],
};

const caching: Row[] = [
  ...['api/v1/events', 'api/v1/events.json', 'api/v1/genres.json', 'api/v1/index.json'].flatMap((path): Row[] => [
    {
      ability: 'caching',
      path,
      status: 200,
      headers: { etag: /^(W\/)?"[^"]+"$/, 'cache-control': /^public, max-age=([1-9]\d?|[12]\d\d|300)$/ },
    },
    { ability: 'caching', path, ifNoneMatch: '{etag}', status: 304, headers: { etag: /./ }, text: /^$/ },
    { ability: 'caching', path, ifNoneMatch: '"other"', status: 200 },
  ]),
  { ability: 'etags', path: 'api/v1/events.json', ifNoneMatch: 'W/{etag}', status: 304, text: /^$/ },
  { ability: 'etags', path: 'api/v1/events.json', ifNoneMatch: '"a", W/"b,c", {etag}', status: 304, text: /^$/ },
  { ability: 'etags', path: 'api/v1/events.json', ifNoneMatch: '*', status: 304, text: /^$/ },
  { ability: 'limit', path: 'api/v1/events?limit=1', ifNoneMatch: '{etag}', status: 304, text: /^$/ },
  { ability: 'caching', path: 'nothing/at/all', ifNoneMatch: '*', status: 404 },
];

const sharing: Row[] = ['api/v1/events.json', 'api/v1/nothing'].map((path) => ({
  ability: 'cors',
  path,
  status: path.endsWith('nothing') ? 404 : 200,
  headers: { ...cors, 'access-control-expose-headers': /^ETag$/ },
}));

const current: Row[] = ['api/v1/events.json', 'api/v1/events', 'api/v1/events?limit=1'].map((path) => ({
  ability: 'upcoming',
  path,
  status: 200,
  upcoming: true,
}));

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
