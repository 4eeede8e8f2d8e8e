import { formatPath, formats, isWritten } from '../api/formats.ts';
import { subjectFile } from '../api/paths.ts';
import type { ChangeRecord } from '../api/documents.ts';
import type { Category, Genre } from '../catalogue/model.ts';
import { html, type Markup } from '../render/html.ts';
import { categoryPage, genrePage, rootFrom, subjectPage } from '../render/links.ts';
import type { ListedEvent } from '../render/records.ts';
import type { SubjectRecords } from '../render/subject-files.ts';
import { fullTitle } from '../render/subject-name.ts';
import { answerCard } from './answer.ts';
import type { PageContext } from './context.ts';
import { hasImage, withoutRepeats } from './facts.ts';
import { breadcrumbs } from './genre.ts';
import { page } from './layout.ts';
import { eventList, isoDay, listOrNothing, periodOf } from './rows.ts';
import { changesOfSubject, formerTimes } from './changes.ts';
import { breadcrumbData, eventData } from './structured-data.ts';
import { addMenu, followButton, subscribeMenu } from './subscribe.ts';
import { nowSection } from './under-way.ts';
import { timeline } from './timeline.ts';
import type { Word } from './words/words.ts';

/** The maximum number of events in structured data; search engines read no more from one page. */
const maxData = 100;

/** The maximum number of other subjects of the genre that a page links to. */
const maxOthers = 6;

/** A subject of a genre with its next event. */
interface Neighbour {
  readonly id: string;
  readonly name: string;
  readonly next: ListedEvent;
}

/** Returns the subjects of a genre whose next events are the soonest, as many as a page of another subject links to. */
export function neighboursOf(upcoming: readonly ListedEvent[]): readonly Neighbour[] {
  const found = new Map<string, Neighbour>();
  for (const event of upcoming) {
    const { id, name } = event.record.subject;
    if (!found.has(id)) found.set(id, { id, name, next: event });
    if (found.size > maxOthers) break;
  }
  return [...found.values()];
}

/** Renders the page of a subject: everything about it. `#{event}` is the address of an event. */
export function subjectPageOf(
  context: PageContext,
  {
    category,
    genre,
    neighbours,
  }: { readonly category: Category; readonly genre: Genre; readonly neighbours: readonly Neighbour[] },
  content: SubjectRecords,
  changes: readonly ChangeRecord[],
): string {
  const { service, say, colour } = context;
  const { subject, upcoming, under_way, cancelled, announced } = content;
  const path = subjectPage(genre.id, subject.id);
  const root = rootFrom(path);
  const calendar = { path: subjectFile(genre.id, subject.id, 'ics'), root, upcoming, total: upcoming.length };
  const style = { root, unit: 'month', hasGenre: false, isSubject: true } as const;
  const crumbs = [
    [category.name, categoryPage(category.id)],
    [genre.name, genrePage(genre.id)],
  ] as const;
  const begun = nowSection(context, { total: under_way.length, events: under_way }, style);
  const former = formerTimes(changes);
  const hasOutside = subject.url?.startsWith('https://') === true;
  const body = html`<main id="main" class="subject ${colour(category.id)}">
    ${breadcrumbs(context, root, crumbs)}
    <div class="title">
      <h1><bdi>${subject.name}</bdi></h1>
      ${followButton(context, `s/${genre.id}/${subject.id}`, subject.name)}
    </div>
    ${answerCard(context, content)}
    <div class="actions">
      ${addMenu(context, content)} ${subscribeMenu(context, calendar)}
      <button type="button" class="script share">${say('share')}</button>
      ${hasOutside && html`<a href="${subject.url}" rel="noreferrer">${say('website')}</a>`}
      ${service.editUrl !== null && html`<a href="${service.editUrl.replaceAll('{path}', subject.path)}" rel="noreferrer">${say('correct')}</a>`}
    </div>
    ${timeline(context, upcoming)}
    <div class="beside">
      <div>
        <div id="list" class="list" tabindex="-1" data-unit="month" data-subject="${genre.id}/${subject.id}">
          ${begun} ${listOrNothing(context, withoutRepeats(upcoming), { ...style, hasLists: true }, announced)}
        </div>
        ${statusList(context, cancelled, 'cancelled', root)} ${changesOfSubject(context, changes, root)}
        <p class="note"><span id="zone">${say('utc')}</span></p>
      </div>
      ${others(context, genre, neighbours.filter(({ id }) => id !== subject.id).slice(0, maxOthers), root)}
    </div>
  </main>`;
  return page(context, {
    ...describe(context, genre, content),
    path,
    alternates: [
      ['application/json', subjectFile(genre.id, subject.id, 'json')],
      ['text/calendar', calendar.path],
      ...(isWritten('feed', service)
        ? [[formats.feed.mediaType, formatPath(formats.feed, { genre: genre.id })] as const]
        : []),
    ],
    data: [
      breadcrumbData(context, [...crumbs, [subject.name, path]]),
      ...[...under_way, ...upcoming].slice(0, maxData).map((event) => eventData(context, event, former)),
      ...cancelled.slice(0, maxData).map((event) => eventData(context, event)),
    ],
    hasImages: hasImage([...announced, ...[...upcoming, ...under_way, ...cancelled].map(({ record }) => record)]),
    body,
  });
}

/** Answers what is next and when: "Ahsoka: Season 2 premiere, 20 January 2027". */
function describe(
  context: PageContext,
  genre: Genre,
  { subject, upcoming, announced }: SubjectRecords,
): { readonly title: string; readonly description: string } {
  const { locale, text } = context;
  const dates = upcoming.slice(0, 3).map(({ record }) => `${record.title}, ${locale.fullDate(isoDay(record))}`);
  const [next] = upcoming;
  const [later] = announced;
  const answer =
    next !== undefined
      ? `${fullTitle(next.record.title, subject.name)}, ${locale.fullDate(isoDay(next.record))}`
      : later !== undefined
        ? `${fullTitle(later.title, subject.name)}, ${text('toCome', { period: periodOf(context, later) })}`
        : `${subject.name} (${genre.name})`;
  const none = text(announced.length === 0 ? 'nothing' : 'nothingDated');
  return {
    title: answer,
    description: `${dates.length === 0 ? none : `${dates.join('; ')}.`} ${genre.name}.`,
  };
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

/** Links to other subjects of the genre, with the dates of their next events. */
function others({ say, locale }: PageContext, genre: Genre, neighbours: readonly Neighbour[], root: string): Markup {
  return html`${
    neighbours.length > 0 &&
    html`<aside class="side">
      <h2>${say('alsoIn', { name: genre.name })}</h2>
      <ul class="also">
        ${neighbours.map(
          ({ id, name, next }) =>
            html`<li>
              <a href="${root}${subjectPage(genre.id, id)}"><bdi>${name}</bdi></a>
              <span class="in">${locale.mediumDate(isoDay(next.record))}</span>
            </li>`,
        )}
      </ul>
    </aside>`
  }`;
}
