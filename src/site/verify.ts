import type { ListRecord, Manifest } from '../api/documents.ts';
import { formatPath, formats } from '../api/formats.ts';
import { isManifest } from '../api/manifest.ts';
import { rows } from '../api/openapi/paths.ts';
import {
  documentPath,
  indexPath,
  llmsPath,
  manifestPath,
  markdownReferencePath,
  listLimit,
  notFoundPagePath,
  root,
  scopeFolder,
  type Filters,
} from '../api/paths.ts';
import { listKinds, listOf } from '../api/scopes.ts';
import { manifestSchema } from '../api/schemas.ts';
import { compareProblems, ProblemError } from '../problem/problem.ts';
import { inParallel } from '../system/parallel.ts';
import { limitTo, readDocument, readLists, requireOverview, type Overview } from './documents.ts';
import type { Site } from './site.ts';
import type { Document } from './verify-document.ts';
import { checkFile, isLarge, type Entry } from './verify-file.ts';
import { Report } from './verify-report.ts';

export interface VerifyOptions {
  /** This version of almanac, as manifests name it. */
  readonly generator: string;
  /** Returns the time in milliseconds since the Unix epoch. */
  readonly now: () => number;
  readonly onFile?: (done: number, of: number) => void;
}

/**
 * Checks that a site is whole: it has every file, every file is the one that the manifest lists, every document fits its
 * schema (specification 2), lists and dates are in order, and the numbers that documents claim add up. A list from which
 * a host leaves out expired events has a different hash, so only its schema, order and numbers are checked, and that its
 * events are upcoming. Fields that this version does not know, and fields and files that another version did not
 * publish, are notes.
 */
export async function verifySite(site: Site, options: VerifyOptions) {
  const manifest = await readDocument<Manifest>(site, manifestPath);
  if (manifest === null) throw new ProblemError([{ code: 'site-missing', place: null, site: site.name }]);
  const report = new Report(site.name, manifest, options.generator);
  report.add(manifestPath, report.schemaFaults(manifestSchema, manifest));
  if (report.problems.length === 0 && !isManifest(manifest))
    report.add(manifestPath, [{ code: 'site-document-invalid', at: 'files', reason: 'a path leaves the site' }]);
  const found = report.problems.length === 0 ? await checkFiles(report, site, manifest, options) : [];
  if (report.problems.length === 0) {
    const limited = limitTo(manifest, site);
    const overview = { ...(await requireOverview(limited)), lists: await readLists(limited) };
    report.requireComplete(manifest, requiredPaths(manifest, overview));
    checkOverview(report, overview);
    checkLengths(report, overview, found);
  }
  const { problems, files, documents } = report;
  const filtered = found.filter(({ schema, updatedAt }) => schema === 'Events' && updatedAt !== null).length;
  return { problems: problems.toSorted(compareProblems), files, documents, filtered, notes: report.notes() };
}

/** Checks every file by itself, and that there are no others. Returns the documents. */
async function checkFiles(report: Report, site: Site, manifest: Manifest, { now, onFile }: VerifyOptions) {
  const [listing, { files }] = [await site.list(), manifest];
  for (const path of listing ?? [])
    if (path !== manifestPath && !Object.hasOwn(files, path)) report.add(path, [{ code: 'site-file-unlisted' }]);
  const limited = limitTo(manifest, site);
  const ids = { categories: await idsIn(limited, 'categories'), genres: await idsIn(limited, 'genres') };
  const whole = { site: limited, files, ids, isOnHost: listing === null, now };
  const entries = Object.entries(files).filter(([path]) => !whole.isOnHost || !hidden.test(path));
  const documents: Document[] = [];
  const check = async (entry: Entry): Promise<void> => {
    const document = await checkFile(report, whole, entry).catch((error: unknown) => reportLine(report, error));
    if (document !== null) documents.push(document);
    onFile?.(report.files, entries.length);
  };
  const small = entries.filter((entry) => !isLarge(entry));
  await inParallel(small, site.concurrency, check);
  // A large file is read alone, so that several do not fill the memory.
  await inParallel(entries.filter(isLarge), 1, check);
  if (report.documents === 0) report.add(manifestPath, [{ code: 'site-empty' }]);
  else
    report.requireComplete(manifest, [
      ...requiredPaths(manifest, { categories: [], genres: [], lists: [] }),
      ...otherFiles,
    ]);
  return documents;
}

/** Returns the ids in the list of categories or genres. None if it is invalid, which is reported on its own. */
async function idsIn(site: Site, operation: 'categories' | 'genres'): Promise<ReadonlySet<string>> {
  type List = Partial<Record<typeof operation, unknown>>;
  const document = await readDocument<List>(site, documentPath({ operation })).catch(() => null);
  const records = document?.[operation];
  return new Set(Array.isArray(records) ? records.map((record: { id?: string } | null) => record?.id ?? '') : []);
}

/** Reports a line that is too long for the memory. Its file need not be read further. Throws any other error. */
function reportLine(report: Report, error: unknown): null {
  if (!(error instanceof ProblemError) || error.problems[0]?.code !== 'site-line-invalid') throw error;
  report.problems.push(...error.problems);
  return null;
}

