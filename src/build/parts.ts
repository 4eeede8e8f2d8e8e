import { hash } from 'node:crypto';
import { join as joinPath } from 'node:path';
import type { ManifestEntry } from '../api/documents.ts';
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
import { readFiles, readParts, storePart } from './part-files.ts';
import type { Builder, PartContent, PartNumber } from './part-store.ts';
import type { PartStore } from './part-store.ts';
import { ProblemError, type Problem } from '../problem/problem.ts';
import { openData, type DataFolder } from '../source/data.ts';
import { hashSource } from '../source/text.ts';
import { orDiskProblem } from '../system/failure.ts';
import { removeTree } from '../system/files.ts';
import { makeWorkingFolder } from '../system/leftovers.ts';

/** Which part of a site to render, and where to store it. */
export interface PartOptions extends Omit<BuildOptions, 'out' | 'assets'> {
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
    const { part, store, dryRun, generator } = options;
    const data = await openData({ ...options, limit: calendarLimit });
    const catalogue = planCatalogue(options, data);
    if (catalogue === null) throw new ProblemError((await checkData(options, data)).problems);
    const genres = shareGenres(data, data.genres, part.of)[part.number - 1] ?? [];
    const folder = makeWorkingFolder();
    try {
      const staging = new StagingArea(dryRun ? null : { folder, previous: joinPath(folder, 'none') });
      const plan = { ...catalogue, ...planRender({ ...options, isDurable: false }) };
      const result = await renderInThreads(plan, data, genres, await openLogOf(plan), staging);
      const { problems, warnings } = findingsOf(catalogue, result);
      const files = problems.length === 0 ? staging.entries : new Map<string, ManifestEntry>();
      const content: PartContent = { catalogue, result };
      const identity = { ...builderOf(generator), now: catalogue.now, ...identify(data, catalogue, options) };
      if (!dryRun) await storePart(store, { ...identity, part, content }, folder, files);
      if (problems.length > 0) throw new ProblemError(problems);
      return { part, genres: genres.length, files: files.size, warnings };
    } finally {
      removeTree(folder);
    }
  });
}

export interface JoinOptions extends OutputOptions {
  /** Where the parts are. */
  readonly store: PartStore;
  /** The time that the parts must have, in milliseconds since the Unix epoch. Null for any. */
  readonly now: number | null;
}

/** Joins the parts of a site. Throws a {@link ProblemError} with the problems of all parts. */
export async function join(options: JoinOptions): Promise<BuildReport> {
  return orDiskProblem('write-failed', async () => {
    const { store, generator, now } = options;
    const { parts, sum } = await readParts(store, { ...builderOf(generator), now }, addPart);
    const plan = { ...sum.catalogue, ...planOutput(options) };
    const genres = sum.genres.build();
    const site = openTarget(plan);
    try {
      for (const part of genres.problems.length === 0 ? parts : []) {
        for await (const { path, bytes } of readFiles(store, part)) site.staging.write(path, bytes);
      }
      return await completeSite(plan, genres, await openLogOf(plan), site);
    } finally {
      site.close();
    }
  });
}

/** Adds the content of a part to the sum of the previous ones, so that only one part at a time is in memory. */
function addPart(sum: Sum | null, { catalogue, result }: PartContent): Sum {
  const { genres } = sum ?? { genres: new GenresBuilder(catalogue) };
  genres.add(result);
  return { catalogue, genres };
}

interface Sum {
  /** The same in all parts. */
  readonly catalogue: CataloguePlan;
  readonly genres: GenresBuilder;
}

/** Dates, times and their wording on the pages depend on the zone and language data of Node.js. */
function builderOf(generator: string): Builder {
  const { tz, icu } = process.versions;
  return { generator, zones: `tzdata ${tz}, ICU ${icu}` };
}

/** Returns a hash of the options, and one of the path and the content of every source, also of those of other parts. */
function identify(data: DataFolder, catalogue: CataloguePlan, { maxAge }: PartOptions) {
  const { baseUrl, authority: _, isStrict, isVerbose, ...named } = catalogue;
  const genres = data.genres.map((genre) => [
    genre.genre,
    data.sourcesOf(genre).map(({ path }) => [path, hashSource(`${data.folder}/${path}`)]),
  ]);
  return { options: hashOf([baseUrl, isStrict, isVerbose, maxAge]), sources: hashOf([named, genres]) };
}

function hashOf(value: unknown): string {
  return hash('sha256', JSON.stringify(value));
}
