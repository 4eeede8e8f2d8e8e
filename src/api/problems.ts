import type { ProblemDocument } from './documents.ts';
import { root } from './paths.ts';

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

/** A problem as RFC 9457 has it. `baseUrl` has no slash at its end. */
export function problemDocument(baseUrl: string, type: ProblemType, detail: string): ProblemDocument {
  const { status, title } = problemTypes[type];
  return { type: `${baseUrl}/${root}/#${type}`, title, status, detail };
}
