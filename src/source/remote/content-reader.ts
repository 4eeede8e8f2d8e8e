import { Worker } from 'node:worker_threads';
import { packagePath } from '../../system/package.ts';
import type { Timing } from '../../system/http.ts';
import { tooLong } from '../../system/time-limit.ts';
import { maxMilliseconds } from '../reader.ts';
import type { Content, ContentReport } from './content.ts';

/** Reads texts of remote sources one at a time, with limits of time and memory for each. */
export interface ContentReader {
  /** Returns the report on a text, or the reason why the text could not be read. */
  readonly read: (content: Content) => Promise<ContentReport | string>;
  readonly close: () => Promise<void>;
}

const maxMegabytes = 1024;

export function openContentReader({ schedule }: Pick<Timing, 'schedule'>): ContentReader {
  let worker: Worker | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const end = async (): Promise<void> => {
    const ended = worker;
    worker = null;
    await ended?.terminate();
  };
  const readNow = async (content: Content): Promise<ContentReport | string> => {
    const resourceLimits = { maxOldGenerationSizeMb: maxMegabytes };
    const current = (worker ??= new Worker(packagePath('lib/bin/content-worker.js'), { resourceLimits }));
    const report = await new Promise<ContentReport | string>((resolve) => {
      const cancel = schedule(maxMilliseconds, () => resolve(tooLong(maxMilliseconds)));
      current.removeAllListeners();
      current.once('message', (message: ContentReport) => (cancel(), resolve(message)));
      current.once('error', (error) => (cancel(), resolve(`it cannot be read: ${error.message}`)));
      // eslint-disable-next-line unicorn/require-post-message-target-origin -- a worker of Node, not a window
      current.postMessage(content);
    });
    if (typeof report === 'string') await end();
    return report;
  };
  return {
    read: async (content) => {
      const report = last.then(async () => readNow(content));
      last = report;
      return report;
    },
    close: async () => {
      await last;
      await end();
    },
  };
}
