import type { EventDetails, Status } from '../catalogue/model.ts';
import type { PartialEvent } from '../readers/schema/source-types.ts';
import { lineBreak } from '../catalogue/text.ts';

/** The facts of an event, or those that a genre or subject gives for its events. */
export type FactsSource = Pick<PartialEvent, keyof EventDetails>;

export function statusOf({ status, cancelled }: PartialEvent): Status {
  return cancelled === true ? 'cancelled' : ((status ?? 'confirmed') as Status);
}

/** Returns the tags of two levels, sorted and each of them once. */
export function joinTags(
  own: readonly string[] | undefined,
  above: readonly string[],
): readonly string[] {
  return own === undefined || own.length === 0 ? above : [...new Set([...above, ...own])].sort();
}

/** Returns the details of a level, completed from the level above. Null if there are none. */
export function detailsOf(source: FactsSource, above: EventDetails | null): EventDetails | null {
  const { description, image, attendance, organizer, source: page } = source;
  const own: Record<keyof EventDetails, unknown> = {
    description,
    image,
    attendance,
    organizer,
    source: page,
  };
  // Events without details of their own share an object: a table may have a hundred thousand of
  // them.
  if (Object.values(own).every((one) => one === undefined)) return above;
  const details: EventDetails = {
    description: inherit(description, above?.description, (text) => text.replace(lineBreak, '\n')),
    image: inherit(image, above?.image, (one) =>
      typeof one === 'string' ? { url: one, alt: null } : { url: one.url, alt: one.alt ?? null },
    ),
    attendance: inherit(
      attendance,
      above?.attendance,
      (one) => one as NonNullable<EventDetails['attendance']>,
    ),
    organizer: inherit(organizer, above?.organizer, (one) =>
      typeof one === 'string' ? { name: one, url: null } : { name: one.name, url: one.url ?? null },
    ),
    source: inherit(page, above?.source, (one) => one),
  };
  return Object.values(details).every((one) => one === null) ? null : details;
}

function inherit<Written, Fact>(
  own: Written | null | undefined,
  above: Fact | null | undefined,
  read: (own: Written) => Fact,
) {
  return own === undefined ? (above ?? null) : own === null ? null : read(own);
}
