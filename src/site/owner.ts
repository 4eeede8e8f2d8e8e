import type { IndexDocument } from '../api/documents.ts';
import { baseUrlIn, indexPath } from '../api/paths.ts';
import { parseUrl } from '../catalogue/url.ts';
import { ProblemError, type Problem, problemError } from '../problem/problem.ts';
import { readDocument, type Site } from './site.ts';

/** The owner of a site. */
type Owner = Readonly<Record<'name' | 'baseUrl' | 'authority', string>>;

/** Returns the owner of a site, or null if it cannot be read. */
export async function readOwner(site: Pick<Site, 'name' | 'read'>): Promise<Owner | null> {
  return readDocument<Partial<IndexDocument>>(site, indexPath).then(ownerIn, (error: unknown) => {
    if (error instanceof ProblemError) return null;
    throw error;
  });
}

/**
 * Returns the owner of the site that an index document describes. Its authority follows from its
 * base URL.
 */
export function ownerIn(index: Partial<IndexDocument> | null): Owner | null {
  const baseUrl = baseUrlIn(String(index?.documentation));
  const url = parseUrl(baseUrl);
  if (url === null || typeof index?.name !== 'string') return null;
  return {
    name: index.name,
    baseUrl,
    authority: url.hostname,
  };
}

/**
 * Throws `site-of-another` if name, authority and base URL all differ. A catalogue may change some
 * at a time.
 */
export function assertSameOwner(actual: Owner | null, expected: Owner | null, site: string): void {
  if (actual === null || expected === null) return;
  const names = ['name', 'authority', 'baseUrl'] as const;
  if (names.some((name) => actual[name] === expected[name])) return;
  throw problemError({
    code: 'site-of-another',
    site,
    name: actual.name,
    baseUrl: actual.baseUrl,
  });
}

/**
 * Returns a warning if a new base URL changes the ids of calendar entries, because service.json has
 * no authority.
 */
export function renamedIds(
  previous: Owner | null,
  { authority }: Owner,
  declared: string | null,
): Problem[] {
  if (previous === null || declared !== null || previous.authority === authority) return [];
  return [
    {
      code: 'ids-renamed',
      place: null,
      old: previous.authority,
      authority,
    },
  ];
}
