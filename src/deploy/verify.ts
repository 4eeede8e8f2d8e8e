import { createHash } from 'node:crypto';
import type { AnnouncedDocument, EventsDocument, Manifest, ManifestEntry, NowDocument } from '../api/documents.ts';
import { isManifest } from '../api/manifest.ts';
import { formatPath } from '../api/formats.ts';
import { joinedFormats } from '../api/joined.ts';
import { rows, type Row } from '../api/openapi/paths.ts';
import { llmsPath, manifestPath, markdownReferencePath, notFoundPagePath, root } from '../api/paths.ts';
import { manifestSchema, schemas } from '../api/schemas.ts';
import { compareProblems, ProblemError, type Problem } from '../problem/problem.ts';
import { inParallel } from '../system/parallel.ts';
import { limitTo, readDocument, type Site } from './site.ts';
import { checkCompressed } from './verify-compressed.ts';
import { checkJoined } from './verify-joined.ts';
import { checkList, type EventList } from './verify-lists.ts';
import { checkOther, crossCheckOthers, type OtherList } from './verify-others.ts';
import { isAsPublished, Report } from './verify-report.ts';
import { crossCheck, readDocuments } from './verify-totals.ts';

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
  const lists = new Map<string, EventList>();
  const others = new Map<string, OtherList>();
  if (!report.requireSchema(manifestPath, manifestSchema, manifest)) return verdictOf(report, lists);
  if (!isManifest(manifest)) {
    report.add(manifestPath, { code: 'site-document-invalid', at: 'files', reason: 'a path leaves the site' });
    return verdictOf(report, lists);
  }
  report.readVersion(manifest, generator);

  const limited = limitTo(manifest, site);
  const listing = await site.list();
  report.requireListed(manifest, listing ?? []);
  const entries = Object.entries(manifest.files).filter(([path]) => listing !== null || !isHidden(path));
  const isJoined = ([path]: [string, ManifestEntry]): boolean => joinedOfGenre.some((pattern) => pattern.test(path));
  const check = async ([path, entry]: [string, ManifestEntry]): Promise<void> => {
    if (isBulky(path, entry)) return checkBlocks(report, path, entry, await limited.blocks(path));
    const expected = { entry, isOnHost: listing === null, now: now(), others };
    const bytes = await limited.read(path, Infinity);
    const list = checkFile(report, path, bytes, expected);
    if (bytes !== null) checkCompressed(report, path, bytes, manifest);
    if (list !== null) lists.set(path, list);
    onFile?.(report.files, entries.length);
  };
  const isLarge = ([, { bytes }]: [string, ManifestEntry]): boolean => bytes > largeFile;
  await inParallel(
    entries.filter((entry) => !isLarge(entry) && !isJoined(entry)),
    site.concurrency,
    check,
  );
  await inParallel(
    entries.filter((entry) => isLarge(entry) && !isJoined(entry)),
    1,
    check,
  );

  const published = rows.filter(({ isBulk }) => hasBulk(manifest) || !isBulk);
  if (report.documents === 0) report.add(manifestPath, { code: 'site-empty' });
  else report.requireComplete(manifest, [...published.flatMap(pathOnEverySite), ...otherFiles]);
  if (report.problems.length > 0) {
    await inParallel(entries.filter(isJoined), site.concurrency, check);
    return verdictOf(report, lists);
  }
  const documents = await readDocuments(limited);
  crossCheck(report, manifest, documents, lists, published);
  crossCheckOthers(report, documents, others);
  await checkJoined(report, limited, manifest, documents, lists);
  return verdictOf(report, lists);
}

/** Files of at least this many bytes are read one at a time, so that they do not fill the memory. */
const largeFile = 16 * 1024 ** 2;

function verdictOf(report: Report, lists: ReadonlyMap<string, EventList>): Verdict {
  const { problems, files, documents } = report;
  const filtered = [...lists.values()].filter(({ isFiltered }) => isFiltered).length;
  return { problems: problems.toSorted(compareProblems), files, documents, filtered, notes: report.notes() };
}

interface Expected {
  readonly entry: ManifestEntry;
  readonly isOnHost: boolean;
  /** Where lists of events under way and of announcements are collected, by path. */
  readonly others: Map<string, OtherList>;
  /** When the file was requested, in milliseconds since the Unix epoch. */
  readonly now: number;
}

/** Checks one file by itself. Returns the facts for the cross-check if it is a list of events, otherwise null. */
function checkFile(
  report: Report,
  path: string,
  bytes: Buffer | null,
  { entry, isOnHost, now, others }: Expected,
): EventList | null {
  report.files++;
  const schema = documentSchemas.find(([pattern]) => pattern.test(path))?.[1];
  const isSame = bytes !== null && isAsPublished(bytes, entry);
  const isFiltered = !isSame && bytes !== null && isOnHost && (schema === 'Events' || schema === 'Now');
  if (!isSame && !isFiltered) {
    report.addDifference(path, bytes, entry);
    return null;
  }
  if (schema === undefined) return null;
  report.documents++;
  const document = parse(bytes);
  if (!report.requireSchema(path, schemas[schema], document)) return null;
  if (schema === 'Now' || schema === 'Announced') {
    const list = document as NowDocument | AnnouncedDocument;
    others.set(path, checkOther(report, path, list, { isChanged: isFiltered, now }));
  }
  if (schema !== 'Events') return null;
  return checkList(report, path, document as EventsDocument, { isFiltered, now });
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

/** Whether a site has the files that `"bulk": false` in service.json leaves out. */
function hasBulk({ files }: Manifest): boolean {
  return rows.some(({ isBulk, path }) => isBulk && Object.hasOwn(files, path));
}

/** Returns the path of a row, or nothing if it belongs to a category or genre. */
function pathOnEverySite({ path }: Row): string[] {
  return path === manifestPath || path.includes('{') ? [] : [path];
}

/** Whether a file is so large that it is read in blocks, and is only compared by hash. */
function isBulky(path: string, { bytes }: ManifestEntry): boolean {
  return bytes > largeFile && !/\.(json|br|gz)$/.test(path);
}

async function checkBlocks(
  report: Report,
  path: string,
  entry: ManifestEntry,
  blocks: Iterable<Buffer> | AsyncIterable<Buffer> | null,
): Promise<void> {
  report.files++;
  const sum = createHash('sha256');
  let bytes = 0;
  for await (const block of blocks ?? []) {
    bytes += block.length;
    sum.update(block);
  }
  if (blocks === null) report.add(path, { code: 'site-file-missing' });
  else if (bytes !== entry.bytes || sum.digest('hex') !== entry.sha256)
    report.add(path, { code: 'site-file-changed', bytes, listed: entry.bytes });
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

/** The schemas of documents by the pattern of their paths. Other files are only compared by hash. */
const documentSchemas = rows.flatMap(({ path, schema }) =>
  schema === null ? [] : [[pathPattern(path), schema] as const],
);

/** The patterns of files of genres that are checked together with the files that are joined from them. */
const joinedOfGenre = joinedFormats.map(({ format }) => pathPattern(formatPath(format, { genre: '{genre}' })));

/** Returns the pattern of the paths of a row, in which `{category}` and `{genre}` stand for ids. */
function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);
}

/** Whether a name in the path begins with a dot. Some hosts refuse to serve such files. */
function isHidden(path: string): boolean {
  return path.split('/').some((name) => name.startsWith('.'));
}
