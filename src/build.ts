import { hash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import type { ChangesDocument, ManifestEntry } from './api/documents.ts';
import { maxEvents } from './api/paths.ts';
import type { SiteFile } from './api/site-file.ts';
import { renderInThreads, resultOf, shareGenres, type GenresResult, type Threads } from './build-part.ts';
import type { Category, Service, Totals } from './catalogue/model.ts';
import { day, isoInstant } from './catalogue/time/time.ts';
import { readBaseUrl, withoutCredentials } from './catalogue/url.ts';
import { findChanges } from './deploy/find-changes.ts';
import { guardAgainst, type Guard } from './deploy/guard.ts';
import { SiteEvents } from './deploy/site-events.ts';
import { openSite } from './deploy/site.ts';
import { assertReplaceable } from './output/replaceable.ts';
import { StagingArea, type SiteSize } from './output/staging.ts';
import { replaceSite } from './output/swap.ts';
import type { PartNumber } from './parts/choose.ts';
import { readFiles, readParts, storePart } from './parts/part.ts';
import type { PartStore } from './parts/store.ts';
import { compareProblems, ProblemError, type Problem } from './problem/problem.ts';
import { joinGenreFiles } from './render/joined-files.ts';
import { pageContext } from './render/pages/context.ts';
import { renderPages } from './render/pages/pages.ts';
import { renderSite } from './render/site.ts';
import { sumUp, type Summary } from './render/summary.ts';
import { openData, type DataFolder, type ReadOptions } from './source/data.ts';
import { diskProblem } from './system/failure.ts';
import { removeTree } from './system/files.ts';

interface CheckOptions extends Omit<ReadOptions, 'limit'> {
  /** Over the base URL in service.json. `from` names the option or variable, for the message about a bad value. */
  readonly baseUrl: { readonly found: string; readonly from: string } | null;
  /** The base URL if neither `baseUrl` nor service.json gives one. */
  readonly ownAddress?: string;
  /** The age of the copy of a remote source, in milliseconds, from which it is a warning. Default: two weeks. */
  readonly maxAge?: number | undefined;
  /** Whether warnings are problems. */
  readonly strict?: boolean | undefined;
  /** Called after each genre with the number of genres done and the number of all. */
  readonly onGenre?: ((done: number, of: number) => void) | undefined;
}

/** How to put a site together, whoever rendered its genres. */
export interface SiteOptions {
  /** The absolute path of the data folder, which a site must not replace. */
  readonly data: string;
  readonly out: string;
  readonly generator: string;
  readonly dryRun: boolean;
  /** The files below `assets/`, which the pages load. */
  readonly assets: readonly SiteFile[];
  /** Returns the reasons why a site of this size must not replace the previous one. */
  readonly refuse?: (size: SiteSize) => readonly Problem[];
  /** Whether the site survives a power loss after the build. Default: true. */
  readonly isDurable?: boolean | undefined;
  /** Whether to add compressed copies. */
  readonly compress?: boolean;
  /** The published site that the new one must not fall far short of. */
  readonly guard?: Guard | null | undefined;
}

export interface BuildOptions extends CheckOptions, SiteOptions {
  /** The threads that render the site. Default: this one. */
  readonly threads?: Pick<Threads, 'jobs' | 'cwd'>;
}

/** Which part of a site to render, and where to store it. */
export interface PartOptions extends Omit<BuildOptions, 'out' | 'assets'> {
  readonly part: PartNumber;
  readonly store: PartStore;
}

export interface JoinOptions extends SiteOptions {
  /** Where the parts are. */
  readonly store: PartStore;
}

/** What the build of a part did. */
export interface PartReport {
  readonly part: PartNumber;
  readonly genres: number;
  readonly files: number;
  readonly warnings: readonly Problem[];
}

/** What a build did. */
export interface BuildReport extends SiteSize {
  readonly totals: Totals;
  readonly baseUrl: string;
  /** Announced events without a real date. */
  readonly announced: number;
  /** Upcoming events whose clock time has no zone, so that only their date is published. */
  readonly floating: number;
  /** Upcoming events that a calendar marks as private. They are published all the same. */
  readonly private: number;
  readonly lastSync: string;
  /** Whether there was a site to compare with. Null if none was named. */
  readonly isGuarded: boolean | null;
  /**
   * Remote sources that failed, with what is published in their place, invalid events that were left out, doubtful
   * dates, and what did not work after the new site was in place.
   */
  readonly warnings: readonly Problem[];
}

/**
 * Builds the site: read → render → write → swap, one genre at a time.
 * Throws a {@link ProblemError} with every problem. The previous site then stays.
 */
export async function build(options: BuildOptions): Promise<BuildReport> {
  return orDiskProblem(async () => {
    const data = await openData({ ...options, limit: maxEvents });
    const catalogue = catalogueOf(data, options);
    const render = async (staging: StagingArea): Promise<readonly GenresResult[]> =>
      renderInThreads(data, data.genres, staging, threadsOf(options, catalogue), options.onGenre);
    return replaceBy(options, catalogue, render);
  });
}

/**
 * Renders one part of the site and stores it: its genres are about as many bytes as those of any other part. Throws a
 * {@link ProblemError} with every problem of the part, which is then stored with them.
 */
export async function buildPart(options: PartOptions): Promise<PartReport> {
  return orDiskProblem(async () => {
    const { part, store, dryRun, generator, now } = options;
    const data = await openData({ ...options, limit: maxEvents });
    const genres = shareGenres(data, data.genres, part.of)[part.number - 1] ?? [];
    const catalogue = catalogueOf(data, options);
    const folder = mkdtempSync(joinPath(tmpdir(), 'almanac-part-'));
    try {
      const staging = new StagingArea(dryRun ? null : { folder, previous: joinPath(folder, 'none') });
      const threads = { ...threadsOf(options, catalogue), isDurable: false };
      const results = await renderInThreads(data, genres, staging, threads, options.onGenre);
      const { problems, warnings } = findingsOf(catalogue, results);
      const files = problems.length === 0 ? staging.entries : new Map<string, ManifestEntry>();
      const content: PartContent = { catalogue, results };
      const identity = { generator, now, catalogue: identify(data, catalogue) };
      if (!dryRun) await storePart(store, { ...identity, part, content }, folder, files);
      if (problems.length > 0) throw new ProblemError(problems);
      return { part, genres: genres.length, files: files.size, warnings };
    } finally {
      removeTree(folder);
    }
  });
}

/** Puts the parts of a site together. Throws a {@link ProblemError} with the problems of all parts. */
export async function join(options: JoinOptions): Promise<BuildReport> {
  return orDiskProblem(async () => {
    const { store } = options;
    const parts = await readParts<PartContent>(store, options.generator);
    const results = parts.flatMap(({ content }) => content.results);
    const write = async (staging: StagingArea): Promise<readonly GenresResult[]> => {
      if (results.some(({ problems }) => problems.length > 0)) return results;
      for (const part of parts) {
        for await (const { path, bytes } of readFiles(store, part)) staging.write(path, bytes);
      }
      return results;
    };
    return replaceBy(options, parts[0].content.catalogue, write);
  });
}

/** Replaces the site by one whose genres `render` adds. */
async function replaceBy(
  options: SiteOptions,
  catalogue: Catalogue,
  render: (staging: StagingArea) => Promise<readonly GenresResult[]>,
): Promise<BuildReport> {
  const { keep } = catalogue;
  const assertOut = (staging: StagingArea | null): void =>
    assertReplaceable({ ...options, keep, isStaged: staging && ((path) => staging.has(path)) });
  assertOut(null);
  const fill = async (staging: StagingArea): Promise<BuildReport> =>
    completeSite(options, catalogue, await render(staging), staging);
  if (options.dryRun) return fill(new StagingArea(null));
  const isDurable = options.isDurable !== false;
  const { result, warnings } = await replaceSite(options.out, { check: assertOut, isDurable }, fill);
  return { ...result, warnings: [...result.warnings, ...warnings] };
}

/** Adds what lies above the genres, and the manifest. */
async function completeSite(
  options: SiteOptions,
  catalogue: Catalogue,
  results: readonly GenresResult[],
  staging: StagingArea,
): Promise<BuildReport> {
  const { service, categories, keep, baseUrl, lastSync, now } = catalogue;
  const { problems, warnings } = findingsOf(catalogue, results);
  if (problems.length > 0 || typeof baseUrl !== 'string') throw new ProblemError(problems);

  const summaries = results.map((result) => result.summaries);
  const summary = sumUp(categories, summaries);
  const bytesOf = (path: string): number => staging.entries.get(path)?.bytes ?? 0;
  for (const part of joinGenreFiles(summary, service.isBulk, bytesOf)) staging.append(part);
  const compared = options.guard ? await compareWith(options.guard, summary, lastSync, now) : null;
  const log = service.isBulk ? await continueLog(options.guard, results, staging, catalogue) : null;
  const context = pageContext(service, baseUrl, categories, summary.genres);
  for (const file of renderSite(summary, { context, lastSync, log, assets: options.assets })) staging.add(file);
  const pages = results.map((result) => result.pages);
  for (const file of renderPages(context, summary, { pages, log }, staging.entries.keys())) staging.add(file);
  staging.carryOver(keep);
  if (options.compress) await staging.compress();
  const size = staging.finish(options.generator);
  const refusals = options.refuse?.(size) ?? [];
  if (refusals.length > 0) throw new ProblemError(refusals);
  const { floating, totals } = summary.everything;
  const privateEvents = results.reduce((total, result) => total + result.privateEvents, 0);
  const counts = { announced: totals.announced, floating, private: privateEvents };
  return {
    totals: summary.totals,
    baseUrl,
    ...counts,
    ...size,
    lastSync,
    ...guardReport(options.guard, compared, warnings),
  };
}

/** Compares the new site with the previous one, and continues its change log. A dry run has no files to compare. */
async function continueLog(
  guard: Guard | null | undefined,
  results: readonly GenresResult[],
  staging: StagingArea,
  { now, lastSync }: Catalogue,
): Promise<ChangesDocument> {
  const folder = staging.folders?.folder;
  const staged = folder === undefined ? null : await SiteEvents.open(openSite(folder, folder));
  const announced = new Map(results.flatMap(({ unlisted }) => [...unlisted.announced]));
  const cancelled = new Set(results.flatMap(({ unlisted }) => unlisted.cancelled));
  return findChanges(guard?.against ?? null, { events: staged, announced, cancelled, lastSync }, now);
}

/** What a report says about the comparison with the previous site. */
function guardReport(
  guard: Guard | null | undefined,
  compared: 'nothing' | 'lists' | 'everything' | null,
  warnings: readonly Problem[],
): Pick<BuildReport, 'isGuarded' | 'warnings'> {
  const site = guard?.against.name ?? '';
  const partial: readonly Problem[] = compared === 'lists' ? [{ code: 'site-without-bulk', place: null, site }] : [];
  return { isGuarded: compared === null ? null : compared !== 'nothing', warnings: [...warnings, ...partial] };
}

/** What a build knows about the catalogue before it reads a genre. */
interface Catalogue {
  readonly service: Service;
  readonly categories: readonly Category[];
  readonly keep: readonly string[];
  /** A problem if there is none. Null if service.json is invalid, which is reported on its own. */
  readonly baseUrl: string | Problem | null;
  readonly lastSync: string;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** Remote sources that failed, and those whose copy is missing or old. */
  readonly stale: readonly Problem[];
  /** Whether warnings are problems. */
  readonly isStrict: boolean;
}

/** What a stored part has besides its files. */
interface PartContent {
  readonly catalogue: Catalogue;
  readonly results: readonly GenresResult[];
}

function catalogueOf(data: DataFolder, options: CheckOptions): Catalogue {
  const { service, categories, keep } = data;
  return {
    service,
    categories,
    keep,
    baseUrl: chooseBaseUrl(options, data.baseUrl),
    lastSync: data.lastSync ?? isoInstant(options.now),
    now: options.now,
    stale: data.findStale(options.maxAge ?? twoWeeks),
    isStrict: options.strict === true,
  };
}

/** Returns a hash of the options and of every source: of the contents that all parts read, and of the size of the others. */
function identify(data: DataFolder, catalogue: Catalogue): string {
  const genres = data.genres.map((genre) => [genre.genre, data.sourcesOf(genre)]);
  return hash('sha256', JSON.stringify([catalogue, genres]));
}

function threadsOf(
  { threads, now, isDurable }: Pick<BuildOptions, 'threads' | 'now' | 'isDurable'>,
  { service, baseUrl }: Catalogue,
): Threads {
  // Without a base URL, nothing is published.
  const address = typeof baseUrl === 'string' ? baseUrl : '';
  const authority = service.authority ?? (address === '' ? '' : new URL(address).hostname);
  return { ...(threads ?? { jobs: 1, cwd: '' }), now, isDurable: isDurable !== false, authority, baseUrl: address };
}

async function orDiskProblem<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw diskProblem(error, 'write-failed');
  }
}

