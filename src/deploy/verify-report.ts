import { hash } from 'node:crypto';
import type { Manifest, ManifestEntry } from '../api/documents.ts';
import { manifestPath } from '../api/paths.ts';
import { wholeFile, type Problem, type UnplacedProblem } from '../problem/problem.ts';

/** The part of a zod schema that verification uses. */
export type Schema = { safeParse: (value: unknown) => { success: boolean; error?: { issues: readonly Issue[] } } };
type Issue = { readonly path: readonly PropertyKey[]; readonly message: string };

/** Collects the problems of a site. */
export class Report {
  readonly problems: Problem[] = [];
  readonly #site: string;
  files = 0;
  documents = 0;

  constructor(site: string) {
    this.#site = site;
  }

  add(path: string, problem: UnplacedProblem): void {
    this.problems.push({ ...problem, place: wholeFile(`${this.#site}/${path}`) });
  }

  /** Reports that two documents disagree: `path` says `found`, and `expected` follows from the others. */
  requireSame(path: string, what: string, found: unknown, expected: unknown): void {
    const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
    if (a !== b) this.add(path, { code: 'site-inconsistent', what, found: a ?? 'none', expected: b ?? 'none' });
  }

  /** Reports the files of a folder that the manifest does not list. */
  requireListed({ files }: Manifest, paths: readonly string[]): void {
    for (const path of paths) {
      if (path !== manifestPath && !Object.hasOwn(files, path)) this.add(path, { code: 'site-file-unlisted' });
    }
  }

  /** Reports the files that every site of this kind has and the manifest does not list. */
  requireComplete({ files }: Manifest, paths: readonly string[]): void {
    for (const path of paths) if (!Object.hasOwn(files, path)) this.add(path, { code: 'site-incomplete' });
  }

  /** Reports that a file is missing (null) or not the one that the manifest lists. */
  addDifference(path: string, bytes: Buffer | null, { bytes: listed }: ManifestEntry): void {
    if (bytes === null) this.add(path, { code: 'site-file-missing' });
    else this.add(path, { code: 'site-file-changed', bytes: bytes.length, listed });
  }

  /** Reports why a document does not fit its schema. Returns whether it does. */
  requireSchema(path: string, schema: Schema, document: unknown): boolean {
    const { success, error } = schema.safeParse(document);
    for (const { path: at, message } of error?.issues.slice(0, 3) ?? []) {
      this.add(path, { code: 'site-document-invalid', at: at.join('.'), reason: message });
    }
    return success;
  }
}

/** Whether these are the bytes that the manifest lists. */
export function isAsPublished(bytes: Buffer, entry: ManifestEntry): boolean {
  return bytes.length === entry.bytes && hash('sha256', bytes) === entry.sha256;
}
