import type { IndexDocument } from '../api/documents.ts';
import { formatPath, formats } from '../api/formats.ts';
import { baseUrlIn, indexPath } from '../api/paths.ts';
import { parseUrl } from '../catalogue/url.ts';
import { ProblemError, type Problem } from '../problem/problem.ts';
import { readDocument } from './documents.ts';
import type { Site } from './site.ts';

/** Whose site a site is. */
export interface Owner {
  readonly name: string;
  readonly baseUrl: string;
  readonly authority: string;
}

/** Returns whose site a site is, or null if that cannot be read. */
export async function readOwner(site: Pick<Site, 'name' | 'read'>): Promise<Owner | null> {
  try {
    const index = await readDocument<Partial<IndexDocument>>(site, indexPath);
    const baseUrl = baseUrlIn(String(index?.documentation));
    const url = parseUrl(baseUrl);
    if (url === null || typeof index?.name !== 'string') return null;
    const feed = (await site.read(formatPath(formats.feed, {})))?.toString() ?? '';
    const authority = /<id>tag:([a-z0-9.-]+),/.exec(feed)?.[1] ?? url.hostname;
    return { name: index.name, baseUrl, authority };
  } catch (error) {
    if (error instanceof ProblemError) return null;
    throw error;
  }
}

/** Throws `site-of-another` if name, authority and base URL all differ. A catalogue may change some at a time. */
export function assertSameOwner(found: Owner | null, expected: Owner | null, site: string): void {
  if (found === null || expected === null) return;
  const names = ['name', 'authority', 'baseUrl'] as const;
  if (names.some((name) => found[name] === expected[name])) return;
  throw new ProblemError([{ code: 'site-of-another', place: null, site, name: found.name, baseUrl: found.baseUrl }]);
}

/** Returns a warning if a new base URL changes the ids of calendar entries, because service.json has no authority. */
export function renamedIds(previous: Owner | null, { authority }: Owner, declared: string | null): Problem[] {
  if (previous === null || declared !== null || previous.authority === authority) return [];
  return [{ code: 'ids-renamed', place: null, old: previous.authority, authority }];
}
