import type { Totals } from '../catalogue/model.ts';
import { hasMemory, overAt, type GenreContent } from '../catalogue/model.ts';
import { day } from '../catalogue/time/time.ts';
import { listPublic } from '../output/public.ts';
import { SiteMap } from '../output/site-map.ts';
import { PageSummaryBuilder, type PageSummary } from '../pages/page-summary.ts';
import { ProblemError } from '../problem/problem.ts';
import { genreRecords, type GenreRecords } from '../render/records.ts';
import { SummaryBuilder, sumUp, type Sum } from '../render/summary.ts';
import { continueLog, openLog } from '../site/changes.ts';
import { openData, type DataFolder, type GenreFindings } from '../source/data.ts';
import type { DataGenre } from '../source/metadata.ts';
import { check, findingsOf, tagProblems } from './check.ts';
import { genreFiles, genreTarget } from './genres.ts';
import { planBuild, type BuildOptions, type BuildPlan, type BuildSteps } from './options.ts';
import { addSiteFiles } from './site-files.ts';

type PreviewOptions = Omit<BuildOptions, 'now' | 'out' | 'dryRun' | 'previous'>;

/** A genre as a preview keeps it until its sources or the states of its events change. */
interface KeptGenre {
  /** Changes with everything that the reading depends on, but for the time. */
  readonly key: string;
  /** The times between which the same sources give the same. Milliseconds since the Unix epoch. */
  readonly from: number;
  readonly until: number;
  readonly findings: GenreFindings;
  readonly records: GenreRecords;
  readonly sum: Sum;
  readonly pages: PageSummary;
}

/** What an update of a preview says about the site. */
export interface PreviewReport {
  readonly totals: Totals;
  readonly baseUrl: string;
}

/**
 * A site of which nothing is written. Its files are those of a first build of the data as it was at
 * the last update.
 */
export class SitePreview {
  readonly #options: PreviewOptions;
  readonly #clock: () => number;
  #genres = new Map<string, KeptGenre>();
  /** What the sums of all of them depend on, as a text. */
  #above = '';
  #site: SiteMap | null = null;
  /** The files that were asked for since the last update. */
  readonly #made = new Map<string, ArrayBuffer>();
  #running: Promise<unknown> = Promise.resolve();

  /** @param clock returns milliseconds since the Unix epoch */
  constructor(options: PreviewOptions, clock: () => number) {
    this.#options = options;
    this.#clock = clock;
  }

  get hasSite(): boolean {
    return this.#site !== null;
  }

  /**
   * Reads what changed. Throws a {@link ProblemError} with every problem; the previous site then
   * stays.
   */
  async update(steps: BuildSteps = {}): Promise<PreviewReport> {
    const update = this.#running.then(async () => this.#update(this.#clock(), steps));
    this.#running = update.catch(() => {});
    return update;
  }

