import { readAddress } from './address.ts';
import { isWithin } from './length.ts';

/**
 * The address a site is served from, without the slash at its end; null where it is not an http or https address, or
 * has a query, a fragment, a user name or white space, or a third slash, behind which browsers alone find the host.
 * Nor may it hold what the configuration of a web server obeys, in which `almanac host` writes it: quotation marks,
 * brackets, `$`, `;`, and characters that are not seen.
 */
export function readBaseUrl(written: string): string | null {
  const isPlain =
    isWithin(written, mostCharacters) && /^https?:\/\/(?!\/)[^\s\p{Cc}\p{Cf}\p{Cs}?#"'`<>(){}|\\^$;]+$/iu.test(written);
  const address = isPlain ? readAddress(written) : null;
  return address?.username === '' && address.password === '' ? written.replace(/\/+$/, '') : null;
}

/** The path of a base URL as it goes over the wire, without a slash at its end: `/almanac`, empty at a host's root. */
export function mountOf(baseUrl: string): string {
  return new URL(baseUrl).pathname.replace(/\/$/, '');
}

/** Whether a base URL leads to the very machine that asks, so that nobody else can follow it. */
export function isLocal(baseUrl: string): boolean {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\])$/.test(new URL(baseUrl).hostname);
}

/** It stands in many documents. */
const mostCharacters = 2000;
