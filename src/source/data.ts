import type { Category } from '../catalogue/model.ts';
import { compareProblems, type Problem, type DisplayPath } from '../problem/problem.ts';
import type { GenreReading, ReadingTask } from './genre.ts';
import { readRemotes, type Remotes } from './remote/remotes.ts';
import { readOutline, type GenreOutline, type Outline } from './outline.ts';
import type { Suspect } from './json/read-source.ts';

/** A data folder: its names are read at once, its subjects genre by genre as they are asked for. */
export interface DataFolder {
  readonly service: Outline['service'];
  readonly remotes: Remotes;
  readonly categories: readonly CategoryOutline[];
  /** What the reading of its genres rests on. */
  readonly task: ReadingTask;
  /** Keeps in mind what is wrong with a genre that was read. */
  readonly note: (reading: Pick<GenreReading, 'problems' | 'suspects'>) => void;
  /** Whether nothing wrong has been met so far. */
  readonly isFine: () => boolean;
  /** Everything wrong with what has been read, by file, line and column. */
  readonly problems: () => Promise<readonly Problem[]>;
}

export interface CategoryOutline extends Category {
  readonly genres: readonly GenreOutline[];
}

export interface ReadOptions {
  readonly data: string;
  readonly displayPath: DisplayPath;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** How many of the soonest events of a genre are kept. */
  readonly limit: number;
}

/** Opens a data folder. What is wrong with it is collected and not thrown. */
export function openData({ data, displayPath, now, limit }: ReadOptions): DataFolder {
  const { service, categories, suspects, ...outline } = readOutline(data, displayPath);
  const remotes = readRemotes(data, outline.remotes);
  const formats = new Set([...outline.formats, ...Array.from(remotes.files.values(), ({ source }) => source.format)]);
  const problems: Problem[] = [...outline.problems];
  const doubted: Suspect[] = [...suspects, ...remotes.suspects];
  return {
    service,
    remotes,
    categories,
    task: { data, now, limit, formats: [...formats], remotes: remotes.files },
    note: (reading) => {
      // One by one: there may be more than a call has room for.
      for (const problem of reading.problems) problems.push(problem);
      for (const suspect of reading.suspects) doubted.push(suspect);
    },
    isFine: () => problems.length === 0 && doubted.length === 0,
    problems: async () => {
      if (doubted.length === 0) return problems.toSorted(compareProblems);
      // zod is loaded only now: it takes longer to start than a small catalogue takes to build.
      const { explainSuspects } = await import('./json/explain.ts');
      return [...problems, ...explainSuspects(data, doubted, displayPath)].sort(compareProblems);
    },
  };
}
