import type { Status } from '../../catalogue/model.ts';
import { titleWithoutStatus } from '../../catalogue/status-words.ts';

/** What the SUMMARY and the STATUS of an event of a calendar say. */
export interface CalendarStatus {
  /** Empty if it has none. */
  readonly title: string;
  readonly status: Status;
}

/**
 * The statuses that a STATUS may stand for. Calendars have none for a postponed event, so its title
 * tells it from a tentative one.
 */
const statuses: Readonly<Record<string, readonly Exclude<Status, 'confirmed'>[]>> = {
  CANCELLED: ['cancelled'],
  CANCELED: ['cancelled'],
  TENTATIVE: ['tentative', 'postponed'],
};

/** Returns the title without a word in front that says the same as the STATUS: `Cancelled: Tosca`. */
export function readStatus(summary: string, word: string): CalendarStatus {
  const possible = Object.hasOwn(statuses, word) ? (statuses[word] ?? []) : [];
  for (const status of possible) {
    const title = titleWithoutStatus(summary, status);
    if (title !== null) return { title, status };
  }
  return { title: summary, status: possible[0] ?? 'confirmed' };
}
