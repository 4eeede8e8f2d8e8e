import type { ChangesDocument } from '../api/documents.ts';
import { calendarLimit } from '../api/paths.ts';
import type { SiteSize } from '../api/site-file.ts';
import { hasMemory, type Totals } from '../catalogue/model.ts';
import { checkSize } from '../hosts/table.ts';
import { listPublic } from '../output/public.ts';
import { assertReplaceable, type Replacement } from '../output/replaceable.ts';
import type { StagingArea } from '../output/staging.ts';
import { beginSite, pretendSite, recover, type NewSite } from '../output/swap.ts';
import { pageContext } from '../pages/context.ts';
import { movedPage } from '../pages/tools.ts';
import { renderPages } from '../pages/pages.ts';
import { ProblemError, type Problem } from '../problem/problem.ts';
import { formerFiles } from '../render/former.ts';
import { joinGenreFiles, partFiles } from '../render/genre-files.ts';
import { renderContext } from '../render/scope.ts';
import { describeSite, listRecords, renderSite } from '../render/site.ts';
import { sumUp, type Summary } from '../render/summary.ts';
import { continueLog, newestOf, openLog, type GenreChanges, type OpenLog } from '../site/change-log.ts';
import { completeChanges } from '../site/compare-genres.ts';
import { damageWarnings, type ComparedSite } from '../site/earlier-site.ts';
import { emptiedGenres, guardAgainst } from '../site/guard.ts';
import { assertSameOwner, readOwner, renamedIds } from '../site/owner.ts';
import { openSite } from '../site/site.ts';
import { openData, type DataFolder } from '../source/data.ts';
import { orDiskProblem } from '../system/failure.ts';
import { checkData, findingsOf, tagProblems } from './check.ts';
import type { RenderedGenres } from './genres.ts';
import { planBuild, type BuildOptions, type BuildPlan } from './options.ts';
import { renderInThreads } from './threads.ts';

/** What a build did. */
export interface BuildReport extends SiteSize {
  readonly totals: Totals;
  readonly baseUrl: string;
  /** Announced events without a real date. */
  readonly announced: number;
  /** Upcoming events whose clock time has no zone, so that only their date is published. */
  readonly floating: number;
  readonly lastSync: string;
  /** The changes that this build saw. Null if the site has no change log. */
  readonly changes: ChangesDocument | null;
  /** Whether there was a site to compare with. Null if losses are not limited. */
  readonly isGuarded: boolean | null;
  /**
   * Remote sources that failed, with what is published in their place, invalid events that were left out, doubtful
   * dates, and what did not work after the new site was in place.
   */
  readonly warnings: readonly Problem[];
}

/** Builds the site, one genre at a time. Throws a {@link ProblemError} with every problem; the previous site then stays. */
export async function build(options: BuildOptions): Promise<BuildReport> {
  return orDiskProblem('write-failed', async () => {
    // 1. Make every choice. Without a base URL nothing can be rendered, but one run reports every problem.
    const data = openData({ ...options, limit: calendarLimit });
    const plan = planBuild(options, data);
    if (plan === null) throw new ProblemError((await checkData({ ...options, previous: null }, data)).problems);
    // 2. Begin a new site next to the one that it replaces.
    recover(plan.out);
    assertReplaceable({ ...targetOf(plan), isStaged: null });
    const site = plan.dryRun ? pretendSite() : beginSite(plan.out, plan.isDurable);
    try {
      return await makeSite(plan, data, site);
    } finally {
      site.close();
    }
  });
}

function targetOf({ out, data, publicFolder }: BuildPlan): Omit<Replacement, 'isStaged'> {
  return { out, data, publicFolder: publicFolder?.folder ?? null };
}

async function makeSite(plan: BuildPlan, data: DataFolder, { staging, swap }: NewSite): Promise<BuildReport> {
  // 3. Read, compare, render and write the genres, in this thread and others.
  const open = await openLogOf(plan);
  const genres = await renderInThreads(plan, data, open, staging);
  // 4. Report everything that is wrong.
  const owned = listPublic(plan.publicFolder);
  const warnings = [...reportFindings(plan, data, genres, owned.problems), ...(await checkOwner(plan))];
  // 5. Compare the whole with the previous site, and refuse to lose much of it.
  const summary = sumUp(plan.categories, genres.summaries);
  const changes = await changesOf(plan, genres, open);
  const compared = await compareTotals(plan, summary, changes);
  const log = hasMemory(plan.service) ? continueLog(open, changes) : null;
  warnings.push(...compared.warnings, ...(await damageOf(plan.previous, changes)));
  // 6. Add what lies above the genres. Files of the owner come first, redirects from former addresses last.
  for (const file of owned.files) staging.copy(file);
  addJoinedFiles(plan, summary, staging);
  addLists({ ...plan, since: open.since }, summary, genres, log, staging);
  addFormer(plan, summary, genres, staging);
  // 7. Add compressed copies and the manifest. Refuse a site that its host would not take.
  if (plan.compress) await staging.compress();
  const size = staging.finish(plan.generator);
  const misfits = plan.host === null ? [] : checkSize(plan.host, size);
  if (misfits.length > 0) throw new ProblemError(misfits);
  // 8. Put the new site in place of the previous one.
  warnings.push(...(await swap(() => assertReplaceable({ ...targetOf(plan), isStaged: (path) => staging.has(path) }))));
  const { totals, everything, floating } = summary;
  const { announced } = everything.totals;
  const { isGuarded } = compared;
  const { baseUrl, lastSync } = plan;
  return {
    totals,
    baseUrl,
    announced,
    floating,
    ...size,
    lastSync,
    changes: log && newestOf(log, changes),
    isGuarded,
    warnings,
  };
}

