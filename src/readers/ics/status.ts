import type { Status } from '../../catalogue/model.ts';
import { titleWithoutStatus } from '../../catalogue/status-words.ts';
import { statusInTitle } from '../title-status.ts';
import { readChoice, statuses } from '../schema/rules.ts';

/** What the SUMMARY and the STATUS of an event of a calendar say. */
export interface CalendarStatus {
  /** Empty if it has none. */
  readonly title: string;
  readonly status: Status;
  /** Whether the STATUS is a word that calendars do not have. */
  readonly isUnknown: boolean;
}

/**
 * The statuses that a STATUS may stand for. Calendars have none for a postponed event, so its title
 * tells it from a tentative one.
 */
const possibleStatuses: ReadonlyMap<string, readonly Status[]> = new Map([
  ['', ['confirmed']],
  ['CANCELED', ['cancelled']],
  ['TENTATIVE', ['tentative', 'postponed']],
]);

/**
 * Returns the title without a word in front that says the same as the STATUS: `Cancelled: Tosca`.
 * Without a STATUS, that word is the status; one that contradicts it stays in the title.
 */
export function readStatus(summary: string, word: string): CalendarStatus {
  const choice = readChoice(word, statuses) as Status | null;
  const possible = possibleStatuses.get(word) ?? (choice === null ? [] : [choice]);
  for (const status of possible) {
    const title = status === 'confirmed' ? null : titleWithoutStatus(summary, status);
    if (title !== null)
      return {
        title,
        status,
        isUnknown: false,
      };
  }
  const [status = 'confirmed'] = possible;
  const inTitle = word === '' ? statusInTitle(summary) : null;
  if (inTitle !== null) return { ...inTitle, isUnknown: possible.length === 0 };
  return {
    title: summary,
    status,
    isUnknown: possible.length === 0,
  };
}
