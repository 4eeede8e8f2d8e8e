import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { StagedFiles, StagingArea, StagingFolders } from '../output/staging.ts';
import { ProblemError, type Problem } from '../problem/problem.ts';
import type { DataFolder, DataGenre } from '../source/data.ts';
import { packagePath } from '../system/package.ts';
import { addUpGenres, renderGenres, type Past, type RenderedGenres } from './genres.ts';
import type { BuildPlan } from './options.ts';

/** The work of a thread. Plain data. */
export interface ThreadTask extends Pick<
  BuildPlan,
  'data' | 'cwd' | 'now' | 'baseUrl' | 'authority' | 'isDurable'
> {
  readonly past: Past;
  /** The ids of its genres. */
  readonly genres: readonly string[];
  readonly folders: StagingFolders | null;
}

export type ThreadAnswer =
  | { readonly rendered: RenderedGenres; readonly files: StagedFiles }
  | { readonly problems: readonly Problem[] };

/**
 * Renders all genres, in this thread and in others. Each writes its own files into the staging
 * area.
 */
export async function renderInThreads(
  plan: BuildPlan,
  data: DataFolder,
  past: Past,
  staging: StagingArea,
): Promise<RenderedGenres> {
  const [own = [], ...others] = shareGenres(data, plan.jobs);
  if (others.length === 0) return renderGenres(plan, data, data.genres, past, staging);
  const { cwd, now, baseUrl, authority, isDurable } = plan;
  const task = {
    data: data.folder,
    cwd,
    now,
    baseUrl,
    authority,
    isDurable,
    past,
    folders: staging.folders,
  };
  const answers = others.map(async (share) =>
    runThread({ ...task, genres: share.map(({ genre }) => genre.id) }),
  );
  const settled = Promise.allSettled(answers);
  // No thread writes any more when a build has failed.
  const first = await renderGenres(plan, data, own, past, staging).finally(async () => settled);
  const rendered = [first];
  for (const answer of await Promise.all(answers)) {
    if ('problems' in answer) throw new ProblemError(answer.problems);
    staging.adopt(answer.files);
    rendered.push(answer.rendered);
  }
  return addUpGenres(data, rendered);
}

/**
 * Source bytes per thread. A second thread is started only where it saves a quarter of the time:
 * 30% at 120 MB, a quarter at 34 MB, less at 12 MB, and nothing at 4 MB: `npm run bench -- --size
 * 30k,100k,300k,1m`.
 */
const bytesPerThread = 24 * 1024 ** 2;

/**
 * The fixed cost of a genre, expressed in bytes: its files are written even if it has no events.
 */
const bytesPerGenre = 16 * 1024;

/** Splits the genres into shares with about as many bytes each. */
function shareGenres(data: DataFolder, jobs: number | null): DataGenre[][] {
  if (jobs === 1) return [[...data.genres]];
  const sized = data.genres.map((genre) => ({ genre, bytes: data.bytesOf(genre) + bytesPerGenre }));
  const all = sized.reduce((sum, { bytes }) => sum + bytes, 0);
  const paying = Math.min(availableParallelism(), Math.ceil(all / bytesPerThread));
  const count = Math.max(1, Math.min(jobs ?? paying, sized.length));
  const shares = Array.from({ length: count }, () => ({ bytes: 0, genres: new Set<DataGenre>() }));
  // The largest first, each to the share with the fewest bytes so far.
  for (const { genre, bytes } of sized.toSorted((a, b) => b.bytes - a.bytes)) {
    const share = shares.reduce((least, other) => (other.bytes < least.bytes ? other : least));
    share.genres.add(genre);
    share.bytes += bytes;
  }
  return shares.map(({ genres }) => data.genres.filter((genre) => genres.has(genre)));
}

async function runThread(task: ThreadTask): Promise<ThreadAnswer> {
  const worker = new Worker(packagePath('lib/bin/thread-worker.js'), { workerData: task });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`a thread of the build ended with ${code}`)));
  });
}
