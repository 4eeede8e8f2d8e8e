import { lstatSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { manifestPath } from '../api/paths.ts';
import { parseJson } from '../catalogue/text.ts';
import { ProblemError, problemError } from '../problem/problem.ts';
import { failureReason, orDiskProblem } from '../system/failure.ts';
import { listTree, readAt } from '../system/files.ts';
import { request } from '../system/http.ts';

/** A built site, in a folder or on a host. */
export interface Site {
  /** The folder or URL as the user wrote it, without a trailing slash. */
  readonly name: string;
  /**
   * Returns the bytes of a file, or null if there is no such file. If the file has more than
   * `maxBytes`, it returns the first `maxBytes` + 1 bytes from a folder, and throws the problem
   * `unreachable` for a host. The path has to be one of the interface or of a manifest that was
   * parsed, which checks that its paths stay inside the site. `version` makes the address of a host
   * one that a cache does not know.
   */
  readonly read: (path: string, maxBytes?: number, version?: string) => Promise<Buffer | null>;
  /** Returns the path of every file, or null if the site is on a host, which cannot list them. */
  readonly list: () => Promise<readonly string[] | null>;
  /** Returns the absolute path of a file, or null if the site is on a host or has no such file. */
  readonly fileAt: (path: string) => string | null;
  /**
   * The interval in which the time of the host lies, in milliseconds since the Unix epoch. Null in a
   * folder.
   */
  readonly hostTime: () => HostTime | null;
}

interface HostTime {
  readonly from: number;
  readonly until: number;
}

/**
 * The maximum size in bytes of a document. A manifest has some 150 bytes for each file of the site.
 */
const maxDocument = 256 * 1024 ** 2;

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
  if (isAddress(at)) return siteAt(name, signal);
  return siteIn(resolve(cwd, at), name);
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
    read: async (path, maxBytes = maxDocument) =>
      ifPresent(path, (file) => readAt(file, 0, Math.min(statSync(file).size, maxBytes + 1))),
    fileAt: (path) => ifPresent(path, (file) => file),
    hostTime: () => null,
    list: async () => orDiskProblem('site-unreadable', async () => filesIn(folder)),
  };
}

function filesIn(folder: string): string[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  const entries = listTree(folder).filter(({ kind }) => kind !== 'empty folder');
  return entries.map(({ path }) => path);
}

/**
 * Returns the absolute path of a file inside a folder. Refuses links, and pipes and devices, which
 * might never end.
 */
function regularFile(folder: string, path: string): string {
  const file = join(folder, path);
  if (!lstatSync(file).isFile()) throw new Error('it is not a regular file');
  if (realpathSync.native(file) !== join(realpathSync.native(folder), path))
    throw new Error('it is not inside the site');
  return file;
}

function siteAt(base: string, signal?: AbortSignal): Site {
  let hostTime: HostTime | null = null;
  return {
    name: base,
    read: async (path, maxBytes = maxDocument, version = '') => {
      const address = `${base}/${path.split('/').map(encodeURIComponent).join('/')}`;
      const urls = version === '' ? [address] : [`${address}?${version}`, address];
      let status = 404;
      for (const url of urls) {
        const answer = await request(async () => ({ url }), { maxBytes, signal });
        hostTime = later(hostTime, timeIn(answer.headers));
        if (answer.status === 200) return answer.body;
        // Some hosts refuse a query.
        ({ status } = answer);
      }
      if (status === 404) return null;
      throw unreadable(address, `the server answered ${status}`, status);
    },
    fileAt: () => null,
    hostTime: () => hostTime,
    list: async () => null,
  };
}

/** Returns the later of two times. A copy of a cache may have an old date and no age. */
function later(a: HostTime | null, b: HostTime | null): HostTime | null {
  if (a === null || b === null) return a ?? b;
  return b.from > a.from ? b : a;
}

/**
 * A cache keeps the date of its host or writes that of its response, so the time of the host lies
 * between that date and that date plus the age.
 */
function timeIn(headers: ReadonlyMap<string, string>): HostTime | null {
  const from = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(from)) return null;
  const age = Number(headers.get('age') ?? 0);
  return {
    from,
    until: age > 0 ? from + age * 1000 : from,
  };
}

/**
 * Returns the problem `site-unreadable`. `status` is the HTTP status of the host, if it responded.
 */
export function unreadable(path: string, reason: string, status?: number): ProblemError {
  return problemError({
    code: 'site-unreadable',
    path,
    reason,
    ...(status && { status }),
  });
}

/** Returns the problem of a listed file that is missing. A host may find it later. */
export function missingFile({ name }: Pick<Site, 'name'>, path: string): ProblemError {
  const reason = `it is missing, although ${manifestPath} lists it`;
  return unreadable(`${name}/${path}`, reason, isAddress(name) ? 404 : undefined);
}

/**
 * Returns a document of a site, or null if the site does not have it. Throws the problem
 * `site-unreadable` if `parse` cannot read it.
 *
 * @param version makes the address of a host one that a cache does not know
 */
export async function readDocument<T>(
  site: Pick<Site, 'name' | 'read'>,
  path: string,
  parse = parseJson as (text: string) => T | null | undefined,
  version = '',
): Promise<T | null> {
  // A host may answer a query with a page of its own.
  for (const query of new Set([version, ''])) {
    const bytes = await site.read(path, undefined, query);
    if (bytes === null) return null;
    const document = parse(bytes.toString());
    if (document != null) return document;
  }
  throw unreadable(`${site.name}/${path}`, 'it is not a document of version 1 of the interface');
}

/** Why a file is not readable. */
export const otherContent = `its content is not the one that ${manifestPath} lists`;
