import type { CategoriesDocument, GenresDocument, ListsDocument, Manifest } from '../api/documents.ts';
import { formats } from '../api/formats.ts';
import { isManifest } from '../api/manifest.ts';
import { rows } from '../api/openapi/paths.ts';
import { documentPath, listsPath, llmsPath, manifestPath, notFoundPagePath, root } from '../api/paths.ts';
import { manifestSchema } from '../api/schemas.ts';
import { listKinds } from '../api/scopes.ts';
import { compareProblems, ProblemError } from '../problem/problem.ts';
import { inParallel } from '../system/parallel.ts';
import { limitTo, readDocument, type Site } from './site.ts';
import { checkFile } from './verify-file.ts';
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
  const report = new Report(site.name, manifest, options.generator);
  report.add(manifestPath, report.schemaFaults(manifestSchema, manifest));
  if (report.problems.length === 0 && !isManifest(manifest))
    report.add(manifestPath, [{ code: 'site-document-invalid', at: 'files', reason: 'a path leaves the site' }]);
  if (report.problems.length === 0) await checkFiles(report, site, manifest, options);
  if (report.problems.length === 0)
    report.requireComplete(manifest, requiredPaths(manifest, await readScopes(limitTo(manifest, site))));
  const { problems, files, documents, updated } = report;
  return { problems: problems.toSorted(compareProblems), files, documents, filtered: updated, notes: report.notes() };
}

/** Checks every file by itself, and that there are no others. */
async function checkFiles(report: Report, site: Site, manifest: Manifest, { onFile }: VerifyOptions): Promise<void> {
  const [listing, { files }] = [await site.list(), manifest];
  for (const path of listing ?? [])
    if (path !== manifestPath && !Object.hasOwn(files, path)) report.add(path, [{ code: 'site-file-unlisted' }]);
  const whole = { site: limitTo(manifest, site), files, isOnHost: listing === null };
  const entries = Object.entries(files).filter(([path]) => !whole.isOnHost || !hidden.test(path));
  await inParallel(entries, concurrency, async (entry) => {
    await checkFile(report, whole, entry);
    onFile?.(report.files, entries.length);
  });
  if (report.documents === 0) report.add(manifestPath, [{ code: 'site-empty' }]);
  else report.requireComplete(manifest, requiredPaths(manifest, { categories: [], genres: [], lists: [] }));
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
function requiredPaths({ files }: Manifest, { categories, genres, lists }: Scopes): string[] {
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
