import { hasAtMostCharacters } from '../catalogue/id.ts';
import { maxUrlCharacters, parseUrl } from '../catalogue/url.ts';

/**
 * Returns the base URL of a site without its final slash, or null if it is not an http or https URL
 * that a site can have. `almanac host` writes the host and the decoded path into configurations. So
 * neither may contain white space, invisible characters or characters with a meaning there:
 * quotation marks, brackets, `$`, `;` and others, whether they are percent-encoded or not. A query,
 * a fragment, a user name and segments that are empty or dots are refused too.
 */
export function readBaseUrl(text: string): string | null {
  if (!hasAtMostCharacters(text, maxUrlCharacters)) return null;
  const baseUrl = text.replace(/\/+$/, '');
  const [, authority, path = ''] =
    /^https?:\/\/([^/\s\p{Cc}\p{Cf}\p{Cs}?#\\%@]+)(\/.*)?$/isu.exec(baseUrl) ?? [];
  if (authority === undefined) return null;
  // The parser of URLs replaces characters of the host: a full-width semicolon becomes a plain one.
  const { hostname } = parseUrl(baseUrl) ?? { hostname: '' };
  if (hostName.test(hostname) && path.split('/').slice(1).every(isPlainSegment)) return baseUrl;
  return null;
}

const hostName = /^([a-z\d_-]+(\.[a-z\d_-]+)*|\[[\da-f:.]+\])$/;

function isPlainSegment(segment: string): boolean {
  return /^(?!\.{1,2}$)[^\s\p{Cc}\p{Cf}\p{Cs}/?#"'`<>(){}[\]|\\^$;:%]+$/u.test(
    decodeSegment(segment),
  );
}

/**
 * The path of a base URL, percent-encoded and without a final slash: `/almanac`, or empty at the
 * root of a host.
 */
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

/**
 * Whether a text is a relative path of a file in a site, with forward slashes. It cannot leave the
 * site.
 */
export function isSitePath(path: string): boolean {
  return path
    .split('/')
    .every((name) => /^[^\\\p{Cc}\p{Cs}]+$/u.test(name) && name !== '.' && name !== '..');
}

/** Whether a base URL names this machine, so that nobody else can open it. */
export function isLocal(baseUrl: string): boolean {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\])$/.test(
    new URL(baseUrl).hostname,
  );
}
