import { maxEvents } from './api/paths.ts';
import { resultOf, type GenresResult } from './build-part.ts';
import type { Category, Service } from './catalogue/model.ts';
import { day, isoInstant } from './catalogue/time/time.ts';
import { readBaseUrl, withoutCredentials } from './catalogue/url.ts';
import { compareProblems, isNote, ProblemError, type Problem } from './problem/problem.ts';
import { openData, type DataFolder, type ReadOptions } from './source/data.ts';

export interface CheckOptions extends Omit<ReadOptions, 'limit'> {
  /** Overrides the base URL in service.json. `from` names the option or variable, for the message about a bad value. */
  readonly baseUrl: { readonly found: string; readonly from: string } | null;
  /** The base URL if neither `baseUrl` nor service.json gives one. */
  readonly ownAddress?: string;
  /** The age in milliseconds from which the copy of a remote source causes a warning. Default: two weeks. */
  readonly maxAge?: number | undefined;
  /** Whether warnings are problems. */
  readonly strict?: boolean | undefined;
  /** Whether to report, as notes, what calendars contain that is not published. */
  readonly verbose?: boolean | undefined;
  /** Called after each genre with the number of genres done and the number of all. */
  readonly onGenre?: ((done: number, of: number) => void) | undefined;
}

/** What a check found. */
export interface CheckReport {
  readonly problems: readonly Problem[];
  /** Findings that do not stop a build: remote sources that fail, events that are left out, doubtful dates. */
  readonly warnings: readonly Problem[];
}

/** Reads the whole data folder and returns everything for which a build would fail or warn. Writes nothing. */
export async function check(options: CheckOptions): Promise<CheckReport> {
  const data = await openData({ ...options, limit: maxEvents });
  for (const [index, genre] of data.genres.entries()) {
    await data.readGenre(genre);
    options.onGenre?.(index + 1, data.genres.length);
  }
  return findingsOf(catalogueOf(data, options), resultOf(data));
}

/** Returns the base URL and the name that a site built with these options has. Throws the problems of a bad base URL. */
export async function describeService(
  options: Pick<CheckOptions, 'data' | 'displayPath' | 'baseUrl'>,
): Promise<{ readonly baseUrl: string; readonly name: string }> {
  const data = await openData({ ...options, now: 0, limit: maxEvents });
  const baseUrl = chooseBaseUrl(options, data.baseUrl);
  if (typeof baseUrl === 'string') return { baseUrl, name: data.service.name };
  throw new ProblemError(baseUrl === null ? data.problems() : [...data.problems(), baseUrl]);
}

/** What a build knows about the catalogue before it reads a genre. */
export interface Catalogue {
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
  /** Whether the warnings include notes. */
  readonly isVerbose: boolean;
}

export function catalogueOf(data: DataFolder, options: CheckOptions): Catalogue {
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
    isVerbose: options.verbose === true,
  };
}

const twoWeeks = 14 * day;

/** Returns the problems and warnings of genres that were read, of remote sources and of the base URL. */
export function findingsOf(
  { baseUrl, stale, isStrict, isVerbose }: Catalogue,
  result: Pick<GenresResult, 'problems' | 'warnings'>,
): CheckReport {
  const found = result.warnings.toSorted(compareProblems);
  const warnings = [...stale, ...found.filter((warning) => !isNote(warning))];
  const notes = isVerbose ? found.filter(isNote) : [];
  const ofBaseUrl = typeof baseUrl === 'string' || baseUrl === null ? [] : [baseUrl];
  return {
    problems: [...result.problems.toSorted(compareProblems), ...(isStrict ? warnings : []), ...ofBaseUrl],
    warnings: [...warnings, ...notes],
  };
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
