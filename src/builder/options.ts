import type { SiteFile, SiteSize } from '../api/site-file.ts';
import { isoInstant } from '../catalogue/time/time.ts';
import { readBaseUrl } from '../api/address.ts';
import { withoutCredentials } from '../catalogue/url.ts';
import type { PublicFolder } from '../output/public.ts';
import type { Problem } from '../problem/problem.ts';
import { lossRule } from '../catalogue/loss.ts';
import type { Previous } from '../site/memory.ts';
import type { DataFolder, ReadOptions } from '../source/data.ts';

/** The options of a build: where the data is, where the site goes, and how it is made. */
export interface BuildOptions extends ReadOptions, BuildSteps {
  /**
   * Over the base URL in service.json. `from` names the option or variable, for the message about a
   * bad value.
   */
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
  /** The share of the previous site that may be lost, in per cent. */
  readonly maxLoss?: number;
  /** Whether the user gave `now`, so that it need not be the time of the hosts. Default: false. */
  readonly isNowGiven?: boolean;
  /** Returns the objections of the host to the size of the site. Default: none. */
  readonly checkSize?: ((size: SiteSize) => Problem[]) | null;
  /** Whether to add compressed copies. Default: false. */
  readonly compress?: boolean;
  /** Whether the site survives a power loss after the build. Default: true. */
  readonly isDurable?: boolean;
  /** Whether warnings are problems. Default: false. */
  readonly strict?: boolean;
  /**
   * Whether to list calendar properties that almanac ignores. They are never a problem. Default:
   * false.
   */
  readonly verbose?: boolean;
  /** The folder that the path of a previous site is relative to. Default: that of the process. */
  readonly cwd?: string;
}

/** What a build calls on its way. */
export interface BuildSteps {
  /** Called before genres are read, even if the data has problems. */
  readonly onOpen?: (data: Pick<DataFolder, 'localFiles'>) => void;
  /** Called after each genre with the number of genres done and the number of all. */
  readonly onGenre?: (done: number, of: number) => void;
}

/** The plan of a build: its options and the catalogue's metadata, with every choice made. */
export interface BuildPlan
  extends
    Required<Omit<BuildOptions, 'baseUrl'>>,
    Pick<DataFolder, 'service' | 'categories' | 'former' | 'collections'> {
  /** Without a final slash. */
  readonly baseUrl: string;
  /** The name in the ids of calendar entries and feeds. */
  readonly authority: string;
  /** ISO 8601 UTC with milliseconds (specification 2.2). */
  readonly lastSync: string;
}

const defaults = {
  publicFolder: null,
  previous: null,
  acceptLoss: false,
  maxLoss: lossRule.maxLoss,
  isNowGiven: false,
  checkSize: null,
  compress: false,
  isDurable: true,
  strict: false,
  verbose: false,
  cwd: '',
  onOpen: () => {},
  onGenre: () => {},
} satisfies Partial<BuildOptions>;

/** Returns null if there is no base URL; {@link chooseBaseUrl} says why. */
export function planBuild(options: BuildOptions, data: DataFolder): BuildPlan | null {
  const { baseUrl } = chooseBaseUrl(options, data);
  if (baseUrl === null) return null;
  const { service, categories, former, collections } = data;
  const authority = service.authority ?? new URL(baseUrl).hostname;
  const lastSync = data.lastSync ?? isoInstant(options.now);
  return {
    ...defaults,
    ...options,
    service,
    categories,
    former,
    collections,
    baseUrl,
    authority,
    lastSync,
  };
}

/** Returns the base URL or the problem with it. There is neither if service.json is invalid. */
export function chooseBaseUrl(
  options: Pick<BuildOptions, 'baseUrl'>,
  { baseUrl: inService }: Pick<DataFolder, 'baseUrl'>,
): { readonly baseUrl: string | null; readonly problems: readonly Problem[] } {
  const fileBaseUrl =
    inService == null
      ? null
      : {
          found: inService,
          from: 'service.json',
        };
  const address = options.baseUrl ?? fileBaseUrl;
  if (address === null) {
    const missing: Problem = {
      code: 'base-url-missing',
      place: null,
    };
    return {
      baseUrl: null,
      problems: inService === undefined ? [] : [missing],
    };
  }
  const { found: text, from } = address;
  const baseUrl = readBaseUrl(text);
  if (baseUrl !== null) return { baseUrl, problems: [] };
  return {
    baseUrl,
    problems: [
      {
        code: 'bad-base-url',
        place: null,
        found: withoutCredentials(text),
        from,
      },
    ],
  };
}
