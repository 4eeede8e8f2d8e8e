import { ProblemError } from '../problem/problem.ts';

/** What is damaged in a previous site: a reason for each file, by its path. */
export class Damage {
  readonly #reasons = new Map<string, string>();

  get reasons(): ReadonlyMap<string, string> {
    return this.#reasons;
  }

  /** Notes that a file is damaged. The first reason counts. */
  note(path: string, reason: string): void {
    if (!this.#reasons.has(path)) this.#reasons.set(path, reason);
  }

  /** Returns what `read` returns, or undefined if the file is damaged. Throws if the host fails. */
  async read<T>(path: string, read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      const reason = reasonIn(error);
      if (reason === null) throw error;
      this.note(path, reason);
      return undefined;
    }
  }
}

/** Returns why a file could not be read, or null if it may be readable later. */
function reasonIn(error: unknown): string | null {
  const problem = error instanceof ProblemError ? error.problems[0] : undefined;
  if (problem?.code === 'unreachable') return problem.isTooLarge ? problem.reason : null;
  if (problem?.code !== 'site-unreadable') return null;
  return problem.status === undefined || problem.status === 404 ? problem.reason : null;
}
