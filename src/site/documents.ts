import type {
  CategoriesDocument,
  CategoryRecord,
  GenreRecord,
  GenresDocument,
  IndexDocument,
  ListRecord,
  ListsDocument,
  Manifest,
} from '../api/documents.ts';
import { isManifest } from '../api/manifest.ts';
import { documentPath, indexPath, listsPath, manifestPath, type Operation } from '../api/paths.ts';
import { parseJson } from '../catalogue/text.ts';
import { isAddress, maxDocument, tolerance, unreadable, type Site } from './site.ts';

/** Returns a JSON document of a site, or null. Throws the problem `site-unreadable` if it is not JSON. */
export async function readDocument<T>(site: Pick<Site, 'name' | 'read'>, path: string): Promise<T | null> {
  const bytes = await site.read(path);
  const document = bytes === null ? null : parseJson(bytes.toString());
  if (document === undefined) throw unreadable(`${site.name}/${path}`, 'it is not JSON');
  return document as T | null;
}

/** The catalogue of a site without its events. */
export interface Overview {
  readonly totals: IndexDocument['catalogue'];
  readonly categories: readonly CategoryRecord[];
  readonly genres: readonly GenreRecord[];
}

export const totalNames = ['genres', 'subjects', 'upcoming', 'categories'] as const;

/** Returns the overview of a site, or null if there is none. Throws `site-unreadable` if a part is missing. */
export async function readOverview(site: Site): Promise<Overview | null> {
  const index = await readDocument<IndexDocument>(site, indexPath);
  if (index === null) return null;
  const totals = index?.catalogue;
  if (!totalNames.every((name) => Number.isInteger(totals?.[name])) || Number.isNaN(Date.parse(totals.last_sync))) {
    throw unreadable(`${site.name}/${indexPath}`, 'it is not an index document of version 1');
  }
  const { categories } = await requireList<CategoriesDocument>(site, 'categories');
  const { genres } = await requireList<GenresDocument>(site, 'genres');
  return { totals, categories, genres };
}

/** Returns the months, countries, tags and collections of a site. A site that an older almanac built has none. */
export async function readLists(site: Site): Promise<readonly ListRecord[]> {
  const lists = (await readDocument<Partial<ListsDocument>>(site, listsPath))?.lists ?? [];
  if (hasIds(lists)) return lists;
  throw unreadable(`${site.name}/${listsPath}`, 'it names no lists');
}

/** Returns the overview of a site that has a manifest. Throws the problem `site-unreadable` if a part is missing. */
export async function requireOverview(site: Site): Promise<Overview> {
  const overview = await readOverview(site);
  if (overview !== null) return overview;
  throw unreadable(`${site.name}/${indexPath}`, 'it is missing');
}

/** Returns the manifest of a site, or null if it has none. */
export async function readManifest(site: Site): Promise<Manifest | null> {
  const manifest = await readDocument<unknown>(site, manifestPath);
  if (manifest === null || isManifest(manifest)) return manifest;
  throw unreadable(`${site.name}/${manifestPath}`, 'it is not the manifest of a site that almanac built');
}

async function requireList<T extends object>(site: Site, operation: 'categories' | 'genres'): Promise<T> {
  const path = documentPath({ operation });
  const document = await readDocument<T>(site, path);
  if (isListOf(document, operation)) return document;
  throw unreadable(`${site.name}/${path}`, document === null ? 'it is missing' : `it lists no ${operation}`);
}

/** Whether a document has a list of this name whose items all have an id. */
export function isListOf<T>(document: T | null, name: Operation): document is T {
  const list = (document as Partial<Record<Operation, unknown>> | null)?.[name];
  return hasIds(list);
}

function hasIds(list: unknown): boolean {
  return Array.isArray(list) && list.every((item: { id?: unknown } | null) => typeof item?.id === 'string');
}

/** Limits reads to slightly more than the size of each file in the manifest, and to 32 MiB of each document. */
export function limitTo({ files }: Manifest, site: Site): Site {
  const listed = (path: string): number => (Object.hasOwn(files, path) && files[path]?.bytes) || 0;
  return {
    ...site,
    read: async (path, max = maxDocument(path)) => {
      const most = Math.min(max, listed(path) + tolerance);
      const bytes = await site.read(path, most);
      // A caller that sets no limit compares the file with the manifest itself.
      if (bytes === null || bytes.length <= most || max === Infinity) return bytes;
      throw unreadable(`${site.name}/${path}`, `it has more than ${most.toLocaleString('en-US')} bytes`);
    },
    blocks: async (path) => site.blocks(path, listed(path)),
  };
}

/** Limits a site to its manifest, if it has one. Reading a file of it that the host does not find then throws. */
export async function limitToManifest(
  site: Site,
): Promise<{ readonly site: Site; readonly manifest: Manifest | null }> {
  const manifest = await readManifest(site);
  if (manifest === null) return { site, manifest };
  const limited = limitTo(manifest, site);
  if (!isAddress(site.name)) return { site: limited, manifest };
  const requireListed = <T>(path: string, content: T | null): T | null => {
    if (content !== null || !Object.hasOwn(manifest.files, path)) return content;
    throw unreadable(`${site.name}/${path}`, `it is missing, although ${manifestPath} lists it`);
  };
  const read: Site['read'] = async (path, maxBytes) => requireListed(path, await limited.read(path, maxBytes));
  return {
    site: {
      ...limited,
      read,
      has: async (path) => requireListed(path, (await limited.has(path)) || null) !== null,
      blocks: async (path) => requireListed(path, await limited.blocks(path)),
    },
    manifest,
  };
}

/** A site with its catalogue. */
export interface PublishedSite {
  /** Limited to its manifest. */
  readonly site: Site;
  readonly files: Manifest['files'];
  readonly overview: Overview;
}
