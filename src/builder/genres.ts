import type { ChangeRecord } from '../api/documents.ts';
import { hasMemory, type Category, type FormerSubject } from '../catalogue/model.ts';
import { day } from '../catalogue/time/time.ts';
import type { StagingArea } from '../output/staging.ts';
import { pageContext } from '../pages/context.ts';
import { PageSummaryBuilder, type PageSummary } from '../pages/page-summary.ts';
import { renderGenrePages } from '../pages/pages.ts';
import type { Problem } from '../problem/problem.ts';
import { eventTexts, textOfEvents } from '../render/event-texts.ts';
import { renderGenreFiles } from '../render/genre-files.ts';
import { renderGenre } from '../render/formats.ts';
import { currentTexts, genreRecords, type GenreRecords } from '../render/records.ts';
import { renderContext } from '../render/scope.ts';
import { renderSubjects, subjectsOf } from '../render/subject-files.ts';
import { SummaryBuilder, type Sum } from '../render/summary.ts';
import { addUpChanges, changesOfGenre, type GenreChanges, type OpenLog } from '../site/change-log.ts';
import { GenreComparison } from '../site/compare-genres.ts';
import type { GenreHistory } from '../site/genre-history.ts';
import type { DataFolder, DataGenre } from '../source/data.ts';
import { repeatedClaims } from '../source/former.ts';
import type { BuildPlan } from './options.ts';

/** What a build knows about genres that it has rendered, besides their files. Plain data, so a thread can send it. */
export interface RenderedGenres {
  readonly summaries: Sum;
  /** What the pages above genres need. */
  readonly pages: PageSummary;
  /** The former ids of subjects. */
  readonly former: readonly FormerSubject[];
  /** The changes since the previous site. Null if not all genres were compared with the same one. */
  readonly changes: GenreChanges | null;
  /** The problems of these genres and of the data folder as a whole. */
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/**
 * Renders genres one at a time: read → compare with the previous site → render → write → add up. Renders nothing more
 * once there is a problem.
 */
export async function renderGenres(
  plan: Pick<BuildPlan, 'baseUrl' | 'authority' | 'now' | 'previous' | 'onGenre'>,
  data: DataFolder,
  genres: readonly DataGenre[],
  log: OpenLog,
  staging: StagingArea,
): Promise<RenderedGenres> {
  const { service, categories, collections } = data;
  const target = openTarget(plan, data, log, staging);
  const [summaries, pages] = [new SummaryBuilder(categories, collections), new PageSummaryBuilder(service.pages)];
  const former: FormerSubject[] = [];
  const comparison = hasMemory(service)
    ? await GenreComparison.open(plan.previous, { at: log.at, now: plan.now, former: data.former, collections })
    : null;
  const histories = comparison?.histories(genres.map(({ genre }) => genre.id));
  for (const [index, genre] of genres.entries()) {
    const history: GenreHistory | null = (await histories?.next())?.value ?? null;
    const content = await readRecords({ data, comparison, now: plan.now }, genre, history);
    if (!data.hasProblems()) {
      const { id } = genre.genre;
      const { cancelledIds } = content;
      const found = history && comparison?.add({ id, cancelledIds, texts: currentTexts(content) }, history);
      const { texts, textOf } = writeGenre(target, genre.category, content, changesOfGenre(log, id, found ?? []));
      summaries.add(content, texts, textOf);
      pages.add(genre.category, content);
      former.push(...content.former);
    }
    plan.onGenre(index + 1, genres.length);
  }
  const changes = comparison?.build() ?? null;
  return { summaries: summaries.build(), pages: pages.build(), former, changes, ...data.found() };
}

/** Returns where the files of genres go, and what they have in common. */
function openTarget(
  { baseUrl, authority }: Pick<BuildPlan, 'baseUrl' | 'authority'>,
  { service, categories, collections, genres }: DataFolder,
  { since }: OpenLog,
  staging: StagingArea,
) {
  const named = genres.map(({ genre }) => genre);
  return {
    staging,
    site: renderContext(service, categories, named, { baseUrl, authority, since, collections }),
    context: pageContext(service, baseUrl, categories, named),
  };
}

/** Reads a genre. What its history says about its events becomes part of their records. */
export async function readRecords(
  { data, comparison, now }: { data: DataFolder; comparison: GenreComparison | null; now: number },
  genre: DataGenre,
  history: GenreHistory | null,
): Promise<GenreRecords> {
  const content = await data.readGenre(genre);
  if (history === null) return genreRecords(content, null);
  await comparison?.follow(history, content, data.formerSubjects);
  const pastSince = now - data.service.pastDays * day;
  return genreRecords(content, {
    updatedAt: (id, json, list) => history.updatedAt(id, json, list),
    past: (isKnown) => history.past(isKnown, now, pastSince),
  });
}

/** Writes the files of a genre. Returns the texts of its soonest events, and what serializes others. */
function writeGenre(
  { staging, site, context }: ReturnType<typeof openTarget>,
  category: Category,
  content: GenreRecords,
  changes: readonly ChangeRecord[],
) {
  const textOf = textOfEvents(content, category, site);
  const texts = eventTexts(content, textOf);
  const subjects = context.has('subject') ? subjectsOf(content) : [];
  for (const file of renderGenre(content, texts, site)) staging.add(file);
  for (const chunk of renderGenreFiles(content, site.service)) staging.append(chunk);
  for (const file of renderSubjects(content, subjects, texts, textOf, site.service.name)) staging.add(file);
  for (const file of renderGenrePages(context, category, content, { subjects, changes })) staging.add(file);
  return { texts, textOf };
}

/** Adds up genres of one catalogue that several threads rendered. */
export function addUpGenres(
  { service, categories, collections }: DataFolder,
  rendered: readonly RenderedGenres[],
): RenderedGenres {
  const [summaries, pages] = [new SummaryBuilder(categories, collections), new PageSummaryBuilder(service.pages)];
  for (const genres of rendered) summaries.addAll(genres.summaries);
  for (const genres of rendered) pages.addAll(genres.pages);
  const former = rendered.flatMap((genres) => genres.former);
  const problems = [...rendered.flatMap((genres) => genres.problems), ...repeatedClaims(former)];
  return {
    summaries: summaries.build(),
    pages: pages.build(),
    former,
    changes: addUpChanges(rendered.map(({ changes }) => changes)),
    // Each thread reports the problems of the data folder as a whole.
    problems: [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()],
    warnings: rendered.flatMap((genres) => genres.warnings),
  };
}
