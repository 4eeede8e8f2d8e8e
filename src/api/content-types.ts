import { formats } from './formats.ts';

/** The content types of the files of a site by the ending of their path, sorted by ending. Every file is text in UTF-8. */
export const contentTypes: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...Object.values(formats).map(({ file, mediaType }) => [file.slice(file.lastIndexOf('.') + 1), mediaType] as const),
    ['css', 'text/css'] as const,
    ['html', 'text/html'] as const,
    ['js', 'text/javascript'] as const,
    ['svg', 'image/svg+xml'] as const,
  ]
    .map(([ending, type]) => [ending, type.startsWith('text/') ? `${type}; charset=utf-8` : type])
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
);

/** The endings and content types of the formats that are not JSON. Many hosts do not know them. */
export const formatTypes: readonly (readonly [ending: string, type: string])[] = Object.values(formats)
  .filter(({ mediaType }) => mediaType !== 'application/json')
  .map(({ file }) => file.slice(file.lastIndexOf('.') + 1))
  .map((ending) => [ending, contentTypes[ending] ?? '']);

/** Returns the content type of a file of a site, or null if it has none. A file without an ending is JSON. */
export function contentTypeOf(path: string): string | null {
  const [, name = '', ending = 'json'] = /([^./]*)(?:\.([^./]+))?$/.exec(path) ?? [];
  return name === '' ? null : (contentTypes[ending] ?? null);
}
