import type { EventRecord } from '../api/documents.ts';
import type { Frame } from '../api/formats/format.ts';
import type { Content } from '../api/site-file.ts';
import type { Genre, Subject } from '../catalogue/model.ts';
import { byStart, type GenreRecords, type ListedEvent } from './records.ts';

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
  readonly batches: readonly (readonly ListedEvent[])[];
  /** The upcoming events of each subject that has any, by the id of the subject. */
  readonly next: ReadonlyMap<string, NextEvent>;
  readonly jsonOf: (record: EventRecord) => string;
}

/** The upcoming events of a subject: their number, and the record of the soonest one as JSON. */
interface NextEvent {
  upcoming: number;
  readonly json: string;
}

const eventsPerBatch = 1024;

export function wholeGenre({ genre, members, upcoming, underWay, texts }: GenreRecords): WholeGenre {
  const jsonOf = ({ id }: EventRecord): string => texts.get(id) ?? '';
  const next = new Map<string, NextEvent>();
  for (const { record } of upcoming) {
    const subject = next.get(record.subject.id);
    if (subject !== undefined) {
      subject.upcoming++;
      continue;
    }
    next.set(record.subject.id, { upcoming: 1, json: jsonOf(record) });
  }
  const events = underWay.length === 0 ? upcoming : [...underWay, ...upcoming].sort(byStart);
  const batches: ListedEvent[][] = [];
  for (let start = 0; start < events.length; start += eventsPerBatch)
    batches.push(events.slice(start, start + eventsPerBatch));
  return { genre, members, batches, next, jsonOf };
}
