import { hash } from 'node:crypto';
import { join as joinPath } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { calendarLimit } from '../api/paths.ts';
import { completeSite, openLogOf, openTarget, type BuildReport } from './build.ts';
import { checkData, findingsOf } from './check.ts';
import {
  planCatalogue,
  planOutput,
  planRender,
  type BuildOptions,
  type CataloguePlan,
  type OutputOptions,
} from './options.ts';
import { GenresBuilder, renderInThreads, shareGenres } from './threads.ts';
import { StagingArea } from '../output/staging.ts';
import type { PartContent } from './part-content.ts';
import {
  beginRun,
  damaged,
  filesOf,
  listParts,
  nameOf,
  readPartContent,
  rememberHash,
  removeParts,
  storePart,
  type PartNumber,
  type PartStore,
  type StoredPart,
} from './part-store.ts';
import { ProblemError, type Problem } from '../problem/problem.ts';
import { openData, type DataFolder } from '../source/data.ts';
import { hashSource } from '../source/text.ts';
import { orDiskProblem } from '../system/failure.ts';
import { realPath, removeTree } from '../system/files.ts';

/** Which part of a site to render, and where to store it. */
export interface PartOptions extends Omit<BuildOptions, 'assets'> {
  readonly part: PartNumber;
  readonly store: PartStore;
}

/** What the build of a part did. */
export interface PartReport {
  readonly part: PartNumber;
  readonly genres: number;
  readonly files: number;
  readonly warnings: readonly Problem[];
}

/**
 * Renders one part of the site and stores it: its genres have about as many bytes as those of any other part. Throws a
 * {@link ProblemError} with every problem of the part, which is then stored with them.
 */
export async function buildPart(options: PartOptions): Promise<PartReport> {
  return orDiskProblem('write-failed', async () => {
    const { part, store, dryRun } = options;
    const data = openData({ ...options, limit: calendarLimit });
    const catalogue = planCatalogue(options, data);
    if (catalogue === null) throw new ProblemError((await checkData(options, data)).problems);
    const run = dryRun ? null : beginRun(store, part);
    const { problems, ...report } = await renderPart(options, data, catalogue, run).catch((error: unknown) => {
      if (run !== null) removeTree(joinPath(store.folder, run));
      throw error;
    });
    if (problems.length > 0) throw new ProblemError(problems);
    return { part, ...report };
  });
}

/** Renders a part into the folder of a run, and stores it. In a dry run there is no folder. */
async function renderPart(options: PartOptions, data: DataFolder, catalogue: CataloguePlan, run: string | null) {
  const { part, store, generator, out } = options;
  const genres = shareGenres(data, data.genres, part.of)[part.number - 1] ?? [];
  const folders = run === null ? null : { folder: filesOf(store, run), previous: realPath(out) };
  const staging = new StagingArea(folders);
  const plan = { ...catalogue, ...planRender(options) };
  const result = await renderInThreads(plan, data, genres, await openLogOf(plan), staging);
  const { problems, warnings } = findingsOf(catalogue, result);
  const isValid = problems.length === 0;
  if (folders !== null && !isValid) removeTree(folders.folder);
  if (isValid && plan.isDurable) await staging.flush();
  if (run !== null) {
    const identity = { ...builderOf(generator), now: catalogue.now, ...identify(data, catalogue, options) };
    const files = isValid ? Object.fromEntries(staging.entries) : {};
    storePart(store, { ...identity, part, run }, { catalogue, result, files });
  }
  return { genres: genres.length, files: staging.entries.size, warnings, problems };
}

export interface JoinOptions extends OutputOptions {
  /** Where the parts are. */
  readonly store: PartStore;
  /** The time that the parts must have, in milliseconds since the Unix epoch. Null for any. */
  readonly now: number | null;
}

/**
 * Joins the parts of a site, whose files become those of the site: the store is empty then. Throws a
 * {@link ProblemError} with the problems of all parts, which then stay.
 */
export async function join(options: JoinOptions): Promise<BuildReport> {
  const { store, generator, now, dryRun } = options;
  return orDiskProblem('write-failed', async () => {
    const parts = listParts(store, { ...builderOf(generator), now });
    const report = await joinAll(options, parts);
    if (!dryRun) removeParts(store);
    return report;
  });
}

async function joinAll(options: JoinOptions, parts: readonly StoredPart[]): Promise<BuildReport> {
  const { catalogue, genres, files } = addUp(options.store, parts);
  const plan = { ...catalogue, ...planOutput(options) };
  const site = openTarget(plan);
  try {
    for (const [folder, entries] of files) site.staging.adopt(Object.entries(entries), folder);
    return await completeSite(plan, genres, await openLogOf(plan), site);
  } finally {
    site.close();
  }
}

/** Adds up the contents of parts. Only one of them at a time is in memory. */
function addUp(store: PartStore, parts: readonly StoredPart[]) {
  const files = new Map<string, PartContent['files']>();
  let sum: { readonly catalogue: CataloguePlan; readonly genres: GenresBuilder } | null = null;
  for (const part of parts) {
    try {
      const { catalogue, result, files: ofPart } = readPartContent(store, part);
      sum ??= { catalogue, genres: new GenresBuilder(catalogue) };
      if (!isDeepStrictEqual(catalogue, sum.catalogue)) throw new Error('its catalogue is not that of the other parts');
      sum.genres.add(result);
      files.set(filesOf(store, part.run), ofPart);
    } catch (error) {
      // The store is not trusted: whatever a part says, the answer is a problem and not a stack trace.
      if (error instanceof ProblemError) throw error;
      throw damaged(store, nameOf(part), `what it says cannot be added up (${String(error)})`);
    }
  }
  if (sum === null) throw new Error('a build without parts was not refused');
  return { catalogue: sum.catalogue, genres: sum.genres.build(), files };
}

/** Dates, times and their wording on the pages depend on the zone and language data of Node.js. */
function builderOf(generator: string): Pick<StoredPart, 'generator' | 'zones'> {
  const { tz, icu } = process.versions;
  return { generator, zones: `tzdata ${tz}, ICU ${icu}` };
}

/** Returns a hash of the options, and one of the path and the content of every source, also of those of other parts. */
function identify(data: DataFolder, catalogue: CataloguePlan, { maxAge, store }: PartOptions) {
  const { baseUrl, authority: _, isStrict, isVerbose, ...named } = catalogue;
  const sources = data.genres.map((genre) => [genre.genre, data.sourcesOf(genre)] as const);
  const hashes = rememberHash(store, hashOf(sources), () =>
    hashOf(
      sources.map(([genre, files]) => [genre, files.map(({ path }) => [path, hashSource(`${data.folder}/${path}`)])]),
    ),
  );
  return { options: hashOf([baseUrl, isStrict, isVerbose, maxAge]), sources: hashOf([named, hashes]) };
}

function hashOf(value: unknown): string {
  return hash('sha256', JSON.stringify(value));
}
