import type { ChangeRecord } from '../api/documents.ts';
import type { SiteFile } from '../api/site-file.ts';
import { lazy } from '../catalogue/lazy.ts';
import { hasMemory, type Category, type FormerSubject } from '../catalogue/model.ts';
import { day } from '../catalogue/time/time.ts';
import type { StagingArea } from '../output/staging.ts';
import { pageContext, type PageContext } from '../pages/context.ts';
import { PageSummaryBuilder, type PageSummary } from '../pages/page-summary.ts';
import { renderGenrePages } from '../pages/pages.ts';
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
import type { DataFolder, Findings } from '../source/data.ts';
import type { DataGenre } from '../source/metadata.ts';
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
  const target = genreTarget(plan, data, log.since);
  const summaries = new SummaryBuilder(categories, collections);
  const pages = new PageSummaryBuilder(service, plan.now);
  const former: FormerSubject[] = [];
  const changes: GenreChanges[] = [];
  for (const [index, genre] of data.genres.entries()) {
    const { content, comparison } = await readGenre(plan.now, data, genre, past);
    if (!data.hasProblems()) {
      const entries = changesOfGenre(log, genre.genre.id, comparison.changes);
      const files = genreFiles(target, genre.category, content, entries);
      for (const file of files) staging.add(file);
      summaries.add(content);
      pages.add(genre.category, content);
      former.push(...content.former);
      changes.push(comparison);
    }
    plan.onGenre(index + 1, data.genres.length);
  }
  const isCompared =
    hasMemory(service) && past.memory?.events != null && past.memory.mixture === null;
  return {
    summaries: summaries.build(),
    pages: pages.build(),
    former,
    changes: isCompared ? addUpChanges(changes) : null,
    ...data.findings(),
  };
}

/**
 * Reads a genre and compares it with the previous site, which gives `updated_at` and the past
 * events.
 */
async function readGenre(now: number, data: DataFolder, genre: DataGenre, { memory, log }: Past) {
  const content = await data.readGenre(genre);
  const { service, former, collections } = data;
  if (memory === null || memory.events === null || !hasMemory(service)) {
    const isDamaged = memory?.damage != null && hasMemory(service);
    // Damaged: mark all events as changed now, so that calendars take over every entry.
    const history = isDamaged
      ? {
          updatedAt: () => log.at,
          past: () => [],
        }
      : null;
    return {
      content: genreRecords(content, history),
      comparison: addUpChanges([]),
    };
  }
  const { id } = genre.genre;
  const remembered = new GenreMemory(memory, id, content, {
    former: former.genres,
    claimed: () => data.formerSubjects(),
  });
  const records = genreRecords(content, {
    updatedAt: (event, json, isOver) => remembered.updatedAt(event, json, isOver, log.at),
    past: (isKnown) => remembered.past(isKnown, now, now - service.pastDays * day),
  });
  // Changes since another version may stand in the log already.
  if (memory.mixture !== null)
    return {
      content: records,
      comparison: addUpChanges([]),
    };
  const { members, cancelledIds } = records;
  const upcomingIds = new Set(records.upcoming.map(({ record }) => record.id));
  const over = new Map(records.over.map(({ record }) => [record.id, record]));
  const next = {
    id,
    members,
    cancelledIds,
    texts: currentTexts(records),
    upcomingIds,
    over,
  };
  return {
    content: records,
    comparison: compareGenre(next, remembered, {
      memory,
      now,
      at: log.at,
      former,
      collections,
    }),
  };
}

/** What the files of all genres have in common. */
interface GenreTarget {
  readonly site: RenderContext;
  readonly context: PageContext;
}

/** @param since when the log of changes begins, as ISO 8601 UTC with milliseconds */
export function genreTarget(
  { baseUrl, authority, now }: Pick<BuildPlan, 'baseUrl' | 'authority' | 'now'>,
  { service, categories, collections, genres }: DataFolder,
  since: string,
): GenreTarget {
  const genreMetadata = genres.map(({ genre }) => genre);
  const plan = {
    baseUrl,
    authority,
    since,
    collections,
  };
  return {
    site: renderContext(service, categories, genreMetadata, plan),
    context: pageContext({ service, baseUrl, categories, now }, genreMetadata),
  };
}

/** The files of a genre. */
export function* genreFiles(
  { site, context }: GenreTarget,
  category: Category,
  content: GenreRecords,
  changes: readonly ChangeRecord[],
): Generator<SiteFile> {
  const subjects = lazy(() => subjectsOf(content));
  yield* renderGenre(content, site);
  yield* renderGenreFiles(content, site.service);
  if (context.hasAllPages) yield* renderSubjects(content, subjects, site);
  yield* renderGenrePages(context, category, content, { subjects, changes });
}
