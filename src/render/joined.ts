import type { EventFilters } from '../api/documents.ts';
import type { Content } from '../api/site-file.ts';
import type { GenreRecords } from './records.ts';

/** A format whose files hold all events of a scope. They are rendered genre by genre and joined. */
export interface JoinedRenderer {
  /** What surrounds and separates the texts of genres, in the order of their ids. */
  readonly head: (filters: EventFilters) => string;
  readonly separator: string;
  readonly tail: string;
  /** Renders the text of a genre, part by part. */
  readonly render: (genre: GenreRecords) => Iterable<Content>;
}

/** Splits events into lists that are serialized at a time. */
export function* inBatches<T>(events: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < events.length; start += eventsPerBatch) yield events.slice(start, start + eventsPerBatch);
}

const eventsPerBatch = 1024;
