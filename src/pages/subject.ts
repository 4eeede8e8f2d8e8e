import type { AnnouncementRecord, ChangeRecord, EventRecord } from '../api/documents.ts';
import { groupBy } from '../catalogue/group.ts';
import { formats } from '../api/formats.ts';
import { subjectFile, subjectPage } from '../api/paths.ts';
import type { Category, Genre } from '../catalogue/model.ts';
import { html, type Markup } from '../render/html.ts';
import { categoryPage, genrePage, rootFrom } from '../render/links.ts';
import type { ListedEvent } from '../render/records.ts';
import type { SubjectRecords } from '../render/subject-files.ts';
import { fullTitle } from '../render/subject-name.ts';
import { describeNext, nextOf, subjectCard, type Next } from './card.ts';
import { changesOfSubject, formerDates, formerIds } from './changes.ts';
import type { PageContext } from './context.ts';
import { dateElement } from './date-element.ts';
import { page, type Page } from './layout.ts';
import { breadcrumbs } from './list-page.ts';
import { eventData, type Crumb } from './structured-data.ts';
import {
  announcedRow,
  dateRow,
  joined,
  lineOf,
  sharedFacts,
  storyOf,
  tagsAndSources,
  type DateStyle,
} from './subject-rows.ts';
import { feedOf, followButton, subscribeMenu } from './subscribe.ts';

const maxData = 10;

const maxOthers = 6;

interface SubjectContext {
  readonly category: Category;
  readonly genre: Genre;
  /** The next event of each subject that has one, the soonest first. */
  readonly nextEvents: readonly ListedEvent[];
  readonly tagsWithPages: ReadonlySet<string>;
}

/** A subject, and what its page says in several places. */
interface SubjectView {
  readonly subjectContext: SubjectContext;
  readonly content: SubjectRecords;
  readonly changes: readonly ChangeRecord[];
  readonly root: string;
  readonly crumbs: readonly Crumb[];
  /** What is expected, or else all that was. */
  readonly records: readonly (EventRecord | AnnouncementRecord)[];
  readonly style: DateStyle;
  readonly next: Next | null;
  readonly feed: string | null;
}

/**
 * Renders the page of a subject: everything about it. `#{event}` is the address of an event, also
 * after the event.
 */
export function subjectPageOf(
  context: PageContext,
  subjectContext: SubjectContext,
  content: SubjectRecords,
  changes: readonly ChangeRecord[],
): string {
  const { category, genre } = subjectContext;
  const { subject, upcoming, under_way: underWay, cancelled, announced, over } = content;
  const path = subjectPage(genre.id, subject.id);
  const root = rootFrom(path);
  const expected = [...[...underWay, ...upcoming].map(({ record }) => record), ...announced];
  const gone = [...over, ...cancelled].map(({ record }) => record);
  const records = expected.length > 0 ? expected : gone;
  const ids = new Set([...expected, ...gone].map(({ id }) => id));
  const isOnePlace = new Set(records.map(({ location }) => JSON.stringify(location))).size === 1;
  const view = {
    subjectContext,
    content,
    changes,
    root,
    crumbs: [
      [category.name, categoryPage(category.id)],
      [genre.name, genrePage(genre.id)],
    ] as const,
    records,
    style: {
      root,
      shared: sharedFacts(context, records),
      former: formerDates(changes),
      formerIds: formerIds(changes, ids),
      hasPlace: !isOnePlace || upcoming.length + underWay.length === 0,
    },
    next: nextOf(context, content),
    feed: feedOf(context, { genre: genre.id }),
  };
  return page(context, { ...headOf(context, view, path), body: bodyOf(context, view) });
}

function headOf(context: PageContext, view: SubjectView, path: string): Omit<Page, 'body'> {
  const { content, next, feed, records, crumbs, style } = view;
  const { genre } = view.subjectContext;
  const { subject, upcoming, under_way: underWay, cancelled, announced } = content;
  // Answers what is next and when.
  const title =
    next === null || next.isOver === true
      ? `${subject.name} (${genre.name})`
      : `${fullTitle(next.record.title, subject.name)}, ${next.begins}`;
  const images = records.map(({ details }) => details?.image ?? null);
  return {
    title,
    description: `${describeNext(context, upcoming, announced)} ${genre.name}.`,
    path,
    alternates: [
      ['application/json', subjectFile(genre.id, subject.id, 'json')],
      ['text/calendar', subjectFile(genre.id, subject.id, 'ics')],
      ...(feed === null ? [] : [[formats.feed.mediaType, feed] as const]),
    ],
    image: images.find((image) => image !== null)?.url ?? null,
    crumbs: [...crumbs, [subject.name, path]],
    data: [...underWay, ...upcoming, ...cancelled]
      .slice(0, maxData)
      .map((event) => eventData(context, event, style.former)),
  };
}

