import { availableParallelism } from 'node:os';
import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads';
import type { GenreContent } from '../catalogue/model.ts';
import type { GenreOutline } from './outline.ts';
import type { Remotes } from './remote/remotes.ts';
import type { TextFormat } from './text-formats.ts';

/** What is to be read ahead. */
export interface ReadAheadWork {
  readonly data: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly limit: number;
  /** The formats beside JSON that there are files of. */
  readonly formats: readonly TextFormat[];
  readonly remotes: Remotes['files'];
  /** In the order in which they will be taken. */
  readonly genres: readonly GenreOutline[];
}

/** The work as the thread gets it: where genres go, and how many have been {@link sent} and {@link taken}. */
export interface ReadAheadTask extends ReadAheadWork {
  readonly port: MessagePort;
  readonly progress: Int32Array;
}

/** Places in `progress`. */
export const [sent, taken] = [0, 1] as const;

/** Genres that another thread reads while this one writes those before them. */
export interface ReadAhead {
  /** The next genre; null where something is wrong in it, or with the thread, and it is to be read here. */
  readonly take: () => GenreContent | null;
  /** Ends the thread, whatever it is doing. */
  readonly close: () => void;
}

/** With fewer source files a second thread costs more than it saves. */
const fewestFiles = 2000;

/** How long a genre is waited for, in milliseconds; then it and all that follow are read here. */
const patience = 20_000;

/** Reads ahead on a thread of its own; null where that does not pay. */
export function readAhead(work: ReadAheadWork): ReadAhead | null {
  const files = work.genres.reduce((count, genre) => count + genre.files.length, 0);
  return files < fewestFiles || availableParallelism() < 2 ? null : startReading(work);
}

function startReading(work: ReadAheadWork): ReadAhead {
  const { port1: inbox, port2: port } = new MessageChannel();
  const progress = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  const worker = new Worker(new URL(import.meta.url.replace(/(\.[jt]s)$/, '-worker$1')), {
    workerData: { ...work, port, progress } satisfies ReadAheadTask,
    transferList: [port],
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  });
  // Where the thread fails, nothing is sent: what is left is read here, and what is wrong is met again and reported.
  worker.on('error', () => {}).unref();
  let [next, isOpen] = [0, true];
  const close = (): void => {
    isOpen = false;
    inbox.close();
    void worker.terminate();
  };
  const take = (): GenreContent | null => {
    if (!isOpen) return null;
    if (Atomics.wait(progress, sent, next, patience) === 'timed-out') {
      close();
      return null;
    }
    const content = receiveMessageOnPort(inbox)?.message as GenreContent | null;
    Atomics.store(progress, taken, ++next);
    Atomics.notify(progress, taken);
    if (next === work.genres.length) close();
    return content;
  };
  return { take, close };
}
