import { parentPort, workerData } from 'node:worker_threads';
import { runTask, type ThreadTask } from './threads.ts';

/* Runs in a thread of a build. */
// eslint-disable-next-line unicorn/require-post-message-target-origin -- a worker of Node, not a window
void runTask(workerData as ThreadTask).then((answer) => parentPort?.postMessage(answer));
