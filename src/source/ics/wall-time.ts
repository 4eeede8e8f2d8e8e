import type { FoundProblem } from '../finding.ts';

/** An error with a problem, thrown while a line is read or a rule is expanded. */
export class FoundError extends Error {
  readonly problem: FoundProblem;

  constructor(problem: FoundProblem) {
    super(problem.code);
    this.problem = problem;
  }
}

/** A date, or a date with a clock time. */
export interface Wall {
  /** The wall time in milliseconds since 1970, as if it were UTC. Midnight for a date alone. */
  readonly wall: number;
  readonly isDate: boolean;
  readonly isUtc: boolean;
}

/** Reads `2027-03-04`, `2027-03-04T20:00:00` or the latter with a Z. Returns null for anything else and for unreal dates. */
export function readWall(written: string): Wall | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2}):(\d{2})(Z)?)?$/.exec(written);
  if (match === null) return null;
  const [year = 0, month = 0, date = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1, 7)
    .map((part: string | undefined) => Number(part ?? 0));
  const midnight = midnightUtc(year, month - 1, date);
  const isReal = new Date(midnight).getUTCDate() === date && month >= 1 && month <= 12;
  if (!isReal || hours > 23 || minutes > 59 || seconds > 60) return null;
  // A leap second is read as the second before it.
  const wall = midnight + ((hours * 60 + minutes) * 60 + Math.min(seconds, 59)) * 1000;
  return { wall, isDate: match[4] === undefined, isUtc: match[7] !== undefined };
}

/** `Date.UTC` reads the years 0 to 99 as 1900 to 1999. Some calendars begin their time zones in the year 1. */
export function midnightUtc(year: number, month: number, date = 1): number {
  return year < 100 ? new Date(0).setUTCFullYear(year, month, date) : Date.UTC(year, month, date);
}
