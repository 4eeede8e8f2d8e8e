import { createContext, Script } from 'node:vm';

/*
 * V8 can end a running function from a thread of its own. Ending a worker does the same, but starting one for each small
 * file would take most of the time of a build.
 */

const script = new Script('work()');

/** Calls a synchronous function and returns its result. Throws an Error if it takes longer than some milliseconds. */
export function withinTime<Result>(milliseconds: number, work: () => Result): Result {
  try {
    return script.runInContext(createContext({ work }), { timeout: milliseconds }) as Result;
  } catch (error) {
    if ((error as NodeJS.ErrnoException | null)?.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new Error(tooLong(milliseconds), { cause: error });
  }
}

/** Returns the reason why something was not read within some milliseconds. */
export function tooLong(milliseconds: number): string {
  return `it takes longer than ${milliseconds / 1000} seconds to read`;
}
