import { contentTypeOf } from '../api/content-types.ts';

/** How long a copy may be used, by the first path that fits: what publishers and mirrors compare is always asked for anew. */
const lifetimes: readonly (readonly [RegExp, string])[] = [
  [/^files\.json$/, 'no-cache'],
  [/(^|\/)404\.(json|html)$/, 'public, max-age=60'],
  [/./, 'public, max-age=300'],
];

/** The headers that an object of a site is stored with and later served with. */
export function headersOf(path: string): Record<'content-type' | 'cache-control', string> {
  return {
    'content-type':
      path === '404.json' ? 'application/problem+json' : (contentTypeOf(path) ?? 'application/octet-stream'),
    'cache-control': lifetimes.find(([pattern]) => pattern.test(path))?.[1] ?? 'no-cache',
  };
}
