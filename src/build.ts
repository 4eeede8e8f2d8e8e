import type { Inventory } from './api/documents.ts';
import { mostEvents } from './api/limits.ts';
import { day, isoInstant } from './calendar/time.ts';
import { readBaseUrl } from './catalogue/base-url.ts';
import type { Totals } from './catalogue/model.ts';
import { ProblemError, type Problem } from './problem.ts';
import { diskProblem } from './system-failure.ts';
import { makeGenres, type MadeGenres } from './sharing/make-genres.ts';
import type { Digests, GenresTask } from './sharing/share.ts';
import { readAssets } from './site/assets.ts';
import { refuseOut } from './site/claim.ts';
import type { Guard } from './published/guard.ts';
import { planSite, summarise, type Summary } from './site/plan.ts';
import { filesIn } from './site/ledger.ts';
import type { Stage, Staged } from './site/stage.ts';
import { beginSwap, type Swap } from './site/swap.ts';
import { openData, type DataFolder, type ReadOptions } from './source/data-folder.ts';
import { withoutCredentials } from './source/rules.ts';
import { judgeRemotes } from './source/remote/remotes.ts';

interface CheckOptions extends Omit<ReadOptions, 'limit'> {
  /** Told after each genre how many of how many are done. */
  readonly onGenre?: ((done: number, of: number) => void) | undefined;
}

