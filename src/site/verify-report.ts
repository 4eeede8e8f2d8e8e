import type { z } from 'zod';
import type { Manifest, ManifestEntry } from '../api/documents.ts';
import { wholeFile, type Problem, type UnplacedProblem } from '../problem/problem.ts';
import { isVersionDifference } from './published.ts';

export class Report {
  readonly problems: Problem[] = [];
  readonly #site: string;
  readonly #builder: string;
  /** Whether another version of almanac built the site. It may not have published everything that this version does. */
  readonly #isOther: boolean;
  readonly #unknownFields = new Set<string>();
  readonly #missingFields = new Set<string>();
  readonly #missingFiles = new Set<string>();
  /** The number of files compared with the manifest. */
  files = 0;
  /** The number of these that were checked against a schema. */
  documents = 0;
  /** The number of these that a host has updated. */
  updated = 0;

  constructor(site: string, { generator }: Manifest, thisVersion: string) {
    this.#site = site;
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

  /** Adds problems of one file. */
  add(path: string, problems: readonly UnplacedProblem[], line = 1): void {
    const place = { ...wholeFile(`${this.#site}/${path}`), line };
    for (const problem of problems) this.problems.push({ ...problem, place });
  }

  /** Reports required files that the manifest does not list. */
  requireComplete({ files }: Manifest, paths: readonly string[]): void {
    for (const path of paths.filter((one) => !Object.hasOwn(files, one))) {
      if (this.#isOther) this.#missingFiles.add(path);
      else this.add(path, [{ code: 'site-incomplete' }]);
    }
  }

  /** Reports a file that is not the one in the manifest, by the number of its bytes. Null: there is no such file. */
  addDifference(path: string, bytes: number | null, { bytes: listed }: ManifestEntry): void {
    this.add(path, [bytes === null ? { code: 'site-file-missing' } : { code: 'site-file-changed', bytes, listed }]);
  }

  /**
   * Returns the first violations of a schema by a document. What may come from another version of almanac becomes a note
   * instead.
   *
   * @param list for a record on a line of its own, the name of the list that has it in a document
   */
  schemaFaults(schema: z.ZodType, document: unknown, list?: string): UnplacedProblem[] {
    const issues = schema.safeParse(document).error?.issues ?? [];
    const faults = issues.filter((issue) => !this.#isDifference(issue, document, list)).slice(0, 3);
    return faults.map(({ path, message }) => ({
      code: 'site-document-invalid',
      at: path.join('.'),
      reason: message,
    }));
  }

  /** Whether an issue may come from another version of almanac. If so, records it. */
  #isDifference(issue: z.core.$ZodIssue, document: unknown, list?: string): boolean {
    if (!isVersionDifference(issue, document)) return false;
    const { code, path } = issue;
    if (code !== 'unrecognized_keys' && !this.#isOther) return false;
    const fields = path.filter((part) => typeof part === 'string').map((name) => (/^\w+$/.test(name) ? name : '*'));
    const names = list === undefined ? fields : [list, ...fields];
    if (code !== 'unrecognized_keys') this.#missingFields.add(names.join('.'));
    else for (const key of issue.keys) this.#unknownFields.add([...names, key].join('.'));
    return true;
  }
}
