import type { ChangesDocument } from '../api/documents.ts';
import { maxEvents } from '../api/paths.ts';
import type { BuildOptions, BuildReport, SiteOptions } from './options.ts';
import { renderInThreads, threadsOf, type GenresResult } from './threads.ts';
import { catalogueOf, findingsOf, type Catalogue } from './check.ts';
import { continueLog } from '../site/find-changes.ts';
import { guardAgainst, type Guard } from '../site/guard.ts';
import { assertReplaceable } from '../output/replaceable.ts';
import { StagingArea } from '../output/staging.ts';
import { replaceSite } from '../output/swap.ts';
import { ProblemError, type Problem } from '../problem/problem.ts';
import { joinGenreFiles } from '../render/joined-files.ts';
import { pageContext } from '../pages/context.ts';
import { renderPages } from '../pages/pages.ts';
import { renderContext } from '../render/scope.ts';
import { describeSite, renderSite } from '../render/site.ts';
import { sumUp, type Summary } from '../render/summary.ts';
import { openData } from '../source/data.ts';
import { orDiskProblem } from '../system/failure.ts';

/**
 * Builds the site: read → render → write → swap, one genre at a time.
 * Throws a {@link ProblemError} with every problem. The previous site then stays.
 */
export async function build(options: BuildOptions): Promise<BuildReport> {
  return orDiskProblem('write-failed', async () => {
    const data = await openData({ ...options, limit: maxEvents });
    const catalogue = catalogueOf(data, options);
    const render = async (staging: StagingArea): Promise<GenresResult> =>
      renderInThreads(data, data.genres, staging, threadsOf(options, catalogue), options.onGenre);
    return replaceBy(options, catalogue, render);
  });
}

/** Replaces the site by one whose genres `render` adds. */
export async function replaceBy(
  options: SiteOptions,
  catalogue: Catalogue,
  render: (staging: StagingArea) => Promise<GenresResult>,
): Promise<BuildReport> {
  const { keep } = catalogue;
  const assertOut = (staging: StagingArea | null): void =>
    assertReplaceable({ ...options, keep, isStaged: staging && ((path) => staging.has(path)) });
  assertOut(null);
  const fill = async (staging: StagingArea): Promise<BuildReport> =>
    completeSite(options, catalogue, await render(staging), staging);
  if (options.dryRun) return fill(new StagingArea(null));
  const isDurable = options.isDurable !== false;
  const { result, warnings } = await replaceSite(options.out, { check: assertOut, isDurable }, fill);
  return { ...result, warnings: [...result.warnings, ...warnings] };
}

/** Adds what lies above the genres, and the manifest. */
async function completeSite(
  options: SiteOptions,
  catalogue: Catalogue,
  result: GenresResult,
  staging: StagingArea,
): Promise<BuildReport> {
  const { categories, keep, baseUrl, lastSync } = catalogue;
  const { problems, warnings } = findingsOf(catalogue, result);
  if (problems.length > 0 || typeof baseUrl !== 'string') throw new ProblemError(problems);
  const summary = sumUp(categories, result.summaries);
  const compared = options.guard ? await compareWith(options.guard, summary, catalogue) : null;
  await addFilesAbove(options, { ...catalogue, baseUrl }, summary, result, staging);
  staging.carryOver(keep);
  if (options.compress) await staging.compress();
  const size = staging.finish(options.generator);
  const refusals = options.refuse?.(size) ?? [];
  if (refusals.length > 0) throw new ProblemError(refusals);
  const { everything, floating } = summary;
  const counts = { announced: everything.totals.announced, floating, private: result.privateEvents };
  const guarded = guardReport(options.guard, compared, warnings);
  return { totals: summary.totals, baseUrl, ...counts, ...size, lastSync, ...guarded };
}

/** Adds the files of more than one genre: what joins the files of genres, the lists, the change log and the pages. */
async function addFilesAbove(
  { guard, assets, answersQueries }: SiteOptions,
  catalogue: Catalogue & { readonly baseUrl: string },
  summary: Summary,
  result: GenresResult,
  staging: StagingArea,
): Promise<void> {
  const { service, categories, baseUrl, lastSync } = catalogue;
  const bytesOf = (path: string): number => staging.entries.get(path)?.bytes ?? 0;
  for (const part of joinGenreFiles(summary, service.isBulk, bytesOf)) staging.append(part);
  const log = service.isBulk ? await logOf(guard, summary, result, staging, catalogue) : null;
  const context = pageContext(service, baseUrl, categories, summary.genres);
  const hasFile = (path: string): boolean => staging.has(path);
  const descriptions = describeSite(summary, service, baseUrl, lastSync);
  const { openapi } = descriptions;
  const address = { baseUrl, authority: service.authority ?? new URL(baseUrl).hostname };
  const site = renderContext(service, categories, summary.genres, address);
  for (const file of renderSite(summary, { ...site, descriptions, log, hasFile })) staging.add(file);
  const sources = { pages: result.pages, log, openapi, assets, answersQueries: answersQueries ?? null };
  for (const file of renderPages(context, summary, sources, staging.entries.keys())) staging.add(file);
}

/** Continues the change log of the previous site with the changes that the parts found. */
async function logOf(
  guard: Guard | null | undefined,
  { genres }: Summary,
  { unlisted, changes }: GenresResult,
  staging: StagingArea,
  times: Pick<Catalogue, 'now' | 'lastSync'>,
): Promise<ChangesDocument> {
  const next = { ids: genres.map(({ id }) => id), staging, ...unlisted };
  return continueLog(guard?.against ?? null, next, changes, times);
}

/** What a report says about the comparison with the previous site. */
function guardReport(
  guard: Guard | null | undefined,
  compared: 'nothing' | 'lists' | 'everything' | null,
  warnings: readonly Problem[],
): Pick<BuildReport, 'isGuarded' | 'warnings'> {
  const site = guard?.against.name ?? '';
  const partial: readonly Problem[] = compared === 'lists' ? [{ code: 'site-without-bulk', place: null, site }] : [];
  return { isGuarded: compared === null ? null : compared !== 'nothing', warnings: [...warnings, ...partial] };
}

async function compareWith(guard: Guard, summary: Summary, { lastSync, now }: Catalogue) {
  return guardAgainst(guard, { ...summary, totals: { ...summary.totals, last_sync: lastSync } }, now);
}
