import type { CategoriesDocument, GenresDocument, IndexDocument } from './api/documents.ts';
import { mostEvents } from './api/limits.ts';
import { documentPath, indexPath } from './api/paths.ts';
import { day, isoInstant } from './calendar/time.ts';
import { readBaseUrl } from './catalogue/base-url.ts';
import { diskProblem, ProblemError, type Problem } from './problem.ts';
import { readAssets } from './site/assets.ts';
import { refuseOut } from './site/claim.ts';
import type { Guard } from './site/guard.ts';
import { planSite, type Tally } from './site/plan.ts';
import type { Overview } from './site/read-site.ts';
import { openStage, type Stage, type Staged } from './site/stage.ts';
import { beginSwap } from './site/swap.ts';
import { judgeRemotes } from './source/remote/remotes.ts';
import { openData, type DataFolder, type ReadOptions } from './source/data-folder.ts';

export interface BuildOptions extends Omit<ReadOptions, 'limit'> {
  readonly out: string;
  /** Over the one in service.json. `from` says where it was given, for the message about a bad one. */
  readonly baseUrl: { readonly found: string; readonly from: string } | null;
  readonly generator: string;
  readonly dryRun: boolean;
  /** How old the copy of a remote source may be, in milliseconds; two weeks where not given. */
  readonly maxAge?: number | undefined;
  /** Whether a remote source that failed makes the build fail as well. */
  readonly strict?: boolean | undefined;
  /** Why a site of this size must not take the place of the last one. */
  readonly refuse?: (staged: Staged) => readonly Problem[];
  /** Whether to put compressed copies beside the files that gain by it. */
  readonly compress?: boolean;
  /** The site that the new one must not fall far short of. */
  readonly guard?: Guard | null | undefined;
}

const twoWeeks = 14 * day;

/** What a build did. */
export interface BuildReport extends Tally, Staged {
  readonly lastSync: string;
  /** Whether there was a site to hold this one against; null where none was named. */
  readonly isGuarded: boolean | null;
  /** Remote sources that failed, and what is published of them instead. */
  readonly warnings: readonly Problem[];
}

/**
 * Builds the site: reads the data, plans every document, stages the files beside `out` and swaps them in.
 * Throws a {@link ProblemError} with everything that is wrong; the last good site then stays.
 */
export async function build(options: BuildOptions): Promise<BuildReport> {
  try {
    const refused = refuseOut(options.out, options.data);
    if (refused !== null) throw new ProblemError([refused]);
    const data = await openData({ ...options, limit: mostEvents });
    const swap = options.dryRun ? null : beginSwap(options.out);
    try {
      const report = await stageChecked(options, data, swap?.folder ?? null);
      swap?.commit();
      return report;
    } finally {
      data.close();
      swap?.close();
    }
  } catch (error) {
    throw diskProblem(error, 'write-failed');
  }
}

/** Stages the whole site in `folder`, its inventory last. Throws what is wrong with the data, or stands against the site. */
async function stageChecked(options: BuildOptions, data: DataFolder, folder: string | null): Promise<BuildReport> {
  const { problems, warnings } = judgeRemotes(data.remotes, options.nameOf, options.now, options.maxAge ?? twoWeeks);
  const stale = options.strict ? [...problems, ...warnings] : problems;
  const baseUrl = chooseBaseUrl(options.baseUrl, data.service.baseUrl);
  // What is wrong with names would stand in the documents themselves: then nothing is planned, only the rest read.
  if (!data.isFine()) {
    readAll(data);
    await throwProblems(data, baseUrl, stale);
  }
  const stage = openStage(folder, options.generator);
  const lastSync = lastSyncOf(data, options.now);
  const seen = new Map<string, string>();
  const tally = stageSite(stage, data, typeof baseUrl === 'string' ? baseUrl : '', lastSync, seen);
  await throwProblems(data, baseUrl, stale);
  const isGuarded = options.guard ? await holdAgainst(options.guard, overviewIn(seen), options.now) : null;
  if (options.compress && folder !== null) await compress(options, stage, folder);
  const staged = stage.finish();
  const refusals = options.refuse?.(staged) ?? [];
  if (refusals.length > 0) throw new ProblemError(refusals);
  return { ...tally, ...staged, lastSync, isGuarded, warnings };
}

