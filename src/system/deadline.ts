import { setMaxListeners } from 'node:events';
import { runInNewContext } from 'node:vm';

/** The time within which everything that a command reads from a host has to be read. */
const readingTime = 120_000;

/**
 * Does work that reads from a host, and aborts its signal after two minutes.
 *
 * @param subject what is read, for the reason of the signal
 */
export async function withDeadline<T>(
  subject: string,
  work: (signal: AbortSignal) => Promise<T>,
  milliseconds = readingTime,
): Promise<T> {
  const limit = new AbortController();
  // Node warns of more than ten, and each request is one.
  setMaxListeners(0, limit.signal);
  const reason = `${subject} could not be read within ${milliseconds / 1000} seconds`;
  const timer = setTimeout(() => limit.abort(new Error(reason)), milliseconds);
  return work(limit.signal).finally(() => clearTimeout(timer));
}

/**
 * Does work that has no pauses, and ends it after a time: a timer would not fire before it is done.
 * Throws an Error with the code `ERR_SCRIPT_EXECUTION_TIMEOUT` then.
 */
export function runWithin<T>(milliseconds: number, work: () => T): T {
  return runInNewContext('work()', { work }, { timeout: milliseconds }) as T;
}
