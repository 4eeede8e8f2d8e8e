import type { EventRecord, SubjectRecord } from '../api/documents.ts';
import type { JoinedRenderer } from './joined.ts';
import type { GenreRecords } from './records.ts';

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
