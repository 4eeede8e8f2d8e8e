import type { ProblemDocument } from './documents.ts';
import { joinLines } from './text.ts';
import { indexPath, listLimit, listsPath, operationPath, root } from './paths.ts';

/** The kinds of problem, by the fragment of the reference page that describes them. */
export const problemTypes = {
  'not-found': { status: 404, title: 'Not found' },
  'unknown-category': { status: 404, title: 'Unknown category' },
  'unknown-genre': { status: 404, title: 'Unknown genre' },
  'invalid-limit': { status: 400, title: 'Invalid limit' },
  'repeated-parameter': { status: 400, title: 'Repeated parameter' },
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
} as const;

export type ProblemType = keyof typeof problemTypes;

/**
 * The `detail` of each kind: the value found and the value expected. `mount` is the path of
 * `{base_url}`.
 */
export const details = {
  'not-found': (path: string, mount: string) =>
    joinLines(`The path is ${quoted(path)};
    there is no such document.
    Ids are in lower case;
    ${mount}/${indexPath} lists the documents,
    and ${mount}/${listsPath}
    the countries, tags and collections.`),
  'unknown-category': (id: string, mount: string) =>
    joinLines(`category is ${quoted(id)};
    there is no such category.
    ${mount}/${operationPath('categories')}
    lists all categories.`),
  'unknown-genre': (id: string, mount: string) =>
    joinLines(`genre is ${quoted(id)};
    there is no such genre.
    ${mount}/${operationPath('genres')}
    lists all genres.`),
  'invalid-limit': (limit: string) =>
    joinLines(`limit is ${quoted(limit)};
    it must be a whole number in plain digits,
    from 1 to ${listLimit}.`),
  'repeated-parameter': (name: string, values: readonly string[]) =>
    joinLines(`${name} is given ${values.length} times:
    ${values.map(quoted).join(', ')};
    give it once.`),
  'method-not-allowed': (method: string) =>
    joinLines(`The method is ${quoted(method)};
    use GET, HEAD or OPTIONS.`),
} as const satisfies Record<ProblemType, unknown>;

function quoted(value: string): string {
  return JSON.stringify(
    value.length > maxShownLength ? `${value.slice(0, maxShownLength)}…` : value,
  );
}

const maxShownLength = 80;

/** Returns a problem document (RFC 9457). `baseUrl` has no final slash. */
export function problemDocument(
  baseUrl: string,
  type: ProblemType,
  detail: string,
): ProblemDocument {
  const { status, title } = problemTypes[type];
  return {
    type: `${baseUrl}/${root}/#${type}`,
    title,
    status,
    detail,
  };
}
