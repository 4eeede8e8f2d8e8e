import type { Manifest, ManifestEntry } from '../api/documents.ts';
import { isManifest } from '../api/manifest.ts';
import { formatPath } from '../api/formats.ts';
import { joinedFormats } from '../api/joined.ts';
import { rows } from '../api/openapi/paths.ts';
import { llmsPath, manifestPath, markdownReferencePath, notFoundPagePath, root } from '../api/paths.ts';
import { manifestSchema } from '../api/schemas.ts';
import { compareProblems, ProblemError, type Problem } from '../problem/problem.ts';
import { inParallel } from '../system/parallel.ts';
import { limitTo, readDocument, requireOverview, type Overview } from './documents.ts';
import type { Site } from './site.ts';
import { checkBlocks, checkFile, pathPattern } from './verify-files.ts';
import { checkJoined } from './verify-joined.ts';
import type { CheckedList } from './verify-lists.ts';
import { checkMerged } from './verify-merged.ts';
import { Report } from './verify-report.ts';
import { checkTotals } from './verify-totals.ts';

/** The result of a verification. */
export interface Verdict {
  readonly problems: readonly Problem[];
  /** The number of files compared with the manifest. */
  readonly files: number;
  /** The number of these that were checked against a schema. */
  readonly documents: number;
  /** The number of lists from which the host has left out expired events. */
  readonly filtered: number;
  /** Differences that come from another version of almanac. */
  readonly notes: readonly Problem[];
}

/** How to verify a site. */
export interface VerifyOptions {
  /** This version of almanac, as manifests name it. */
  readonly generator: string;
  /** Returns the time in milliseconds since the Unix epoch. */
  readonly now: () => number;
  readonly onFile?: (done: number, of: number) => void;
}

/**
 * Checks that a site is whole: every file is the one that the manifest lists, every document fits its schema
 * (specification 2), and the documents agree with each other. A list from which a host leaves out expired events has a
 * different hash, so only its schema, order and counts are checked, and that its events are upcoming. Fields that this
 * version does not know, and fields and files that another version did not publish, are notes.
 */
export async function verifySite(site: Site, { generator, now, onFile }: VerifyOptions): Promise<Verdict> {
  const manifest = await readDocument<Manifest>(site, manifestPath);
  if (manifest === null) throw new ProblemError([{ code: 'site-missing', place: null, site: site.name }]);
  const report = new Report(site.name);
  const lists = new Map<string, CheckedList>();
  if (!report.requireSchema(manifestPath, manifestSchema, manifest)) return verdictOf(report, lists);
  if (!isManifest(manifest)) {
    report.add(manifestPath, { code: 'site-document-invalid', at: 'files', reason: 'a path leaves the site' });
    return verdictOf(report, lists);
  }
  report.readVersion(manifest, generator);

  const limited = limitTo(manifest, site);
  const listing = await site.list();
  report.requireListed(manifest, listing ?? []);
  const isOnHost = listing === null;
  const entries = Object.entries(manifest.files).filter(([path]) => !isOnHost || !isHidden(path));
  const check = async ([path, entry]: Entry): Promise<void> => {
    if (isBulky([path, entry])) return checkBlocks(report, path, entry, await limited.blocks(path));
    const requested = now();
    const bytes = await limited.read(path, Infinity);
    const list = checkFile(report, path, bytes, { manifest, entry, isOnHost, now: requested });
    if (list !== null) lists.set(path, list);
    onFile?.(report.files, entries.length);
  };
  await checkFiles(
    entries.filter((entry) => !isJoined(entry)),
    site.concurrency,
    check,
  );
  if (report.documents === 0) report.add(manifestPath, { code: 'site-empty' });
  else report.requireComplete(manifest, [...requiredPaths(manifest, { categories: [], genres: [] }), ...otherFiles]);
  if (report.problems.length === 0) await checkTogether(report, limited, manifest, lists);
  else await checkFiles(entries.filter(isJoined), site.concurrency, check);
  return verdictOf(report, lists);
}

/** Checks files by themselves. A large one is read alone, so that several do not fill the memory. */
async function checkFiles(
  entries: readonly Entry[],
  concurrency: number,
  check: (entry: Entry) => Promise<void>,
): Promise<void> {
  await inParallel(
    entries.filter((entry) => !isLarge(entry)),
    concurrency,
    check,
  );
  await inParallel(entries.filter(isLarge), 1, check);
}

/** Checks that valid documents agree with each other. */
async function checkTogether(
  report: Report,
  site: Site,
  manifest: Manifest,
  lists: ReadonlyMap<string, CheckedList>,
): Promise<void> {
  const overview = await requireOverview(site);
  report.requireComplete(manifest, requiredPaths(manifest, overview));
  await checkTotals(report, site, manifest, overview);
  checkMerged(report, overview, lists);
  await checkJoined(report, site, manifest, overview, lists);
}

function verdictOf(report: Report, lists: ReadonlyMap<string, CheckedList>): Verdict {
  const { problems, files, documents } = report;
  const filtered = [...lists.values()].filter(({ schema, isUpdated }) => schema === 'Events' && isUpdated).length;
  return { problems: problems.toSorted(compareProblems), files, documents, filtered, notes: report.notes() };
}

type Entry = readonly [path: string, entry: ManifestEntry];

function isLarge([, { bytes }]: Entry): boolean {
  return bytes > largeFile;
}

const largeFile = 16 * 1024 ** 2;

/** Whether a file is read in blocks. A document is checked as a whole, and a compressed copy is small. */
function isBulky([path, entry]: Entry): boolean {
  return isLarge([path, entry]) && !/\.(json|br|gz)$/.test(path);
}

/** Whether a file of a genre is checked together with the files that are joined from it. */
function isJoined([path]: Entry): boolean {
  return joinedOfGenre.some((pattern) => pattern.test(path));
}

const joinedOfGenre = joinedFormats.map(({ format }) => pathPattern(formatPath(format, { genre: '{genre}' })));

/** Whether a site has the files that `"bulk": false` in service.json leaves out. */
function hasBulk({ files }: Manifest): boolean {
  return rows.some(({ isBulk, path }) => isBulk && Object.hasOwn(files, path));
}

/** Returns the paths of the interface that a site with these categories and genres must have. */
function requiredPaths(manifest: Manifest, { categories, genres }: Pick<Overview, 'categories' | 'genres'>): string[] {
  const fill = (paths: readonly string[], parameter: string, records: readonly { readonly id: string }[]): string[] =>
    paths.flatMap((path) => (path.includes(parameter) ? records.map(({ id }) => path.replace(parameter, id)) : path));
  const published = rows.filter(({ isBulk }) => hasBulk(manifest) || !isBulk);
  const paths = published.map(({ path }) => path).filter((path) => path !== manifestPath);
  return fill(fill(paths, '{category}', categories), '{genre}', genres);
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

/** Whether a name in the path begins with a dot. Some hosts refuse to serve such files. */
function isHidden(path: string): boolean {
  return path.split('/').some((name) => name.startsWith('.'));
}
