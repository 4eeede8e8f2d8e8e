import type { Manifest } from '../api/documents.ts';
import { isManifest } from '../api/manifest.ts';
import { manifestPath } from '../api/paths.ts';
import { parseJson } from '../catalogue/text.ts';
import { maxDocument, tolerance, unreadable, type Site } from './site.ts';

/** Returns a JSON document of a site, or null. Throws the problem `site-unreadable` if it is not JSON. */
export async function readDocument<T>(site: Pick<Site, 'name' | 'read'>, path: string): Promise<T | null> {
  const bytes = await site.read(path);
  const document = bytes === null ? null : parseJson(bytes.toString());
  if (document === undefined) throw unreadable(`${site.name}/${path}`, 'it is not JSON');
  return document as T | null;
}

/** Returns the manifest of a site, or null if it has none. Throws the problem `site-unreadable` if it is another file. */
export async function readManifest(site: Pick<Site, 'name' | 'read'>): Promise<Manifest | null> {
  const manifest = await readDocument<unknown>(site, manifestPath);
  if (manifest === null || isManifest(manifest)) return manifest;
  throw unreadable(`${site.name}/${manifestPath}`, 'it is not the list of the files of a site');
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
