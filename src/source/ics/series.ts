import { groupBy } from '../../catalogue/group.ts';
import { maxIdCharacters, slug } from '../../catalogue/id.ts';
import { isoInstant } from '../../catalogue/time/time.ts';
import { shortHash } from '../event-ids.ts';
import type { TextFinding } from '../finding.ts';
import type { CalendarEvent } from './event.ts';

/** An event, repeating or not, and the events that replace its occurrences. A calendar may have only the latter. */
export interface Series {
  readonly master: CalendarEvent | null;
  readonly replacements: readonly CalendarEvent[];
}

/** Groups events by UID. If the UID is missing, the title and the start take its place. */
export function seriesOf(
  events: readonly CalendarEvent[],
  report: (finding: TextFinding) => void,
): Map<string, Series> {
  const uidOf = ({ uid, title, start }: CalendarEvent): string =>
    uid?.trim() || `${title ?? ''} ${isoInstant(start.wall)}`;
  const series = Array.from(groupBy(events, uidOf), ([uid, same]) => {
    const replacements = same.filter(({ replaces }) => replaces !== null);
    const masters = same.filter(({ replaces }) => replaces === null);
    const master = masters.reduce<CalendarEvent | null>((one, next) => newerOf(one, next, uid, report), null);
    return [uid, { master, replacements }] as const;
  });
  return new Map(series);
}

/** Returns the event with the higher SEQUENCE. Events with equal SEQUENCE and start are the same event twice. */
function newerOf(
  earlier: CalendarEvent | null,
  later: CalendarEvent,
  uid: string,
  report: (finding: TextFinding) => void,
): CalendarEvent {
  if (earlier === null || later.sequence > earlier.sequence) return later;
  if (later.sequence < earlier.sequence) return earlier;
  if (later.start.wall === earlier.start.wall) return later;
  const problem = { code: 'duplicate-uid', uid } as const;
  report({ problem, offset: later.offset, firstOffset: earlier.offset });
  return earlier;
}

/** Returns the id of each UID: its slug, with a hash if the slug is too long or several UIDs have it. */
export function idsOf(uids: Iterable<string>): ReadonlyMap<string, string> {
  const ids = Array.from(groupBy(uids, slug)).flatMap(([id, same]) => {
    const isWhole = id !== '' && id.length <= maxIdCharacters && same.length === 1;
    return same.map((uid) => [uid, isWhole ? id : withHash(id, uid)] as const);
  });
  return new Map(ids);
}

function withHash(id: string, uid: string): string {
  const ending = shortHash(uid);
  const start = id.slice(0, maxIdCharacters).replace(/-$/, '');
  return start === '' ? ending : `${start}-${ending}`;
}
