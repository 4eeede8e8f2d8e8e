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
import { openData } from '../source/data.ts';
import { orDiskProblem } from '../system/failure.ts';
import { checkData, findingsOf, tagProblems } from './check.ts';
import { planBuild, type BuildOptions, type CataloguePlan, type OutputPlan, type RenderPlan } from './options.ts';
import { renderInThreads, type GenresResult } from './threads.ts';

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
    const data = await openData({ ...options, limit: calendarLimit });
    const plan = planBuild(options, data);
    if (plan === null) throw new ProblemError((await checkData(options, data)).problems);
    // 2. Begin a new site next to the one that it replaces, and open the change log that it continues.
    const site = openTarget(plan);
    try {
      const log = await openLogOf(plan);
      // 3. Read, compare and render the genres, in this thread and others.
      const genres = await renderInThreads(plan, data, data.genres, log, site.staging);
      return await completeSite(plan, genres, log, site);
    } finally {
      site.close();
    }
  });
}

/** A build after its options are resolved. It does not matter where the genres are rendered. */
type SitePlan = CataloguePlan & OutputPlan;

/** Begins a new site. Throws the problem `out-refused` if it must not replace what is at its place. */
function openTarget(plan: SitePlan): NewSite {
  recover(plan.out);
  assertReplaceable({ ...targetOf(plan), isStaged: null });
  return plan.dryRun ? pretendSite() : beginSite(plan.out, plan.isDurable);
}

function targetOf({ out, data, publicFolder }: SitePlan): Omit<Replacement, 'isStaged'> {
  return { out, data, publicFolder: publicFolder?.folder ?? null };
}

/** Opens the change log that a site continues. A site without a memory has none. */
async function openLogOf({
  service,
  previous,
  now,
}: Pick<SitePlan, 'service' | 'now'> & Pick<RenderPlan, 'previous'>): Promise<OpenLog> {
  const log = await openLog(hasMemory(service) ? previous : null, now);
  // Without a log, nothing remembers when it began.
  return hasMemory(service) ? log : { ...log, since: '2020-01-01T00:00:00.000Z' };
}

/** Takes the steps of a build that follow once the genres are rendered and in the staging area. */
async function completeSite(plan: SitePlan, genres: GenresResult, open: OpenLog, site: NewSite): Promise<BuildReport> {
  const { staging } = site;
  // 4. Report everything that is wrong.
  const { problems: ofGenres, warnings } = findingsOf(plan, genres);
  const tags = genres.summaries.scopes.filter(({ filters }) => filters.tag).length;
  const problems = [...ofGenres, ...tagProblems(tags)];
  const owned = listPublic(plan.publicFolder);
  if (problems.length > 0 || owned.problems.length > 0) throw new ProblemError([...problems, ...owned.problems]);
  const renamed = await checkOwner(plan);
  // 5. Compare the whole with the previous site, and refuse to lose much of it.
  const summary = sumUp(plan.categories, genres.summaries);
  const changes = await changesOf(plan, genres, open);
  const compared = await compareTotals(plan, summary, changes);
  // 6. Add what lies above the genres: joined files, the change log, lists, pages. Files of the owner come first, and
  // what former addresses lead to comes last.
  for (const file of owned.files) staging.copy(file);
  addJoinedFiles(plan, summary, staging);
  const log = hasMemory(plan.service) ? continueLog(open, changes) : null;
  const damaged = await damageOf(plan.previous, changes);
  addLists({ ...plan, since: open.since }, summary, genres, log, staging);
  addFormer(plan, summary, genres, staging);
  // 7. Add compressed copies and the manifest.
  if (plan.compress) await staging.compress();
  const size = staging.finish(plan.generator);
  // 8. Refuse a site that its host would not take.
  const misfits = plan.host === null ? [] : checkSize(plan.host, size);
  if (misfits.length > 0) throw new ProblemError(misfits);
  // 9. Put the new site in place of the previous one.
  const failures = await site.swap(() =>
    assertReplaceable({ ...targetOf(plan), isStaged: (path) => staging.has(path) }),
  );
  const { totals, everything, floating } = summary;
  return {
    totals,
    baseUrl: plan.baseUrl,
    announced: everything.totals.announced,
    floating,
    ...size,
    lastSync: plan.lastSync,
    changes: log && newestOf(log, changes),
    warnings: [...warnings, ...renamed, ...compared, ...damaged, ...failures],
  };
}

/**
 * Throws the problem `site-of-another` if the site at the place of the new one is that of another catalogue. Returns a
 * warning if subscribers of the previous site see new ids.
 */
async function checkOwner({ out, previous, service, baseUrl, authority }: SitePlan): Promise<Problem[]> {
  const owner = { name: service.name, baseUrl, authority };
  assertSameOwner(await readOwner(openSite(out, '')), owner, out);
  const earlier = previous && (await previous.open());
  return earlier === null ? [] : renamedIds(await readOwner(earlier.site), owner, service.authority);
}

/** Returns the changes since the previous site. Null if the events of both are not known. */
async function changesOf(
  { service, previous, now, former, collections }: SitePlan,
  { changes, summaries, former: subjects }: GenresResult,
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
  { previous, maxDrop, lastSync, now, former }: SitePlan,
  summary: Summary,
  changes: GenreChanges | null,
): Promise<readonly Problem[]> {
  const overview = { ...summary, totals: { ...summary.totals, last_sync: lastSync } };
  const emptied = await emptiedGenres(previous, overview, former);
  if (previous === null || maxDrop === null) return emptied;
  const compared = await guardAgainst({ against: previous, maxDrop, former }, overview, changes, now);
  if (compared !== 'lists') return emptied;
  return [{ code: 'site-without-bulk', place: null, site: previous.name }, ...emptied];
}

/** Returns warnings about what could not be compared in the previous site. */
async function damageOf(previous: ComparedSite | null, changes: GenreChanges | null): Promise<readonly Problem[]> {
  if (previous === null) return [];
  return damageWarnings(previous.name, new Map([...(await previous.damage()), ...(changes?.damage ?? [])]));
}

/** Joins the files of genres to those of the scopes above them. */
function addJoinedFiles({ service }: SitePlan, summary: Summary, staging: StagingArea): void {
  const bytesOf = (path: string): number => staging.entries.get(path)?.bytes ?? 0;
  for (const part of joinGenreFiles(summary, service, bytesOf)) staging.append(part);
  staging.remove(partFiles(summary, service));
}

/** Adds the lists, the documents that describe the service, the feeds and the pages above genres. */
function addLists(
  plan: SitePlan & Pick<OpenLog, 'since'>,
  summary: Summary,
  genres: GenresResult,
  log: ChangesDocument | null,
  staging: StagingArea,
): void {
  const { service, categories, baseUrl, assets, host } = plan;
  const scopes = renderContext(service, categories, summary.genres, plan);
  const lists = listRecords(summary, scopes);
  const descriptions = describeSite(summary, { ...plan, log, lists });
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
function addFormer(plan: SitePlan, summary: Summary, { former: subjects }: GenresResult, staging: StagingArea): void {
  const { service, baseUrl, categories, former } = plan;
  const context = pageContext(service, baseUrl, categories, summary.genres);
  for (const { path, source } of formerFiles([...staging.entries.keys()], { ...former, subjects })) {
    if (staging.has(path)) continue;
    const bytes = staging.entries.get(source)?.bytes ?? 0;
    if (path.endsWith('.html')) staging.add({ path, content: movedPage(context, path, source) });
    else staging.append({ paths: [path], content: { file: source, start: 0, end: bytes }, isLast: true });
  }
}
