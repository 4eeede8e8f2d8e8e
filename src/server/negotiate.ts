/** Whether an `Accept` header ranks `text/html` strictly above `application/json` (RFC 9110, 12.5.1). */
export function prefersHtml(accept: string | null): boolean {
  return accept !== null && weightOf(accept, 'text', 'html') > weightOf(accept, 'application', 'json');
}

/**
 * Returns the weight of the most specific range that matches a type, or 0. Ranges with an invalid weight are ignored.
 */
function weightOf(accept: string, type: string, subtype: string): number {
  const weights = new Map<string, number>();
  for (const range of accept.toLowerCase().split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '') ?? '1';
    if (/^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight)) {
      weights.set(name, Math.max(weights.get(name) ?? 0, Number(weight)));
    }
  }
  return weights.get(`${type}/${subtype}`) ?? weights.get(`${type}/*`) ?? weights.get('*/*') ?? 0;
}

/** Whether an `If-None-Match` header contains an ETag, by weak comparison (RFC 9110, 13.1.2). */
export function matchesEtag(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  const opaque = (tag: string): string => tag.replace(/^W\//, '');
  const tags = ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return ifNoneMatch.trim() === '*' || tags.some((tag) => opaque(tag) === opaque(etag));
}