/** With remote sources, the catalogue is as old as their copies (specification 2.2). */
function lastSyncOf({ remotes }: DataFolder, now: number): string {
  return (remotes.files.size > 0 ? remotes.lastSync : null) ?? isoInstant(now);
}

/** Reads the whole data folder and returns everything that is wrong with it. Writes nothing. */
export async function check(options: Omit<ReadOptions, 'limit'>): Promise<readonly Problem[]> {
  const data = await openData({ ...options, limit: mostEvents });
  readAll(data);
  return data.problems();
}

/** Reads every subject, for the problems alone. */
function readAll({ categories }: DataFolder): void {
  for (const { genres } of categories) for (const _ of genres);
}

/** The base URL that a build with these options has. Throws the problems of one that is missing or bad. */
export async function findBaseUrl(options: Pick<BuildOptions, 'data' | 'nameOf' | 'baseUrl'>): Promise<string> {
  const data = await openData({ ...options, now: 0, limit: mostEvents });
  const baseUrl = chooseBaseUrl(options.baseUrl, data.service.baseUrl);
  if (typeof baseUrl === 'string') return baseUrl;
  await throwProblems(data, baseUrl);
  throw new ProblemError([baseUrl]);
}

async function holdAgainst(guard: Guard, overview: Overview, now: number): Promise<boolean> {
  const { guardAgainst } = await import('./site/guard.ts');
  return guardAgainst(guard, overview, now);
}

async function compress({ out, generator }: BuildOptions, stage: Stage, folder: string): Promise<void> {
  const { compressSite } = await import('./site/compress.ts');
  await compressSite({ folder, files: stage.files, generator, put: stage.put }, out);
}

/** Stages the planned files as they come; once anything is wrong it only reads on, to find the rest of it. */
function stageSite(
  stage: Stage,
  data: DataFolder,
  baseUrl: string,
  lastSync: string,
  seen: Map<string, string>,
): Tally {
  const { service, categories } = data;
  const plan = planSite({ service, baseUrl, lastSync, categories, assets: readAssets() });
  let step = plan.next();
  for (; !step.done; step = plan.next()) {
    if (data.isFine()) stage.add(step.value);
    if (overviewPaths.includes(step.value.path)) seen.set(step.value.path, step.value.text);
  }
  return step.value;
}

const overviewPaths = [indexPath, documentPath({ operation: 'categories' }), documentPath({ operation: 'genres' })];

/** What the planned documents say of the catalogue as a whole, for the guard. */
function overviewIn(seen: ReadonlyMap<string, string>): Overview {
  const [index, categories, genres] = overviewPaths.map((path) => JSON.parse(seen.get(path) ?? '') as unknown);
  return {
    totals: (index as IndexDocument).catalogue,
    ...(categories as CategoriesDocument),
    genres: (genres as GenresDocument).genres,
  };
}

function chooseBaseUrl(given: BuildOptions['baseUrl'], ofService: string | null): string | Problem {
  const chosen = given ?? (ofService === null ? null : { found: ofService, from: 'service.json' });
  if (chosen === null) return { code: 'base-url-missing', place: null };
  return readBaseUrl(chosen.found) ?? { code: 'bad-base-url', place: null, ...chosen };
}

async function throwProblems(
  data: DataFolder,
  baseUrl: string | Problem,
  stale: readonly Problem[] = [],
): Promise<void> {
  const problems = data.isFine() ? [...stale] : [...(await data.problems()), ...stale];
  // A service.json that could not be read may well hold a base URL.
  const isMissed = typeof baseUrl !== 'string' && (data.isFine() || baseUrl.code !== 'base-url-missing');
  if (isMissed) problems.push(baseUrl);
  if (problems.length > 0) throw new ProblemError(problems);
}
