/**
 * Returns the sentence for a version of Node.js that the program does not support, or null. Every entry point asks before
 * it loads anything else, because an older version cannot even parse the rest.
 *
 * @param version such as `20.19.0`
 */
export function nodeProblem(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return null;
  return `almanac needs Node.js 20.19 or later; this is ${version}`;
}