/** What a check found. */
export interface CheckReport {
  readonly problems: readonly Problem[];
  /** What does not stop a build: remote sources that fail, events that are left out, doubtful dates. */
  readonly warnings: readonly Problem[];
}

/** Returns what the genres that were read, the remote sources and the base URL have of problems and warnings. */
function findingsOf(
  { baseUrl, stale, isStrict }: Catalogue,
  results: readonly Omit<GenresResult, 'summaries' | 'unlisted' | 'pages'>[],
): CheckReport {
  // What is wrong with the data folder as a whole is in each result.
  const all = results.flatMap(({ problems }) => problems);
  const problems = [...new Map(all.map((problem) => [JSON.stringify(problem), problem])).values()];
  const warnings = [...stale, ...results.flatMap((result) => result.warnings).toSorted(compareProblems)];
  const ofBaseUrl = typeof baseUrl === 'string' || baseUrl === null ? [] : [baseUrl];
  return {
    problems: [...problems.toSorted(compareProblems), ...(isStrict ? warnings : []), ...ofBaseUrl],
    warnings,
  };
}

const twoWeeks = 14 * day;

/** Reads the whole data folder and returns everything for which a build would fail or warn. Writes nothing. */
export async function check(options: CheckOptions): Promise<CheckReport> {
  const data = await openData({ ...options, limit: maxEvents });
  for (const [index, genre] of data.genres.entries()) {
    await data.readGenre(genre);
    options.onGenre?.(index + 1, data.genres.length);
  }
  return findingsOf(catalogueOf(data, options), [resultOf(data)]);
}

