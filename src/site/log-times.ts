import type { ChangesDocument } from '../api/documents.ts';
import { compareTexts } from '../catalogue/soonest.ts';
import { isoInstant, minute } from '../catalogue/time/time.ts';
import type { Problem } from '../problem/problem.ts';

/**
 * Leaves out of a log what is later than `now`. One entry of the future would stay at its top for
 * ever.
 *
 * @param now milliseconds since the Unix epoch
 * @returns the log, newest first, and the warning if anything is left out
 */
export function withoutFuture(
  log: ChangesDocument | null,
  site: string,
  now: number,
): { readonly log: ChangesDocument | null; readonly leftOut: Problem | null } {
  if (log === null) return { log, leftOut: null };
  // Builds at one time give their entries times of their own, a millisecond apart.
  const isPast = (time: string | null) => time !== null && Date.parse(time) <= now + minute;
  const changes = log.changes.filter(({ at }) => isPast(at));
  changes.sort((a, b) => compareTexts(b.at, a.at) || compareTexts(a.id, b.id));
  const since = isPast(log.since) ? log.since : (changes.at(-1)?.at ?? isoInstant(now));
  const entries = log.changes.length - changes.length;
  if (entries === 0 && since === log.since) return { log, leftOut: null };
  return {
    log: { ...log, since, changes },
    leftOut: {
      code: 'log-of-the-future',
      place: null,
      site,
      entries,
    },
  };
}
