import type { EventDetails, Status } from '../catalogue/model.ts';
import type { PartialEvent } from './json/types.ts';
import { lineBreak } from '../catalogue/text.ts';

/** The facts of an event, or those that a genre or subject gives for its events. */
export type FactsSource = Pick<PartialEvent, 'description' | 'image' | 'attendance' | 'organizer' | 'source'>;

export function statusOf({ status, cancelled }: PartialEvent): Status {
  return cancelled === true ? 'cancelled' : ((status ?? 'confirmed') as Status);
}

/** Returns the tags of two levels, sorted and each of them once. */
export function joinTags(own: readonly string[] | undefined, above: readonly string[]): readonly string[] {
  return own === undefined || own.length === 0 ? above : [...new Set([...above, ...own])].sort();
}

/** Returns the details of a level with those of the level above where it gives none. Null if nothing is known. */
export function detailsOf(source: FactsSource, above: EventDetails | null): EventDetails | null {
  const { description, image, attendance, organizer } = source;
  const own = [description, image, attendance, organizer, source.source];
  // Events without details of their own share an object: a table may have a hundred thousand of them.
  if (own.every((one) => one === undefined)) return above;
  const details: EventDetails = {
    description:
      description === undefined ? (above?.description ?? null) : (description?.replace(lineBreak, '\n') ?? null),
    image: image === undefined ? (above?.image ?? null) : imageOf(image),
    attendance: attendance === undefined ? (above?.attendance ?? null) : (attendance as EventDetails['attendance']),
    organizer: organizer === undefined ? (above?.organizer ?? null) : organizerOf(organizer),
    source: source.source === undefined ? (above?.source ?? null) : source.source,
  };
  return Object.values(details).every((one) => one === null) ? null : details;
}

function imageOf(written: NonNullable<FactsSource['image']> | null): EventDetails['image'] {
  if (written === null) return null;
  return typeof written === 'string' ? { url: written, alt: null } : { url: written.url, alt: written.alt ?? null };
}

function organizerOf(written: NonNullable<FactsSource['organizer']> | null): EventDetails['organizer'] {
  if (written === null) return null;
  return typeof written === 'string' ? { name: written, url: null } : { name: written.name, url: written.url ?? null };
}
