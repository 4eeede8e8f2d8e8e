import { hash } from 'node:crypto';
import type { Manifest, ManifestEntry } from '../api/documents.ts';
import { manifestPath } from '../api/paths.ts';
import { wholeFile, type Problem, type UnplacedProblem } from '../problem/problem.ts';

/** The part of a zod schema that verification uses. */
export type Schema = { safeParse: (value: unknown) => { success: boolean; error?: { issues: readonly Issue[] } } };
interface Issue {
  readonly code: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
}

/** Collects the problems of a site. */
export class Report {
  readonly problems: Problem[] = [];
  readonly #site: string;
  readonly #unknownFields = new Set<string>();
  readonly #missingFields = new Set<string>();
  readonly #missingFiles = new Set<string>();
  /** The version of almanac that built the site. */
  #builder = '';
  /** Whether another version of almanac built the site. It may not have published everything that this version does. */
  #isOther = false;
  files = 0;
  documents = 0;

  constructor(site: string) {
    this.#site = site;
  }

  readVersion({ generator }: Manifest, thisVersion: string): void {
    this.#builder = generator;
    this.#isOther = generator !== thisVersion;
  }

  /** Returns the differences that come from another version. Versions of almanac only add fields and files. */
  notes(): Problem[] {
    const sets = [this.#unknownFields, this.#missingFields, this.#missingFiles];
    if (sets.every(({ size }) => size === 0)) return [];
    const [unknownFields = [], missingFields = [], missingFiles = []] = sets.map((set) => [...set]);
    const details = { generator: this.#builder, unknownFields, missingFields, missingFiles };
    return [{ code: 'site-version-differs', place: null, ...details }];
  }

  add(path: string, problem: UnplacedProblem, line = 1): void {
    this.problems.push({ ...problem, place: { ...wholeFile(`${this.#site}/${path}`), line } });
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

  /** Reports required files that the manifest does not list. */
  requireComplete({ files }: Manifest, paths: readonly string[]): void {
    for (const path of paths.filter((one) => !Object.hasOwn(files, one))) {
      if (this.#isOther) this.#missingFiles.add(path);
      else this.add(path, { code: 'site-incomplete' });
    }
  }

  /** Reports a file that is not the one in the manifest, by the number of its bytes. Null: there is no such file. */
  addDifference(path: string, bytes: number | null, { bytes: listed }: ManifestEntry): void {
    if (bytes === null) this.add(path, { code: 'site-file-missing' });
    else this.add(path, { code: 'site-file-changed', bytes, listed });
  }

  /**
   * Reports the violations of a schema by a document. Returns whether there are none.
   *
   * @param record for a file with one record per line, the line and the name of the corresponding list
   */
  requireSchema(path: string, schema: Schema, document: unknown, record?: { line: number; list: string }): boolean {
    const { error } = schema.safeParse(document);
    const issues = error?.issues.filter((issue) => !this.#isDifference(issue, document, record?.list)) ?? [];
    for (const { path: at, message } of issues.slice(0, 3)) {
      this.add(path, { code: 'site-document-invalid', at: at.join('.'), reason: message }, record?.line);
    }
    return issues.length === 0;
  }

  /** Whether an issue may come from another version of almanac. If so, records it. */
  #isDifference({ code, path, keys = [] }: Issue, document: unknown, list?: string): boolean {
    const fields = path.filter((part) => typeof part === 'string').map((name) => (/^\w+$/.test(name) ? name : '*'));
    const names = list === undefined ? fields : [list, ...fields];
    if (code === 'unrecognized_keys') {
      for (const key of keys) this.#unknownFields.add([...names, key].join('.'));
      return true;
    }
    if (!this.#isOther || path.length === 0 || valueAt(document, path) !== undefined) return false;
    this.#missingFields.add(names.join('.'));
    return true;
  }
}

function valueAt(document: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key],
    document,
  );
}

/** Whether these are the bytes that the manifest lists. */
export function isAsPublished(bytes: Buffer, entry: ManifestEntry): boolean {
  return bytes.length === entry.bytes && hash('sha256', bytes) === entry.sha256;
}
