import type { Manifest } from '../api/documents.ts';
import { manifestPath } from '../api/paths.ts';
import type { StoredObject } from './s3.ts';

/** A file of the site to publish. Hashes are hexadecimal. */
export interface LocalFile {
  readonly sha256: string;
  readonly md5: string;
}

/** What the bucket holds. */
export interface Remote {
  readonly objects: ReadonlyMap<string, StoredObject>;
  /** Of the last publication that was finished; null where there was none. */
  readonly files: Manifest['files'] | null;
  /** Another version of the program may store files with other headers, so everything is uploaded again. */
  readonly isSameGenerator: boolean;
  /** Whether ETags are the MD5 of the content here, which a bucket with keys of its own does not keep to. */
  readonly isEtagMd5: boolean;
}

/** The manifest comes after the uploads, deletions after the manifest. */
export interface PublishPlan {
  /** Each step may be uploaded in any order, once the one before it is there. */
  readonly uploads: readonly (readonly string[])[];
  /** Objects where the site has its own, which are no files of it any more. */
  readonly strays: readonly string[];
}

/** Lists come after what they name, and indexes after the lists; all else comes first. */
const late = [/(^|\/)(categories|genres)(\.json)?$/, /(^|\/)index\.(json|html)$/];

/** What has to happen for the bucket to hold exactly the site (its manifest aside). */
export function planPublish(local: ReadonlyMap<string, LocalFile>, remote: Remote): PublishPlan {
  const changed = [...local].filter(([path, file]) => !isThere(path, file, remote)).map(([path]) => path);
  const rankOf = (path: string): number =>
    late.findIndex((pattern) => pattern.test(path.replace(/\.(br|gz)$/, ''))) + 1;
  const folders = new Set([...local.keys()].map(topOf));
  const isStray = (path: string): boolean =>
    path !== manifestPath && !local.has(path) && (Object.hasOwn(remote.files ?? {}, path) || folders.has(topOf(path)));
  return {
    uploads: [0, 1, 2].map((rank) => changed.filter((path) => rankOf(path) === rank)),
    strays: [...remote.objects.keys()].filter(isStray),
  };
}

/**
 * Whether the bucket holds this very content. Its ETag tells; where it can't, the manifest of the last publication
 * does, for objects that no unfinished publication touched since.
 */
function isThere(path: string, file: LocalFile, { objects, files, isSameGenerator, isEtagMd5 }: Remote): boolean {
  const object = objects.get(path);
  if (object === undefined || !isSameGenerator) return false;
  if (isEtagMd5) return object.etag === file.md5;
  const published = objects.get(manifestPath)?.modified ?? '';
  return files?.[path]?.sha256 === file.sha256 && object.modified <= published;
}

/** The topmost name in a path. */
function topOf(path: string): string {
  return path.split('/')[0] ?? path;
}
