import { parentPort, workerData } from 'node:worker_threads';
import { StagingArea } from '../output/staging.ts';
import { ProblemError } from '../problem/problem.ts';
import { openData } from '../source/data.ts';
import { diskProblem } from '../system/failure.ts';
import { displayPathFrom } from '../system/files.ts';
import { renderGenres } from './genres.ts';
import type { ThreadAnswer, ThreadTask } from './threads.ts';

/* Runs in a thread of a build: opens the data folder again, and renders its share of the genres. */

// eslint-disable-next-line unicorn/require-post-message-target-origin -- a worker of Node
void runTask(workerData as ThreadTask).then((answer) => parentPort?.postMessage(answer));

async function runTask(task: ThreadTask): Promise<ThreadAnswer> {
  const { data, cwd, now, past } = task;
  try {
    const folder = openData({ data, displayPath: displayPathFrom(cwd, data), now });
    const ids = new Set(task.genres);
    const share = folder.genres.filter(({ genre }) => ids.has(genre.id));
    const staging = new StagingArea(task.folders);
    const rendered = await renderGenres(
      { ...task, onGenre: () => {} },
      folder,
      share,
      past,
      staging,
    );
    if (task.isDurable) await staging.flush();
    return { rendered, files: staging.files };
  } catch (error) {
    // An error loses its fields on the way to another thread.
    const known = diskProblem(error, 'write-failed');
    if (known instanceof ProblemError) return { problems: known.problems };
    throw error;
  }
}