function bodyOf(context: PageContext, view: SubjectView): Markup {
  const { text, locale } = context;
  const { subjectContext, content, style, root, next, feed } = view;
  const { category, genre } = subjectContext;
  const { subject, upcoming, under_way: underWay, cancelled, announced, over } = content;
  const current = [...underWay, ...upcoming];
  const undated = announced.map((record) => announcedRow(context, record, style));
  const nextEvent = [...current, ...over].find(({ record }) => record.id === next?.record.id);
  const begun = { ...style, hasBegun: true };
  const calendar = {
    name: subject.name,
    path: subjectFile(genre.id, subject.id, 'ics'),
    feed,
  };
  return html`<main id="main" class="subject">
    ${breadcrumbs(context, root, view.crumbs)}
    <div class="title">
      <h1><bdi>${subject.name}</bdi></h1>
      ${followButton(context, `s/${genre.id}/${subject.id}`, subject.name)}
      ${subscribeMenu(context, calendar)}
    </div>
    ${storyOf(style.shared)}
    ${next !== null && subjectCard(context, next, root, nextEvent?.ownUrl ?? null)}
    <div id="list" class="list" tabindex="-1" data-unit="date" data-g="${category.id}/${genre.id}">
      ${current.length + undated.length === 0 && html`<p class="empty">${text('nothing')}</p>`}
      ${datesByYear(context, current, style)}
      ${
        undated.length > 0 &&
        html`<h2>${text('announced')}</h2>
          ${dateList(undated)}`
      }
    </div>
    ${
      cancelled.length > 0 &&
      html`<section class="status cancelled">
        <h2>${text('cancelled')}</h2>
        ${datesByYear(context, cancelled, begun)}
      </section>`
    }
    ${changesOfSubject(context, view.changes, root)}
    ${
      // Browsers open it for the address of an event in it.
      over.length > 0 &&
      html`<details class="past">
        <summary>${text('past')} <span class="count">${locale.number(over.length)}</span></summary>
        ${datesByYear(context, over, { ...begun, hasPlace: true })}
      </details>`
    }
    ${foot(context, view)} ${also(context, view)}
    <p class="note"><span id="zone">${text('ownZones')}</span></p>
  </main>`;
}

function datesByYear(
  context: PageContext,
  events: readonly ListedEvent[],
  style: DateStyle,
): Markup {
  const years = groupBy(events, ({ record }) => record.date.slice(0, 'yyyy'.length));
  const lists = Array.from(years, ([year, ofYear]) => {
    const rows = ofYear.map((event) => dateRow(context, event, style));
    return html`<h2>
        ${year} <span class="count">${context.text('datesOf', { n: rows.length })}</span>
      </h2>
      ${dateList(rows)}`;
  });
  return html`${lists}`;
}

function dateList(rows: readonly Markup[]): Markup {
  return html`<ol class="dates">
    ${rows}
  </ol>`;
}

function foot(context: PageContext, view: SubjectView): Markup | null {
  const { service, text } = context;
  const { subject } = view.content;
  const website =
    subject.url?.startsWith('https://') === true &&
    html`<a href="${subject.url}" rel="noreferrer">${text('website')}</a>`;
  const edit =
    service.editUrl !== null &&
    html`<a href="${service.editUrl.replaceAll('{path}', subject.path)}" rel="noreferrer"
      >${text('correct')}</a
    >`;
  const { tagsWithPages } = view.subjectContext;
  const facts = [
    ...lineOf(view.style.shared),
    ...tagsAndSources(context, view.records, view.root, tagsWithPages),
  ];
  const parts = [...facts, website, edit].filter((part) => part !== false);
  return parts.length === 0 ? null : html`<p class="note facts">${joined(parts)}</p>`;
}

/** Links to the next other subjects of the genre. */
function also({ text, locale }: PageContext, view: SubjectView): Markup | null {
  const { root, content } = view;
  const { genre, nextEvents } = view.subjectContext;
  const events = nextEvents
    .slice(0, maxOthers + 1)
    .filter(({ record }) => record.subject.id !== content.subject.id)
    .slice(0, maxOthers);
  if (events.length === 0) return null;
  return html`<section class="also">
    <h2>${text('alsoIn', { name: genre.name })}</h2>
    <ul>
      ${events.map(
        ({ record }) =>
          html`<li class="e">
            <span class="w"
              ><span class="d">${dateElement(locale, record.date, 'mediumDate')}</span></span
            >
            <span class="what"
              ><a class="t" href="${root}${subjectPage(genre.id, record.subject.id)}"
                ><bdi>${record.subject.name}</bdi></a
              ></span
            >
          </li>`,
      )}
    </ul>
  </section>`;
}
