import type { EventFilters, EventRecord, SubjectRecord } from '../api/documents.ts';
import type { Content } from '../api/site-file.ts';
import { groupBy } from '../catalogue/group.ts';
import { type State, states } from '../catalogue/state.ts';
import { Published, type GenreRecords, type ListedEvent } from './records.ts';

/** A format whose files hold all events of a scope. They are rendered genre by genre and joined. */
export interface JoinedRenderer {
  /** What surrounds and separates the texts of genres, in the order of their ids. */
  readonly head: (filters: EventFilters, extraKeys?: readonly string[]) => string;
  readonly separator: string;
  readonly tail: string;
  /** Adds the own fields that any event of the catalogue has to the text of a genre. */
  readonly widen?: (text: string, extraKeys: readonly string[]) => string;
  /** Renders the text of a genre, part by part. */
  readonly render: (genre: GenreRecords) => Iterable<Content>;
}

/** Splits events into lists that are serialized at a time. */
export function* inBatches<T>(events: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < events.length; start += eventsPerBatch)
    yield events.slice(start, start + eventsPerBatch);
}

const eventsPerBatch = 1024;

/** Renders every event in every state, one on each line. */
export const ndjson: JoinedRenderer = {
  head: () => '',
  separator: '',
  tail: '',
  *render(content) {
    for (const state of states)
      for (const batch of inBatches<Pick<ListedEvent, 'json'>>(eventsIn(content, state)))
        yield batch.map(({ json }) => `${json.slice(0, -1)},"state":"${state}"}\n`);
  },
};

function eventsIn(content: GenreRecords, state: State) {
  if (state !== 'announced') return content[state];
  const announcements = [...content.announced, ...content.cancelledAnnouncements];
  return announcements.map((record) => new Published(record));
}

/**
 * Renders the subjects with their soonest events. `next` is null if a subject has no upcoming
 * event.
 */
export const subjects: JoinedRenderer = {
  head: (filters) => `{"filters":${JSON.stringify(filters)},"subjects":[`,
  separator: ',',
  tail: ']}\n',
  *render({ genre, members, upcoming }) {
    const events = groupBy(upcoming, ({ record }) => record.subject.id);
    const records = members.map(({ id, name, aliases, url }): SubjectRecord => {
      const listed = events.get(id) ?? [];
      const common = {
        id,
        name,
        aliases: [...aliases],
        genre: genre.id,
        category: genre.category,
        url,
      };
      return {
        ...common,
        upcoming: listed.length,
        next: nextOf(listed[0]?.record),
      };
    });
    yield records.map((record) => JSON.stringify(record)).join(',');
  },
};

function nextOf(record: EventRecord | undefined): SubjectRecord['next'] {
  if (record === undefined) return null;
  const { id, title, date, starts_at, time_known } = record;
  return {
    id,
    title,
    date,
    starts_at,
    time_known,
  };
}