/** Opens the change log that a site continues. A site without a memory has none. */
async function openLogOf({ service, previous, now }: BuildPlan): Promise<OpenLog> {
  const log = await openLog(hasMemory(service) ? previous : null, now);
  // Without a log, nothing remembers when it began.
  return hasMemory(service) ? log : { ...log, since: '2020-01-01T00:00:00.000Z' };
}

/** Throws every problem of the data and of the files of the owner. Returns the warnings. */
function reportFindings(
  plan: BuildPlan,
  data: DataFolder,
  genres: RenderedGenres,
  owned: readonly Problem[],
): Problem[] {
  const { problems, warnings } = findingsOf(plan, data, genres);
  const tags = genres.summaries.scopes.filter(({ filters }) => filters.tag).length;
  const all = [...problems, ...tagProblems(tags), ...owned];
  if (all.length > 0) throw new ProblemError(all);
  return [...warnings];
}

/**
 * Throws the problem `site-of-another` if the site at the place of the new one is that of another catalogue. Returns a
 * warning if subscribers of the previous site see new ids.
 */
async function checkOwner({ out, previous, service, baseUrl, authority, replace }: BuildPlan): Promise<Problem[]> {
  const owner = { name: service.name, baseUrl, authority };
  if (!replace) assertSameOwner(await readOwner(openSite(out, '')), owner, out);
  const earlier = previous && (await previous.open());
  return earlier === null ? [] : renamedIds(await readOwner(earlier.site), owner, service.authority);
}

/** Returns the changes since the previous site. Null if the events of both are not known. */
async function changesOf(
  { service, previous, now, former, collections }: BuildPlan,
  { changes, summaries, former: subjects }: RenderedGenres,
  { at }: OpenLog,
): Promise<GenreChanges | null> {
  const genres = new Set(summaries.genres.map(({ id }) => id));
  const claimed = new Set(subjects.map(({ old }) => old));
  return hasMemory(service)
    ? completeChanges(previous, changes, { genres, claimed }, { at, now, former, collections })
    : null;
}

/** Throws the problems `site-drop` if much of the previous site would be lost. */
async function compareTotals(
  { previous, maxDrop, lastSync, now, former }: BuildPlan,
  summary: Summary,
  changes: GenreChanges | null,
): Promise<Pick<BuildReport, 'isGuarded' | 'warnings'>> {
  const overview = { ...summary, totals: { ...summary.totals, last_sync: lastSync } };
  const emptied = await emptiedGenres(previous, overview, former);
  if (previous === null || maxDrop === null) return { isGuarded: null, warnings: emptied };
  const compared = await guardAgainst({ against: previous, maxDrop, former }, overview, changes, now);
  const site = previous.name;
  const warnings: readonly Problem[] = compared === 'lists' ? [{ code: 'site-without-bulk', place: null, site }] : [];
  return { isGuarded: compared !== 'nothing', warnings: [...warnings, ...emptied] };
}

/** Returns warnings about what could not be compared in the previous site. */
async function damageOf(previous: ComparedSite | null, changes: GenreChanges | null): Promise<readonly Problem[]> {
  if (previous === null) return [];
  return damageWarnings(previous.name, new Map([...(await previous.damage()), ...(changes?.damage ?? [])]));
}

/** Joins the files of genres to those of the scopes above them. */
function addJoinedFiles({ service }: BuildPlan, summary: Summary, staging: StagingArea): void {
  const bytesOf = (path: string): number => staging.entries.get(path)?.bytes ?? 0;
  for (const part of joinGenreFiles(summary, service, bytesOf)) staging.append(part);
  staging.remove(partFiles(summary, service));
}

/** Adds the lists, the documents that describe the service, the feeds and the pages above genres. */
function addLists(
  plan: BuildPlan & Pick<OpenLog, 'since'>,
  summary: Summary,
  genres: RenderedGenres,
  log: ChangesDocument | null,
  staging: StagingArea,
): void {
  const { service, categories, baseUrl, assets, host } = plan;
  const scopes = renderContext(service, categories, summary.genres, plan);
  const lists = listRecords(summary, scopes);
  const descriptions = describeSite(summary, { ...plan, lists });
  const hasFile = (path: string): boolean => staging.has(path);
  const site = { ...scopes, descriptions, lists, log, hasFile, former: plan.former };
  for (const file of renderSite(summary, site)) staging.add(file);
  const context = pageContext(service, baseUrl, categories, summary.genres);
  const answersQueries = host && !host.unsupported.includes('filters');
  const sources = { pages: genres.pages, log, openapi: descriptions.openapi, lists, assets, answersQueries };
  for (const file of renderPages(context, summary, sources, staging.entries.keys())) {
    // A robots.txt or favicon.ico of the owner replaces ours.
    if (!staging.has(file.path)) staging.add(file);
  }
}

/** Adds the files at former addresses: pages that lead to new ones, and copies of documents. */
function addFormer(
  plan: BuildPlan,
  summary: Summary,
  { former: subjects }: RenderedGenres,
  staging: StagingArea,
): void {
  const { service, baseUrl, categories, former } = plan;
  const context = pageContext(service, baseUrl, categories, summary.genres);
  for (const { path, source } of formerFiles([...staging.entries.keys()], { ...former, subjects })) {
    if (staging.has(path)) continue;
    const bytes = staging.entries.get(source)?.bytes ?? 0;
    if (path.endsWith('.html')) staging.add({ path, content: movedPage(context, path, source) });
    else staging.append({ paths: [path], content: { file: source, start: 0, end: bytes }, isLast: true });
  }
}
