import { resolve } from 'node:path';
import { totalOf, type ChangeCounts } from '../api/change-kinds.ts';
import type { ChangesDocument } from '../api/documents.ts';
import { isLocal } from '../api/address.ts';
import type { SiteSize } from '../api/site-file.ts';
import { hasMemory, type Totals } from '../catalogue/model.ts';
import { listPublic } from '../output/public.ts';
import { assertReplaceable } from '../output/replaceable.ts';
import type { StagingArea } from '../output/staging.ts';
import { beginSite, pretendSite, recover, type NewSite } from '../output/swap.ts';
import { ProblemError, type Problem } from '../problem/problem.ts';
import { sumUp, type Summary } from '../render/summary.ts';
import { continueLog, openLog } from '../site/changes.ts';
import { addUpChanges, compareMissing, type GenreChanges } from '../site/comparison.ts';
import { emptiedGenres, guardAgainst } from '../site/guard.ts';
import { closeMemory, openMemory, otherVersion, type Memory } from '../site/memory.ts';
import { assertSameOwner, ownerIn, readOwner, renamedIds } from '../site/owner.ts';
import { renameHints } from '../site/renames.ts';
import { isAddress, openSite } from '../site/site.ts';
import { openData, type DataFolder } from '../source/data.ts';
import { orDiskProblem } from '../system/failure.ts';
import { check, findingsOf, tagProblems } from './check.ts';
import { renderGenres, type Past, type RenderedGenres } from './genres.ts';
import { planBuild, type BuildOptions, type BuildPlan } from './options.ts';
import { addSiteFiles } from './site-files.ts';

/** The result of a build. */
export interface BuildReport extends SiteSize, Pick<DataFolder, 'sources'> {
  readonly totals: Totals;
  readonly baseUrl: string;
  /** Announced events without a real date. */
  readonly announced: number;
  /** Upcoming events whose clock time has no zone, so that only their date is published. */
  readonly floating: number;
  readonly lastSync: string;
  /** The changes since the previous site. Null if the site has no change log. */
  readonly changes: ChangesDocument | null;
  /**
   * The numbers of all changes of this build, of which a log keeps at most 1,000. Null if no event
   * was compared.
   */
  readonly counts: ChangeCounts | null;
  /** The totals of the previous site. Null if there is none, or if they cannot be read. */
  readonly totalsBefore: Totals | null;
  /**
   * Failed sources, events that were left out, doubtful dates, and failures after the new site was
   * in place.
   */
  readonly warnings: readonly Problem[];
}

/**
 * Builds the site, one genre at a time. Throws a {@link ProblemError} with every problem; the
 * previous site then stays.
 */
export async function build(options: BuildOptions): Promise<BuildReport> {
  return orDiskProblem('write-failed', async () => {
    // 1. Make every choice. Without a base URL nothing can be rendered, but one run reports every
    // problem.
    const data = openData(options);
    options.onOpen?.(data);
    const plan = planBuild(options, data);
    if (plan === null) throw new ProblemError((await check(options, data)).problems);
    recover(plan.out);
    assertReplaceable(plan, null);
    return makeSite(plan, data, null).catch(async (error: unknown) => {
      // An invalid record is found only during the comparison: build again without the previous
      // site.
      const [damage] = error instanceof ProblemError ? error.problems : [];
      if (damage?.code !== 'previous-site-damaged') throw error;
      return makeSite(plan, openData(options), damage);
    });
  });
}

async function makeSite(
  plan: BuildPlan,
  data: DataFolder,
  damage: Problem | null,
): Promise<BuildReport> {
  // 2. Begin a new site next to the one that it replaces.
  const site = plan.dryRun ? pretendSite() : beginSite(plan.out, plan.isDurable);
  return fillSite(plan, data, site, damage).finally(() => site.close());
}