/** Checks that the counts of genres add up to those of categories and of the index. */
function checkOverview(report: Report, { totals, categories, genres }: Overview): void {
  const sum = (name: 'subjects' | 'upcoming', of = genres): number => of.reduce((total, one) => total + one[name], 0);
  report.requireCount(indexPath, 'categories', totals.categories, categories.length);
  report.requireCount(indexPath, 'genres', totals.genres, genres.length);
  report.requireCount(indexPath, 'subjects', totals.subjects, sum('subjects'));
  report.requireCount(indexPath, 'upcoming events', totals.upcoming, sum('upcoming'));
  const path = documentPath({ operation: 'categories' });
  const inCategories = categories.reduce((total, one) => total + one.genres, 0);
  report.requireCount(path, 'genres', inCategories, genres.length);
  for (const { id, genres: genreCount, upcoming } of categories) {
    const members = genres.filter(({ category }) => category === id);
    report.requireCount(path, `genres of ${id}`, genreCount, members.length);
    report.requireCount(path, `upcoming events of ${id}`, upcoming, sum('upcoming', members));
  }
}

/** Checks that lists, and files with an event on each line, are as long as the counts of genres and categories say. */
function checkLengths(report: Report, { totals, categories, genres, lists }: Listed, documents: readonly Document[]) {
  const byGenre = new Map(genres.map((genre) => [genre.id, genre]));
  const byCategory = new Map(categories.map((category) => [category.id, category]));
  const byFolder = new Map(lists.map(({ kind, id, upcoming }) => [scopeFolder({ [kind]: id }), upcoming]));
  const upcomingIn = (filters: Filters): number | undefined => {
    const { genre, category } = filters;
    if (listOf(filters) !== null) return byFolder.get(scopeFolder(filters));
    if (!genre) return category ? byCategory.get(category)?.upcoming : totals.upcoming;
    const found = byGenre.get(genre);
    return category && found && found.category !== category ? 0 : found?.upcoming;
  };
  const underWay = new Map(documents.map((one) => [one.path, one.updatedAt === null ? one.total : undefined]));
  for (const document of documents) {
    const { path, schema, order, length, total = 0, filters = {}, updatedAt } = document;
    const [upcoming, begun] = [upcomingIn(filters), underWay.get(formatPath(formats.now, filters))];
    // At a former address, an empty file with lines does not say which scope it has.
    if (upcoming === undefined && schema === 'Event' && length === 0) continue;
    if (upcoming === undefined) report.add(path, [{ code: 'site-file-unlisted' }]);
    else if (schema === 'Events' && updatedAt !== null) checkFiltered(report, document, upcoming);
    else if (schema === 'Events') report.requireCount(path, 'upcoming events', total, upcoming);
    else if (schema === 'Event' && order !== 'Past' && begun !== undefined)
      report.requireCount(path, 'lines', length, upcoming + begun);
  }
}

/** Checks a list from which a host left out expired events: its total falls by as many, and no later events move up. */
function checkFiltered(report: Report, { path, length, limit = 0, total = 0 }: Document, published: number): void {
  const missing = published - total;
  if (missing > 0 && length === Math.min(limit, Math.min(published, listLimit) - missing)) return;
  report.add(path, [{ code: 'site-list-changed', total, length, published }]);
}

/** The catalogue of a site without its events, and its lists. */
interface Listed extends Overview {
  readonly lists: readonly ListRecord[];
}

/** Returns the paths of the interface that a site with these categories, genres and lists must have. */
function requiredPaths(manifest: Manifest, overview: Omit<Listed, 'totals'>): string[] {
  const { categories, genres, lists } = overview;
  const fill = (paths: readonly string[], parameter: string, records: readonly { readonly id: string }[]): string[] =>
    paths.flatMap((path) => (path.includes(parameter) ? records.map(({ id }) => path.replace(parameter, id)) : path));
  // With `"bulk": false` in service.json, a site has none of these.
  const hasBulk = rows.some(({ isBulk, path }) => isBulk && Object.hasOwn(manifest.files, path));
  const published = rows.filter(({ isBulk }) => hasBulk || !isBulk);
  const paths = published.flatMap(({ path, isOfSubject }) => (path === manifestPath || isOfSubject ? [] : path));
  const ofLists = listKinds.map((kind) => [`{${kind}}`, lists.filter((list) => list.kind === kind)] as const);
  const named = [['{category}', categories] as const, ['{genre}', genres] as const, ...ofLists];
  return named.reduce((filled, [parameter, records]) => fill(filled, parameter, records), paths);
}

/** The files of every site that are not part of the interface. */
const otherFiles: readonly string[] = [
  `${root}/index.html`,
  markdownReferencePath,
  llmsPath,
  'index.html',
  notFoundPagePath,
  '.nojekyll',
];

/** Matches paths in which a name begins with a dot. Some hosts refuse to serve such files. */
const hidden = /(^|\/)\./;
