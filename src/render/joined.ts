import type { EventFilters, EventRecord, SubjectRecord } from '../api/documents.ts';
import type { Content } from '../api/site-file.ts';
import { type State, states } from '../catalogue/state.ts';
import type { GenreRecords } from './records.ts';

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
  for (let start = 0; start < events.length; start += eventsPerBatch) yield events.slice(start, start + eventsPerBatch);
}

const eventsPerBatch = 1024;

/** Renders every event in every state, one on each line. */
export const ndjson: JoinedRenderer = {
  head: () => '',
  separator: '',
  tail: '',
  *render(content) {
    for (const state of states)
      for (const batch of inBatches(idsIn(content, state)))
        yield batch.map((id) => entryLine(content.texts.get(id) ?? '', state));
  },
};

function entryLine(json: string, state: State): string {
  return `${json.slice(0, -1)},"state":"${state}"}\n`;
}

function idsIn(content: GenreRecords, state: State): string[] {
  return state === 'announced' ? content.announced.map(({ id }) => id) : content[state].map(({ record: { id } }) => id);
}

/** Renders the subjects with their soonest events. `next` is null if a subject has no upcoming event. */
export const subjects: JoinedRenderer = {
  head: (filters) => `{"filters":${JSON.stringify(filters)},"subjects":[`,
  separator: ',',
  tail: ']}\n',
  *render(content) {
    yield subjectRecords(content)
      .map((record) => JSON.stringify(record))
      .join(',');
  },
};

function subjectRecords({ genre, members, upcoming }: GenreRecords): SubjectRecord[] {
  const soonest = new Map<string, EventRecord>();
  const counts = new Map<string, number>();
  for (const { record } of upcoming) {
    const { id } = record.subject;
    if (!soonest.has(id)) soonest.set(id, record);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return members.map(({ id, name, aliases, url }) => ({
    id,
    name,
    aliases: [...aliases],
    genre: genre.id,
    category: genre.category,
    url,
    upcoming: counts.get(id) ?? 0,
    next: nextOf(soonest.get(id)),
  }));
}

function nextOf(record: EventRecord | undefined): SubjectRecord['next'] {
  if (record === undefined) return null;
  const { id, title, date, starts_at, time_known } = record;
  return { id, title, date, starts_at, time_known };
}
