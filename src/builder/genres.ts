import type { ChangeRecord } from '../api/documents.ts';
import { lazy } from '../catalogue/lazy.ts';
import { hasMemory, type Category, type FormerSubject } from '../catalogue/model.ts';
import { day } from '../catalogue/time/time.ts';
import type { StagingArea } from '../output/staging.ts';
import { pageContext, type PageContext } from '../pages/context.ts';
import { PageSummaryBuilder, type PageSummary } from '../pages/page-summary.ts';
import { renderGenrePages } from '../pages/pages.ts';
import { eventTexts, textOfEvents } from '../render/event-texts.ts';
import { renderGenreFiles } from '../render/genre-files.ts';
import { renderGenre } from '../render/formats.ts';
import { currentTexts, genreRecords, type GenreRecords } from '../render/records.ts';
import { renderContext, type RenderContext } from '../render/scope.ts';
import { renderSubjects, subjectsOf } from '../render/subject-files.ts';
import { SummaryBuilder, type Sum } from '../render/summary.ts';
import { changesOfGenre, type OpenLog } from '../site/changes.ts';
import { addUpChanges, compareGenre, type GenreChanges } from '../site/comparison.ts';
import { GenreMemory } from '../site/genre-memory.ts';
import type { Memory } from '../site/memory.ts';
import type { DataFolder, DataGenre, Findings } from '../source/data.ts';
import type { BuildPlan } from './options.ts';

/** The results of rendering genres, besides their files. */
export interface RenderedGenres extends Pick<Findings, 'problems' | 'warnings'> {
  readonly summaries: Sum;
  /** Aggregates for pages that span genres. */
  readonly pages: PageSummary;
  /** The former ids of subjects. */
  readonly former: readonly FormerSubject[];
  /** The changes since the previous site. Null if nothing can be compared. */
  readonly changes: GenreChanges | null;
}

/** The previous site, as far as a build needs it. */
export interface Past {
  readonly memory: Memory | null;
  readonly log: OpenLog;
}

/**
 * Renders genres one at a time: read → compare with the previous site → render → write → add up.
 * Renders nothing more once there is a problem.
 */
export async function renderGenres(
  plan: Pick<BuildPlan, 'baseUrl' | 'authority' | 'now' | 'onGenre'>,
  data: DataFolder,
  past: Past,
  staging: StagingArea,
): Promise<RenderedGenres> {
  const { service, categories, collections } = data;
  const { log } = past;
  const named = data.genres.map(({ genre }) => genre);
  const site = renderContext(service, categories, named, {
    ...plan,
    since: log.since,
    collections,
  });
  const target = {
    staging,
    site,
    context: pageContext(service, plan.baseUrl, categories, named, plan.now),
  };
  const [summaries, pages] = [
    new SummaryBuilder(categories, collections),
    new PageSummaryBuilder(service, plan.now),
  ];
  const former: FormerSubject[] = [];
  const changes: GenreChanges[] = [];
  for (const [index, genre] of data.genres.entries()) {
    const { content, found } = await readGenre(plan.now, data, genre, past);
    if (!data.hasProblems()) {
      const entries = changesOfGenre(log, genre.genre.id, found.changes);
      const { texts, textOf } = writeGenre(target, genre.category, content, entries);
      summaries.add(content, texts, textOf);
      pages.add(genre.category, content);
      former.push(...content.former);
      changes.push(found);
    }
    plan.onGenre(index + 1, data.genres.length);
  }
  const isCompared = hasMemory(service) && past.memory?.events != null;
  return {
    summaries: summaries.build(),
    pages: pages.build(),
    former,
    changes: isCompared ? addUpChanges(changes) : null,
    ...data.found(),
  };
}

/**
 * Reads a genre and compares it with the previous site. What that says about its events is part of
 * their records.
 */
async function readGenre(now: number, data: DataFolder, genre: DataGenre, { memory, log }: Past) {
  const content = await data.readGenre(genre);
  const { service, former, collections } = data;
  if (memory === null || memory.events === null || !hasMemory(service)) {
    const isDamaged = memory?.damage != null && hasMemory(service);
    // Every event may have changed, and copies of subscribers must never be newer than this site.
    const history = isDamaged ? { updatedAt: () => log.at, past: () => [] } : null;
    return { content: genreRecords(content, history), found: addUpChanges([]) };
  }
  const { id } = genre.genre;
  const remembered = new GenreMemory(memory, id, content, {
    former: former.genres,
    claimed: data.formerSubjects,
  });
  const records = genreRecords(content, {
    updatedAt: (event, json, isOver) => remembered.updatedAt(event, json, isOver, log.at),
    past: (isKnown) => remembered.past(isKnown, now, now - service.pastDays * day),
  });
  const { members, cancelledIds } = records;
  const upcomingIds = new Set(records.upcoming.map(({ record }) => record.id));
  const over = new Map(records.over.map(({ record }) => [record.id, record]));
  const next = { id, members, cancelledIds, texts: currentTexts(records), upcomingIds, over };
  return {
    content: records,
    found: compareGenre(next, remembered, { memory, now, at: log.at, former, collections }),
  };
}

/**
 * Writes the files of a genre. Returns the texts of its soonest events, and a serializer for the
 * others.
 */
function writeGenre(
  { staging, site, context }: { staging: StagingArea; site: RenderContext; context: PageContext },
  category: Category,
  content: GenreRecords,
  changes: readonly ChangeRecord[],
) {
  const textOf = textOfEvents(content, category, site);
  const texts = eventTexts(content, content.texts, textOf);
  const subjects = lazy(() => subjectsOf(content));
  for (const file of renderGenre(content, texts, site)) staging.add(file);
  for (const file of renderGenreFiles(content, site.service)) staging.add(file);
  if (context.hasAllPages)
    for (const file of renderSubjects(content, subjects, textOf, site.service.name))
      staging.add(file);
  for (const file of renderGenrePages(context, category, content, { subjects, changes }))
    staging.add(file);
  return { texts, textOf };
}
