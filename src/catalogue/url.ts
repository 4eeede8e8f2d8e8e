import { hasAtMostCharacters } from './id.ts';

/**
 * Parses a URL, or a relative one against `base`. Returns null if it is not valid. `URL.canParse` is not used: after many
 * calls, that of Node 20 reads Latin-1 bytes as UTF-8, refuses `https://exämple.org` and accepts impossible hosts.
 */
export function parseUrl(written: string, base?: string): URL | null {
  try {
    return new URL(written, base);
  } catch {
    return null;
  }
}

/**
 * Returns the base URL of a site without its final slash, or null if it is not an http or https URL that a site can
 * have. `almanac host` writes the host and the decoded path into configurations. So neither may contain white space,
 * invisible characters or characters with a meaning there: quotation marks, brackets, `$`, `;` and others, whether they
 * are percent-encoded or not. A query, a fragment, a user name and segments that are empty or dots are refused too.
 */
export function readBaseUrl(written: string): string | null {
  if (!hasAtMostCharacters(written, maxUrlCharacters)) return null;
  const baseUrl = written.replace(/\/+$/, '');
  const [, authority, path = ''] = /^https?:\/\/([^/\s\p{Cc}\p{Cf}\p{Cs}?#\\%@]+)(\/.*)?$/isu.exec(baseUrl) ?? [];
  if (authority === undefined) return null;
  // The parser of URLs replaces characters of the host: a full-width semicolon becomes a plain one.
  const { hostname } = parseUrl(baseUrl) ?? { hostname: '' };
  return hostName.test(hostname) && path.split('/').slice(1).every(isPlainSegment) ? baseUrl : null;
}

const hostName = /^([a-z\d_-]+(\.[a-z\d_-]+)*|\[[\da-f:.]+\])$/;

function isPlainSegment(segment: string): boolean {
  return /^(?!\.{1,2}$)[^\s\p{Cc}\p{Cf}\p{Cs}/?#"'`<>(){}[\]|\\^$;:%]+$/u.test(decodeSegment(segment));
}

/** The path of a base URL, percent-encoded and without a final slash: `/almanac`, or empty at the root of a host. */
export function mountOf(baseUrl: string): string {
  return new URL(baseUrl).pathname.replace(/\/$/, '');
}

/** Decodes a path or a part of one. Returns it unchanged if it is not valid percent-encoding. */
export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Whether a text is a relative path of a file in a site, with forward slashes. It cannot leave the site. */
export function isSitePath(path: string): boolean {
  return path.split('/').every((name) => /^[^\\\p{Cc}\p{Cs}]+$/u.test(name) && name !== '.' && name !== '..');
}

/** Whether a base URL names this machine, so that nobody else can open it. */
export function isLocal(baseUrl: string): boolean {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\])$/.test(new URL(baseUrl).hostname);
}

/** The maximum length of a base URL, which many documents repeat. */
export const maxUrlCharacters = 2000;

/** Whether an address contains a user name or password. Accepts any number of slashes before them, as `fetch` does. */
export function hasCredentials(url: string): boolean {
  return credentials.test(url);
}

/** Removes the user name and password from an address, so that it can be printed or stored. */
export function withoutCredentials(url: string): string {
  return url.replace(credentials, '$1…@');
}

/** White space and quotation marks before the address may have been copied along. */
const credentials = /^([\s"'<]*(?![\s"'<])(?:[a-z][a-z\d+.-]*:)?[/\\]*)[^/\\?#]*@/i;

/** Whether a text is an https address without white space, which is published as written. Each event repeats it. */
export function isHttpsUrl(url: string): boolean {
  if (!hasAtMostCharacters(url, maxUrlCharacters)) return false;
  // For ASCII, `URL.canParse` is correct and several times faster than `parseUrl`.
  if (asciiHttpsUrl.test(url)) return URL.canParse(url);
  return httpsUrl.test(url) && url.isWellFormed() && parseUrl(url) !== null;
}

const asciiHttpsUrl = /^https:\/\/[!-~]+$/;
const httpsUrl = /^https:\/\/[^\s\p{Cc}]+$/u;
