import { request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type {
  EventsDocument,
  GenresDocument,
  CategoriesDocument,
} from '../../src/api/documents.ts';
import { mountOf } from '../../src/api/address.ts';
import type { Ability } from '../../src/hosts/host.ts';
import { readSections } from '../setup/sections.ts';

/**
 * A line of rows.txt: a request, and the response that the interface requires. Patterns contain
 * names in braces.
 */
interface Row {
  /** The ability that a host needs for this response. */
  readonly ability: Ability;
  readonly method: string;
  readonly path: string;
  /** The headers of the request. */
  readonly sent: Readonly<Record<string, string>>;
  readonly status: number;
  /** The pattern of each header, by its name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The published document that the body must equal, cut to `limit`. */
  readonly same?: string;
  readonly limit?: number;
  /** Whether the response must not contain expired events. */
  readonly isUpcoming: boolean;
  /** The kind of problem in the body. */
  readonly problem?: string;
  /** The pattern of the body. */
  readonly text?: string;
}

const contentTypes: Readonly<Record<string, string>> = {
  json: '^application/json\\b',
  'problem+json': '^application/problem\\+json\\b',
  html: '^text/html\\b',
};

/** The rows of rows.txt. */
interface Rows {
  readonly everySite: readonly Row[];
  /**
   * For base URLs with a path. A row that begins with a query requests that path without a trailing
   * slash.
   */
  readonly mounted: readonly Row[];
  /** For sites that have the page. */
  readonly ofPages: ReadonlyMap<string, readonly Row[]>;
}

function readRows(): Rows {
  const sections = readSections(join(import.meta.dirname, 'rows.txt'));
  const rowsOf = (section: string): Row[] => {
    const lines = (sections.get(section) ?? '').split('\n').filter((line) => line !== '');
    return lines.map(readRow);
  };
  const pages = [...sections.keys()].filter((name) => name.endsWith('.html'));
  return {
    everySite: rowsOf('every site'),
    mounted: rowsOf('a base URL with a path'),
    ofPages: new Map(pages.map((page) => [page, rowsOf(page)])),
  };
}

function readRow(line: string): Row {
  const [request = '', ...fields] = line.split(' | ');
  const [ability, method = '', path = ''] = request.split(/ +/);
  const at = fields.findIndex((field) => /^\d/.test(field));
  const pairsIn = (some: readonly string[]): [string, string][] =>
    some.flatMap((field) => {
      const [, name, value = ''] = /^([\w-]+): (.*)/.exec(field) ?? [];
      return name === undefined ? [] : [[name, value]];
    });
  const [status = '', type] = (fields[at] ?? '').split(' ');
  const expected = fields.slice(at + 1);
  const { text, ...headers } = Object.fromEntries(pairsIn(expected));
  const after = (word: string): string | undefined =>
    expected.find((field) => field.startsWith(`${word} `))?.slice(word.length + 1);
  const [same, limit] = after('=')?.split(' up to ') ?? [];
  const target = after('to');
  const problem = after('problem');
  if (type !== undefined) headers['content-type'] = contentTypes[type] ?? type;
  if (expected.includes('cors')) headers['access-control-allow-origin'] = '^\\*$';
  if (target !== undefined)
    headers['location'] = `^(https?://[^/]+)?{mount}${target.replace(/[?+]/g, '\\$&')}$`;
  return {
    ability: ability as Ability,
    method,
    path: path.replace('{nines}', '9'.repeat(4000)).replace('{letters}', 'x'.repeat(3000)),
    sent: Object.fromEntries(pairsIn(fields.slice(0, at))),
    status: Number(status),
    headers,
    ...(same !== undefined && { same }),
    ...(limit !== undefined && { limit: Number(limit) }),
    isUpcoming: expected.includes('upcoming'),
    ...(problem !== undefined && { problem }),
    ...(text !== undefined && { text }),
  };
}

/** The result of a row on a host. `failure` is null if the response was correct. */
export interface Result {
  readonly row: Row;
  readonly failure: string | null;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Sends a request to a host. `path` is not normalized, see {@link targetOf}. */
export type Ask = (
  path: string,
  method: string,
  headers: Record<string, string>,
) => Promise<Answer>;

/**
 * Returns the request target of a path below the base URL, or of the base URL without a slash if
 * the path is a query.
 */
export function targetOf(mount: string, path: string): string {
  return path.startsWith('?') ? mount + path : `${mount}/${path}`;
}

/** Returns a function that sends requests below a base URL without a trailing slash. */
export function askOver(base: string): Ask {
  const { protocol, hostname, port } = new URL(base);
  const mount = mountOf(base);
  const send = protocol === 'https:' ? secureRequest : request;
  return (path, method, headers) =>
    new Promise((resolve, reject) => {
      const options = {
        hostname: hostname.replace(/^\[|\]$/g, ''),
        port,
        path: targetOf(mount, path),
        method,
        headers,
      };
      const sent = send(options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const pairs = Object.entries(response.headers).map(([name, value]) => [
            name,
            String(value),
          ]);
          resolve({
            status: response.statusCode ?? 0,
            headers: Object.fromEntries(pairs) as Answer['headers'],
            text: decode(Buffer.concat(chunks), response.headers['content-encoding']).toString(
              'utf8',
            ),
          });
        });
        response.on('error', reject);
      });
      sent.on('error', reject);
      sent.end();
    });
}

