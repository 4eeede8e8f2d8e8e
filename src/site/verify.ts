import { hash } from 'node:crypto';
import type { z } from 'zod';
import type {
  CategoriesDocument,
  GenresDocument,
  ListsDocument,
  Manifest,
  ManifestEntry,
} from '../api/documents.ts';
import { formats } from '../api/formats.ts';
import { parseManifest } from '../api/manifest.ts';
import { rows } from '../api/openapi/paths.ts';
import {
  documentPath,
  indexPath,
  listsPath,
  llmsPath,
  manifestPath,
  notFoundPagePath,
  root,
} from '../api/paths.ts';
import { entrySchema, manifestSchema, schemas, type SchemaName } from '../api/schemas.ts';
import { listKinds } from '../api/scopes.ts';
import { parseJson } from '../catalogue/text.ts';
import { hour, isoInstant } from '../catalogue/time/time.ts';
import {
  compareProblems,
  wholeFile,
  type Problem,
  type UnplacedProblem,
  problemError,
} from '../problem/problem.ts';
import { inParallel } from '../system/parallel.ts';
import { isVersionDifference, readIndex } from './published.ts';
import { readDocument, type Site } from './site.ts';

interface Freshness {
  /** Since the Unix epoch. */
  readonly now: number;
  readonly maxAge: number;
}

export interface VerifyOptions {
  /** This version of almanac, as manifests name it. */
  readonly generator: string;
  readonly onFile?: (done: number, of: number) => void;
  /** The maximum age of `last_sync` at a time. Both in milliseconds. Default: any. */
  readonly freshness?: Freshness | null;
}

/**
 * Checks that a site is whole: it has every file that the manifest lists and no other, each with
 * the hash that is listed there, every document fits its schema (specification 2), and no document
 * of the interface is missing. Only the schema of a list that a host updates to the time of the
 * request is checked. Fields that this version does not know, and fields and files that another
 * version did not publish, are notes.
 */
export async function verifySite(
  site: Site,
  { generator, onFile, freshness = null }: VerifyOptions,
) {
  const manifest = await readDocument(site, manifestPath, parseManifest);
  if (manifest === null) throw problemError({ code: 'site-missing', site: site.name });
  const check = new Check(site, manifest, generator);
  await check.run(onFile);
  const { problems, differences, files, documents, updated } = check;
  const difference = {
    generator: manifest.generator,
    names: [...differences],
  };
  const notes: Problem[] = [{ code: 'site-version-differs', place: null, ...difference }];
  const stale = freshness === null ? [] : await staleness(site, freshness);
  return {
    site: site.name,
    problems: [...problems.toSorted(compareProblems), ...stale],
    files,
    documents,
    filtered: updated,
    notes: differences.size === 0 ? [] : notes,
  };
}

/** Returns the problem of a site that was not updated for too long, or is of the future. */
async function staleness(site: Site, { now, maxAge: most }: Freshness): Promise<Problem[]> {
  const index = await readDocument(site, indexPath, readIndex, `${now}`);
  const time = index?.catalogue.last_sync ?? isoInstant(0);
  const age = now - Date.parse(time);
  if (age <= most && age >= -hour) return [];
  return [
    {
      code: 'site-stale',
      place: null,
      site: site.name,
      time,
      most,
    },
  ];
}

class Check {
  readonly problems: Problem[] = [];
  /** The fields and files that only one of two versions of almanac publishes. */
  readonly differences = new Set<string>();
  /** The number of files compared with the manifest. */
  files = 0;
  /** The number of these that were checked against a schema. */
  documents = 0;
  /** The number of these that a host has updated. */
  updated = 0;
  readonly #site: Site;
  readonly #manifest: Manifest;
  /**
   * Whether another version of almanac built the site. It may not have published everything that
   * this version does.
   */
  readonly #isOther: boolean;

  constructor(site: Site, manifest: Manifest, generator: string) {
    this.#site = site;
    this.#manifest = manifest;
    this.#isOther = manifest.generator !== generator;
  }

  /** Checks every file by itself, that there are no others, and that none is missing. */
  async run(onFile: VerifyOptions['onFile']): Promise<void> {
    const { files } = this.#manifest;
    this.#checkDocument(manifestPath, manifestSchema, this.#manifest);
    const listing = await this.#site.list();
    for (const path of listing ?? [])
      if (path !== manifestPath && !Object.hasOwn(files, path))
        this.#add(path, [{ code: 'site-file-unlisted' }]);
    const isOnHost = listing === null;
    // Some hosts refuse to serve files whose path has a name that begins with a dot.
    const entries = Object.entries(files).filter(([path]) => !isOnHost || !/(^|\/)\./.test(path));
    await inParallel(entries, 16, async ([path, entry]) => {
      await this.#checkFile(path, entry, isOnHost);
      onFile?.(++this.files, entries.length);
    });
    if (this.problems.length === 0) await this.#requireDocuments();
  }

