import type { SubjectRecord } from '../api/documents.ts';
import { frame } from '../api/formats/subjects.ts';
import { wholeGenre, type JoinedRenderer, type WholeGenre } from './joined.ts';
import type { GenreRecords } from './records.ts';

/** Renders the subjects with their soonest events. `next` is null if a subject has no upcoming event. */
export const subjects: JoinedRenderer = {
  from: 'genres',
  frame,
  *render(genre) {
    yield textOf(genre);
  },
};

function textOf({ genre: { id: genre, category }, members, next }: WholeGenre): string {
  const records = members.map((subject) => {
    const { id, name, aliases, url } = subject;
    const { upcoming, json } = next.get(id) ?? { upcoming: 0, json: 'null' };
    const record = { id, name, aliases, genre, category, url, upcoming };
    return `${JSON.stringify(record).slice(0, -1)},"next":${json}}`;
  });
  return records.join(',');
}

/** Returns the records of the first subjects of a genre. */
export function firstSubjects(content: GenreRecords, most: number): SubjectRecord[] {
  const members = content.members.slice(0, most);
  const ids = new Set(members.map(({ id }) => id));
  const upcoming = content.upcoming.filter(({ record }) => ids.has(record.subject.id));
  const whole = wholeGenre({ ...content, members, upcoming, underWay: [] });
  return JSON.parse(`[${textOf(whole)}]`) as SubjectRecord[];
}
