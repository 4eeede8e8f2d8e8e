/** Whether an `Accept` header ranks `text/html` strictly above `application/json` (RFC 9110, 12.5.1). */
export function prefersHtml(accept: string | null): boolean {
  return accept !== null && rank(accept, 'text', 'html') > rank(accept, 'application', 'json');
}

/** The weight of the range that names a type most exactly; 0 where none does. A range with a misspelt weight counts for nothing. */
function rank(accept: string, type: string, subtype: string): number {
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

/** Whether an `If-None-Match` header holds `etag`, weak or strong (RFC 9110, 13.1.2). */
export function matchesEtag(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  const opaque = (tag: string): string => tag.replace(/^W\//, '');
  const tags = ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return ifNoneMatch.trim() === '*' || tags.some((tag) => opaque(tag) === opaque(etag));
}
