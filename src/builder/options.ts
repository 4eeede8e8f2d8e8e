import type { SiteFile } from '../api/site-file.ts';
import type { Collection } from '../catalogue/collection.ts';
import type { Category, FormerIds, Service } from '../catalogue/model.ts';
import { isoInstant } from '../catalogue/time/time.ts';
import { readBaseUrl, withoutCredentials } from '../catalogue/url.ts';
import type { Host } from '../hosts/host.ts';
import type { PublicFolder } from '../output/public.ts';
import type { Problem } from '../problem/problem.ts';
import type { ComparedSite } from '../site/earlier-site.ts';
import type { DataFolder, ReadOptions } from '../source/data.ts';

/** The options of `check`, and of every build. */
export interface CheckOptions extends Omit<ReadOptions, 'limit'> {
  /** Over the base URL in service.json. `from` names the option or variable, for the message about a bad value. */
  readonly baseUrl: { readonly found: string; readonly from: string } | null;
  /** Whether warnings are problems. */
  readonly strict?: boolean | undefined;
  /** Whether to say what calendars contain that is not published. It is never a problem. */
  readonly verbose?: boolean | undefined;
  /** The folder whose files are copied into the site. Default: none. */
  readonly publicFolder?: PublicFolder | null;
  /** The site that `check` compares ids with. Default: none. */
  readonly against?: ComparedSite | null;
  /** Called after each genre with the number of genres done and the number of all. */
  readonly onGenre?: ((done: number, of: number) => void) | undefined;
}

/** The options that say where a site goes and how it is put together. */
export interface OutputOptions {
  /** The absolute path of the data folder, which a site must not replace. */
  readonly data: string;
  readonly out: string;
  readonly generator: string;
  readonly dryRun: boolean;
  /** The folder whose files are copied into the site. Default: none. */
  readonly publicFolder?: PublicFolder | null;
  /** The files below `assets/`, which the pages load. */
  readonly assets: readonly SiteFile[];
  /** The host whose limits the site must keep. The reference page shows what it answers. */
  readonly host?: Host | null;
  /** Whether the site survives a power loss after the build. Default: true. */
  readonly isDurable?: boolean | undefined;
  /** Whether to add compressed copies. */
  readonly compress?: boolean;
  /** The previous site, whose change log the new one continues. Default: none. */
  readonly previous?: ComparedSite | null;
  /** The loss of a total in per cent that is accepted. Null to accept any. Default: null. */
  readonly maxDrop?: number | null;
}

/** The options that say how genres are rendered. */
interface RenderOptions extends Pick<OutputOptions, 'isDurable' | 'previous'>, Pick<CheckOptions, 'onGenre'> {
  /** The number of threads. Null to choose by the size of the data. Default: 1. */
  readonly jobs?: number | null;
  /** The folder that the paths in problems are relative to. Needed for more than one thread. */
  readonly cwd?: string;
}

export interface BuildOptions extends CheckOptions, RenderOptions, OutputOptions {}

/** What a site publishes, with every choice made. Plain data. */
export interface CataloguePlan {
  readonly service: Service;
  readonly categories: readonly Category[];
  readonly former: FormerIds;
  readonly collections: readonly Collection[];
  /** Without a final slash. */
  readonly baseUrl: string;
  /** The name in the ids of calendar entries and feeds. */
  readonly authority: string;
  /** ISO 8601 UTC with milliseconds (specification 2.2). */
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

/** How genres are rendered, with every choice made. */
export interface RenderPlan {
  readonly jobs: number | null;
  readonly cwd: string;
  readonly isDurable: boolean;
  readonly previous: ComparedSite | null;
  readonly onGenre: (done: number, of: number) => void;
}

/** Where a site goes and how it is put together, with every choice made. */
export type OutputPlan = { readonly [Key in keyof OutputOptions]-?: Exclude<OutputOptions[Key], undefined> };

/** A build with every choice made. */
export type BuildPlan = CataloguePlan & RenderPlan & OutputPlan;

/** Returns null if there is no base URL; {@link baseUrlProblems} says why. */
export function planBuild(options: BuildOptions, data: DataFolder): BuildPlan | null {
  const catalogue = planCatalogue(options, data);
  return catalogue && { ...catalogue, ...planRender(options), ...planOutput(options) };
}

/** Returns null if there is no base URL; {@link baseUrlProblems} says why. */
function planCatalogue(options: CheckOptions, data: DataFolder): CataloguePlan | null {
  const baseUrl = chooseBaseUrl(options, data);
  if (typeof baseUrl !== 'string') return null;
  const { service, categories, former, collections, lastSync } = data;
  return {
    service,
    categories,
    former,
    collections,
    baseUrl,
    authority: service.authority ?? new URL(baseUrl).hostname,
    lastSync: lastSync ?? isoInstant(options.now),
    now: options.now,
    ...planFindings(options, data),
  };
}

function planRender(options: RenderOptions): RenderPlan {
  const { jobs = 1, cwd = '', isDurable = true, previous = null, onGenre = () => {} } = options;
  return { jobs, cwd, isDurable, previous, onGenre };
}

function planOutput(options: OutputOptions): OutputPlan {
  const { host = null, isDurable = true, compress = false, publicFolder = null } = options;
  const { previous = null, maxDrop = null } = options;
  const { data, out, generator, dryRun, assets } = options;
  return { data, out, generator, dryRun, publicFolder, assets, host, isDurable, compress, previous, maxDrop };
}

/** Returns what is reported besides the problems of sources, and how. */
export function planFindings(
  { strict = false, verbose = false }: CheckOptions,
  data: DataFolder,
): Pick<CataloguePlan, 'stale' | 'isStrict' | 'isVerbose'> {
  return { stale: data.findStale(), isStrict: strict, isVerbose: verbose };
}

type BaseUrlOptions = Pick<CheckOptions, 'baseUrl'>;

/** Returns the problem with the base URL. None if service.json is invalid, which is reported on its own. */
export function baseUrlProblems(options: BaseUrlOptions, data: Pick<DataFolder, 'baseUrl'>): readonly Problem[] {
  const chosen = chooseBaseUrl(options, data);
  return chosen === null || typeof chosen === 'string' ? [] : [chosen];
}

/** Returns the base URL or the problem with it. Null if it is not known because service.json is invalid. */
export function chooseBaseUrl(
  { baseUrl: given }: BaseUrlOptions,
  { baseUrl: inService }: Pick<DataFolder, 'baseUrl'>,
): string | Problem | null {
  const chosen = given ?? (inService == null ? null : { found: inService, from: 'service.json' });
  if (chosen === null && inService === undefined) return null;
  if (chosen === null) return { code: 'base-url-missing', place: null };
  const { found, from } = chosen;
  return readBaseUrl(found) ?? { code: 'bad-base-url', place: null, found: withoutCredentials(found), from };
}
