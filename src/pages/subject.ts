import { feed, formatPath } from '../api/formats.ts';
import { subjectFile } from '../api/paths.ts';
import type { Category, Genre } from '../catalogue/model.ts';
import type { ListedEvent } from '../render/records.ts';
import type { SubjectRecords } from '../render/subject-files.ts';
import type { PageContext } from './context.ts';
import { hasImage, withoutRepeats } from './facts.ts';
import { breadcrumbs } from './genre.ts';
import { nextCard } from './home.ts';
import { html, type Markup } from '../render/html.ts';
import { page } from './layout.ts';
import { categoryPage, genrePage, rootFrom, subjectPage } from '../render/links.ts';
import { eventList, isoDay, listOrNothing } from './rows.ts';
import { breadcrumbData, eventData } from './structured-data.ts';
import { followButton, subscribe } from './subscribe.ts';
import { nowSection } from './under-way.ts';
import type { Word } from './words/words.ts';

/** The maximum number of events in structured data; search engines read no more from one page. */
const maxData = 100;

/** Renders the page of a subject: everything about it. `#{event}` is the address of an event. */
export function subjectPageOf(context: PageContext, category: Category, genre: Genre, content: SubjectRecords): string {
  const { service, locale, say, text, colour } = context;
  const { subject, upcoming, underWay, cancelled, announced } = content;
  const path = subjectPage(genre.id, subject.id);
  const root = rootFrom(path);
  const calendar = subjectFile(genre.id, subject.id, 'ics');
  const style = { root, unit: 'month', hasGenre: false, isSubject: true } as const;
  const crumbs = [
    [category.name, categoryPage(category.id)],
    [genre.name, genrePage(genre.id)],
  ] as const;
  const begun = nowSection(context, { total: underWay.length, events: underWay }, style);
  const body = html`<main id="main" class="subject ${colour(category.id)}">
    ${breadcrumbs(context, root, crumbs)}
    <div class="title">
      <h1><bdi>${subject.name}</bdi></h1>
      ${followButton(context, `s/${genre.id}/${subject.id}`, subject.name)}
      <p class="actions">
        ${subject.url?.startsWith('https://') === true && html`<a href="${subject.url}" rel="noreferrer">${say('website')}</a> `}<button
          type="button"
          class="script calendar"
          data-calendar="${genre.id}/${subject.id}"
        >
          ${say('addToCalendar')}
        </button>
        <button type="button" class="script share">${say('share')}</button>
      </p>
    </div>
    ${nextCard(context, upcoming, root)}
    <div
      id="list"
      class="list"
      tabindex="-1"
      data-unit="month"
      data-subject="${genre.id}/${subject.id}"
      ${service.isBulk && html` data-feed="${formatPath(feed, { genre: genre.id })}"`}
    >
      ${begun} ${listOrNothing(context, withoutRepeats(upcoming), { ...style, hasLists: true }, announced)}
    </div>
    ${statusList(context, cancelled, 'cancelled', root)}
    ${subscribe(context, { path: calendar, root, upcoming, total: upcoming.length })}
    <p class="note"><span id="zone">${say('utc')}</span></p>
  </main>`;
  const dates = upcoming
    .slice(0, 3)
    .map(({ record }) => `${record.title}, ${locale.monthDay(isoDay(record))} ${isoDay(record).slice(0, 4)}`);
  return page(context, {
    title: `${subject.name} (${genre.name}) – ${service.name}`,
    description: `${subject.name}, ${genre.name}: ${dates.length === 0 ? text('nothing') : dates.join('; ')}`,
    path,
    alternates: [
      ['application/json', subjectFile(genre.id, subject.id, 'json')],
      ['text/calendar', calendar],
      ...(service.isBulk ? [[feed.mediaType, formatPath(feed, { genre: genre.id })] as const] : []),
    ],
    data: [
      breadcrumbData(context, [...crumbs, [subject.name, path]]),
      ...[...underWay, ...upcoming].slice(0, maxData).map((event) => eventData(context, event)),
      ...cancelled.slice(0, maxData).map((event) => eventData(context, event)),
    ],
    hasImages: hasImage([...announced, ...[...upcoming, ...underWay, ...cancelled].map(({ record }) => record)]),
    body,
  });
}

/** Events that are not coming up as planned, under a heading that says why. */
function statusList(context: PageContext, events: readonly ListedEvent[], status: Word, root: string): Markup {
  return html`${
    events.length > 0 &&
    html`<section class="status ${status}">
      <h2>${context.say(status)}</h2>
      ${eventList(context, withoutRepeats(events), { root, unit: 'month', hasGenre: false, isSubject: true, level: 3 })}
    </section>`
  }`;
}
