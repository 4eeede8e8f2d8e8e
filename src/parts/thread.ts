import { Worker } from 'node:worker_threads';
import { packagePath } from '../system/package.ts';

/**
 * Runs a script of the package in a thread. Returns the one message that it posts.
 *
 * @param task its `workerData`
 */
export async function runThread<Answer>(script: string, task: unknown): Promise<Answer> {
  const worker = new Worker(packagePath(script), { workerData: task });
  return new Promise((resolve, reject) => {
    worker.once('message', (answer: Answer) => resolve(answer));
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`a thread of the build ended with ${code}`)));
  });
}
