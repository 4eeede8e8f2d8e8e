import { isoInstant, isoOffset, minute } from '../../catalogue/time/time.ts';
import { plain } from '../plain.ts';
import type { EventSource } from '../json/types.ts';
import type { Length } from './property.ts';
import { endAfter, type Moment } from './moment.ts';
import type { Occurrence } from './occurrences.ts';
import type { Clock } from './time-zone.ts';

/** An occurrence with the id of its event, which does not depend on when it starts. */
export type Identified = Occurrence & { readonly id: string };

/** Returns an occurrence as an event of a source file. `name` is the title of events without one. */
export function toSourceEvent({ id, event, start }: Identified, name: string): EventSource {
  const title = plain(event.title ?? '') || name;
  const { length } = event;
  return {
    id,
    title,
    ...writeStart(start),
    ...(length !== null && { ends: writeEnd(start, length) }),
    ...event.details,
    ...(event.location !== null && { location: event.location }),
    ...(event.isTentative && { status: 'tentative' }),
    ...(event.isCancelled && { cancelled: true }),
    ...(event.tags.length > 0 && { tags: [...event.tags] }),
  };
}

/** Writes a start as a source does. Calendars always write seconds, so 0 seconds are known to the minute. */
export function writeStart({ wall, isDate, clock }: Moment): Pick<EventSource, 'starts' | 'zone'> {
  if (isDate || clock === null) return { starts: isoInstant(wall).slice(0, 10) };
  const instant = clock.instantAt(wall);
  const starts = writeInstant(instant, clock, wall - instant, instant % minute === 0);
  return { starts, ...(clock.zone !== null && { zone: clock.zone }) };
}

/** Writes the end of an event that starts at a moment. The last day of a date, or of a floating time, is included. */
function writeEnd(start: Moment, length: Length): string {
  const { wall, isDate, clock } = start;
  const end = endAfter(start, length);
  if (isDate || clock === null) return isoInstant(Math.max(wall, end - 1)).slice(0, 10);
  const isWhole = end % minute === 0 && clock.instantAt(wall) % minute === 0;
  return writeInstant(end, clock, clock.wallAt(end) - end, isWhole);
}

/** Writes an instant in UTC or, if only its offset is known, with that. */
function writeInstant(instant: number, { zone }: Clock, offset: number, isWholeMinute: boolean): string {
  const digits = isWholeMinute ? 16 : 19;
  const isLocal = zone === null && offset !== 0 && offset % minute === 0;
  return isoInstant(isLocal ? instant + offset : instant).slice(0, digits) + (isLocal ? isoOffset(offset) : 'Z');
}
