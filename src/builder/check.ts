import { listLimit } from '../api/paths.ts';
import { maxTags } from '../render/summary.ts';
import { listPublic } from '../output/public.ts';
import { compareProblems, isNote, ProblemError, type Problem } from '../problem/problem.ts';
import { isoInstant } from '../catalogue/time/time.ts';
import type { Change } from '../site/change-log.ts';
import { GenreComparison } from '../site/compare-genres.ts';
import type { ComparedSite } from '../site/earlier-site.ts';
import type { GenreHistory } from '../site/genre-history.ts';
import { guessRenames, type Rename } from '../site/renames.ts';
import { openData, type DataFolder, type Findings } from '../source/data.ts';
import { readRecords } from './genres.ts';
import { baseUrlProblems, chooseBaseUrl, type BuildOptions } from './options.ts';

/** The options that matter for the data. */
type DataOptions = Omit<BuildOptions, 'out' | 'generator' | 'dryRun' | 'assets'>;

/** What a check found. */
export interface CheckReport {
  readonly problems: readonly Problem[];
  /** What does not stop a build: remote sources that fail, events that are left out, doubtful dates. */
  readonly warnings: readonly Problem[];
}

/** Reads the whole data folder and returns everything for which a build would fail or warn. Writes nothing. */
export async function check(options: DataOptions): Promise<CheckReport> {
  return checkData(options, openData({ ...options, limit: listLimit }));
}

/** Reads the genres of a data folder that was just opened, and returns the same. */
export async function checkData(options: DataOptions, data: DataFolder): Promise<CheckReport> {
  const tags = new Set<string>();
  const hints = options.previous
    ? await readCompared(options, options.previous, data, tags)
    : await readAll(options, data, tags);
  const found = data.found();
  const all = { problems: found.problems, warnings: [...found.warnings, ...hints] };
  const { problems, warnings } = findingsOf(options, data, all);
  const ofPublic = listPublic(options.publicFolder ?? null).problems;
  return {
    problems: [...problems, ...ofPublic, ...tagProblems(tags.size), ...baseUrlProblems(options, data)],
    warnings,
  };
}

/** Returns the problem of a catalogue whose events have too many tags. */
export function tagProblems(tags: number): readonly Problem[] {
  return tags > maxTags ? [{ code: 'too-many-tags', place: null, most: maxTags }] : [];
}

/** Reads the genres of a data folder. Adds the tags of their events to `tags`. Returns no hints. */
async function readAll(options: DataOptions, data: DataFolder, tags: Set<string>): Promise<Problem[]> {
  for (const [index, genre] of data.genres.entries()) {
    const { upcoming, under_way, cancelled, over } = await data.readGenre(genre);
    for (const event of [upcoming, under_way, cancelled, over].flat()) for (const tag of event.tags) tags.add(tag);
    options.onGenre?.(index + 1, data.genres.length);
  }
  return [];
}

/** Reads the genres, and compares them with a site. Returns a hint at each id that probably was renamed. */
async function readCompared(
  { now, onGenre }: DataOptions,
  previous: ComparedSite,
  data: DataFolder,
  tags: Set<string>,
): Promise<Problem[]> {
  const { former, collections } = data;
  const comparison = await GenreComparison.open(previous, { at: isoInstant(now), now, former, collections });
  if ((await previous.open()) === null)
    throw new ProblemError([{ code: 'site-missing', place: null, site: previous.name }]);
  const histories = comparison?.histories(data.genres.map(({ genre }) => genre.id));
  const subjects = new Set<string>();
  for (const [index, genre] of data.genres.entries()) {
    const history: GenreHistory | null = (await histories?.next())?.value ?? null;
    const records = await readRecords({ data, comparison, now }, genre, history);
    const { id } = genre.genre;
    const { upcoming, under_way, cancelled, over } = records;
    for (const { record } of [upcoming, under_way, cancelled, over].flat())
      for (const tag of record.tags) tags.add(tag);
    for (const subject of records.members) subjects.add(`${id}/${subject.id}`);
    if (history !== null) comparison?.add({ ...records, id }, history);
    onGenre?.(index + 1, data.genres.length);
  }
  await comparison?.addMissing(new Set(data.genres.map(({ genre }) => genre.id)), data.formerSubjects());
  const changes = comparison?.build().changes ?? [];
  const lone = (kind: Change['kind']) =>
    changes.flatMap(({ before, after, ...change }) =>
      change.kind === kind ? [{ ...(before ?? after), ...change }] : [],
    );
  const guesses = guessRenames(lone('removed'), lone('added'), (subject) => !subjects.has(subject));
  const hint = (what: 'subject' | 'event') => (rename: Rename) =>
    ({ code: 'perhaps-renamed', place: null, what, ...rename }) as const;
  return [...guesses.subjects.map(hint('subject')), ...guesses.events.map(hint('event'))];
}

/** Returns the base URL and the name that a site built with these options has. Throws the problems of a bad base URL. */
export async function describeService(
  options: Pick<DataOptions, 'data' | 'displayPath' | 'baseUrl'>,
): Promise<{ readonly baseUrl: string; readonly name: string }> {
  const data = openData({ ...options, now: 0, limit: listLimit });
  const baseUrl = chooseBaseUrl(options, data);
  if (typeof baseUrl === 'string') return { baseUrl, name: data.service.name };
  throw new ProblemError([...data.found().problems, ...baseUrlProblems(options, data)]);
}

/** Returns the problems and warnings of genres that were read, and of remote sources. */
export function findingsOf(
  { strict = false, verbose = false }: Pick<BuildOptions, 'strict' | 'verbose'>,
  data: DataFolder,
  found: Pick<Findings, 'problems' | 'warnings'>,
): CheckReport {
  const sorted = found.warnings.toSorted(compareProblems);
  const warnings = [...data.findStale(), ...sorted.filter((warning) => !isNote(warning))];
  const notes = verbose ? sorted.filter(isNote) : [];
  return {
    problems: [...found.problems.toSorted(compareProblems), ...(strict ? warnings : [])],
    warnings: [...warnings, ...notes],
  };
}
