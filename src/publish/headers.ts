/** Content types by the end of a path, the first that fits. Without an extension it is a twin of a JSON document. */
const types: readonly (readonly [RegExp, string])[] = [
  [/(^|\/)404\.json$/, 'application/problem+json'],
  [/\.json$/, 'application/json'],
  [/\.ics$/, 'text/calendar; charset=utf-8'],
  [/\.html$/, 'text/html; charset=utf-8'],
  [/\.css$/, 'text/css; charset=utf-8'],
  [/\.js$/, 'text/javascript; charset=utf-8'],
  [/\.(txt|md)$/, 'text/plain; charset=utf-8'],
  [/\.svg$/, 'image/svg+xml'],
  [/\.png$/, 'image/png'],
  [/\.ico$/, 'image/x-icon'],
  [/\.webmanifest$/, 'application/manifest+json'],
  [/\.gz$/, 'application/gzip'],
  [/(^|\/)[^./]+$/, 'application/json'],
];

/** How long a copy may be used, in the same way: what publishers and mirrors compare is always asked for anew. */
const lifetimes: readonly (readonly [RegExp, string])[] = [
  [/^files\.json$/, 'no-cache'],
  [/(^|\/)404\.(json|html)$/, 'public, max-age=60'],
  [/./, 'public, max-age=300'],
];

/** The headers that an object of a site is stored with and later served with. */
export function headersOf(path: string): Record<'content-type' | 'cache-control', string> {
  return {
    'content-type': types.find(([pattern]) => pattern.test(path))?.[1] ?? 'application/octet-stream',
    'cache-control': lifetimes.find(([pattern]) => pattern.test(path))?.[1] ?? 'no-cache',
  };
}
