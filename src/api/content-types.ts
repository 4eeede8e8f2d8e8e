/** The media types of what a site holds, by the ending of its path. All of it is text, in UTF-8. */
export const contentTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  ics: 'text/calendar; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  svg: 'image/svg+xml',
};

/** The media type of a file of a site; null where it is none of these. Without an ending it is a twin of a document. */
export function contentTypeOf(path: string): string | null {
  const [, name = '', ending = 'json'] = /([^./]*)(?:\.([^./]+))?$/.exec(path) ?? [];
  return name === '' ? null : (contentTypes[ending] ?? null);
}
