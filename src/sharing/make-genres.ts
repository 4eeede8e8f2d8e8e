import type { Naming } from '../problem.ts';
import type { Stage } from '../site/stage.ts';
import type { GenreReading } from '../source/genre.ts';
import { boardFor, firstThread, secondThread, viewBoard, type Board } from './board.ts';
import { startSecondThread, type SecondThread } from './second-thread.ts';
import { genresOf, joinDigests, makeShare, stageFor, type Digests, type GenresTask, type Telling } from './share.ts';

export interface GenresOptions {
  readonly nameOf: Naming;
  /** Where there will be no site: then nothing is planned. */
  readonly onlyRead: boolean;
  readonly onFlaw: (reading: GenreReading) => void;
  readonly onGenre: (done: number, of: number) => void;
}

/** What is known of the genres of a site, and the stage that their files are on. */
export interface MadeGenres {
  readonly digests: Digests;
  readonly stage: Stage;
}

/**
 * Makes every genre of a catalogue: reads it, plans and stages its files. Where there are many a second thread takes
 * its share of them; what fails there is made again here, so that what is wrong is met and told here.
 */
export async function makeGenres(task: GenresTask, options: GenresOptions): Promise<MadeGenres> {
  const genres = genresOf(task.categories);
  const cells = boardFor(genres.length);
  const board = viewBoard(cells, firstThread);
  if (options.onlyRead) board.giveUp();
  const telling: Telling = {
    nameOf: options.nameOf,
    onFlaw: options.onFlaw,
    onGenre: () => options.onGenre(board.finished(), genres.length),
  };
  const second = startSecondThread({ task, board: cells });
  try {
    const stage = stageFor(task, board);
    const mine = await makeShare(task, board, stage, telling);
    if (second === null) return { digests: mine, stage };
    const others = await takeShare(second, task, viewBoard(cells, secondThread), stage, telling);
    return { digests: joinDigests([mine, ...others]), stage };
  } catch (error) {
    // It must not go on writing into what is about to be cleared away.
    await second?.end();
    throw error;
  }
}

/** What the second thread made; what it did not is made here. */
async function takeShare(
  second: SecondThread,
  task: GenresTask,
  board: Board,
  stage: Stage,
  telling: Telling,
): Promise<Digests[]> {
  const made = await second.share;
  if (made !== null) stage.include(made.staged);
  const flawed = new Set(made?.flawed);
  if (made !== null && flawed.size === 0) return [made.digests];
  const isLeft = (index: number): boolean => board.isMine(index) && (made === null || flawed.has(index));
  const rest = await makeShare(task, { ...board, claim: isLeft }, stage, telling);
  return made === null ? [rest] : [made.digests, rest];
}
