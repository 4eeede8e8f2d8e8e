import { count } from '../problem/text.ts';
import { hash } from 'node:crypto';
import type { ManifestEntry } from '../api/documents.ts';
import { ProblemError } from '../problem/problem.ts';
import { isAddress, missingFile, otherContent, unreadable, type Site } from './site.ts';

/** A file of a site, and whether it is the version that the manifest lists. */
interface Version {
  readonly bytes: Buffer;
  readonly isListed: boolean;
}

interface VersionOptions {
  readonly listed: ManifestEntry;
  /** The maximum size of the file in bytes. */
  readonly limit: number;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/**
 * Reads a file that a manifest lists. A cache may hold another version of it, so a host is asked for
 * it under an address that contains its hash and, if the content is another one, once more under an
 * address that no cache holds. A host that takes a query for a page of its own has the file itself.
 *
 * Throws the problem `site-unreadable` if the file is missing or too large.
 */
export async function readVersion(
  site: Site,
  path: string,
  { listed, limit, now }: VersionOptions,
): Promise<Version> {
  const { bytes: size, sha256 } = listed;
  if (size > limit) {
    const reason = `it has more than ${count(limit)} bytes`;
    throw unreadable(`${site.name}/${path}`, reason);
  }
  // Another version may have another size.
  const most = Math.min(limit, 2 * size + 1024 ** 2);
  const versions = isAddress(site.name) ? [sha256, `${sha256}-${now}`, ''] : [''];
  let other: Buffer | null = null;
  let failure: unknown = null;
  for (const version of versions) {
    try {
      const bytes = await site.read(path, most, version);
      if (bytes === null) continue;
      if (bytes.length === size && hash('sha256', bytes) === sha256)
        return { bytes, isListed: true };
      other = bytes;
    } catch (error) {
      if (!isTooLarge(error)) throw error;
      failure = error;
    }
  }
  if (other !== null && other.length <= most) return { bytes: other, isListed: false };
  if (other !== null) throw unreadable(`${site.name}/${path}`, otherContent);
  throw failure ?? missingFile(site, path);
}

function isTooLarge(error: unknown): boolean {
  const [problem] = error instanceof ProblemError ? error.problems : [];
  return problem?.code === 'unreachable' && problem.isTooLarge === true;
}
