import { hash } from 'node:crypto';
import type { CategoriesDocument, GenresDocument, ListsDocument, Manifest, ManifestEntry } from '../api/documents.ts';
import { formats } from '../api/formats.ts';
import { isManifest } from '../api/manifest.ts';
import { rows } from '../api/openapi/paths.ts';
import { documentPath, listsPath, llmsPath, manifestPath, notFoundPagePath, root } from '../api/paths.ts';
import { entrySchema, manifestSchema, schemas, type SchemaName } from '../api/schemas.ts';
import { listKinds } from '../api/scopes.ts';
import { parseJson } from '../catalogue/text.ts';
import { compareProblems, ProblemError } from '../problem/problem.ts';
import { inParallel } from '../system/parallel.ts';
import { readDocument, type Site } from './site.ts';
import { Report } from './verify-report.ts';

export interface VerifyOptions {
  /** This version of almanac, as manifests name it. */
  readonly generator: string;
  readonly onFile?: (done: number, of: number) => void;
}

/**
 * Checks that a site is whole: it has every file that the manifest lists and no other, each with the hash that is listed
 * there, every document fits its schema (specification 2), and no document of the interface is missing. Only the schema
 * of a list that a host updates to the time of the request is checked. Fields that this version does not know, and
 * fields and files that another version did not publish, are notes.
 */
export async function verifySite(site: Site, options: VerifyOptions) {
  const manifest = await readDocument<Manifest>(site, manifestPath);
  if (manifest === null) throw new ProblemError([{ code: 'site-missing', place: null, site: site.name }]);
  const report = new Report(site.name, manifest.generator, options.generator);
  report.add(manifestPath, report.schemaFaults(manifestSchema, manifest));
  if (report.problems.length === 0 && !isManifest(manifest))
    report.add(manifestPath, [{ code: 'site-document-invalid', at: 'files', reason: 'a path leaves the site' }]);
  if (report.problems.length === 0) await checkFiles(report, site, manifest, options);
  const { problems, files, documents, updated } = report;
  return { problems: problems.toSorted(compareProblems), files, documents, filtered: updated, notes: report.notes() };
}

/** Checks every file by itself, that there are no others, and that none is missing. */
async function checkFiles(report: Report, site: Site, { files }: Manifest, { onFile }: VerifyOptions): Promise<void> {
  const listing = await site.list();
  for (const path of listing ?? [])
    if (path !== manifestPath && !Object.hasOwn(files, path)) report.add(path, [{ code: 'site-file-unlisted' }]);
  const isOnHost = listing === null;
  const entries = Object.entries(files).filter(([path]) => !isOnHost || !hidden.test(path));
  await inParallel(entries, concurrency, async (entry) => {
    await checkFile(report, site, entry, isOnHost);
    onFile?.(report.files, entries.length);
  });
  if (report.documents === 0) return report.add(manifestPath, [{ code: 'site-empty' }]);
  const scopes = report.problems.length === 0 ? await readScopes(site) : { categories: [], genres: [], lists: [] };
  report.requireComplete(files, requiredPaths(files, scopes));
}

/** Checks one file: its bytes and its schema. A host may update lists to the time of the request. */
async function checkFile(
  report: Report,
  site: Site,
  [path, { bytes: listed, sha256 }]: readonly [string, ManifestEntry],
  isOnHost: boolean,
): Promise<void> {
  report.files++;
  const bytes = await site.read(path, listed + tolerance);
  const schema = documentSchemas.find(([pattern]) => pattern.test(path))?.[1];
  const isSame = bytes !== null && bytes.length === listed && hash('sha256', bytes) === sha256;
  const isUpdated = !isSame && bytes !== null && isOnHost && schema !== undefined && updated.has(schema);
  if (!isSame && !isUpdated)
    return report.add(path, [
      bytes === null ? { code: 'site-file-missing' } : { code: 'site-file-changed', bytes: bytes.length, listed },
    ]);
  if (isUpdated) report.updated++;
  if (path.endsWith('.ndjson')) return checkLines(report, path, bytes);
  if (schema === undefined) return;
  report.documents++;
  report.add(path, report.schemaFaults(schemas[schema], parseJson(bytes.toString())));
}

/** The number of bytes that are read beyond the size in the manifest. */
const tolerance = 1024 ** 2;

/** The schemas of the lists that a host updates to the time of the request. */
const updated: ReadonlySet<SchemaName> = new Set(['Events', 'Next', 'Now']);

/** The schemas of documents by the pattern of their paths, in which `{category}` and `{genre}` stand for ids. */
const documentSchemas = rows.flatMap(({ path, schema }) => {
  const pattern = path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+');
  return schema === null ? [] : [[new RegExp(`^${pattern}$`), schema] as const];
});

/** Checks a file with an event on each line, and reports the first line that is wrong. */
function checkLines(report: Report, path: string, bytes: Buffer): void {
  report.documents++;
  let [start, line] = [0, 1];
  for (let end = bytes.indexOf('\n'); end !== -1; end = bytes.indexOf('\n', start)) {
    const faults = report.schemaFaults(entrySchema, parseJson(bytes.toString('utf8', start, end)), 'events');
    if (faults.length > 0) return report.add(path, faults, line);
    [start, line] = [end + 1, line + 1];
  }
}

/** The number of files that a host is asked for at a time. */
const concurrency = 16;

/** Reads which categories, genres and lists a site has. That of another version may have no lists. */
async function readScopes(site: Site): Promise<Scopes> {
  const categories = await readDocument<CategoriesDocument>(site, documentPath({ operation: 'categories' }));
  const genres = await readDocument<GenresDocument>(site, documentPath({ operation: 'genres' }));
  const lists = await readDocument<ListsDocument>(site, listsPath);
  return { categories: categories?.categories ?? [], genres: genres?.genres ?? [], lists: lists?.lists ?? [] };
}

type Scopes = Pick<CategoriesDocument, 'categories'> & Pick<GenresDocument, 'genres'> & ListsDocument;

/** Returns the paths that a site with these categories, genres and lists must have. */
function requiredPaths(files: Manifest['files'], { categories, genres, lists }: Scopes): string[] {
  // A site can leave out a format as a whole. It then has none of its files.
  const names = new Set(Object.keys(files).map((path) => path.slice(path.lastIndexOf('/') + 1)));
  const isPublished = ({ format = 'json' }: (typeof rows)[number]): boolean => names.has(formats[format].file);
  const published = rows.filter((row) => isPublished(row) && row.path !== manifestPath && !row.isOfSubject);
  const ofLists = listKinds.map((kind) => [`{${kind}}`, lists.filter((list) => list.kind === kind)] as const);
  const named = [['{category}', categories] as const, ['{genre}', genres] as const, ...ofLists];
  const paths = named.reduce<string[]>(
    (filled, [parameter, records]) =>
      filled.flatMap((path) =>
        path.includes(parameter) ? records.map(({ id }) => path.replace(parameter, id)) : path,
      ),
    published.map(({ path }) => path),
  );
  return [...paths, ...otherFiles];
}

/** The files of every site that are not part of the interface. */
const otherFiles: readonly string[] = [`${root}/index.html`, llmsPath, 'index.html', notFoundPagePath, '.nojekyll'];

/** Matches paths in which a name begins with a dot. Some hosts refuse to serve such files. */
const hidden = /(^|\/)\./;
