import type { SiteFile } from './api/site-file.ts';
import type { Threads } from './build-part.ts';
import type { Totals } from './catalogue/model.ts';
import type { CheckOptions } from './check.ts';
import type { Guard } from './deploy/guard.ts';
import type { SiteSize } from './output/staging.ts';
import type { Problem } from './problem/problem.ts';

/** How to assemble a site, wherever its genres were rendered. */
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
  /** Whether the host of the site answers queries. Default: not known. */
  readonly answersQueries?: boolean | undefined;
  /** Whether the site survives a power loss after the build. Default: true. */
  readonly isDurable?: boolean | undefined;
  /** Whether to add compressed copies. */
  readonly compress?: boolean;
  /** The published site that the new one is compared with to detect losses. */
  readonly guard?: Guard | null | undefined;
}

export interface BuildOptions extends CheckOptions, SiteOptions {
  /** The threads that render the site. Default: this one. */
  readonly threads?: Pick<Threads, 'jobs' | 'cwd'>;
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
