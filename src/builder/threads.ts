import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { ManifestEntry } from '../api/documents.ts';
import { calendarLimit } from '../api/paths.ts';
import type { CataloguePlan, RenderPlan } from './options.ts';
import { hasMemory, type Category, type FormerSubject } from '../catalogue/model.ts';
import { day } from '../catalogue/time/time.ts';
import { addUpChanges, changesOfGenre, type GenreChanges, type OpenLog } from '../site/change-log.ts';
import { GenreComparison } from '../site/compare-genres.ts';
import { ComparedSite } from '../site/earlier-site.ts';
import type { GenreHistory } from '../site/genre-history.ts';
import { openSite } from '../site/site.ts';
import { StagingArea, type StagingFolders } from '../output/staging.ts';
import { splitByBytes } from './split.ts';
import { ProblemError, type Problem } from '../problem/problem.ts';
import { eventTexts, textOfEvents, type EventTexts, type TextOf } from '../render/event-texts.ts';
import { renderGenre } from '../render/genre.ts';
import { renderGenreFiles } from '../render/genre-files.ts';
import { currentTexts, genreRecords, type GenreRecords } from '../render/records.ts';
import { renderContext } from '../render/scope.ts';
import { renderSubjects, subjectsOf } from '../render/subject-files.ts';
import { pageContext } from '../pages/context.ts';
import { renderGenrePages } from '../pages/pages.ts';
import { PageSummaryBuilder, type PageSummary } from '../pages/page-summary.ts';
import { SummaryBuilder, type Sum } from '../render/summary.ts';
import { openData, type DataFolder, type DataGenre } from '../source/data.ts';
import { repeatedClaims } from '../source/former.ts';
import { displayPathFrom } from '../system/files.ts';
import { diskProblem } from '../system/failure.ts';
import { packagePath } from '../system/package.ts';

/** What a build knows about genres that it has rendered, besides their files. Plain data, so it can come from a thread. */
export interface GenresResult {
  readonly summaries: Sum;
  /** The changes since the previous site. Null if not all genres were compared with the same one. */
  readonly changes: GenreChanges | null;
  /** What the pages above genres need. */
  readonly pages: PageSummary;
  /** The former ids of subjects. */
  readonly former: readonly FormerSubject[];
  /** The problems of these genres and of the data folder as a whole. */
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** Adds up what is known about genres of one catalogue, in any order. */
class GenresBuilder {
  readonly #summaries: SummaryBuilder;
  readonly #pages: PageSummaryBuilder;
  readonly #changes: (GenreChanges | null)[] = [];
  readonly #former: FormerSubject[] = [];
  /** By their JSON, because each result repeats the problems of the data folder as a whole. */
  readonly #problems = new Map<string, Problem>();
  readonly #warnings: Problem[] = [];

  constructor({ service, categories, collections }: Pick<DataFolder, 'service' | 'categories' | 'collections'>) {
    this.#summaries = new SummaryBuilder(categories, collections);
    this.#pages = new PageSummaryBuilder(service.pages);
  }

  /** Adds a genre that was rendered. */
  addGenre(category: Category, content: GenreRecords, texts: EventTexts, textOf: TextOf): void {
    this.#summaries.add(content, texts, textOf);
    this.#pages.add(category, content);
    this.#former.push(...content.former);
  }

  add({ summaries, changes, pages, former, problems, warnings }: GenresResult): void {
    this.#summaries.addAll(summaries);
    this.#pages.addAll(pages);
    this.#changes.push(changes);
    this.#former.push(...former);
    for (const problem of problems) this.#problems.set(JSON.stringify(problem), problem);
    for (const warning of warnings) this.#warnings.push(warning);
  }

