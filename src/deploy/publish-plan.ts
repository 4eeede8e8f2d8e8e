import { contentTypeOf } from '../api/content-types.ts';
import type { Manifest } from '../api/documents.ts';
import { manifestPath, notFoundPagePath, notFoundPath } from '../api/paths.ts';
import type { StoredObject } from './s3-xml.ts';

/** A file of the site to publish. Hashes are hexadecimal. */
export interface LocalFile {
  readonly sha256: string;
  readonly md5: string;
}

/** The contents of the bucket. */
export interface Remote {
  readonly objects: ReadonlyMap<string, StoredObject>;
  /** The files of the last publication that finished; null if there was none. */
  readonly files: Manifest['files'] | null;
  /** Another version of the program may store files with other headers, so it uploads everything again. */
  readonly isSameGenerator: boolean;
  /** Whether ETags are the MD5 of the content. A bucket that encrypts with keys of its own has other ETags. */
  readonly isEtagMd5: boolean;
}

/** The manifest comes after the uploads, deletions after the manifest. */
export interface PublishPlan {
  /** Steps in order. The uploads within a step may happen in any order. */
  readonly uploads: readonly (readonly string[])[];
  /** The uploads that replace an object. */
  readonly replaced: readonly string[];
  /** Objects that may be left over from an earlier publication. */
  readonly strays: readonly string[];
}

/** Lists come after the documents that they name, indexes after the lists, everything else first. */
const late = [/(^|\/)(categories|genres)(\.json)?$/, /(^|\/)index\.(json|html)$/];

/** Plans what makes the bucket hold exactly the site, apart from its manifest. */
export function planPublish(local: ReadonlyMap<string, LocalFile>, remote: Remote): PublishPlan {
  const changed = [...local].filter(([path, file]) => !isStored(path, file, remote)).map(([path]) => path);
  const rankOf = (path: string): number =>
    late.findIndex((pattern) => pattern.test(path.replace(/\.(br|gz)$/, ''))) + 1;
  return {
    uploads: [0, 1, 2].map((rank) => changed.filter((path) => rankOf(path) === rank)),
    replaced: changed.filter((path) => remote.objects.has(path)),
    strays: findStrays(local, remote),
  };
}

/** Finds the objects that the last manifest lists, and those below a top-level name of the site. */
function findStrays(local: ReadonlyMap<string, LocalFile>, remote: Remote): string[] {
  const names = new Set(Array.from(local.keys(), topOf));
  const others = [...remote.objects.keys()].filter((path) => path !== manifestPath && !local.has(path));
  const unlisted = others.filter((path) => !isListed(path, remote));
  const suffix = `/${manifestPath}`;
  const otherSites = unlisted.filter((path) => path.endsWith(suffix)).map((path) => path.slice(0, 1 - suffix.length));
  const isOfOtherSite = (path: string): boolean => otherSites.some((folder) => path.startsWith(folder));
  const isStray = (path: string): boolean => isListed(path, remote) || (names.has(topOf(path)) && !isOfOtherSite(path));
  return others.filter(isStray);
}

/** Whether the manifest in the bucket lists a path. */
export function isListed(path: string, { files }: Pick<Remote, 'files'>): boolean {
  return Object.hasOwn(files ?? {}, path);
}

/**
 * Whether the bucket holds this content, according to its ETag. Where ETags say nothing, the manifest of the last
 * publication decides, for objects that are not newer than it.
 */
function isStored(path: string, file: LocalFile, { objects, files, isSameGenerator, isEtagMd5 }: Remote): boolean {
  const object = objects.get(path);
  if (object === undefined || !isSameGenerator) return false;
  if (isEtagMd5) return object.etag === file.md5;
  const published = objects.get(manifestPath)?.modified ?? '';
  return files?.[path]?.sha256 === file.sha256 && object.modified <= published;
}

/** Returns the first name in a path. */
function topOf(path: string): string {
  return path.split('/')[0] ?? path;
}

/** Returns the headers that a file of a site is stored and served with. */
export function headersOf(path: string): Record<'content-type' | 'cache-control', string> {
  const type = path === notFoundPath ? 'application/problem+json' : contentTypeOf(path);
  return { 'content-type': type ?? 'application/octet-stream', 'cache-control': cacheControlOf(path) };
}

function cacheControlOf(path: string): string {
  // Publishers and mirrors compare it.
  if (path === manifestPath) return 'no-cache';
  return path === notFoundPath || path === notFoundPagePath ? 'public, max-age=60' : 'public, max-age=300';
}