async function fillSite(
  plan: BuildPlan,
  data: DataFolder,
  { staging, swap }: NewSite,
  damage: Problem | null,
): Promise<BuildReport> {
  // 3. Read, compare, render and write the genres.
  const memory = await openPrevious(plan, damage);
  const past = {
    memory,
    log: openLog(hasMemory(plan.service) ? memory : null, plan.now),
  };
  const genres = await compareGenres(plan, data, past, staging).finally(() => {
    closeMemory(memory);
  });
  const { changes } = genres;
  // 4. Report everything that is wrong.
  const publicFiles = listPublic(plan.publicFolder);
  const findings = findingsOf(plan, data, genres);
  const tagCount = genres.summaries.scopes.filter(({ filters }) => filters.tag).length;
  const problems = [...findings.problems, ...tagProblems(tagCount), ...publicFiles.problems];
  if (problems.length > 0) throw new ProblemError(problems);
  const warnings = [...findings.warnings, ...(await checkOwner(plan, memory))];
  // 5. Compare the whole with the previous site, and refuse to lose much of it.
  const summary = sumUp(plan.categories, genres.summaries);
  if (memory !== null && !plan.acceptLoss) guardAgainst(memory, summary.totals, changes, plan);
  const counts = changes && changes.counts;
  const log = hasMemory(plan.service)
    ? continueLog(past.log, changes?.changes ?? [], totalOf(counts ?? {}))
    : null;
  warnings.push(...comparisonWarnings(plan, summary, memory, changes));
  // 6. Add the pages and files above the genres. Files of the owner come first, redirects from
  // former addresses last.
  for (const file of publicFiles.files) staging.add(file);
  const { pages, former } = genres;
  addSiteFiles(staging, plan, {
    summary,
    pages,
    former,
    log,
    since: past.log.since,
  });
  // 7. Add compressed copies and the manifest. Refuse a site that its host would not take.
  if (plan.compress) await staging.compress();
  const size = staging.finish(plan.generator);
  const misfits = plan.checkSize?.(size) ?? [];
  if (misfits.length > 0) throw new ProblemError(misfits);
  // 8. Put the new site in place of the previous one.
  warnings.push(...(await swap(() => assertReplaceable(plan, (path) => staging.has(path)))));
  const { totals, floating } = summary;
  const newChanges = log?.changes.filter(({ at }) => at === past.log.at);
  return {
    totals,
    totalsBefore: memory?.index?.catalogue ?? null,
    baseUrl: plan.baseUrl,
    announced: summary.everything.totals.announced,
    floating,
    ...size,
    lastSync: plan.lastSync,
    sources: data.sources,
    changes: log && { ...log, changes: newChanges ?? [] },
    counts,
    warnings,
  };
}

/** Opens the memory of the previous site. `damage` is its first problem that was found. */
async function openPrevious(plan: BuildPlan, damage: Problem | null): Promise<Memory | null> {
  const { previous, cwd, now, isNowGiven, baseUrl } = plan;
  if (previous === null) return null;
  if (!isAddress(previous.at)) recover(resolve(cwd, previous.at));
  const memory = await openMemory(previous, cwd, { now, isGiven: isNowGiven });
  if (memory === null) return null;
  // Nobody follows a local preview, so its removed events are not reported.
  const wasLocal = isLocal(ownerIn(memory.index)?.baseUrl ?? baseUrl);
  const isPreview = wasLocal && !isLocal(baseUrl) && !previous.isNamed;
  if (damage === null && !isPreview) return memory;
  closeMemory(memory);
  if (isPreview) return null;
  return {
    ...memory,
    events: null,
    damage,
    mixture: null,
  };
}

/** Renders the genres. Their changes include the changes of genres that are gone. */
async function compareGenres(
  plan: BuildPlan,
  data: DataFolder,
  past: Past,
  staging: StagingArea,
): Promise<RenderedGenres> {
  const genres = await renderGenres(plan, data, past, staging);
  const { memory } = past;
  if (memory === null || genres.changes === null) return genres;
  const ids = new Set(genres.summaries.genres.map(({ id }) => id));
  const missing = compareMissing(ids, genres.former, {
    ...plan,
    memory,
    at: past.log.at,
  });
  return {
    ...genres,
    changes: addUpChanges([genres.changes, missing]),
  };
}

/**
 * Throws the problem `site-of-another` if the previous site, or that at the place of the new one,
 * is that of another catalogue. Returns a warning if subscribers of the previous site see new ids.
 */
async function checkOwner(plan: BuildPlan, memory: Memory | null): Promise<Problem[]> {
  const { out, service, baseUrl, authority } = plan;
  const owner = {
    name: service.name,
    baseUrl,
    authority,
  };
  const previous = memory && ownerIn(memory.index);
  assertSameOwner(await readOwner(openSite(out, '')), owner, out);
  assertSameOwner(previous, owner, memory?.site ?? '');
  return renamedIds(previous, owner, service.authority);
}

/**
 * Returns warnings about versions and files that could not be compared, genres that became empty,
 * and probable renames.
 */
function comparisonWarnings(
  { service, generator }: BuildPlan,
  { genres }: Summary,
  memory: Memory | null,
  changes: GenreChanges | null,
): readonly Problem[] {
  if (memory === null) return [];
  const { damage, mixture, leftOut } = memory;
  const states = [damage ?? mixture, leftOut].filter((problem) => problem !== null);
  if (damage !== null || mixture !== null) return states;
  if (changes !== null) {
    const ids = new Set(genres.map(({ id }) => id));
    return [
      ...states,
      ...otherVersion(memory, generator),
      ...emptiedGenres(changes),
      ...renameHints(changes, ids),
    ];
  }
  if (!hasMemory(service) && !memory.isNamed) return states;
  return [...states, { code: 'site-without-bulk', place: null, site: memory.site }];
}
