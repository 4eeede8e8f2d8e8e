import type { Category, GenreContent } from '../catalogue/model.ts';
import { compareProblems, type Problem } from '../problem.ts';
import { readGenre } from './genre.ts';
import type { Naming } from './listing.ts';
import { readRemotes, type Remotes } from './remote/remotes.ts';
import { loadReaders } from './load-readers.ts';
import { readOutline, type GenreOutline, type Outline, type Suspect } from './outline.ts';
import { readAhead, type ReadAhead } from './read-ahead.ts';
import { isTextFormat } from './text-formats.ts';

/** A data folder being read: names at once, subjects genre by genre as they are asked for. */
export interface DataFolder {
  readonly service: Outline['service'];
  readonly remotes: Remotes;
  readonly categories: readonly (Category & { readonly genres: Iterable<GenreContent> })[];
  /** Whether nothing wrong has been met so far. */
  readonly isFine: () => boolean;
  /** Ends the reading where it is not read to its end. */
  readonly close: () => void;
  /** Everything wrong with what has been read, by file, line and column. */
  readonly problems: () => Promise<readonly Problem[]>;
}

/** What there is to know while a folder is read: how many genres of how many are done. */
type OnGenre = (done: number, of: number) => void;

export interface ReadOptions {
  readonly data: string;
  readonly nameOf: Naming;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** How many of the soonest events of a genre are kept. */
  readonly limit: number;
  readonly onGenre?: OnGenre | undefined;
}

/** Opens a data folder. What is wrong with it is collected and not thrown. */
export async function openData({ data, nameOf, now, limit, onGenre }: ReadOptions): Promise<DataFolder> {
  const { service, categories, suspects, ...outline } = readOutline(data, nameOf);
  const problems: Problem[] = [...outline.problems];
  const doubted: Suspect[] = [...suspects];
  const files = categories.flatMap(({ genres }) => genres.flatMap((genre) => genre.files));
  const remotes = readRemotes(
    data,
    files.flatMap(({ path, format }) => (format === 'remote' ? [path] : [])),
  );
  doubted.push(...remotes.suspects);
  const read = [...files, ...Array.from(remotes.files.values(), ({ source }) => source)];
  const formats = [...new Set(read.map(({ format }) => format))].filter(isTextFormat);
  const context = { data, nameOf, now, limit, readers: await loadReaders(formats), remotes };
  const of = categories.reduce((count, { genres }) => count + genres.length, 0);
  let ahead: ReadAhead | null | undefined;
  let done = 0;
  const readHere = (genre: GenreOutline): GenreContent => {
    const reading = readGenre(context, genre);
    problems.push(...reading.problems);
    doubted.push(...reading.suspects);
    return reading.content;
  };
  function* contents(genres: readonly GenreOutline[]): Generator<GenreContent> {
    if (ahead === undefined)
      ahead = readAhead({
        data,
        now,
        limit,
        formats,
        remotes: remotes.files,
        genres: categories.flatMap((one) => one.genres),
      });
    for (const genre of genres) {
      const content = ahead?.take() ?? readHere(genre);
      onGenre?.(++done, of);
      yield content;
    }
  }
  return {
    service,
    remotes,
    categories: categories.map(({ id, name, genres }) => ({ id, name, genres: contents(genres) })),
    close: () => ahead?.close(),
    isFine: () => problems.length === 0 && doubted.length === 0,
    problems: async () => {
      if (doubted.length === 0) return problems.toSorted(compareProblems);
      // zod is loaded only now: it takes longer to start than a small catalogue takes to build.
      const { explainSuspects } = await import('./explain.ts');
      return [...problems, ...explainSuspects(data, doubted, nameOf)].sort(compareProblems);
    },
  };
}
