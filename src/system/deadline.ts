import { setMaxListeners } from 'node:events';

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
