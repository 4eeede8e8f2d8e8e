import type { AnnouncementRecord } from '../api/documents.ts';
import { subjectFile } from '../api/paths.ts';
import type { SiteFile } from '../api/site-file.ts';
import { groupBy } from '../catalogue/group.ts';
import type { EventLists, Member } from '../catalogue/model.ts';
import { eventTexts, type TextOf } from './event-texts.ts';
import { renderIcs } from './ics.ts';
import type { GenreRecords, ListedEvent } from './records.ts';

/** A subject with all of its events. */
export interface SubjectRecords extends EventLists<ListedEvent, AnnouncementRecord> {
  readonly subject: Member;
}

/** Groups the events of a genre by their subjects, in the order of these. */
export function subjectsOf(content: GenreRecords): SubjectRecords[] {
  const lists = [content.upcoming, content.under_way, content.cancelled, content.over];
  const groups = lists.map((events) => groupBy(events, ({ record }) => record.subject.id));
  const announced = groupBy(content.announced, ({ subject }) => subject.id);
  return content.members.map((subject) => {
    const [upcoming = [], under_way = [], cancelled = [], over = []] = groups.map((group) =>
      group.get(subject.id),
    );
    return {
      subject,
      upcoming,
      under_way,
      cancelled,
      announced: announced.get(subject.id) ?? [],
      over,
    };
  });
}

/** Renders the document and the calendar of each subject of a genre, with all of its events. */
export function* renderSubjects(
  { genre, texts }: GenreRecords,
  subjects: readonly SubjectRecords[],
  textOf: TextOf,
  service: string,
): Generator<SiteFile> {
  for (const { subject, ...lists } of subjects) {
    const events = eventTexts(lists, texts, textOf, { calendar: Infinity, list: Infinity });
    const { upcoming, under_way, cancelled, announced, over } = events;
    const { id, name, aliases, url } = subject;
    const about = JSON.stringify({
      id,
      name,
      aliases,
      url,
      genre: genre.id,
      category: genre.category,
    });
    const content = [`{"subject":${about},"next":${upcoming[0]?.json ?? 'null'}`];
    const documentLists = { events: upcoming, now: under_way, announced, cancelled, past: over };
    for (const [list, items] of Object.entries(documentLists))
      content.push(`,"${list}":[${items.map(({ json }) => json).join(',')}]`);
    yield { path: subjectFile(genre.id, id, 'json'), content: [...content, '}\n'] };
    const totals = { upcoming: upcoming.length, under_way: under_way.length };
    const calendar = renderIcs({
      title: `${service}: ${name}`,
      filters: { genre: genre.id },
      totals,
      ...events,
    });
    yield { path: subjectFile(genre.id, id, 'ics'), content: calendar };
  }
}
