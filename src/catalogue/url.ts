import { hasAtMostCharacters } from './id.ts';

/**
 * Parses a URL, or a relative one against `base`. Returns null if it is not valid. `URL.canParse`
 * is not used: after many calls, that of Node 20 reads Latin-1 bytes as UTF-8, refuses
 * `https://exämple.org` and accepts impossible hosts.
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/** The maximum length of a base URL, which many documents repeat. */
export const maxUrlCharacters = 2000;

/**
 * Whether an address contains a user name or password. Accepts any number of slashes before them,
 * as `fetch` does.
 */
export function hasCredentials(url: string): boolean {
  return credentials.test(url);
}

/** Removes the user name and password from an address, so that it can be printed or stored. */
export function withoutCredentials(url: string): string {
  return url.replace(credentials, '$1…@');
}

/** White space and quotation marks before the address may have been copied along. */
const credentials = /^([\s"'<]*(?![\s"'<])(?:[a-z][a-z\d+.-]*:)?[/\\]*)[^/\\?#]*@/i;

/**
 * Whether a text is an https address without white space, which is published as written. Each event
 * repeats it.
 */
export function isHttpsUrl(url: string): boolean {
  if (!hasAtMostCharacters(url, maxUrlCharacters)) return false;
  // For ASCII, `URL.canParse` is correct and several times faster than `parseUrl`.
  if (asciiHttpsUrl.test(url)) return URL.canParse(url);
  return httpsUrl.test(url) && url.isWellFormed() && parseUrl(url) !== null;
}

const asciiHttpsUrl = /^https:\/\/[!-~]+$/;
const httpsUrl = /^https:\/\/[^\s\p{Cc}]+$/u;
