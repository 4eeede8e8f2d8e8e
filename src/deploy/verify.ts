import type { EventsDocument, Manifest } from '../api/documents.ts';
import { calendarPath } from '../api/formats.ts';
import {
  documentPath,
  indexPath,
  manifestPath,
  notFoundPagePath,
  notFoundPath,
  openapiPath,
  operationPath,
  operations,
  root,
} from '../api/paths.ts';
import {
  categoriesDocumentSchema,
  eventsDocumentSchema,
  genresDocumentSchema,
  indexDocumentSchema,
  manifestSchema,
  problemSchema,
} from '../api/schemas.ts';
import { inParallel } from '../system/parallel.ts';
import { compareProblems, ProblemError, type Problem } from '../problem/problem.ts';
import { readDocument, type Site } from './site.ts';
import { readEvents, type EventList } from './verify-lists.ts';
import { isListed, Report, type Found, type Schema } from './verify-report.ts';
import { crossCheck, readDocuments } from './verify-totals.ts';

export interface Verdict {
  readonly problems: readonly Problem[];
  /** Files whose bytes were compared with the manifest. */
  readonly files: number;
  /** Of these, the documents that were held to a schema. */
  readonly documents: number;
  /** Of these, the lists of which the host leaves out what is over by now. */
  readonly cut: number;
}

/**
 * Whether a site is whole: every file is the one that its manifest lists, every document fits its schema
 * (specification 2), and the documents agree with each other. A site of which nothing could be checked is not whole.
 * Where a host runs code it leaves events out of lists once they are over: such a list is held to its calendar.
 *
 * @param now milliseconds since 1970, whenever it is asked
 */
export async function verifySite(
  site: Site,
  now: () => number,
  onFile?: (done: number, of: number) => void,
): Promise<Verdict> {
  const manifest = await readDocument<Manifest>(site, manifestPath);
  if (manifest === null) throw new ProblemError([{ code: 'site-missing', place: null, site: site.name }]);
  const report = new Report(site.name);
  if (!report.check(manifestPath, manifestSchema, manifest)) return verdictOf(report);
  const listing = site.list();
  const paths = Object.keys(manifest.files).filter((path) => listing !== null || !isHidden(path));
  report.findStrays(manifest, listing ?? []);
  const lists = new Map<string, EventList>();
  await inParallel(paths, site.lanes, async (path) => {
    const bytes = await site.read(path);
    const mayBeCut = listing === null && schemaOf(path) === eventsDocumentSchema;
    const found = report.compare(path, bytes, manifest.files[path], mayBeCut);
    if (found !== null) readKnown(report, path, found, lists);
    onFile?.(report.files, paths.length);
  });
  if (report.documents === 0) report.add(manifestPath, { code: 'site-empty' });
  else report.findMissing(manifest, onEverySite);
  if (report.problems.length === 0) {
    const calendars = await readCalendars(site, manifest, lists);
    crossCheck(report, manifest, await readDocuments(site), { lists, calendars, now: now() });
  }
  return verdictOf(report, lists);
}

function verdictOf({ problems, files, documents: checked }: Report, lists?: ReadonlyMap<string, EventList>): Verdict {
  const shorter = [...(lists?.values() ?? [])].filter(({ cut }) => cut).length;
  return { problems: problems.toSorted(compareProblems), files, documents: checked, cut: shorter };
}

/** The calendars beside the lists that are cut, those that are as the manifest has them. */
async function readCalendars(
  site: Site,
  { files }: Manifest,
  lists: ReadonlyMap<string, EventList>,
): Promise<ReadonlyMap<string, string>> {
  const calendars = new Map<string, string>();
  const paths = new Set([...lists.values()].flatMap(({ cut, filters }) => (cut ? calendarPath(filters) : [])));
  await inParallel([...paths], site.lanes, async (path) => {
    const bytes = await site.read(path);
    if (bytes !== null && isListed(bytes, files[path])) calendars.set(path, bytes.toString());
  });
  return calendars;
}

/** What every site has, beside what its categories and genres bring. */
const onEverySite: readonly string[] = [
  ...operations.flatMap((operation) => [documentPath({ operation }), operationPath(operation)]),
  indexPath,
  openapiPath,
  calendarPath({}),
  `${root}/index.html`,
  'index.html',
  notFoundPagePath,
  notFoundPath,
  '.nojekyll',
];

/** Which documents there are, by path. Any other file is held to the manifest alone. */
const documents: readonly (readonly [RegExp, Schema])[] = [
  [pathsLike(indexPath), indexDocumentSchema],
  [pathsLike(`${root}/categories(.json)?`), categoriesDocumentSchema],
  [pathsLike(`${root}/((category/{id}/)?genres.json|genres)`), genresDocumentSchema],
  [pathsLike(`${root}/((category/{id}/)?(genre/{id}/)?events.json|events)`), eventsDocumentSchema],
  [pathsLike(notFoundPath), problemSchema],
];

/** A pattern of whole paths, in which a dot is a dot. */
function pathsLike(written: string): RegExp {
  return new RegExp(`^${written.replaceAll('.', '\\.').replaceAll('{id}', '[^/]+')}$`);
}

/** A host may refuse to serve names that begin with a dot. */
function isHidden(path: string): boolean {
  return path.split('/').some((name) => name.startsWith('.'));
}

function schemaOf(path: string): Schema | undefined {
  return documents.find(([pattern]) => pattern.test(path))?.[1];
}

function readKnown(report: Report, path: string, found: Found, lists: Map<string, EventList>): void {
  const schema = schemaOf(path);
  if (schema === undefined) return;
  report.documents++;
  const document = parse(found.bytes);
  if (!report.check(path, schema, document) || schema !== eventsDocumentSchema) return;
  lists.set(path, readEvents(report, path, document as EventsDocument, found.isListed));
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