  /** Returns the bytes of a file, or null if the site has none at this path. */
  async read(path: string): Promise<ArrayBuffer | null> {
    const now = this.#clock();
    // A problem that is new shows when the next edit is read.
    if (this.#isOutdated(now)) await this.update().catch(() => {});
    const keptBytes = this.#made.get(path);
    if (keptBytes !== undefined) return keptBytes;
    const bytes = this.#site?.read(path) ?? null;
    if (bytes === null) return null;
    const copy = new Uint8Array(bytes).buffer;
    if (copy.byteLength <= maxKeptBytes) this.#made.set(path, copy);
    return copy;
  }

  #isOutdated(now: number): boolean {
    return [...this.#genres.values()].some((genre) => !isValidAt(genre, now));
  }

  async #update(now: number, steps: BuildSteps): Promise<PreviewReport> {
    const options = {
      ...this.#options,
      ...steps,
      now,
      out: '',
      dryRun: true,
    };
    const data = openData(options);
    options.onOpen?.(data);
    const plan = planBuild(options, data);
    if (plan === null) throw new ProblemError((await check(options, data)).problems);
    const genres = await this.#readGenres(plan, data);
    const sums = new SummaryBuilder(plan.categories, plan.collections);
    for (const { sum } of genres.values()) sums.addAll(sum);
    const summary = sumUp(plan.categories, sums.build());
    const owned = listPublic(plan.publicFolder);
    const tagCount = summary.scopes.filter(({ filters }) => filters.tag).length;
    const findings = findingsOf(plan, data, data.findings());
    const problems = [...findings.problems, ...tagProblems(tagCount), ...owned.problems];
    if (problems.length > 0) throw new ProblemError(problems);
    const site = new SiteMap();
    const log = openLog(null, now);
    const target = genreTarget(plan, data, log.since);
    for (const { genre, category } of data.genres) {
      const records = genres.get(genre.id)?.records;
      if (records !== undefined)
        for (const file of genreFiles(target, category, records, [])) site.add(file);
    }
    for (const file of owned.files) site.add(file);
    const pages = new PageSummaryBuilder(plan.service, now);
    for (const genre of genres.values()) pages.addAll(genre.pages);
    addSiteFiles(site, plan, {
      summary,
      pages: pages.build(),
      former: [...genres.values()].flatMap(({ records }) => records.former),
      log: hasMemory(plan.service) ? continueLog(log, [], 0) : null,
      since: log.since,
    });
    site.finish(plan.generator);
    this.#site = site;
    this.#made.clear();
    return {
      totals: summary.totals,
      baseUrl: plan.baseUrl,
    };
  }

  /** Reads the genres that changed. Those with problems are read again by the next update. */
  async #readGenres(plan: BuildPlan, data: DataFolder): Promise<ReadonlyMap<string, KeptGenre>> {
    // The sums of every genre depend on these.
    const { categories, collections, service } = plan;
    const above = JSON.stringify([categories, collections, service.pages]);
    if (above !== this.#above) this.#genres = new Map();
    this.#above = above;
    const genres = new Map<string, KeptGenre>();
    for (const [index, genre] of data.genres.entries()) {
      const { id } = genre.genre;
      const key = data.keyOf(genre);
      const previous = this.#genres.get(id);
      const isKept = previous?.key === key && isValidAt(previous, plan.now);
      const current = isKept ? previous : await readGenre(plan, data, genre, key);
      data.report(genre, current.findings);
      if (current.findings.problems.length === 0) genres.set(id, current);
      plan.onGenre(index + 1, data.genres.length);
    }
    this.#genres = genres;
    return genres;
  }
}

/** A larger file is made each time that it is asked for. */
const maxKeptBytes = 256 * 1024;

async function readGenre(
  { now, service, categories, collections }: BuildPlan,
  data: DataFolder,
  genre: DataGenre,
  key: string,
): Promise<KeptGenre> {
  const { content, findings } = await data.parseGenre(genre);
  const records = genreRecords(content, null);
  const sum = new SummaryBuilder(categories, collections);
  sum.add(records);
  const pages = new PageSummaryBuilder(service, now);
  pages.add(genre.category, records);
  // Without a key, the next update reads the genre again.
  const isStable = !findings.dependsOnOthers && data.keyOf(genre) === key;
  return {
    key: isStable ? key : '',
    from: now,
    until: nextChange(content, now, service.pastDays),
    findings,
    records,
    sum: sum.build(),
    pages: pages.build(),
  };
}

function isValidAt({ from, until }: KeptGenre, now: number): boolean {
  return now >= from && now < until;
}

/**
 * Returns the first instant after `now` at which an event changes its state, at most midnight UTC,
 * when series get another day.
 */
function nextChange(content: GenreContent, now: number, pastDays: number): number {
  let first = (Math.floor(now / day) + 1) * day;
  const consider = (instant: number): void => {
    if (instant > now && instant < first) first = instant;
  };
  const { upcoming, under_way, cancelled, over, announced } = content;
  for (const event of [upcoming, under_way, cancelled, over].flat()) {
    consider(event.upcomingUntil);
    consider(overAt(event));
    consider(overAt(event) + pastDays * day);
  }
  for (const { announcedUntil } of announced) consider(announcedUntil);
  return first;
}