  build(): GenresResult {
    for (const problem of repeatedClaims(this.#former)) this.#problems.set(JSON.stringify(problem), problem);
    return {
      summaries: this.#summaries.build(),
      changes: addUpChanges(this.#changes),
      pages: this.#pages.build(),
      former: this.#former,
      problems: [...this.#problems.values()],
      warnings: this.#warnings,
    };
  }
}

/** What the rendering of genres depends on. */
interface GenresPlan extends Pick<CataloguePlan, 'authority' | 'baseUrl' | 'now'>, Pick<RenderPlan, 'onGenre'> {
  /** The site that the events are compared with. */
  readonly against: ComparedSite | null;
  readonly log: OpenLog;
}

/** Reads a genre. What its history says about its events becomes part of their records. */
export async function readRecords(
  {
    data,
    comparison,
    now,
  }: { readonly data: DataFolder; readonly comparison: GenreComparison | null; readonly now: number },
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

/**
 * Reads and renders genres, one at a time: read → compare with the previous site → render → write. Renders nothing more
 * once there is a problem.
 */
async function renderGenres(
  { authority, baseUrl, now, against, log, onGenre }: GenresPlan,
  data: DataFolder,
  genres: readonly DataGenre[],
  staging: StagingArea,
): Promise<GenresResult> {
  const { service, categories, collections } = data;
  const ofAll = data.genres.map(({ genre }) => genre);
  const context = pageContext(service, baseUrl, categories, ofAll);
  const site = renderContext(service, categories, ofAll, { baseUrl, authority, since: log.since, collections });
  const rendered = new GenresBuilder(data);
  const comparison = hasMemory(service)
    ? await GenreComparison.open(against, { at: log.at, now, former: data.former, collections })
    : null;
  const histories = comparison?.histories(genres.map(({ genre }) => genre.id));
  for (const [index, genre] of genres.entries()) {
    const history: GenreHistory | null = (await histories?.next())?.value ?? null;
    const content = await readRecords({ data, comparison, now }, genre, history);
    if (!data.hasProblems()) {
      const textOf = textOfEvents(content, genre.category, site);
      const texts = eventTexts(content, textOf);
      for (const file of renderGenre(content, texts, site)) staging.add(file);
      for (const part of renderGenreFiles(content, service)) staging.append(part);
      const subjects = context.has('subject') ? subjectsOf(content) : [];
      for (const file of renderSubjects(content, subjects, texts, textOf, service.name)) staging.add(file);
      const { id } = genre.genre;
      const found =
        history === null
          ? []
          : comparison?.add({ id, cancelledIds: content.cancelledIds, texts: currentTexts(content) }, history);
      const changes = changesOfGenre(log, id, found);
      for (const file of renderGenrePages(context, genre.category, content, { subjects, changes })) staging.add(file);
      rendered.addGenre(genre.category, content, texts, textOf);
    }
    onGenre(index + 1, genres.length);
  }
  const changes = comparison?.build() ?? null;
  return { ...rendered.build(), changes, ...data.found() };
}

/** What a thread renders. */
export interface ThreadTask extends Omit<GenresPlan, 'against' | 'onGenre'>, Pick<RenderPlan, 'cwd' | 'isDurable'> {
  /** The folder or address of the site that the events are compared with. */
  readonly against: string | null;
  /** The absolute path of the data folder. */
  readonly data: string;
  /** The ids of its genres. */
  readonly genres: readonly string[];
  readonly folders: StagingFolders | null;
}

export type ThreadAnswer =
  | { readonly result: GenresResult; readonly entries: ReadonlyMap<string, ManifestEntry> }
  | { readonly problems: readonly Problem[] };

/** Renders genres in this thread and in others. Each writes its own files into the staging area. */
export async function renderInThreads(
  plan: CataloguePlan & RenderPlan,
  data: DataFolder,
  genres: readonly DataGenre[],
  log: OpenLog,
  staging: StagingArea,
): Promise<GenresResult> {
  const { authority, baseUrl, now, cwd, isDurable, jobs, previous: against, onGenre } = plan;
  const ownPlan = { authority, baseUrl, now, log, against, onGenre };
  if (jobs === 1 || genres.length < 2) return renderGenres(ownPlan, data, genres, staging);
  const [own = [], ...others] = shareGenres(data, genres, jobs);
  const common = { authority, baseUrl, now, log, cwd, isDurable, data: data.folder, folders: staging.folders };
  const answers = others.map(async (some) => {
    const ids = some.map(({ genre }) => genre.id);
    const task: ThreadTask = { ...common, against: against?.name ?? null, genres: ids };
    return runThread<ThreadAnswer>('lib/bin/thread-worker.js', task);
  });
  const [result, ...ended] = await Promise.allSettled([renderGenres(ownPlan, data, own, staging), ...answers] as const);
  const all = new GenresBuilder(data);
  all.add(valueOf(result));
  for (const answer of ended.map(valueOf)) {
    if ('problems' in answer) throw new ProblemError(answer.problems);
    staging.adopt(answer.entries);
    all.add(answer.result);
  }
  return all.build();
}

function valueOf<T>(ended: PromiseSettledResult<T>): T {
  if (ended.status === 'rejected') throw ended.reason;
  return ended.value;
}

/**
 * Source bytes per thread. A second thread is started only where it saves a quarter of the time: 30% at 120 MB, a quarter
 * at 34 MB, less at 12 MB, and nothing at 4 MB: `npm run bench -- --size 30k,100k,300k,1m`.
 */
const bytesPerThread = 24 * 1024 ** 2;

/** Splits genres into parts with about as many bytes each: the same parts on every machine. */
function shareGenres(data: DataFolder, genres: readonly DataGenre[], jobs: number | null): DataGenre[][] {
  const sized = genres.map((genre) => ({ genre, id: genre.genre.id, bytes: data.bytesOf(genre) }));
  const paying = Math.min(availableParallelism(), Math.ceil(sum(sized) / bytesPerThread));
  const count = Math.max(1, Math.min(jobs ?? paying, genres.length));
  return splitByBytes(sized, count).map((some) => some.map(({ genre }) => genre));
}

function sum(items: readonly { readonly bytes: number }[]): number {
  return items.reduce((total, { bytes }) => total + bytes, 0);
}

/**
 * Runs a script of the package in a thread. Returns the one message that it posts.
 *
 * @param task its `workerData`
 */
async function runThread<Message>(script: string, task: unknown): Promise<Message> {
  const worker = new Worker(packagePath(script), { workerData: task });
  return new Promise((resolve, reject) => {
    worker.once('message', (answer: Message) => resolve(answer));
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`a thread of the build ended with ${code}`)));
  });
}

/** Does the work of a thread. */
export async function runTask(task: ThreadTask): Promise<ThreadAnswer> {
  const { data, cwd, now, genres, folders } = task;
  try {
    const folder = await openData({ data, displayPath: displayPathFrom(cwd, data), now, limit: calendarLimit });
    const ids = new Set(genres);
    const staging = new StagingArea(folders);
    const some = folder.genres.filter(({ genre }) => ids.has(genre.id));
    const against = task.against === null ? null : new ComparedSite(openSite(task.against, cwd));
    const result = await renderGenres({ ...task, against, onGenre: () => {} }, folder, some, staging);
    if (task.isDurable) await staging.flush();
    return { result, entries: staging.entries };
  } catch (error) {
    // An error loses its fields on the way to another thread.
    const known = diskProblem(error, 'write-failed');
    if (known instanceof ProblemError) return { problems: known.problems };
    throw error;
  }
}
