import { frame } from '../api/formats/subjects.ts';
import type { JoinedRenderer } from './joined.ts';

/** Renders the subjects with their soonest events. `next` is null if a subject has no upcoming event. */
export const subjects: JoinedRenderer = {
  from: 'genres',
  frame,
  *render({ genre: { id: genre, category }, members, next }) {
    const records = members.map((subject) => {
      const { id, name, aliases, url } = subject;
      const { upcoming, json } = next.get(id) ?? { upcoming: 0, json: 'null' };
      const record = { id, name, aliases, genre, category, url, upcoming };
      return `${JSON.stringify(record).slice(0, -1)},"next":${json}}`;
    });
    yield records.join(',');
  },
};
