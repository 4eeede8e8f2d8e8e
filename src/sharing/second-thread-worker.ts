import { parentPort, workerData } from 'node:worker_threads';
import { secondThread, viewBoard } from './board.ts';
import type { SecondShare, SecondTask } from './second-thread.ts';
import { makeShare, stageFor } from './share.ts';

void work(workerData as SecondTask);

async function work({ task, board: cells }: SecondTask): Promise<void> {
  const board = viewBoard(cells, secondThread);
  const stage = stageFor(task, board);
  const flawed: number[] = [];
  const digests = await makeShare(task, board, stage, {
    nameOf: (path) => path,
    onFlaw: (_, index) => void flawed.push(index),
    onGenre: () => {},
  });
  const staged = stage.staged();
  const given = staged.entries.map(({ buffer }) => buffer as ArrayBuffer);
  parentPort?.postMessage({ digests, staged, flawed } satisfies SecondShare, given);
}
