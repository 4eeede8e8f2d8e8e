import type { z } from 'zod';
import type { Manifest } from '../api/documents.ts';
import { wholeFile, type Problem, type UnplacedProblem } from '../problem/problem.ts';
import { isVersionDifference } from './published.ts';

export class Report {
  readonly problems: Problem[] = [];
  readonly #site: string;
  readonly #generator: string;
  /** Whether another version of almanac built the site. It may not have published everything that this version does. */
  readonly #isOther: boolean;
  /** The fields and files that only one of the two versions publishes. */
  readonly #differences = new Set<string>();
  /** The number of files compared with the manifest. */
  files = 0;
  /** The number of these that were checked against a schema. */
  documents = 0;
  /** The number of these that a host has updated. */
  updated = 0;

  constructor(site: string, generator: string, thisVersion: string) {
    this.#site = site;
    this.#generator = generator;
    this.#isOther = generator !== thisVersion;
  }

  /** Returns the differences that come from another version. Versions of almanac only add fields and files. */
  notes(): Problem[] {
    const names = [...this.#differences];
    return names.length === 0 ? [] : [{ code: 'site-version-differs', place: null, generator: this.#generator, names }];
  }

  /** Adds problems of one file. */
  add(path: string, problems: readonly UnplacedProblem[], line = 1): void {
    const place = { ...wholeFile(`${this.#site}/${path}`), line };
    for (const problem of problems) this.problems.push({ ...problem, place });
  }

  /** Reports required files that the manifest does not list. */
  requireComplete(files: Manifest['files'], paths: readonly string[]): void {
    for (const path of paths.filter((one) => !Object.hasOwn(files, one))) {
      if (this.#isOther) this.#differences.add(path);
      else this.add(path, [{ code: 'site-incomplete' }]);
    }
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
    const ends = code === 'unrecognized_keys' ? issue.keys.map((key) => [...names, key]) : [names];
    for (const end of ends) this.#differences.add(end.join('.'));
    return true;
  }
}