export interface BuildOptions extends CheckOptions {
  readonly out: string;
  /** Over the one in service.json. `from` says where it was given, for the message about a bad one. */
  readonly baseUrl: { readonly found: string; readonly from: string } | null;
  /** Taken where neither `baseUrl` nor service.json names one. */
  readonly ownAddress?: string;
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

/** What a site was made from, genre by genre, for who will bring it up to date. */
export interface SiteSource {
  readonly data: DataFolder;
  readonly baseUrl: string;
  /** By the id of a genre. */
  readonly digests: Digests;
  readonly files: Inventory['files'];
}

const twoWeeks = 14 * day;

/** What a build did. */
export interface BuildReport extends Staged {
  readonly totals: Totals;
  readonly baseUrl: string;
  /** Announced events that have no real date, and so are not published. */
  readonly withheld: number;
  /** Upcoming events whose clock time has no zone, so that only their date is published. */
  readonly floating: number;
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
  return (await make(options, 'category')).report;
}

/** The same as {@link build}, with what the site was made from. */
export async function buildWithSource(options: BuildOptions): Promise<{ report: BuildReport; source: SiteSource }> {
  const { report, data, baseUrl, digests, stage } = await make(options, 'genre');
  return { report, source: { data, baseUrl, digests, files: filesIn(stage.staged().entries) } };
}

/** A site that was built, and what it was made with. */
interface Made extends MadeGenres {
  readonly report: BuildReport;
  readonly data: DataFolder;
  readonly baseUrl: string;
}

async function make(options: BuildOptions, by: GenresTask['by']): Promise<Made> {
  try {
    const refused = refuseOut(options.out, options.data);
    if (refused !== null) throw new ProblemError([refused]);
    const data = openData({ ...options, limit: mostEvents });
    const swap = options.dryRun ? null : beginSwap(options.out);
    try {
      const made = await stageChecked(options, data, swap, by);
      if (!made.report.isUnchanged) swap?.commit();
      return made;
    } finally {
      swap?.close();
    }
  } catch (error) {
    throw diskProblem(error, 'write-failed');
  }
}

/** Stages the whole site, its inventory last. Throws what is wrong with the data, or stands against the site. */
async function stageChecked(
  options: BuildOptions,
  data: DataFolder,
  swap: Swap | null,
  by: GenresTask['by'],
): Promise<Made> {
  const { problems, warnings } = judgeRemotes(data.remotes, options.nameOf, options.now, options.maxAge ?? twoWeeks);
  const stale = options.strict ? [...problems, ...warnings] : problems;
  const baseUrl = chooseBaseUrl(options, data.service.baseUrl);
  // What is wrong with names would stand in the documents themselves: then nothing is planned, only the rest read.
  const { digests, stage } = await readGenres(options, data, { by, swap, onlyRead: !data.isFine() });
  if (typeof baseUrl !== 'string') throw await problemsOf(options, data, [...stale, baseUrl]);
  if (stale.length > 0 || !data.isFine()) throw await problemsOf(options, data, stale);
  const summary = summarise(data.categories, digests.values());
  const lastSync = lastSyncOf(data, options.now);
  const { service } = data;
  for (const file of planSite({ ...summary, service, baseUrl, lastSync, assets: readAssets() })) stage.add(file);
  const isGuarded = options.guard ? await holdAgainst(options.guard, summary, lastSync, options.now) : null;
  if (options.compress && swap !== null) await compress(options, stage);
  const staged = stage.finish(options.generator);
  const refusals = options.refuse?.(staged) ?? [];
  if (refusals.length > 0) throw new ProblemError(refusals);
  const { withheld, floating } = summary.everything;
  const report = { totals: summary.totals, baseUrl, withheld, floating, ...staged, lastSync, isGuarded, warnings };
  return { report, data, baseUrl, digests, stage };
}

/** Reads every genre, and unless it is `onlyRead` plans and stages its files. */
async function readGenres(
  { nameOf, onGenre = () => {} }: CheckOptions,
  { task: reading, categories, service, note: onFlaw }: DataFolder,
  { by, swap, onlyRead }: { by: GenresTask['by']; swap: Swap | null; onlyRead: boolean },
): Promise<MadeGenres> {
  const site = swap && { folder: swap.folder, out: swap.out };
  return makeGenres({ reading, categories, service: service.name, by, site }, { nameOf, onlyRead, onFlaw, onGenre });
}

/** With remote sources, the catalogue is as old as their copies (specification 2.2). */
function lastSyncOf({ remotes }: DataFolder, now: number): string {
  return (remotes.files.size > 0 ? remotes.lastSync : null) ?? isoInstant(now);
}

/** Reads the whole data folder and returns everything that is wrong with it. Writes nothing. */
export async function check(options: CheckOptions): Promise<readonly Problem[]> {
  const data = openData({ ...options, limit: mostEvents });
  await readGenres(options, data, { by: 'category', swap: null, onlyRead: true });
  return data.problems();
}

/** The base URL that a build with these options has. Throws the problems of one that is missing or bad. */
export async function findBaseUrl(options: Pick<BuildOptions, 'data' | 'nameOf' | 'baseUrl'>): Promise<string> {
  const data = openData({ ...options, now: 0, limit: mostEvents });
  const baseUrl = chooseBaseUrl(options, data.service.baseUrl);
  if (typeof baseUrl === 'string') return baseUrl;
  throw await problemsOf(options, data, [baseUrl]);
}

async function holdAgainst(guard: Guard, summary: Summary, lastSync: string, now: number): Promise<boolean> {
  const { guardAgainst } = await import('./published/guard.ts');
  return guardAgainst(guard, { ...summary, totals: { ...summary.totals, last_sync: lastSync } }, now);
}

async function compress({ out, generator }: BuildOptions, { staged, read, put }: Stage): Promise<void> {
  const { compressSite } = await import('./site/compress.ts');
  await compressSite({ files: filesIn(staged().entries), generator, read, put }, out);
}

function chooseBaseUrl(
  { baseUrl: given, ownAddress }: Pick<BuildOptions, 'baseUrl' | 'ownAddress'>,
  ofService: string | null,
): string | Problem {
  const chosen = given ?? (ofService === null ? null : { found: ofService, from: 'service.json' });
  if (chosen === null) return ownAddress ?? { code: 'base-url-missing', place: null };
  const { found, from } = chosen;
  return readBaseUrl(found) ?? { code: 'bad-base-url', place: null, found: withoutCredentials(found), from };
}

/** What is wrong with the data, and what else stands against a site of it. */
async function problemsOf(
  { nameOf }: Pick<BuildOptions, 'nameOf'>,
  data: DataFolder,
  others: readonly Problem[],
): Promise<ProblemError> {
  if (data.isFine()) return new ProblemError(others);
  const problems = await data.problems();
  // A service.json that could not be read may well hold a base URL.
  const service = nameOf('service.json');
  const isUnread = problems.some(({ code, place }) => code === 'data-missing' || place?.file === service);
  return new ProblemError([...problems, ...others.filter(({ code }) => !isUnread || code !== 'base-url-missing')]);
}
