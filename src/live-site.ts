import { lstatSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildWithSource, type BuildOptions, type BuildReport, type SiteSource } from './build.ts';
import { inventoryPath } from './api/paths.ts';
import { day, isoInstant } from './calendar/time.ts';
import type { Category } from './catalogue/model.ts';
import { diskProblem } from './system-failure.ts';
import { genresOf } from './sharing/share.ts';
import { readAssets } from './site/assets.ts';
import { digestOf } from './site/digest.ts';
import { entryText, inventoryText } from './site/inventory-text.ts';
import type { LastSite } from './site/last-site.ts';
import { filesIn } from './site/ledger.ts';
import { piecesOf } from './site/pieces.ts';
import { planGenre } from './site/plan-genre.ts';
import { planSite, summarise } from './site/plan.ts';
import { openStage } from './site/stage.ts';
import { makeTwin, type Twin } from './site/twin.ts';
import { openReader, type GenreReading } from './source/genre.ts';
import { isPassedOver, nameFiles } from './source/listing.ts';

/** What a site is after an update. */
type Updated = Pick<BuildReport, 'totals' | 'baseUrl'>;

/** A site that follows its data. */
export interface LiveSite {
  /**
   * Builds the site or, where `changed` (paths relative to the data folder; null where they are not known) are subject
   * files that were edited, just what rests on them: the same bytes that a whole build makes. Throws what a build does.
   */
  readonly update: (options: BuildOptions, changed: ReadonlySet<string> | null) => Promise<Updated>;
  /** Ends it. Resolves once an update that runs has ended. Throws the problem `write-failed`. */
  readonly close: () => Promise<void>;
}

export function openLiveSite(): LiveSite {
  let source: SiteSource | null = null;
  let twin: Twin | null = null;
  let isClosed = false;
  let running: Promise<unknown> = Promise.resolve();
  const buildWhole = async (options: BuildOptions): Promise<Updated> => {
    twin?.remove();
    [source, twin] = [null, null];
    const made = await buildWithSource(options);
    source = made.source;
    if (!isClosed) twin = makeTwin(options.out, Object.keys(source.files));
    return made.report;
  };
  const update: LiveSite['update'] = async (options, changed) => {
    // What fails here fails there too, and is told there.
    const next = source && twin && changed && (await rebuild(options, source, twin, changed).catch(() => null));
    if (next === null) return buildWhole(options).catch(refuse);
    source = next.source;
    return { totals: next.totals, baseUrl: source.baseUrl };
  };
  return {
    update: (options, changed) => {
      const updated = update(options, changed);
      running = updated.catch(() => {});
      return updated;
    },
    close: async () => {
      isClosed = true;
      await running;
      try {
        twin?.remove();
      } catch (error) {
        refuse(error);
      }
    },
  };
}

function refuse(error: unknown): never {
  throw diskProblem(error, 'write-failed');
}

/** Makes anew what rests on the changed files; null where that takes a whole build. */
async function rebuild(options: BuildOptions, source: SiteSource, twin: Twin, changed: ReadonlySet<string>) {
  const { data } = source;
  const genres = genresToMake(source, changed, options);
  if (genres === null) return null;
  const read = await openReader({ ...data.task, now: options.now }, options.nameOf);
  const made = genres.map(({ category, genre }) => ({ category, ...read(genre) }));
  if (made.some(({ problems, suspects }) => problems.length + suspects.length > 0)) return null;
  return twin.update((folder) => stageAgain(folder, options, source, made));
}

type Made = GenreReading & { readonly category: Category };

/** Writes into a copy of the site what is another file now, and the inventory. */
function stageAgain(folder: string, { now, generator }: BuildOptions, source: SiteSource, made: readonly Made[]) {
  const { data, baseUrl, files: before } = source;
  const digests = new Map(source.digests);
  const stage = openStage({ folder, last: contentsOf(folder, before), isChanged: () => true, change: () => {} });
  for (const { content, category } of made) {
    const pieces = piecesOf(content, category);
    for (const file of planGenre(content, pieces, data.service.name, data.categories)) stage.add(file);
    digests.set(content.genre.id, digestOf(content, pieces));
  }
  const summary = summarise(data.categories, digests.values());
  const about = { service: data.service, baseUrl, lastSync: isoInstant(now), assets: readAssets() };
  for (const file of planSite({ ...summary, ...about })) stage.add(file);
  const files = { ...before, ...filesIn(stage.staged().entries) };
  const written = Object.keys(files).filter((path) => files[path]?.sha256 !== before[path]?.sha256);
  const entries = Object.entries(files).map(([path, entry]) => entryText(path, entry));
  stage.put(inventoryPath, Buffer.from(inventoryText(generator, entries)));
  return { written, source: { ...source, digests, files }, totals: summary.totals };
}

/** A folder that holds these files. */
function contentsOf(folder: string, files: SiteSource['files']): LastSite {
  return {
    holds: (path, { sha256 }) => files[path]?.sha256 === sha256,
    read: (path) => readFileSync(join(folder, path)),
    give: () => {},
  };
}

/** The genres whose subject files have changed, or in which something is over; null where more than that has changed. */
function genresToMake({ data, digests }: SiteSource, changed: ReadonlySet<string>, { now }: BuildOptions) {
  const { remotes, categories, task } = data;
  if (remotes.files.size > 0 || hasNewSpan(task, now)) return null;
  const [named, subjects] = knownPaths(categories);
  const isMore = (path: string): boolean => {
    const kind = kindAt(join(task.data, path));
    // Whether what is in the place of a subject file may be read, a whole build judges.
    if (subjects.has(path)) return kind !== 'file';
    return !isNoSource(path) && (named.has(path) || kind !== null);
  };
  if ([...changed].some(isMore)) return null;
  const edited = new Set([...changed].filter((path) => subjects.has(path)).map(dirname));
  return genresOf(categories).filter(({ genre }) => {
    return edited.has(genre.path) || (digests.get(genre.genre.id)?.validUntil ?? Infinity) <= now;
  });
}

/** Whether calendars have come to reach further than when they were read, which they do at each midnight UTC. */
function hasNewSpan({ formats, now: before }: SiteSource['data']['task'], now: number): boolean {
  return formats.includes('ics') && Math.floor(before / day) !== Math.floor(now / day);
}

/** What stands at a path; null where nothing does. */
function kindAt(path: string): 'file' | 'other' | null {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined ? null : stats.isFile() ? 'file' : 'other';
}

/** The files and folders that give names, and the subject files. */
function knownPaths(categories: SiteSource['data']['categories']): [named: Set<string>, subjects: Set<string>] {
  const named = new Set<string>(['', nameFiles.service]);
  const subjects = new Set<string>();
  for (const { id, genres } of categories) {
    for (const path of [id, `${id}/${nameFiles.category}`]) named.add(path);
    for (const { path, names } of genres) {
      for (const inner of [path, `${path}/${nameFiles.genre}`]) named.add(inner);
      for (const name of names) subjects.add(`${path}/${name}`);
    }
  }
  return [named, subjects];
}

/** Whether a path is passed over, or lies in a folder that is. */
function isNoSource(path: string): boolean {
  const names = path.split('/');
  return names.some((name, index) => isPassedOver(name, index === names.length - 1));
}
