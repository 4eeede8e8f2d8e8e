import { join } from 'node:path';
import type { Ability } from '../../src/hosts/host.ts';
import { readSections } from '../setup/sections.ts';

/** A line of rows.txt: a request, and the response that the interface requires. Patterns contain names in braces. */
export interface Row {
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
export interface Rows {
  readonly everySite: readonly Row[];
  /** For base URLs with a path. A row that begins with a query requests that path without a trailing slash. */
  readonly mounted: readonly Row[];
  /** For sites that have the page. */
  readonly ofPages: ReadonlyMap<string, readonly Row[]>;
}

export function readRows(): Rows {
  const sections = readSections(join(import.meta.dirname, '../../test/conformance/rows.txt'));
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
  if (target !== undefined) headers['location'] = `^(https?://[^/]+)?{mount}${target.replace(/[?+]/g, '\\$&')}$`;
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
