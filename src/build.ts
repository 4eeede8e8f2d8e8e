import { maxEvents } from './api/paths.ts';
import type { SiteFile } from './api/site-file.ts';
import { day, isoInstant } from './catalogue/time/time.ts';
import type { Totals } from './catalogue/model.ts';
import { readBaseUrl, withoutCredentials } from './catalogue/url.ts';
import { guardAgainst, type Guard } from './deploy/guard.ts';
import { assertReplaceable } from './output/replaceable.ts';
import { StagingArea, type SiteSize } from './output/staging.ts';
import { replaceSite } from './output/swap.ts';
import { ProblemError, type Problem } from './problem/problem.ts';
import { eventTexts } from './render/event-texts.ts';
import { renderGenre } from './render/genre.ts';
import { JoinedFiles } from './render/joined-files.ts';
import { renderSite } from './render/site.ts';
import { SummaryBuilder, type Summary } from './render/summary.ts';
import { openData, type DataFolder, type ReadOptions } from './source/data.ts';
import { diskProblem } from './system/failure.ts';

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

export interface BuildOptions extends CheckOptions {
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
  try {
    const data = await openData({ ...options, limit: maxEvents });
    const assertOut = (staging: StagingArea | null): void =>
      assertReplaceable({ ...options, keep: data.keep, isStaged: staging && ((path) => staging.has(path)) });
    assertOut(null);
    const fill = async (staging: StagingArea): Promise<BuildReport> => fillSite(options, data, staging);
    if (options.dryRun) return await fill(new StagingArea(null));
    const isDurable = options.isDurable !== false;
    const { result, warnings } = await replaceSite(options.out, { check: assertOut, isDurable }, fill);
    return { ...result, warnings: [...result.warnings, ...warnings] };
  } catch (error) {
    throw diskProblem(error, 'write-failed');
  }
}

async function fillSite(options: BuildOptions, data: DataFolder, staging: StagingArea): Promise<BuildReport> {
  const { service, categories, genres } = data;
  const baseUrl = chooseBaseUrl(options, data.baseUrl);
  const builder = new SummaryBuilder(categories);
  const joined = new JoinedFiles(categories, service.isBulk);

  for (const [index, genre] of genres.entries()) {
    const content = await data.readGenre(genre);
    if (!data.hasProblems()) {
      const texts = eventTexts(content, genre.category);
      for (const file of renderGenre(content, texts, service.name, categories)) staging.add(file);
      for (const part of joined.addGenre(content, texts)) staging.append(part);
      builder.add(content, texts);
    }
    options.onGenre?.(index + 1, genres.length);
  }
  const { problems, warnings } = findingsOf(data, options);
  if (problems.length > 0 || typeof baseUrl !== 'string') throw new ProblemError(problems);

  for (const part of joined.end()) staging.append(part);
  const summary = builder.build();
  const lastSync = data.lastSync ?? isoInstant(options.now);
  for (const file of renderSite(summary, { service, baseUrl, lastSync, assets: options.assets })) staging.add(file);
  const isGuarded = options.guard ? await compareWith(options.guard, summary, lastSync, options.now) : null;
  staging.carryOver(data.keep);
  if (options.compress) await staging.compress();
  const size = staging.finish(options.generator);
  const refusals = options.refuse?.(size) ?? [];
  if (refusals.length > 0) throw new ProblemError(refusals);
  const { announced, floating } = summary.everything;
  const { totals } = summary;
  const counts = { announced, floating, private: data.privateEvents() };
  return { totals, baseUrl, ...counts, ...size, lastSync, isGuarded, warnings };
}

/** What a check found. */
export interface CheckReport {
  readonly problems: readonly Problem[];
  /** What does not stop a build: remote sources that fail, events that are left out, doubtful dates. */
  readonly warnings: readonly Problem[];
}

/** Returns what the genres that were read, the remote sources and the base URL have of problems and warnings. */
function findingsOf(data: DataFolder, options: CheckOptions): CheckReport {
  const warnings = [...data.findStale(options.maxAge ?? twoWeeks), ...data.warnings()];
  const baseUrl = chooseBaseUrl(options, data.baseUrl);
  const ofBaseUrl = typeof baseUrl === 'string' || baseUrl === null ? [] : [baseUrl];
  return { problems: [...data.problems(), ...(options.strict ? warnings : []), ...ofBaseUrl], warnings };
}

const twoWeeks = 14 * day;

/** Reads the whole data folder and returns everything for which a build would fail or warn. Writes nothing. */
export async function check(options: CheckOptions): Promise<CheckReport> {
  const data = await openData({ ...options, limit: maxEvents });
  for (const [index, genre] of data.genres.entries()) {
    await data.readGenre(genre);
    options.onGenre?.(index + 1, data.genres.length);
  }
  return findingsOf(data, options);
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

async function compareWith(guard: Guard, summary: Summary, lastSync: string, now: number): Promise<boolean> {
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
