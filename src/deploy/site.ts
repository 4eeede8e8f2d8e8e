import fastGlob from 'fast-glob';
import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type {
  CategoriesDocument,
  CategoryRecord,
  GenreRecord,
  GenresDocument,
  IndexDocument,
  Manifest,
} from '../api/documents.ts';
import { documentPath, indexPath, manifestPath, type Operation } from '../api/paths.ts';
import { ProblemError } from '../problem/problem.ts';
import { diskProblem, failureReason } from '../system/failure.ts';
import { request } from '../system/http.ts';
import { isAddress } from './address.ts';
import { isManifest } from '../api/manifest.ts';
import { recover } from '../output/swap.ts';

/** A built site, in a folder or on a host. */
export interface Site {
  /** As it was given, without a slash at its end. */
  readonly name: string;
  /** How many files may be read at a time. */
  readonly lanes: number;
  /** The bytes of a file; null where the site has none of that path. */
  readonly read: (path: string) => Promise<Buffer | null>;
  /** Every file there is, by path; null where a host would not tell. */
  readonly list: () => readonly string[] | null;
}

/** Opens the site at a folder or an http or https address. A folder left behind by a killed build is put right first. */
export function openSite(at: string, cwd: string): Site {
  const name = at.replace(/\/+$/, '');
  return isAddress(at) ? siteAt(name) : siteIn(resolve(cwd, at), name);
}

function siteIn(folder: string, name: string): Site {
  recover(folder);
  return {
    name,
    lanes: 1,
    read: async (path) => {
      try {
        return readFileSync(join(folder, path));
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === 'ENOENT' || code === 'ENOTDIR') return null;
        throw unreadable(`${name}/${path}`, failureReason(error));
      }
    },
    list: () => {
      try {
        return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? listEverything(folder) : [];
      } catch (error) {
        throw diskProblem(error, 'site-unreadable');
      }
    },
  };
}

/** Every file in a folder, hidden ones and links included; relative paths with forward slashes. */
function listEverything(folder: string): string[] {
  const options = { cwd: folder, dot: true, followSymbolicLinks: false, onlyFiles: false, markDirectories: true };
  return fastGlob.globSync('**', options).filter((path) => !path.endsWith('/'));
}

function siteAt(base: string): Site {
  return {
    name: base,
    lanes: 16,
    read: async (path) => {
      const url = `${base}/${path}`;
      const { status, body } = await request(async () => ({ url }));
      if (status === 200) return body;
      if (status === 404) return null;
      throw unreadable(url, `the server answered ${status}`, status);
    },
    list: () => null,
  };
}

/** A JSON document of a site; null where there is none. Throws the problem `site-unreadable` where it is no JSON. */
export async function readDocument<T>(site: Site, path: string): Promise<T | null> {
  const bytes = await site.read(path);
  if (bytes === null) return null;
  try {
    return JSON.parse(bytes.toString()) as T;
  } catch {
    throw unreadable(`${site.name}/${path}`, 'it is no JSON');
  }
}

/** What a site says of its catalogue as a whole. */
export interface Overview {
  readonly totals: IndexDocument['catalogue'];
  readonly categories: readonly CategoryRecord[];
  readonly genres: readonly GenreRecord[];
}

const totalNames = ['genres', 'subjects', 'upcoming', 'categories'] as const;

/** The overview of a site; null where there is no site at all. Throws the problem `site-unreadable` on half a site. */
export async function readOverview(site: Site): Promise<Overview | null> {
  const index = await readDocument<IndexDocument>(site, indexPath);
  if (index === null) return null;
  const totals = index?.catalogue;
  if (!totalNames.every((name) => Number.isInteger(totals?.[name])) || Number.isNaN(Date.parse(totals.last_sync))) {
    throw unreadable(`${site.name}/${indexPath}`, 'it is no index document of version 1');
  }
  const { categories } = await requireList<CategoriesDocument>(site, 'categories');
  const { genres } = await requireList<GenresDocument>(site, 'genres');
  return { totals, categories, genres };
}

/** The manifest of a site; null where it has none. */
export async function readManifest(site: Site): Promise<Manifest | null> {
  const manifest = await readDocument<unknown>(site, manifestPath);
  if (manifest === null || isManifest(manifest)) return manifest;
  throw unreadable(`${site.name}/${manifestPath}`, 'it is no manifest of a site that almanac built');
}

async function requireList<T extends object>(site: Site, operation: 'categories' | 'genres'): Promise<T> {
  const path = documentPath({ operation });
  const document = await readDocument<T>(site, path);
  if (isListOf(document, operation)) return document;
  throw unreadable(`${site.name}/${path}`, document === null ? 'it is not there' : `it lists no ${operation}`);
}

/** Whether a document has a list of that name in which everything has an id. */
export function isListOf<T>(document: T | null, name: Operation): document is T {
  const list = (document as Partial<Record<Operation, unknown>> | null)?.[name];
  return Array.isArray(list) && list.every((one: { id?: unknown } | null) => typeof one?.id === 'string');
}

export function unreadable(path: string, reason: string, status?: number): ProblemError {
  return new ProblemError([{ code: 'site-unreadable', place: null, path, reason, ...(status && { status }) }]);
}
