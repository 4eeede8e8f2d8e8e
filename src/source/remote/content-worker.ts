import { parentPort } from 'node:worker_threads';
import { readContent, type Content } from './content.ts';

/* Runs in a worker, which can be terminated, because a hostile text may take unlimited time to read. */
parentPort?.on('message', (content: Content) => {
  // eslint-disable-next-line unicorn/require-post-message-target-origin -- a worker of Node, not a window
  void readContent(content).then((report) => parentPort?.postMessage(report));
});
