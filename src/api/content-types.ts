import { formats } from './formats.ts';

/**
 * The content types of the files of a site by the ending of their path, sorted by ending. Every
 * file but images is text in UTF-8.
 */
export const contentTypes: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...Object.values(formats).map(
      ({ file, mediaType }) => [file.slice(file.lastIndexOf('.') + 1), mediaType] as const,
    ),
    ['css', 'text/css'] as const,
    ['html', 'text/html'] as const,
    ['js', 'text/javascript'] as const,
    ['md', 'text/markdown'] as const,
    ['png', 'image/png'] as const,
    ['svg', 'image/svg+xml'] as const,
    ['ts', 'application/typescript'] as const,
    ['txt', 'text/plain'] as const,
    ['webmanifest', 'application/manifest+json'] as const,
    ['xml', 'application/xml'] as const,
  ]
    .map(([ending, type]) => [ending, type.startsWith('text/') ? `${type}; charset=utf-8` : type])
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
);

/** The content types of files that are known by their whole name. */
export const namedTypes: Readonly<Record<string, string>> = {
  [formats.feed.file]: formats.feed.mediaType,
};

/**
 * Returns the content type of a file of a site, or null if it has none. A file without an ending is
 * JSON.
 */
export function contentTypeOf(path: string): string | null {
  const [, name = '', ending = 'json'] = /([^./]*)(?:\.([^./]+))?$/.exec(path) ?? [];
  const file = path.slice(path.lastIndexOf('/') + 1);
  if (name === '') return null;
  return namedTypes[file] ?? contentTypes[ending] ?? null;
}
