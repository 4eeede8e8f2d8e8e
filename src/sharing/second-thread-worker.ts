import { parentPort, workerData } from 'node:worker_threads';
import { secondThread, viewBoard } from './board.ts';
import type { SecondShare, SecondTask } from './second-thread.ts';
import { makeShare } from './share.ts';

const { task, board } = workerData as SecondTask;
const flawed: number[] = [];
const telling = {
  nameOf: (path: string) => path,
  onFlaw: (_: unknown, index: number) => void flawed.push(index),
  onGenre: () => {},
};
const share = await makeShare(task, viewBoard(board, secondThread), telling);
parentPort?.postMessage({ share, flawed } satisfies SecondShare, []);
