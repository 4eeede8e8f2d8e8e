import { hash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import type { ManifestEntry } from './api/documents.ts';
import { maxEvents } from './api/paths.ts';
import type { BuildOptions, BuildReport, SiteOptions } from './build-options.ts';
import { GenresBuilder, renderInThreads, shareGenres, threadsOf, type GenresResult } from './build-part.ts';
import { replaceBy } from './build.ts';
import { catalogueOf, findingsOf, type Catalogue } from './check.ts';
import { StagingArea } from './output/staging.ts';
import type { PartNumber } from './parts/choose.ts';
import { readFiles, readParts, storePart, type Builder } from './parts/part.ts';
import type { PartStore } from './parts/store.ts';
import { ProblemError, type Problem } from './problem/problem.ts';
import { openData, type DataFolder } from './source/data.ts';
import { hashSource } from './source/text.ts';
import { orDiskProblem } from './system/failure.ts';
import { removeTree } from './system/files.ts';

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
    const { part, store, dryRun, generator, now } = options;
    const data = await openData({ ...options, limit: maxEvents });
    const genres = shareGenres(data, data.genres, part.of)[part.number - 1] ?? [];
    const catalogue = catalogueOf(data, options);
    const folder = mkdtempSync(joinPath(tmpdir(), 'almanac-part-'));
    try {
      const staging = new StagingArea(dryRun ? null : { folder, previous: joinPath(folder, 'none') });
      const threads = { ...threadsOf(options, catalogue), isDurable: false };
      const result = await renderInThreads(data, genres, staging, threads, options.onGenre);
      const { problems, warnings } = findingsOf(catalogue, result);
      const files = problems.length === 0 ? staging.entries : new Map<string, ManifestEntry>();
      const content: PartContent = { catalogue, result };
      const identity = { ...builderOf(generator), now, ...identify(data, catalogue, options) };
      if (!dryRun) await storePart(store, { ...identity, part, content }, folder, files);
      if (problems.length > 0) throw new ProblemError(problems);
      return { part, genres: genres.length, files: files.size, warnings };
    } finally {
      removeTree(folder);
    }
  });
}

export interface JoinOptions extends SiteOptions {
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
    const result = sum.genres.build();
    const write = async (staging: StagingArea): Promise<GenresResult> => {
      if (result.problems.length > 0) return result;
      for (const part of parts) {
        for await (const { path, bytes } of readFiles(store, part)) staging.write(path, bytes);
      }
      return result;
    };
    return replaceBy(options, sum.catalogue, write);
  });
}

/** Adds the content of a part to the sum of the previous ones, so that only one part at a time is in memory. */
function addPart(sum: Sum | null, content: unknown): Sum {
  const { catalogue, result } = content as PartContent;
  const { genres } = sum ?? { genres: new GenresBuilder(catalogue) };
  genres.add(result);
  return { catalogue, genres };
}

interface Sum {
  /** The same in all parts. */
  readonly catalogue: Catalogue;
  readonly genres: GenresBuilder;
}

/** What a stored part has besides its files. */
interface PartContent {
  readonly catalogue: Catalogue;
  readonly result: GenresResult;
}

/** Dates, times and their wording on the pages depend on the zone and language data of Node.js. */
function builderOf(generator: string): Builder {
  const { tz, icu } = process.versions;
  return { generator, zones: `tzdata ${tz}, ICU ${icu}` };
}

/**
 * Returns a hash of the options, and one of the path and the content of every source, including those of other parts.
 */
function identify(data: DataFolder, catalogue: Catalogue, { maxAge }: PartOptions) {
  const { baseUrl, isStrict, isVerbose, ...named } = catalogue;
  const genres = data.genres.map((genre) => [
    genre.genre,
    data.sourcesOf(genre).map(({ path }) => [path, hashSource(`${data.folder}/${path}`)]),
  ]);
  return { options: hashOf([baseUrl, isStrict, isVerbose, maxAge]), sources: hashOf([named, genres]) };
}

function hashOf(value: unknown): string {
  return hash('sha256', JSON.stringify(value));
}
