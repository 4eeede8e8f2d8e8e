import { hash } from 'node:crypto';
import type { Manifest } from '../api/documents.ts';
import { manifestPath } from '../api/paths.ts';
import { ProblemError } from '../problem/problem.ts';
import type { LocalFile } from './publish-plan.ts';
import { readManifest, unreadable, type Site } from '../site/site.ts';

/** The site to publish. */
export interface LocalSite {
  readonly manifest: Manifest;
  readonly manifestBytes: Buffer;
  readonly files: ReadonlyMap<string, LocalFile>;
}

/** Reads the whole site before anything is sent. Throws if the site differs from its manifest. */
export async function readLocal(site: Site): Promise<LocalSite> {
  // Read the manifest only once, because a build may replace the site in the meantime.
  const manifestBytes = await site.read(manifestPath);
  const manifest = await readManifest({ ...site, read: async () => manifestBytes });
  if (manifest === null || manifestBytes === null)
    throw new ProblemError([{ code: 'site-missing', place: null, site: site.name }]);
  const files = new Map<string, LocalFile>();
  for (const path of Object.keys(manifest.files)) {
    const sha256 = manifest.files[path]?.sha256 ?? '';
    files.set(path, { sha256, md5: hash('md5', await readFile(site, path, manifest)) });
  }
  return { manifest, manifestBytes, files };
}

/** Returns a file of the site. Throws the problem `site-unreadable` if it is not the one in the manifest. */
export async function readFile(site: Site, path: string, { files }: Manifest): Promise<Buffer> {
  const bytes = await site.read(path, files[path]?.bytes);
  if (bytes !== null && hash('sha256', bytes) === files[path]?.sha256) return bytes;
  throw unreadable(`${site.name}/${path}`, bytes === null ? 'it is missing' : 'it is not the file in files.json');
}
