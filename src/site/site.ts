import { lstatSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Manifest } from '../api/documents.ts';
import { isManifest } from '../api/manifest.ts';
import { manifestPath } from '../api/paths.ts';
import { parseJson } from '../catalogue/text.ts';
import { isSitePath } from '../api/address.ts';
import { ProblemError } from '../problem/problem.ts';
import { diskProblem, failureReason } from '../system/failure.ts';
import { listTree, readAt, readBlocks } from '../system/files.ts';
import { request, type HttpResponse, type Outgoing } from '../system/http.ts';

/** A built site, in a folder or on a host. */
export interface Site {
  /** The folder or URL as the user wrote it, without a trailing slash. */
  readonly name: string;
  /**
   * Returns the bytes of a file, or null if there is no such file. If the file has more than `maxBytes`, it returns the
   * first `maxBytes` + 1 bytes from a folder, and throws the problem `unreachable` for a host.
   */
  readonly read: (path: string, maxBytes?: number) => Promise<Buffer | null>;
  /** Returns the path of every file, or null if the site is on a host, which cannot list them. */
  readonly list: () => Promise<readonly string[] | null>;
  /** Returns a file of any size in blocks, or null. `bytes` is its size if that is known. */
  readonly blocks: (path: string, bytes?: number) => Promise<Iterable<Buffer> | AsyncIterable<Buffer> | null>;
  /** Returns the absolute path of a file, or null if the site is on a host or has no such file. */
  readonly fileAt: (path: string) => string | null;
  /** The time of the host according to its newest answer, in milliseconds since the Unix epoch. Null in a folder. */
  readonly hostTime: () => number | null;
}

/** Returns the maximum size in bytes of a document. A manifest has some 150 bytes for each file of the site. */
function maxDocument(path: string): number {
  return (path === manifestPath ? 256 : 32) * 1024 ** 2;
}

/** The number of bytes that are read beyond the size in the manifest. */
const tolerance = 1024 ** 2;

/** Whether the user named a site by its address and not by its folder. */
export function isAddress(site: string): boolean {
  return /^https?:\/\//i.test(site);
}

/**
 * Opens the site in a folder or at an http or https address.
 *
 * @param signal ends every request to a host
 */
export function openSite(at: string, cwd: string, signal?: AbortSignal): Site {
  const name = at.replace(/\/+$/, '');
  return isAddress(at) ? siteAt(name, signal) : siteIn(resolve(cwd, at), name);
}

function siteIn(folder: string, name: string): Site {
  /** Calls `read` with the absolute path of a file. Returns null if there is no such file. */
  const ifPresent = <T>(path: string, read: (file: string) => T): T | null => {
    try {
      return read(regularFile(folder, path));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') return null;
      throw unreadable(`${name}/${path}`, failureReason(error));
    }
  };
  return {
    name,
    read: async (path, maxBytes = maxDocument(path)) =>
      ifPresent(path, (file) => readAt(file, 0, Math.min(statSync(file).size, maxBytes + 1))),
    blocks: async (path) => ifPresent(path, readBlocks),
    fileAt: (path) => ifPresent(path, (file) => file),
    hostTime: () => null,
    list: async () => {
      try {
        const entries = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? listTree(folder) : [];
        return entries.filter(({ kind }) => kind !== 'empty folder').map(({ path }) => path);
      } catch (error) {
        throw diskProblem(error, 'site-unreadable');
      }
    },
  };
}

const outside = 'it is not inside the site';

/** Returns the absolute path of a file inside a folder. Refuses links, and pipes and devices, which might never end. */
function regularFile(folder: string, path: string): string {
  const file = join(folder, path);
  if (!isSitePath(path)) throw new Error(outside);
  if (!lstatSync(file).isFile()) throw new Error('it is not a regular file');
  if (realpathSync.native(file) !== join(realpathSync.native(folder), path)) throw new Error(outside);
  return file;
}

function siteAt(base: string, signal?: AbortSignal): Site {
  let hostTime: number | null = null;
  const urlOf = (path: string): string => {
    if (!isSitePath(path)) throw unreadable(`${base}/${path}`, outside);
    return `${base}/${path.split('/').map(encodeURIComponent).join('/')}`;
  };
  const ask: Ask = async (outgoing, maxBytes) => {
    const answer = await request(async () => outgoing, { maxBytes: Math.min(maxBytes, maxAnswer), signal });
    hostTime = timeOf(answer);
    return answer;
  };
  const read: Site['read'] = async (path, maxBytes = maxDocument(path)) => {
    const url = urlOf(path);
    const { status, body } = await ask({ url }, maxBytes);
    if (status !== 200 && status !== 404) throw unreadable(url, `the server answered ${status}`, status);
    return status === 200 ? body : null;
  };
  return {
    name: base,
    read,
    blocks: async (path, bytes = 0) => {
      if (bytes > maxWhole) return readRanges(ask, urlOf(path), bytes + tolerance);
      const body = await read(path, bytes === 0 ? maxAnswer : bytes + tolerance);
      return body && [body];
    },
    fileAt: () => null,
    hostTime: () => hostTime,
    list: async () => null,
  };
}

type Ask = (outgoing: Outgoing, maxBytes: number) => Promise<HttpResponse>;

/** Returns the time at which a host sent a response, which caches may have kept for a while. */
function timeOf({ headers }: HttpResponse): number | null {
  const sent = Date.parse(headers.get('date') ?? '');
  const age = Number(headers.get('age') ?? 0) || 0;
  return Number.isNaN(sent) ? null : sent + age * 1000;
}

/** The maximum size in bytes of a file that is read from a host at once. */
const maxAnswer = 1024 ** 3;

/** Larger files are requested in ranges, so that they do not fill the memory. */
const maxWhole = 32 * 1024 ** 2;
const rangeBytes = 32 * 1024 ** 2;

/** Requests a file range by range. A host that does not support ranges answers with the whole file. */
async function* readRanges(ask: Ask, url: string, most: number): AsyncGenerator<Buffer> {
  let version: string | undefined;
  for (let start = 0; start < most; start += rangeBytes) {
    // A range of a compressed file could not be decompressed.
    const headers = [
      ['range', `bytes=${start}-${start + rangeBytes - 1}`],
      ['accept-encoding', 'identity'],
    ] as const;
    const answer = await ask({ url, headers }, maxAnswer);
    const { status, body } = answer;
    const isRange = status === 206 || (status === 200 && start === 0);
    if (!isRange && status !== 416) throw unreadable(url, `the server answered ${status}`, status);
    if (start > 0 && status === 206 && version !== answer.headers.get('etag'))
      throw unreadable(url, 'it changed while it was read');
    version = answer.headers.get('etag');
    if (isRange) yield body;
    if (status !== 206 || body.length < rangeBytes) return;
  }
}

/** Returns the problem `site-unreadable`. `status` is that of the host, if it responded. */
export function unreadable(path: string, reason: string, status?: number): ProblemError {
  return new ProblemError([{ code: 'site-unreadable', place: null, path, reason, ...(status && { status }) }]);
}

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
  throw unreadable(`${site.name}/${manifestPath}`, 'it is not the manifest of a site that almanac built');
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
