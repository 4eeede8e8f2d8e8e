import { hash } from 'node:crypto';
import type { Manifest, ManifestEntry } from '../api/documents.ts';
import { manifestPath } from '../api/paths.ts';
import { wholeFile, type Problem, type UnplacedProblem } from '../problem/problem.ts';

export type Schema = { safeParse: (value: unknown) => { success: boolean; error?: { issues: readonly Issue[] } } };
type Issue = { readonly path: readonly PropertyKey[]; readonly message: string };
/** The bytes of a file, and whether they are those that the manifest lists. */
export interface Found {
  readonly bytes: Buffer;
  readonly isListed: boolean;
}

/** Whether these bytes are those that a manifest lists. */
export function isListed(bytes: Buffer, listed: ManifestEntry | undefined): boolean {
  return bytes.length === listed?.bytes && hash('sha256', bytes) === listed.sha256;
}

/** Gathers what is found. */
export class Report {
  readonly problems: Problem[] = [];
  readonly #site: string;
  files = 0;
  documents = 0;

  constructor(site: string) {
    this.#site = site;
  }

  add(path: string, finding: UnplacedProblem): void {
    this.problems.push({ ...finding, place: wholeFile(`${this.#site}/${path}`) });
  }

  /** Notes where two documents disagree: `found` is what `path` says, `expected` what the others add up to. */
  agree(path: string, what: string, found: unknown, expected: unknown): void {
    const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
    if (a !== b) this.add(path, { code: 'site-inconsistent', what, found: a ?? 'none', expected: b ?? 'none' });
  }

  findStrays({ files }: Manifest, listing: readonly string[]): void {
    for (const path of listing) {
      if (path !== manifestPath && !Object.hasOwn(files, path)) this.add(path, { code: 'site-file-unlisted' });
    }
  }

  findMissing({ files }: Manifest, required: readonly string[]): void {
    for (const path of required) if (!Object.hasOwn(files, path)) this.add(path, { code: 'site-incomplete' });
  }

  /** Holds a file to its entry. Null where there is something wrong with it; one that may be cut may differ. */
  compare(path: string, bytes: Buffer | null, listed: ManifestEntry | undefined, mayBeCut: boolean): Found | null {
    this.files++;
    if (bytes === null) this.add(path, { code: 'site-file-missing' });
    else {
      const found = { bytes, isListed: isListed(bytes, listed) };
      if (found.isListed || mayBeCut) return found;
      this.add(path, { code: 'site-file-changed', bytes: bytes.length, listed: listed?.bytes ?? 0 });
    }
    return null;
  }

  check(path: string, schema: Schema, document: unknown): boolean {
    const { success, error } = schema.safeParse(document);
    for (const { path: at, message } of error?.issues.slice(0, 3) ?? []) {
      this.add(path, { code: 'site-document-invalid', at: at.join('.'), reason: message });
    }
    return success;
  }
}
