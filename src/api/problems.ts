import type { ProblemDocument } from './documents.ts';
import { indexPath, maxEvents, operationPath, root } from './paths.ts';

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

/** What is said of each kind: what was found, and what would be right. `mount` is the path of `{base_url}`. */
export const details = {
  'not-found': (path: string, mount: string) =>
    `The path is ${shown(path)}; there is no such document. ${mount}/${indexPath} tells which there are.`,
  'unknown-category': (id: string, mount: string) =>
    `category is ${shown(id)}; there is no such category. ${mount}/${operationPath('categories')} lists all there are.`,
  'unknown-genre': (id: string, mount: string) =>
    `genre is ${shown(id)}; there is no such genre. ${mount}/${operationPath('genres')} lists all there are.`,
  'invalid-limit': (limit: string) =>
    `limit is ${shown(limit)}; it must be a whole number in plain digits, from 1 to ${maxEvents}.`,
  'repeated-parameter': (name: string, values: readonly string[]) =>
    `${name} is given ${values.length} times: ${allShown(values)}; give it once.`,
  'method-not-allowed': (method: string) =>
    `The method is ${shown(method)}; this interface is read with GET, HEAD or OPTIONS.`,
} as const satisfies Record<ProblemType, unknown>;

/** A value for a message: quoted, and cut where it is long. */
function shown(value: string): string {
  return JSON.stringify(value.length > mostShown ? `${value.slice(0, mostShown)}…` : value);
}

/** The first of some values for a message. */
function allShown(values: readonly string[]): string {
  const first = values.slice(0, mostValues).map(shown);
  return [...first, ...(values.length > mostValues ? ['…'] : [])].join(', ');
}

const mostValues = 3;
const mostShown = 80;

/** A problem as RFC 9457 has it. `baseUrl` has no slash at its end. */
export function problemDocument(baseUrl: string, type: ProblemType, detail: string): ProblemDocument {
  const { status, title } = problemTypes[type];
  return { type: `${baseUrl}/${root}/#${type}`, title, status, detail };
}
