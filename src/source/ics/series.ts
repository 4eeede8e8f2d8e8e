import { maxIdCharacters } from '../../catalogue/id.ts';
import { isoInstant } from '../../catalogue/time/time.ts';
import { shortHash } from '../event-ids.ts';
import type { TextFinding } from '../finding.ts';
import { slug } from '../slug.ts';
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
  const all = new Map<string, { master: CalendarEvent | null; replacements: CalendarEvent[] }>();
  for (const event of events) {
    const uid = event.uid?.trim() || `${event.title ?? ''} ${isoInstant(event.start.wall)}`;
    let series = all.get(uid);
    if (series === undefined) all.set(uid, (series = { master: null, replacements: [] }));
    if (event.replaces !== null) series.replacements.push(event);
    else series.master = newerOf(series.master, event, uid, report);
  }
  return all;
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

/**
 * Returns the id of each UID: its slug, or the start of its slug and a hash if the slug is too long. All UIDs that share
 * a slug have the hash, whichever comes first in a file.
 */
export function idsOf(uids: Iterable<string>): ReadonlyMap<string, string> {
  const bySlug = new Map<string, string[]>();
  for (const uid of uids) {
    const id = slug(uid);
    const same = bySlug.get(id);
    if (same === undefined) bySlug.set(id, [uid]);
    else same.push(uid);
  }
  const ids = new Map<string, string>();
  for (const [id, same] of bySlug) {
    const isWhole = id !== '' && id.length <= maxIdCharacters && same.length === 1;
    for (const uid of same) ids.set(uid, isWhole ? id : withHash(id, uid));
  }
  return ids;
}

function withHash(id: string, uid: string): string {
  const ending = shortHash(uid);
  const start = id.slice(0, maxIdCharacters).replace(/-$/, '');
  return start === '' ? ending : `${start}-${ending}`;
}