/** Returns the base URL and the name that a site built with these options has. Throws the problems of a bad base URL. */
export async function describeService(
  options: Pick<BuildOptions, 'data' | 'displayPath' | 'baseUrl'>,
): Promise<{ readonly baseUrl: string; readonly name: string }> {
  const data = await openData({ ...options, now: 0, limit: maxEvents });
  const baseUrl = chooseBaseUrl(options, data.baseUrl);
  if (typeof baseUrl === 'string') return { baseUrl, name: data.service.name };
  throw new ProblemError(baseUrl === null ? data.problems() : [...data.problems(), baseUrl]);
}

async function compareWith(guard: Guard, summary: Summary, lastSync: string, now: number) {
  return guardAgainst(guard, { ...summary, totals: { ...summary.totals, last_sync: lastSync } }, now);
}

/** Returns null if the base URL is not known because service.json is invalid, which is reported on its own. */
function chooseBaseUrl(
  { baseUrl: given, ownAddress }: Pick<CheckOptions, 'baseUrl' | 'ownAddress'>,
  inService: string | null | undefined,
): string | Problem | null {
  const chosen = given ?? (inService == null ? null : { found: inService, from: 'service.json' });
  if (chosen === null && inService === undefined) return null;
  if (chosen === null) return ownAddress ?? { code: 'base-url-missing', place: null };
  const { found, from } = chosen;
  return readBaseUrl(found) ?? { code: 'bad-base-url', place: null, found: withoutCredentials(found), from };
}
