import { FoundError } from './ical.ts';

/** The maximum number of occurrences that the repeating events of one calendar may have in the span. */
const maxOccurrences = 50_000;
/** The maximum number of steps to find them. They take a second or two. */
const maxSteps = 500_000;

/** The length of a date and its comma, as in `20270304,`. */
const shortestDate = 9;

/** What the recurrence rules of one calendar may cost. It ends a rule such as "every second, for ever". */
export class Budget {
  #occurrences = maxOccurrences;
  #steps = maxSteps;

  /** Whether the budget is used up. The rest of the calendar is then skipped. */
  isSpent(): boolean {
    return this.#occurrences < 0 || this.#steps < 0;
  }

  /** Pays for one occurrence. Throws if that is one too many. */
  spendOccurrence(): void {
    if (--this.#occurrences < 0) throw new FoundError({ code: 'too-many-occurrences', most: maxOccurrences });
  }

  /** Pays for `steps` times the work of testing a day or two. Throws if that is too much. */
  spendSteps(steps: number): void {
    this.#steps -= steps;
    if (this.#steps < 0) throw new FoundError({ code: 'recurrence-too-long', most: maxSteps });
  }

  /** Pays for the dates that a line lists, before they are read. */
  spendDates(line: string): void {
    this.spendSteps(Math.floor(line.length / shortestDate));
  }
}
