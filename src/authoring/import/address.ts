import { hasCredentials, withoutCredentials } from '../../catalogue/url.ts';
import { findPageAddress, findSecret } from '../../readers/schema/addresses.ts';
import { formatOfAddress } from '../../readers/schema/file-kinds.ts';

/** How an address is fetched every night. */
interface ProposedSource {
  /** The address without what is secret in it. */
  readonly shown: string;
  /** What the address is, if it is not that of a calendar, a table or a page of events. */
  readonly kind: string | null;
  /** What to do first, or instead if there is no source. */
  readonly condition: string | null;
  /** What a source file says. Null if its address has to be looked up. */
  readonly source: { readonly source: string; readonly format: string } | null;
}

/** Returns what a source file says to fetch an address. A secret is neither shown nor proposed. */
export function proposeSource(address: string): ProposedSource {
  const secret = findSecret(address);
  if (secret !== null) {
    const { address: shown, proposal } = secret;
    return {
      shown,
      kind: 'a secret',
      condition: proposal === null ? 'use an address that is public' : 'make it public',
      source: sourceOf(proposal),
    };
  }
  if (hasCredentials(address)) {
    return {
      shown: withoutCredentials(address),
      kind: 'a secret',
      condition: 'use an address without a password',
      source: null,
    };
  }
  const page = findPageAddress(address);
  if (page === null) {
    return {
      shown: address,
      kind: null,
      condition: null,
      source: sourceOf(address),
    };
  }
  const { proposal, needs, advice } = page;
  return {
    shown: address,
    kind: page.page,
    condition: proposal === null ? advice : needs,
    source: sourceOf(proposal),
  };
}

function sourceOf(address: string | null): ProposedSource['source'] {
  if (address === null) return null;
  return {
    source: address.replace(/^[a-z]+:/i, 'https:'),
    format: formatOfAddress(address),
  };
}
