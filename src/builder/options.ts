import type { SiteFile, SiteSize } from '../api/site-file.ts';
import { isoInstant } from '../catalogue/time/time.ts';
import { readBaseUrl } from '../api/address.ts';
import { withoutCredentials } from '../catalogue/url.ts';
import type { PublicFolder } from '../output/public.ts';
import type { Problem } from '../problem/problem.ts';
import type { Previous } from '../site/memory.ts';
import type { DataFolder, ReadOptions } from '../source/data.ts';

/** The options of a build: where the data is, where the site goes, and how it is made. */
export interface BuildOptions extends ReadOptions {
  /** Over the base URL in service.json. `from` names the option or variable, for the message about a bad value. */
  readonly baseUrl: { readonly found: string; readonly from: string } | null;
  readonly out: string;
  readonly generator: string;
  readonly dryRun: boolean;
  /** The files below `assets/`, which the pages load. */
  readonly assets: readonly SiteFile[];
  /** The folder whose files are copied into the site. Default: none. */
  readonly publicFolder?: PublicFolder | null;
  /** The site that the new one continues. Default: none. */
  readonly previous?: Previous | null;
  /** Whether much of the previous site may be lost. Default: false. */
  readonly acceptLoss?: boolean;
  /** Whether the user gave `now`, so that it need not be the time of the hosts. Default: false. */
  readonly isNowGiven?: boolean;
  /** The objections of the site's host, and whether it answers queries (for the reference page). Default: none. */
  readonly host?: { readonly checkSize: (size: SiteSize) => Problem[]; readonly answersQueries: boolean } | null;
  /** Whether to add compressed copies. Default: false. */
  readonly compress?: boolean;
  /** Whether the site survives a power loss after the build. Default: true. */
  readonly isDurable?: boolean | undefined;
  /** Whether warnings are problems. Default: false. */
  readonly strict?: boolean | undefined;
  /** Whether to list calendar properties that almanac ignores. They are never a problem. Default: false. */
  readonly verbose?: boolean | undefined;
  /** The number of threads. Null to choose by the size of the data. Default: 1. */
  readonly jobs?: number | null;
  /** The folder that the paths in problems are relative to. Needed for more than one thread. */
  readonly cwd?: string;
  /** Called after each genre with the number of genres done and the number of all. */
  readonly onGenre?: ((done: number, of: number) => void) | undefined;
}

/** The plan of a build: its options and the catalogue's metadata, with every choice made. */
export interface BuildPlan
  extends
    Decided<Omit<BuildOptions, 'baseUrl'>>,
    Pick<DataFolder, 'service' | 'categories' | 'former' | 'collections'> {
  /** Without a final slash. */
  readonly baseUrl: string;
  /** The name in the ids of calendar entries and feeds. */
  readonly authority: string;
  /** ISO 8601 UTC with milliseconds (specification 2.2). */
  readonly lastSync: string;
}

type Decided<Options> = { readonly [Name in keyof Options]-?: Exclude<Options[Name], undefined> };

/** Returns null if there is no base URL; {@link baseUrlProblems} says why. */
export function planBuild(options: BuildOptions, data: DataFolder): BuildPlan | null {
  const baseUrl = chooseBaseUrl(options, data);
  if (typeof baseUrl !== 'string') return null;
  const { service, categories, former, collections, lastSync } = data;
  return {
    ...options,
    publicFolder: options.publicFolder ?? null,
    previous: options.previous ?? null,
    acceptLoss: options.acceptLoss ?? false,
    isNowGiven: options.isNowGiven ?? false,
    host: options.host ?? null,
    compress: options.compress ?? false,
    isDurable: options.isDurable ?? true,
    strict: options.strict ?? false,
    verbose: options.verbose ?? false,
    jobs: options.jobs === undefined ? 1 : options.jobs,
    cwd: options.cwd ?? '',
    onGenre: options.onGenre ?? (() => {}),
    service,
    categories,
    former,
    collections,
    baseUrl,
    authority: service.authority ?? new URL(baseUrl).hostname,
    lastSync: lastSync ?? isoInstant(options.now),
  };
}

/** Returns the problem with the base URL. None if service.json is invalid, which is reported on its own. */
export function baseUrlProblems(
  options: Pick<BuildOptions, 'baseUrl'>,
  data: Pick<DataFolder, 'baseUrl'>,
): readonly Problem[] {
  const chosen = chooseBaseUrl(options, data);
  return chosen === null || typeof chosen === 'string' ? [] : [chosen];
}

/** Returns the base URL or the problem with it. Null if it is not known because service.json is invalid. */
export function chooseBaseUrl(
  { baseUrl: given }: Pick<BuildOptions, 'baseUrl'>,
  { baseUrl: inService }: Pick<DataFolder, 'baseUrl'>,
): string | Problem | null {
  const chosen = given ?? (inService == null ? null : { found: inService, from: 'service.json' });
  if (chosen === null && inService === undefined) return null;
  if (chosen === null) return { code: 'base-url-missing', place: null };
  const { found, from } = chosen;
  return readBaseUrl(found) ?? { code: 'bad-base-url', place: null, found: withoutCredentials(found), from };
}
