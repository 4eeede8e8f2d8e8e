import { contentTypeOf } from '../api/content-types.ts';
import { manifestPath, notFoundPagePath, notFoundPath } from '../api/paths.ts';

/** The headers that an object of a site is stored with and later served with. */
export function headersOf(path: string): Record<'content-type' | 'cache-control', string> {
  return {
    'content-type':
      path === notFoundPath ? 'application/problem+json' : (contentTypeOf(path) ?? 'application/octet-stream'),
    'cache-control': lifetimeOf(path),
  };
}

/** How long a copy may be used: what publishers and mirrors compare is always asked for anew. */
function lifetimeOf(path: string): string {
  if (path === manifestPath) return 'no-cache';
  return path === notFoundPath || path === notFoundPagePath ? 'public, max-age=60' : 'public, max-age=300';
}
