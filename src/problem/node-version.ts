/** Returns why the program does not support a version of Node.js, or null. An older one cannot parse the rest. */
export function nodeProblem(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return null;
  return `almanac needs Node.js 20.19 or later; this is ${version}`;
}
