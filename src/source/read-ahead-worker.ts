import { workerData } from 'node:worker_threads';
import { readGenre } from './genre.ts';
import { sent, taken, type ReadAheadTask } from './read-ahead.ts';
import { loadReaders } from './load-readers.ts';

/** How many genres may wait to be taken, so that memory stays bounded. */
const mostWaiting = 3;

const { data, genres, now, limit, formats, remotes: files, port, progress } = workerData as ReadAheadTask;
const readers = await loadReaders(formats);
const context = { data, nameOf: (path: string) => path, now, limit, readers, remotes: { files } };
genres.forEach((genre, index) => {
  for (let count = progress[taken] ?? 0; index - count >= mostWaiting; count = Atomics.load(progress, taken)) {
    Atomics.wait(progress, taken, count);
  }
  const { content, problems, suspects } = readGenre(context, genre);
  port.postMessage(problems.length === 0 && suspects.length === 0 ? content : null);
  Atomics.add(progress, sent, 1);
  Atomics.notify(progress, sent);
});
port.close();
