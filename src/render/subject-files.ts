import type { AnnouncementRecord } from '../api/documents.ts';
import { subjectFile } from '../api/paths.ts';
import type { Content, SiteFile } from '../api/site-file.ts';
import { lazy } from '../catalogue/lazy.ts';
import type { EventLists, Genre, Member } from '../catalogue/model.ts';
import { eventTexts, type EventTexts, type TextOf } from './event-texts.ts';
import { renderIcs } from './ics.ts';
import { textIn, type GenreRecords, type ListedEvent } from './records.ts';

/** A subject with all of its events. */
export interface SubjectRecords extends EventLists<ListedEvent, AnnouncementRecord> {
  readonly subject: Member;
  readonly cancelledAnnouncements: readonly AnnouncementRecord[];
}

/** Groups the events of a genre by the ids of their subjects, in the order of these. */
export function subjectsOf(content: GenreRecords): ReadonlyMap<string, SubjectRecords> {
  const subjects = new Map(content.members.map((subject) => [subject.id, noEvents(subject)]));
  for (const list of ['upcoming', 'under_way', 'cancelled', 'over'] as const)
    for (const event of content[list]) subjects.get(event.record.subject.id)?.[list].push(event);
  for (const list of ['announced', 'cancelledAnnouncements'] as const)
    for (const record of content[list]) subjects.get(record.subject.id)?.[list].push(record);
  return subjects;
}

function noEvents(subject: Member) {
  return {
    subject,
    upcoming: [] as ListedEvent[],
    under_way: [] as ListedEvent[],
    cancelled: [] as ListedEvent[],
    announced: [] as AnnouncementRecord[],
    cancelledAnnouncements: [] as AnnouncementRecord[],
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
    const read = lazy(() => {
      const records = subjects().get(member.id) ?? noEvents(member);
      const limits = { calendar: Infinity, list: Infinity };
      const events = eventTexts(records, texts, textOf, limits);
      const announcements = records.cancelledAnnouncements.map(({ id }) => textIn(texts, id));
      return { events, announcements };
    });
    const path = (extension: 'json' | 'ics'): string => subjectFile(genre.id, member.id, extension);
    const document = (): Content => {
      const { events, announcements } = read();
      return renderSubject(genre, member, events, announcements);
    };
    yield { path: path('json'), content: document };
    const calendar = (): Content => {
      const { events } = read();
      const totals = { upcoming: events.upcoming.length, under_way: events.under_way.length };
      const title = `${service}: ${member.name}`;
      return renderIcs({ title, filters: { genre: genre.id }, totals, ...events });
    };
    yield { path: path('ics'), content: calendar };
  }
}

/** @param announcements the JSON of those that are cancelled */
function renderSubject(
  genre: Genre,
  subject: Member,
  { upcoming, under_way, announced, cancelled, over }: EventTexts,
  announcements: readonly string[],
): Content {
  const { id, name, aliases, url } = subject;
  const ids = { genre: genre.id, category: genre.category };
  const about = JSON.stringify({ id, name, aliases, url, ...ids });
  const content = [`{"subject":${about},"next":${upcoming[0]?.json ?? 'null'}`];
  const lists = {
    events: textsOf(upcoming),
    now: textsOf(under_way),
    announced: textsOf(announced),
    cancelled: [...textsOf(cancelled), ...announcements],
    past: textsOf(over),
  };
  for (const [list, texts] of Object.entries(lists))
    content.push(`,"${list}":[${texts.join(',')}]`);
  return [...content, '}\n'];
}

function textsOf(entries: readonly { readonly json: string }[]): string[] {
  return entries.map(({ json }) => json);
}
