import type { Frame } from '../api/formats/format.ts';
import type { Content } from '../api/site-file.ts';
import type { Event, Genre, GenreSummary, Subject } from '../catalogue/model.ts';
import { bySoonest } from '../catalogue/soonest.ts';
import { eventJson, type EventTexts } from './event-texts.ts';

/** A format whose files hold all events of a scope. They are rendered genre by genre and joined. */
export interface JoinedRenderer {
  readonly from: 'genres';
  readonly frame: Frame;
  /** Renders the text of a genre, part by part. */
  readonly render: (genre: WholeGenre) => Iterable<Content>;
}

/** A genre with all of its events that are not over. */
export interface WholeGenre {
  readonly genre: Genre;
  /** The subjects, ordered by id. */
  readonly members: readonly Subject[];
  /** The events that are upcoming or under way, in order of their start, in lists that are serialized at a time. */
  readonly batches: readonly (readonly Event[])[];
  /** The upcoming events of each subject that has any. */
  readonly next: ReadonlyMap<Subject, NextEvent>;
  /** Returns the record of an event as JSON. */
  readonly jsonOf: (event: Event) => string;
}

/** The upcoming events of a subject: their number, and the record of the soonest one as JSON. */
export interface NextEvent {
  upcoming: number;
  readonly json: string;
}

/** The number of events that are serialized at a time. */
const eventsPerBatch = 1024;

/** @param texts the events in the lists of the genre, which need not be serialized again */
export function wholeGenre({ genre, members, events: upcoming, current }: GenreSummary, texts: EventTexts): WholeGenre {
  const known = new Map(texts.upcoming.map(({ id, json }) => [id, json]));
  const jsonOf = (event: Event): string => known.get(event.id) ?? eventJson(event);
  const next = new Map<Subject, NextEvent>();
  for (const event of upcoming) {
    const subject = next.get(event.subject);
    if (subject !== undefined) {
      subject.upcoming++;
      continue;
    }
    const json = jsonOf(event);
    known.set(event.id, json);
    next.set(event.subject, { upcoming: 1, json });
  }
  const events = current.length === 0 ? upcoming : [...current, ...upcoming].sort(bySoonest);
  const starts = Array.from(
    { length: Math.ceil(events.length / eventsPerBatch) },
    (_, index) => index * eventsPerBatch,
  );
  return { genre, members, batches: starts.map((start) => events.slice(start, start + eventsPerBatch)), next, jsonOf };
}