  #add(path: string, problems: readonly UnplacedProblem[], line = 1): void {
    const place = {
      ...wholeFile(`${this.#site.name}/${path}`),
      line,
    };
    for (const problem of problems) this.problems.push({ ...problem, place });
  }

  async #checkFile(
    path: string,
    { bytes: listed, sha256 }: ManifestEntry,
    isOnHost: boolean,
  ): Promise<void> {
    // A list that a host updates may have become longer.
    const bytes = await this.#site.read(path, listed + 1024 ** 2);
    if (bytes === null) return this.#add(path, [{ code: 'site-file-missing' }]);
    const schema = documentSchemas.find(([pattern]) => pattern.test(path))?.[1];
    if (bytes.length !== listed || hash('sha256', bytes) !== sha256) {
      if (!isOnHost || schema === undefined || !updatable.has(schema))
        return this.#add(path, [{ code: 'site-file-changed', bytes: bytes.length, listed }]);
      this.updated++;
    }
    if (path.endsWith('.ndjson')) this.#checkLines(path, bytes);
    else if (schema !== undefined)
      this.#checkDocument(path, schemas[schema], parseJson(bytes.toString()));
    else return;
    this.documents++;
  }

  /** Checks a file with an event on each line, and reports the first line that is wrong. */
  #checkLines(path: string, bytes: Buffer): void {
    let start = 0;
    let line = 1;
    for (let end = bytes.indexOf('\n'); end !== -1; end = bytes.indexOf('\n', start)) {
      if (
        !this.#checkDocument(path, entrySchema, parseJson(bytes.toString('utf8', start, end)), line)
      )
        return;
      [start, line] = [end + 1, line + 1];
    }
  }

  /** Reports the first violations of a schema. Returns whether there is none. */
  #checkDocument(path: string, schema: z.ZodType, document: unknown, line = 1): boolean {
    const issues = schema.safeParse(document).error?.issues ?? [];
    const faults = issues.filter((issue) => !this.#isDifference(issue, document)).slice(0, 3);
    const code = 'site-document-invalid';
    this.#add(
      path,
      faults.map((issue) => ({
        code,
        at: issue.path.join('.'),
        reason: issue.message,
      })),
      line,
    );
    return faults.length === 0;
  }

  /** Whether an issue may come from another version of almanac. If so, records it. */
  #isDifference(issue: z.core.$ZodIssue, document: unknown): boolean {
    const unknown = issue.code === 'unrecognized_keys' ? issue.keys : null;
    const isDifference =
      isVersionDifference(issue, document) && (unknown !== null || this.#isOther);
    for (const name of isDifference ? (unknown ?? issue.path.slice(-1)) : [])
      this.differences.add(String(name));
    return isDifference;
  }

  /**
   * Reports documents that a site with these categories, genres and lists must have, and does not
   * list.
   */
  async #requireDocuments(): Promise<void> {
    const { files } = this.#manifest;
    // A site can leave out a format as a whole. It then has none of its files.
    const names = new Set(Object.keys(files).map((path) => path.slice(path.lastIndexOf('/') + 1)));
    const required = rows.filter(
      ({ path, isOfSubject, format = 'json' }) =>
        !isOfSubject && path !== manifestPath && names.has(formats[format].file),
    );
    const ids = await readIds(this.#site);
    const pages = [`${root}/index.html`, llmsPath, 'index.html', notFoundPagePath, '.nojekyll'];
    const paths = [...required.flatMap(({ path }) => fillIn(path, ids)), ...pages];
    for (const path of paths.filter((listed) => !Object.hasOwn(files, listed))) {
      if (this.#isOther) this.differences.add(path);
      else this.#add(path, [{ code: 'site-incomplete' }]);
    }
  }
}

/** The schemas of the lists that a host updates to the time of the request. */
const updatable: ReadonlySet<SchemaName> = new Set(['Events', 'Next', 'Now']);

/**
 * The schemas of documents by the pattern of their paths, in which `{category}` and `{genre}` stand
 * for ids.
 */
const documentSchemas = rows.flatMap(({ path, schema }) => {
  const pattern = path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+');
  if (schema === null) return [];
  return [[new RegExp(`^${pattern}$`), schema] as const];
});

type Ids = Readonly<Record<string, readonly string[]>>;

/**
 * Reads the ids of the categories, genres and lists of a site. That of another version may have no
 * lists.
 */
async function readIds(site: Site): Promise<Ids> {
  const categories = await readDocument<CategoriesDocument>(
    site,
    documentPath({ operation: 'categories' }),
  );
  const genres = await readDocument<GenresDocument>(site, documentPath({ operation: 'genres' }));
  const lists = (await readDocument<ListsDocument>(site, listsPath))?.lists ?? [];
  const idsOf = (records: readonly { readonly id: string }[] = []) => records.map(({ id }) => id);
  const listIds = listKinds.map(
    (kind) => [kind, idsOf(lists.filter((list) => list.kind === kind))] as const,
  );
  return {
    category: idsOf(categories?.categories),
    genre: idsOf(genres?.genres),
    ...Object.fromEntries(listIds),
  };
}

/** Returns the paths that a path with placeholders such as `{genre}` stands for. */
function fillIn(path: string, ids: Ids): string[] {
  const [placeholder, name = ''] = /\{(\w+)\}/.exec(path) ?? [];
  if (placeholder === undefined) return [path];
  return (ids[name] ?? []).flatMap((id) => fillIn(path.replace(placeholder, id), ids));
}
