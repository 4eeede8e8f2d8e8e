import type { Naming } from '../problem.ts';
import type { Category } from '../catalogue/model.ts';
import { DigestSum, digestOf, type Digest } from '../site/digest.ts';
import { openLastSite } from '../site/last-site.ts';
import { piecesOf } from '../site/pieces.ts';
import { planGenre } from '../site/plan-genre.ts';
import { openStage, type Stage } from '../site/stage.ts';
import type { CategoryOutline } from '../source/data-folder.ts';
import { openReader, type GenreReading, type ReadingTask } from '../source/genre.ts';
import type { GenreOutline } from '../source/outline.ts';
import type { Board } from './board.ts';

/** What the genres of a site are made from. Plain data. */
export interface GenresTask {
  readonly reading: ReadingTask;
  readonly categories: readonly CategoryOutline[];
  /** The name of the service. */
  readonly service: string;
  /** What digests are kept for: each category, or each genre. */
  readonly by: 'category' | 'genre';
  /** Where files are staged, and where the site is that they will replace; null where they are only counted. */
  readonly site: { readonly folder: string; readonly out: string } | null;
}

/** What is known of the genres of each category, or of each genre, by its id. */
export type Digests = ReadonlyMap<string, Digest>;

/** What a thread tells of its work, and how it names files. */
export interface Telling {
  readonly nameOf: Naming;
  readonly onFlaw: (reading: GenreReading, index: number) => void;
  readonly onGenre: () => void;
}

/** The stage of one thread. */
export function stageFor({ site }: GenresTask, { change, isChanged }: Board): Stage {
  return openStage(site && { folder: site.folder, last: openLastSite(site.out), change, isChanged });
}

/**
 * Makes the genres that this thread can claim: reads each, plans and stages its files. Once anything is wrong anywhere
 * it only reads on, to find the rest of it.
 */
export async function makeShare(task: GenresTask, board: Board, stage: Stage, telling: Telling): Promise<Digests> {
  const read = await openReader(task.reading, telling.nameOf);
  const sums = new Map<string, DigestSum>();
  for (const [index, { category, genre }] of genresOf(task.categories).entries()) {
    if (!board.claim(index)) continue;
    const reading = read(genre);
    if (reading.problems.length + reading.suspects.length > 0) {
      board.giveUp();
      telling.onFlaw(reading, index);
    }
    if (!board.isGivenUp()) {
      const pieces = piecesOf(reading.content, category);
      for (const file of planGenre(reading.content, pieces, task.service, task.categories)) stage.add(file);
      sumOf(sums, task.by === 'genre' ? genre.genre.id : category.id).add(digestOf(reading.content, pieces));
    }
    board.finish();
    telling.onGenre();
  }
  return totalsOf(sums);
}

/** Every genre with its category, in the order of their indices. */
export function genresOf(categories: readonly CategoryOutline[]): { category: Category; genre: GenreOutline }[] {
  return categories.flatMap((category) => category.genres.map((genre) => ({ category, genre })));
}

/** What several threads know, together. */
export function joinDigests(all: readonly Digests[]): Digests {
  const sums = new Map<string, DigestSum>();
  for (const [id, digest] of all.flatMap((digests) => [...digests])) sumOf(sums, id).add(digest);
  return totalsOf(sums);
}

function sumOf(sums: Map<string, DigestSum>, id: string): DigestSum {
  let sum = sums.get(id);
  if (sum === undefined) sums.set(id, (sum = new DigestSum()));
  return sum;
}

function totalsOf(sums: ReadonlyMap<string, DigestSum>): Digests {
  return new Map([...sums].map(([id, sum]) => [id, sum.total()]));
}
