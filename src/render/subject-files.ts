import type { AnnouncementRecord } from '../api/documents.ts';
import { subjectFile } from '../api/paths.ts';
import type { Content, SiteFile } from '../api/site-file.ts';
import type { EventLists, Genre, Member } from '../catalogue/model.ts';
import { renderIcs } from './ics.ts';
import { Published, type GenreRecords, type ListedEvent } from './records.ts';
import type { RenderContext } from './scope.ts';

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
  { genre, members }: GenreRecords,
  subjects: () => ReadonlyMap<string, SubjectRecords>,
  site: RenderContext,
): Generator<SiteFile> {
  for (const member of members) {
    const events = (): SubjectRecords => subjects().get(member.id) ?? noEvents(member);
    const pathOf = (extension: 'json' | 'ics') => subjectFile(genre.id, member.id, extension);
    yield {
      path: pathOf('json'),
      content: () => renderSubject(genre, events()),
    };
    const calendar = (): Content => {
      const { upcoming, under_way } = events();
      const totals = {
        upcoming: upcoming.length,
        under_way: under_way.length,
      };
      const title = `${site.service.name}: ${member.name}`;
      return renderIcs(
        {
          ...events(),
          title,
          filters: { genre: genre.id },
          totals,
        },
        site,
      );
    };
    yield { path: pathOf('ics'), content: calendar };
  }
}

function renderSubject(genre: Genre, events: SubjectRecords): Content {
  const { subject, upcoming, under_way: now, over: past } = events;
  const published = (record: AnnouncementRecord): Published<AnnouncementRecord> =>
    new Published(record);
  const announced = events.announced.map(published);
  const cancelled = [...events.cancelled, ...events.cancelledAnnouncements.map(published)];
  const { id, name, aliases, url } = subject;
  const ids = {
    genre: genre.id,
    category: genre.category,
  };
  const about = JSON.stringify({
    id,
    name,
    aliases,
    url,
    ...ids,
  });
  const content = [`{"subject":${about},"next":${upcoming[0]?.json ?? 'null'}`];
  const lists = {
    events: upcoming,
    now,
    announced,
    cancelled,
    past,
  };
  for (const [list, items] of Object.entries(lists))
    content.push(`,"${list}":[${items.map(({ json }) => json).join(',')}]`);
  return [...content, '}\n'];
}
