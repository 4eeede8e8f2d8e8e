import type { AnnouncementRecord } from '../api/documents.ts';
import { subjectFile } from '../api/paths.ts';
import type { Content, SiteFile } from '../api/site-file.ts';
import { lazy } from '../catalogue/lazy.ts';
import type { EventLists, Genre, Member } from '../catalogue/model.ts';
import { eventTexts, type EventTexts, type TextOf } from './event-texts.ts';
import { renderIcs } from './ics.ts';
import type { GenreRecords, ListedEvent } from './records.ts';

/** A subject with all of its events. */
export interface SubjectRecords extends EventLists<ListedEvent, AnnouncementRecord> {
  readonly subject: Member;
}

/** Groups the events of a genre by the ids of their subjects, in the order of these. */
export function subjectsOf(content: GenreRecords): ReadonlyMap<string, SubjectRecords> {
  const subjects = new Map(content.members.map((subject) => [subject.id, noEvents(subject)]));
  for (const list of ['upcoming', 'under_way', 'cancelled', 'over'] as const)
    for (const event of content[list]) subjects.get(event.record.subject.id)?.[list].push(event);
  for (const announcement of content.announced)
    subjects.get(announcement.subject.id)?.announced.push(announcement);
  return subjects;
}

function noEvents(subject: Member) {
  return {
    subject,
    upcoming: [] as ListedEvent[],
    under_way: [] as ListedEvent[],
    cancelled: [] as ListedEvent[],
    announced: [] as AnnouncementRecord[],
    over: [] as ListedEvent[],
  };
}

/** The document and the calendar of each subject of a genre, with all of its events. */
export function* renderSubjects(
  content: GenreRecords,
  subjects: () => ReadonlyMap<string, SubjectRecords>,
  textOf: TextOf,
  service: string,
): Generator<SiteFile> {
  const { genre, texts, members } = content;
  for (const member of members) {
    const events = lazy(() => {
      const lists = subjects().get(member.id) ?? noEvents(member);
      return eventTexts(lists, texts, textOf, { calendar: Infinity, list: Infinity });
    });
    const path = (extension: 'json' | 'ics'): string => subjectFile(genre.id, member.id, extension);
    yield { path: path('json'), content: () => renderSubject(genre, member, events()) };
    const calendar = (): Content => {
      const { upcoming, under_way } = events();
      const totals = { upcoming: upcoming.length, under_way: under_way.length };
      const title = `${service}: ${member.name}`;
      return renderIcs({ title, filters: { genre: genre.id }, totals, ...events() });
    };
    yield { path: path('ics'), content: calendar };
  }
}

function renderSubject(genre: Genre, subject: Member, events: EventTexts): Content {
  const { upcoming, under_way: now, cancelled, announced, over: past } = events;
  const { id, name, aliases, url } = subject;
  const ids = { genre: genre.id, category: genre.category };
  const about = JSON.stringify({ id, name, aliases, url, ...ids });
  const content = [`{"subject":${about},"next":${upcoming[0]?.json ?? 'null'}`];
  const lists = { events: upcoming, now, announced, cancelled, past };
  for (const [list, items] of Object.entries(lists))
    content.push(`,"${list}":[${items.map(({ json }) => json).join(',')}]`);
  return [...content, '}\n'];
}
