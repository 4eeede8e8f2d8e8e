import type { EventDetails, Status } from '../catalogue/model.ts';
import type { PartialEvent } from '../readers/schema/source-types.ts';
import { lineBreak } from '../catalogue/text.ts';

/** The facts of an event, or those that a genre or subject gives for its events. */
export type FactsSource = Pick<PartialEvent, keyof EventDetails>;

type Attendance = NonNullable<EventDetails['attendance']>;

/** Returns the status of an event; `cancelled: true` counts above `status`. */
export function statusOf({ status, cancelled }: PartialEvent): Status {
  if (cancelled === true) return 'cancelled';
  return (status ?? 'confirmed') as Status;
}

/** Returns the tags of two levels, sorted and each of them once. */
export function joinTags(
  tags: readonly string[] | undefined,
  above: readonly string[],
): readonly string[] {
  if (tags === undefined || tags.length === 0) return above;
  return [...new Set([...above, ...tags])].sort();
}

/** Returns the details of a level, completed from the level above. Null if there are none. */
export function detailsOf(source: FactsSource, above: EventDetails | null): EventDetails | null {
  const { description, image, attendance, organizer, source: page } = source;
  // Events without details of their own share an object: a table may have a hundred thousand of
  // them.
  const values = [description, image, attendance, organizer, page];
  if (values.every((value) => value === undefined)) return above;
  const details: EventDetails = {
    description: inherit(description, above?.description, (text) => text.replace(lineBreak, '\n')),
    image: inherit(image, above?.image, (picture) =>
      typeof picture === 'string'
        ? { url: picture, alt: null }
        : {
            url: picture.url,
            alt: picture.alt ?? null,
          },
    ),
    attendance: inherit(attendance, above?.attendance, (text) => text as Attendance),
    organizer: inherit(organizer, above?.organizer, (person) =>
      typeof person === 'string'
        ? { name: person, url: null }
        : {
            name: person.name,
            url: person.url ?? null,
          },
    ),
    source: inherit(page, above?.source, (address) => address),
  };
  if (Object.values(details).every((fact) => fact === null)) return null;
  return details;
}

function inherit<Written, Fact>(
  value: Written | null | undefined,
  above: Fact | null = null,
  read: (value: Written) => Fact,
): Fact | null {
  if (value === undefined) return above;
  return value === null ? null : read(value);
}
