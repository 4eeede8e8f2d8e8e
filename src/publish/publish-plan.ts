import { hash } from 'node:crypto';
import { contentTypeOf } from '../api/content-types.ts';
import type { Manifest } from '../api/documents.ts';
import { parseManifest } from '../api/manifest.ts';
import { formatPath, formats } from '../api/formats.ts';
import {
  changesPath,
  indexPath,
  manifestPath,
  notFoundPagePath,
  notFoundPath,
} from '../api/paths.ts';
import { problemError } from '../problem/problem.ts';
import { readDocument, unreadable, type Site } from '../site/site.ts';
import type { StoredObject } from './s3-xml.ts';

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
  const manifest = await readDocument(
    {
      ...site,
      read: async () => manifestBytes,
    },
    manifestPath,
    parseManifest,
  );
  if (manifest === null || manifestBytes === null)
    throw problemError({ code: 'site-missing', site: site.name });
  const files = new Map<string, LocalFile>();
  for (const path of Object.keys(manifest.files)) {
    const sha256 = manifest.files[path]?.sha256 ?? '';
    files.set(path, {
      sha256,
      md5: hash('md5', await readFile(site, path, manifest)),
    });
  }
  return { manifest, manifestBytes, files };
}

/**
 * Returns a file of the site. Throws the problem `site-unreadable` if it is not the one in the
 * manifest.
 */
export async function readFile(site: Site, path: string, { files }: Manifest): Promise<Buffer> {
  const bytes = await site.read(path, files[path]?.bytes);
  if (bytes !== null && hash('sha256', bytes) === files[path]?.sha256) return bytes;
  throw unreadable(
    `${site.name}/${path}`,
    bytes === null ? 'it is missing' : 'it is not the file in files.json',
  );
}

/** A file of the site to publish. Hashes are hexadecimal. */
export interface LocalFile {
  readonly sha256: string;
  readonly md5: string;
}

/** The contents of the bucket. */
export interface Remote {
  readonly objects: ReadonlyMap<string, StoredObject>;
  /** The files of the previous publication that finished. Null if there was none. */
  readonly files: Manifest['files'] | null;
  /**
   * If another version of the program stored the files, their headers may differ, so everything is
   * uploaded again.
   */
  readonly isSameGenerator: boolean;
  /**
   * Whether ETags are the MD5 of the content. A bucket that encrypts with its own keys has other
   * ETags.
   */
  readonly isEtagMd5: boolean;
}

/**
 * A plan for a publication. The manifest follows the uploads, and deletions follow the manifest.
 */
export interface PublishPlan {
  /** Steps in order. The uploads within a step may happen in any order. */
  readonly uploads: readonly (readonly string[])[];
  /** The uploads that replace an object. */
  readonly replaced: readonly string[];
  /** Objects that may be left over from an earlier publication. */
  readonly strays: readonly string[];
}

/**
 * Paths that are uploaded last: lists after the documents that they name, and indexes after the
 * lists.
 */
const late = [/(^|\/)(categories|genres)(\.json)?$/, /^(api\/v1\/)?index\.(json|html)$/];

function rankOf(path: string): number {
  return late.findIndex((pattern) => pattern.test(path.replace(/\.(br|gz)$/, ''))) + 1;
}

/** Plans the steps after which the bucket contains exactly the site, apart from its manifest. */
export function planPublish(local: ReadonlyMap<string, LocalFile>, remote: Remote): PublishPlan {
  const changed = [...local]
    .filter(([path, file]) => !isStored(path, file, remote))
    .map(([path]) => path);
  return {
    uploads: [0, 1, 2].map((rank) => changed.filter((path) => rankOf(path) === rank)),
    replaced: changed.filter((path) => remote.objects.has(path)),
    strays: findStrays(local, remote),
  };
}

/**
 * Finds objects that are not in the site, but in the previous manifest or below a top-level name of
 * the site.
 */
function findStrays(local: ReadonlyMap<string, LocalFile>, remote: Remote): string[] {
  const names = new Set(Array.from(local.keys(), topOf));
  const isStray = (path: string) => isListed(path, remote) || names.has(topOf(path));
  return [...remote.objects.keys()].filter(
    (path) => path !== manifestPath && !local.has(path) && isStray(path),
  );
}

/** Whether the manifest in the bucket lists a path. */
export function isListed(path: string, { files }: Pick<Remote, 'files'>): boolean {
  return Object.hasOwn(files ?? {}, path);
}

/**
 * Whether the bucket has this content, according to its ETag. If ETags are not MD5, the manifest of
 * the previous publication decides about objects that are not newer than it. Newer ones are those
 * of a publication that was interrupted.
 */
function isStored(
  path: string,
  file: LocalFile,
  { objects, files, isSameGenerator, isEtagMd5 }: Remote,
): boolean {
  const object = objects.get(path);
  if (object === undefined || !isSameGenerator) return false;
  if (isEtagMd5) return object.etag === file.md5;
  const isNewer = object.modified > (objects.get(manifestPath)?.modified ?? '');
  return !isNewer && files?.[path]?.sha256 === file.sha256;
}

function topOf(path: string): string {
  return path.split('/')[0] ?? path;
}

/** Returns the headers that a file of a site is stored and served with. */
export function headersOf(path: string): Record<'content-type' | 'cache-control', string> {
  const type = path === notFoundPath ? 'application/problem+json' : contentTypeOf(path);
  return {
    'content-type': type ?? 'application/octet-stream',
    'cache-control': cacheControlOf(path),
  };
}

/** A build continues the previous site by these files, so all of them must be of one version. */
const remembered = new Set([manifestPath, indexPath, changesPath, formatPath(formats.ndjson, {})]);

function cacheControlOf(path: string): string {
  if (remembered.has(path)) return 'no-cache';
  return path === notFoundPath || path === notFoundPagePath
    ? 'public, max-age=60'
    : 'public, max-age=300';
}
