import { maxTags } from '../render/summary.ts';
import { listPublic } from '../output/public.ts';
import { compareProblems, isNote, ProblemError, type Problem } from '../problem/problem.ts';
import { openData, type DataFolder, type Findings } from '../source/data.ts';
import { chooseBaseUrl, type BuildOptions } from './options.ts';

/** The options that matter for the data. */
type DataOptions = Omit<BuildOptions, 'out' | 'generator' | 'dryRun' | 'assets' | 'previous'>;

/** The result of a check. */
export interface CheckReport {
  readonly problems: readonly Problem[];
  /**
   * Problems that do not stop a build: remote sources that fail, events that are left out, doubtful
   * dates.
   */
  readonly warnings: readonly Problem[];
}

/**
 * Reads the whole data folder and returns everything for which a build would fail or warn. Writes
 * nothing.
 */
export async function check(options: DataOptions, data = openData(options)): Promise<CheckReport> {
  const tags = new Set<string>();
  for (const [index, genre] of data.genres.entries()) {
    const { upcoming, under_way, cancelled, over } = await data.readGenre(genre);
    for (const event of [upcoming, under_way, cancelled, over].flat())
      for (const tag of event.tags) tags.add(tag);
    options.onGenre?.(index + 1, data.genres.length);
  }
  const { problems, warnings } = findingsOf(options, data, data.findings());
  const publicFiles = listPublic(options.publicFolder ?? null);
  return {
    problems: [
      ...problems,
      ...publicFiles.problems,
      ...tagProblems(tags.size),
      ...chooseBaseUrl(options, data).problems,
    ],
    warnings,
  };
}

/** Returns the problem of a catalogue whose events have too many tags. */
export function tagProblems(tags: number): readonly Problem[] {
  if (tags > maxTags) return [{ code: 'too-many-tags', place: null, most: maxTags }];
  return [];
}

/**
 * Returns the base URL and the name that a site built with these options has. Throws the problems
 * of a bad base URL.
 */
export async function describeService(
  options: Pick<DataOptions, 'data' | 'displayPath' | 'baseUrl'>,
): Promise<{ readonly baseUrl: string; readonly name: string }> {
  const data = openData({ ...options, now: 0 });
  const { baseUrl, problems } = chooseBaseUrl(options, data);
  if (baseUrl !== null)
    return {
      baseUrl,
      name: data.service.name,
    };
  throw new ProblemError([...data.findings().problems, ...problems]);
}

/** Returns the problems and warnings of genres that were read, and of remote sources. */
export function findingsOf(
  { strict, verbose }: Pick<BuildOptions, 'strict' | 'verbose'>,
  data: DataFolder,
  findings: Pick<Findings, 'problems' | 'warnings'>,
): CheckReport {
  const problems = findings.problems.toSorted(compareProblems);
  const warningsAndNotes = findings.warnings.toSorted(compareProblems);
  const notes = verbose ? warningsAndNotes.filter(isNote) : [];
  const warnings = [...data.findStale(), ...warningsAndNotes.filter((warning) => !isNote(warning))];
  return {
    problems: strict ? [...problems, ...warnings] : problems,
    warnings: [...warnings, ...notes],
  };
}
