import type { TextFinding, FoundProblem } from '../finding.ts';

/** The most occurrences that the repeating events of one calendar may have until the horizon. */
const mostOccurrences = 50_000;
/** The most steps that are taken to find them: a second or two, whatever a calendar asks for. */
const mostSteps = 500_000;

/** A date and its comma: 20270304, */
const shortestDate = 9;

/** What one calendar may cost. A rule such as "every second for ever" ends here and not in an endless loop. */
export class Bounds {
  #occurrences = mostOccurrences;
  #steps = mostSteps;

  /** Whether all of it is used up: what is left of the calendar then need not be looked at. */
  isSpent(): boolean {
    return this.#occurrences < 0 || this.#steps < 0;
  }

  /** Pays for an occurrence that is kept. */
  occurrence(): void {
    if (--this.#occurrences < 0) throw new BoundsError({ code: 'too-many-occurrences', most: mostOccurrences });
  }

  /** Pays for the dates that a line lists, before any of them is read. */
  dates(line: string): void {
    this.search(Math.floor(line.length / shortestDate));
  }

  /** Pays for a search, of `steps` times the work of finding the next day. */
  search(steps: number): void {
    this.#steps -= steps;
    if (this.#steps < 0) throw new BoundsError({ code: 'recurrence-too-long', most: mostSteps });
  }
}

/** Does what may cost too much, which becomes a finding at the place. */
export function inBounds(offset: number, findings: TextFinding[], work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof BoundsError)) throw error;
    findings.push({ problem: error.problem, offset });
  }
}

/** Thrown out of an expansion that costs too much, and caught where the event is read. */
export class BoundsError extends Error {
  readonly problem: FoundProblem;

  constructor(problem: FoundProblem) {
    super(problem.code);
    this.problem = problem;
  }
}
