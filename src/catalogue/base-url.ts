/**
 * The address a site is served from, without the slash at its end; null where it is not an http or https address, or
 * has a query, a fragment, a user name or white space.
 */
export function readBaseUrl(written: string): string | null {
  if (!/^https?:\/\/[^\s\p{Cc}?#]+$/iu.test(written) || !URL.canParse(written)) return null;
  const { username, password } = new URL(written);
  return username === '' && password === '' ? written.replace(/\/+$/, '') : null;
}
