import type { ChangeRecord } from '../api/documents.ts';
import { groupBy } from '../catalogue/group.ts';
import { formats } from '../api/formats.ts';
import { subjectFile, subjectPage } from '../api/paths.ts';
import type { Category, Genre } from '../catalogue/model.ts';
import { html, type Markup } from '../render/html.ts';
import { categoryPage, genrePage, rootFrom } from '../render/links.ts';
import type { ListedEvent } from '../render/records.ts';
import type { SubjectRecords } from '../render/subject-files.ts';
import { fullTitle } from '../render/subject-name.ts';
import { describeNext, nextOf, subjectCard } from './card.ts';
import { changesOfSubject, formerDates, formerIds } from './changes.ts';
import type { PageContext } from './context.ts';
import { page } from './layout.ts';
import { breadcrumbs } from './list-page.ts';
import { eventData } from './structured-data.ts';
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
  const { text, locale } = context;
  const { category, genre, nextEvents } = subjectContext;
  const { subject, upcoming, under_way: underWay, cancelled, announced, over } = content;
  const path = subjectPage(genre.id, subject.id);
  const root = rootFrom(path);
  const crumbs = [
    [category.name, categoryPage(category.id)],
    [genre.name, genrePage(genre.id)],
  ] as const;
  const current = [...underWay, ...upcoming];
  const expected = [...current.map(({ record }) => record), ...announced];
  const records =
    expected.length > 0 ? expected : [...over, ...cancelled].map(({ record }) => record);
  const everyRecord = [...expected, ...[...over, ...cancelled].map(({ record }) => record)];
  const feed = feedOf(context, { genre: genre.id });
  const next = nextOf(context, content);
  const shared = sharedFacts(context, records);
  const facts = [
    ...lineOf(shared),
    ...tagsAndSources(context, records, root, subjectContext.tagsWithPages),
  ];
  const isOnePlace = new Set(records.map(({ location }) => JSON.stringify(location))).size === 1;
  const style = {
    root,
    shared,
    former: formerDates(changes),
    formerIds: formerIds(changes, new Set(everyRecord.map(({ id }) => id))),
    hasPlace: !isOnePlace || upcoming.length + underWay.length === 0,
    ...subjectContext,
  };
  const lists = (events: readonly ListedEvent[], variety: Partial<DateStyle> = {}): Markup =>
    datesByYear(context, events, { ...style, ...variety });
  const begun = { hasBegun: true };
  const undated = announced.map((record) => announcedRow(context, record, style));
  const nextUrl =
    [...current, ...over].find(({ record }) => record.id === next?.record.id)?.ownUrl ?? null;
  const soonest = nextEvents.slice(0, maxOthers + 1);
  const beside = soonest
    .filter(({ record }) => record.subject.id !== subject.id)
    .slice(0, maxOthers);
  const body = html`<main id="main" class="subject">
    ${breadcrumbs(context, root, crumbs)}
    <div class="title">
      <h1><bdi>${subject.name}</bdi></h1>
      ${followButton(context, `s/${genre.id}/${subject.id}`, subject.name)}
      ${subscribeMenu(context, { name: subject.name, path: subjectFile(genre.id, subject.id, 'ics'), feed })}
    </div>
    ${storyOf(shared)} ${next !== null && subjectCard(context, next, root, nextUrl)}
    <div id="list" class="list" tabindex="-1" data-unit="date" data-g="${category.id}/${genre.id}">
      ${current.length + undated.length === 0 && html`<p class="empty">${text('nothing')}</p>`}
      ${lists(current)}
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
        ${lists(cancelled, begun)}
      </section>`
    }
    ${changesOfSubject(context, changes, root)}
    ${
      // Browsers open it for the address of an event in it.
      over.length > 0 &&
      html`<details class="past">
        <summary>${text('past')} <span class="count">${locale.number(over.length)}</span></summary>
        ${lists(over, { ...begun, hasPlace: true })}
      </details>`
    }
    ${foot(context, content, facts)} ${also(context, genre, beside, root)}
    <p class="note"><span id="zone">${text('ownZones')}</span></p>
  </main>`;
  return page(context, {
    // Answers what is next and when.
    title:
      next === null || next.isOver === true
        ? `${subject.name} (${genre.name})`
        : `${fullTitle(next.record.title, subject.name)}, ${next.begins}`,
    description: `${describeNext(context, upcoming, announced)} ${genre.name}.`,
    path,
    alternates: [
      ['application/json', subjectFile(genre.id, subject.id, 'json')],
      ['text/calendar', subjectFile(genre.id, subject.id, 'ics')],
      ...(feed === null ? [] : [[formats.feed.mediaType, feed] as const]),
    ],
    image:
      records.map(({ details }) => details?.image ?? null).find((image) => image !== null)?.url ??
      null,
    crumbs: [...crumbs, [subject.name, path]],
    data: [...underWay, ...upcoming, ...cancelled]
      .slice(0, maxData)
      .map((event) => eventData(context, event, style.former)),
    body,
  });
}

/** Renders dates under headings for their years. */
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

function foot(
  { service, text }: PageContext,
  { subject }: SubjectRecords,
  facts: readonly Markup[],
): Markup | null {
  const website =
    subject.url?.startsWith('https://') === true &&
    html`<a href="${subject.url}" rel="noreferrer">${text('website')}</a>`;
  const edit =
    service.editUrl !== null &&
    html`<a href="${service.editUrl.replaceAll('{path}', subject.path)}" rel="noreferrer"
      >${text('correct')}</a
    >`;
  const parts = [...facts, website, edit].filter((part) => part !== false);
  return parts.length === 0 ? null : html`<p class="note facts">${joined(parts)}</p>`;
}

function also(
  { text, locale }: PageContext,
  genre: Genre,
  events: readonly ListedEvent[],
  root: string,
): Markup | null {
  if (events.length === 0) return null;
  return html`<section class="also">
    <h2>${text('alsoIn', { name: genre.name })}</h2>
    <ul>
      ${events.map(
        ({ record }) =>
          html`<li class="e">
            <span class="w"
              ><span class="d" data-date="${record.date}"
                >${locale.mediumDate(record.date)}</span
              ></span
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
