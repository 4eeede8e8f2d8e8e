import { day } from '../../catalogue/time/time.ts';
import type { IndexedEvent, SubjectRow } from './index-file.ts';
import { fold } from './text.ts';

/** A subject that a query finds, with those of its events that it finds, by their starts. */
export interface Found {
  readonly row: SubjectRow;
  readonly events: readonly IndexedEvent[];
  /** Whether the words are the name or an alias of the subject, with nothing left out. */
  readonly isWhole: boolean;
  /** Whether they are only an alias. */
  readonly isAlias: boolean;
  /** Whether some words are those of its events, not of the subject. */
  readonly isByEvent: boolean;
  /** Whether it is that of the reader's country, where each country has one. */
  readonly isOwn: boolean;
  /** Whether its events are over, and its name is not what is asked. */
  readonly isOver: boolean;
  readonly score: number;
}

/**
 * Returns the order of what was found: the best first, and the soonest first among those that are
 * as good.
 */
export function orderOf(isNext: boolean): (a: Found, b: Found) => number {
  return isNext ? bySoonest : byRank;
}

function byRank(a: Found, b: Found): number {
  return b.score - a.score || Number(b.isOwn) - Number(a.isOwn) || startOf(a) - startOf(b);
}

/** Orders by days: subjects, then events alone. */
function bySoonest(a: Found, b: Found): number {
  const dayOf = (match: Found) => Math.floor(startOf(match) / day);
  const isOwn = Number(b.isOwn) - Number(a.isOwn);
  return Number(a.isByEvent) - Number(b.isByEvent) || isOwn || dayOf(a) - dayOf(b) || byRank(a, b);
}

/** Orders what is at a place: names that begin with that of the place, then the soonest. */
export function byStartAt(place: readonly string[]): (a: Found, b: Found) => number {
  const beginning = `${place.join(' ')} `;
  // A single word begins too much: Paris Paramount is not in Paris.
  const isCalled = ({ row }: Found) => place.length > 1 && fold(row[1]).startsWith(beginning);
  return (a, b) =>
    Number(isCalled(b)) - Number(isCalled(a)) || startOf(a) - startOf(b) || byRank(a, b);
}

function startOf({ events }: Found): number {
  return Math.min(...events.map(({ startsAt }) => startsAt));
}
