/** Returns all patterns in a document that contains JSON Schemas. */
export function patternsIn(text: string): string[] {
  const patterns: string[] = [];
  JSON.parse(text, (key, value: unknown) => {
    if (key === 'pattern' && typeof value === 'string') patterns.push(value);
    return value;
  });
  return patterns;
}

/** Returns whether a pattern is portable: valid with and without the `u` flag, and without `\p`. */
export function isPlainPattern(pattern: string): boolean {
  return !/\\p/i.test(pattern) && ['', 'u'].every((flags) => isPattern(pattern, flags));
}

function isPattern(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags) instanceof RegExp;
  } catch {
    return false;
  }
}
