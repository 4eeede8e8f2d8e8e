import { isoInstant, isoOffset, minute } from '../../catalogue/time/time.ts';
import type { EventSource } from '../json/validate.ts';
import { maxNameCharacters } from '../rules.ts';
import type { Moment } from './moment.ts';
import type { Occurrence } from './occurrences.ts';

/** An occurrence with the id of its event, which does not depend on when it starts. */
export type Identified = Occurrence & { readonly id: string };

/** Returns an occurrence as an event of a source file. `name` is the title of events without one. */
export function toSourceEvent({ id, event, start }: Identified, name: string): EventSource {
  const title = plain(event.title ?? '') || name;
  return {
    id,
    title,
    ...writeStart(start),
    ...event.details,
    ...(event.isCancelled && { cancelled: true }),
  };
}

/**
 * Writes a start as a source does. The clock time of a floating time is left out, because it has no zone. Calendars
 * always write seconds, so a time with 0 seconds is known to the minute.
 */
export function writeStart({ wall, isDate, clock }: Moment): Pick<EventSource, 'starts' | 'zone'> {
  if (isDate || clock === null) return { starts: isoInstant(wall).slice(0, 10) };
  const instant = clock.instantAt(wall);
  const offset = wall - instant;
  const length = instant % minute === 0 ? 16 : 19;
  if (clock.zone !== null) return { starts: `${isoInstant(instant).slice(0, length)}Z`, zone: clock.zone };
  const isWritable = offset !== 0 && offset % minute === 0;
  return { starts: isoInstant(isWritable ? wall : instant).slice(0, length) + (isWritable ? isoOffset(offset) : 'Z') };
}

/** Makes a text one line without white space at its ends, and shortens it to the maximum length of a title. */
export function plain(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  if (line.length <= maxNameCharacters) return line;
  const characters = [...line];
  return characters.length <= maxNameCharacters
    ? line
    : `${characters
        .slice(0, maxNameCharacters - 1)
        .join('')
        .trimEnd()}…`;
}