function decode(body: Buffer, encoding: string | undefined): Buffer {
  if (body.length === 0) return body;
  return encoding === 'gzip'
    ? gunzipSync(body)
    : encoding === 'br'
      ? brotliDecompressSync(body)
      : body;
}

/**
 * Runs every row against a host.
 *
 * @param now the time of the host, in milliseconds since the Unix epoch
 * @param mount the path of its base URL
 */
export async function runRows(ask: Ask, now: number, mount: string): Promise<Result[]> {
  const names = { ...(await nameExamples(ask)), mount: mount.replace(/[.*+[\]]/g, '\\$&') };
  const { everySite, mounted, ofPages } = readRows();
  const pages = await Promise.all(
    Array.from(ofPages, async ([page, of]) =>
      (await ask(fill(page, names), 'GET', {})).status === 200 ? of : [],
    ),
  );
  const results: Result[] = [];
  for (const row of [...everySite, ...pages.flat(), ...(mount === '' ? [] : mounted)])
    results.push({ row, failure: await tryRow(ask, row, names, now) });
  return results;
}

type Names = Readonly<Record<string, string>>;

/**
 * Chooses ids of the site under test: the genre with most events, its category, and another
 * category.
 */
async function nameExamples(ask: Ask): Promise<Names> {
  const { genres } = JSON.parse(
    (await ask('api/v1/genres.json', 'GET', {})).text,
  ) as GenresDocument;
  const { categories } = JSON.parse(
    (await ask('api/v1/categories.json', 'GET', {})).text,
  ) as CategoriesDocument;
  const best = genres.toSorted((a, b) => b.upcoming - a.upcoming)[0];
  const other = categories.find(({ id }) => id !== best?.category);
  if (best === undefined || other === undefined)
    throw new Error('a site under test needs two categories and a genre');
  const encoded = (id: string): string =>
    id.replace(/./g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  const { id: genre, category } = best;
  return {
    genre,
    category,
    other: other.id,
    'genre:encoded': encoded(genre),
    'category:encoded': encoded(category),
  };
}

async function tryRow(ask: Ask, row: Row, names: Names, now: number): Promise<string | null> {
  try {
    const path = fill(row.path, names);
    const { method, sent } = row;
    const condition = sent['if-none-match'];
    const etag = condition?.includes('{etag}') ? (await ask(path, method, {})).headers['etag'] : '';
    if (etag === undefined) return 'no ETag to send back';
    // Some hosts mark their ETags as weak, so each row sends the ETag with and without the mark.
    const ifNoneMatch = condition?.replace('{etag}', etag).replace('W/W/', 'W/');
    const answer = await ask(path, method, {
      ...sent,
      ...(ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }),
    });
    return failureOf(row, answer, names, now) ?? (await compare(ask, row, answer, names));
  } catch (error) {
    return String(error);
  }
}

function failureOf(
  row: Row,
  { status, headers, text }: Answer,
  names: Names,
  now: number,
): string | null {
  if (status !== row.status) return `status ${status}, not ${row.status}`;
  for (const [name, pattern] of Object.entries(row.headers)) {
    if (!new RegExp(fill(pattern, names)).test(headers[name] ?? ''))
      return `${name}: ${headers[name] ?? '(none)'}, not ${pattern}`;
  }
  if (
    row.isUpcoming &&
    (JSON.parse(text) as EventsDocument).events.some(
      (event) => Date.parse(event.upcoming_until) <= now,
    )
  ) {
    return 'an expired event is listed';
  }
  const pattern = row.text === undefined ? null : new RegExp(fill(row.text, names));
  if (pattern && !pattern.test(text)) return `body ${text.slice(0, 200)}, not ${pattern}`;
  if (row.problem === undefined) return null;
  const problem = JSON.parse(text) as Record<string, unknown>;
  const isRight =
    String(problem['type']).endsWith(`/api/v1/#${row.problem}`) &&
    problem['status'] === row.status &&
    [problem['title'], problem['detail']].every(
      (words) => typeof words === 'string' && words !== '',
    );
  return isRight ? null : `problem ${text}, not ${row.problem}`;
}

/** Compares the body with the published document, cut to the limit. */
async function compare(ask: Ask, row: Row, answer: Answer, names: Names): Promise<string | null> {
  if (row.same === undefined) return null;
  const expected = JSON.parse((await ask(fill(row.same, names), 'GET', {})).text) as EventsDocument;
  const found = JSON.parse(answer.text) as EventsDocument;
  if (!('events' in expected))
    return JSON.stringify(found) === JSON.stringify(expected) ? null : 'another document';
  const limit = row.limit ?? expected.limit;
  const cut = { ...expected, limit, events: expected.events.slice(0, limit) };
  if (JSON.stringify(found) !== JSON.stringify(cut))
    return `another document: ${answer.text.slice(0, 200)}`;
  return null;
}

function fill(text: string, names: Names): string {
  return text.replace(/\{([a-z:]+)\}/g, (whole, name: string) => names[name] ?? whole);
}
