import { once } from 'node:events';
import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { StagedFiles } from '../site/stage.ts';
import type { Digests, GenresTask } from './share.ts';

/** The work of the second thread as it gets it. */
export interface SecondTask {
  readonly task: GenresTask;
  readonly board: Int32Array;
}

/** What the second thread made, and which genres something is wrong with. */
export interface SecondShare {
  readonly digests: Digests;
  readonly staged: StagedFiles;
  readonly flawed: readonly number[];
}

/** Another thread at the same work. */
export interface SecondThread {
  /** What it made, once it can claim no more; null where it failed. */
  readonly share: Promise<SecondShare | null>;
  /** Ends it, whatever it is doing. */
  readonly end: () => Promise<void>;
}

/**
 * Half of what Node gives to short-lived objects: a genre has room in it. Below 2 GB for the others, a heap grows to
 * twice what lives in it, not to four times, before garbage is collected. Together an eighth less memory for the build.
 * A share that needs more fails, and is made on the first thread.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 2000 };

/** Where there is less to read, in bytes, a second thread costs more than it saves. To open a file is as a kilobyte more. */
const [leastToRead, perFile] = [18_000_000, 1000];

/** Starts a second thread; null where it would not pay. */
export function startSecondThread(work: SecondTask): SecondThread | null {
  if (availableParallelism() < 2 || amountToRead(work.task) < leastToRead) return null;
  // When there is one to start, and not with the file. Not by import(), which what V8 has kept of the bundle cannot do.
  const { Worker } = process.getBuiltinModule('node:worker_threads');
  // As bundled when almanac is compiled: it starts in half the time that all its modules take. It has nothing to say;
  // with streams of its own, none is opened here for it.
  const worker = new Worker(new URL('../../lib/bin/second-thread-worker.js', import.meta.url), {
    workerData: work,
    resourceLimits,
    stdout: true,
    stderr: true,
  });
  const made = once(worker, 'message').then(([share]) => share as SecondShare);
  const ended = once(worker, 'exit').then(() => null);
  const share = Promise.race([made, ended]).catch(() => null);
  return { share, end: async () => void (await worker.terminate()) };
}

/** How much there is to read, about: of some of the genres, the size of one file stands for all. */
function amountToRead({ reading, categories }: GenresTask): number {
  const genres = categories.flatMap((category) => category.genres);
  const step = Math.ceil(genres.length / mostAskedFor);
  const asked = genres.filter((_, index) => index % step === 0);
  const amounts = asked.map(({ path, names }) => {
    return names.length * (perFile + sizeOf(join(reading.data, path, names[0] ?? '')));
  });
  return step * amounts.reduce((sum, amount) => sum + amount, 0);
}

/** In bytes; 0 where the system does not tell it. Why not, is told when the file is read. */
function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
}

const mostAskedFor = 100;
