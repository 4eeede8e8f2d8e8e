import { FoundError } from '../finding.ts';

const maxOccurrences = 50_000;
/** The maximum number of steps to find them, which take a second or two. */
const maxSteps = 500_000;

/** The length of a date and its comma, as in `20270304,`. */
const shortestDate = 9;

/** Limits the work for the recurrence rules of one calendar, such as "every second, for ever". */
export class Budget {
  #occurrences = maxOccurrences;
  #steps = maxSteps;

  isSpent(): boolean {
    return this.#occurrences < 0 || this.#steps < 0;
  }

  spendOccurrence(): void {
    if (--this.#occurrences < 0) throw new FoundError({ code: 'too-many-occurrences', most: maxOccurrences });
  }

  /** Counts steps: the work for one time, one listed date, or testing twelve days. Throws a FoundError if it is too much. */
  spendSteps(steps: number): void {
    this.#steps -= steps;
    if (this.#steps < 0) throw new FoundError({ code: 'recurrence-too-long', most: maxSteps });
  }

  /** Counts the dates that a line lists, before they are read. */
  spendDates(line: string): void {
    this.spendSteps(Math.floor(line.length / shortestDate));
  }
}
