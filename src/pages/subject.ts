import type { AnnouncementRecord, ChangeRecord } from '../api/documents.ts';
import { formatPath, formats, hasFormat } from '../api/formats.ts';
import { subjectFile, subjectPage } from '../api/paths.ts';
import type { Category, Genre } from '../catalogue/model.ts';
import { html, type Markup } from '../render/html.ts';
import { categoryPage, genrePage, rootFrom } from '../render/links.ts';
import type { ListedEvent } from '../render/records.ts';
import type { SubjectRecords } from '../render/subject-files.ts';
import { fullTitle } from '../render/subject-name.ts';
import { subjectCard } from './card.ts';
import { changesOfSubject, formerTimes } from './changes.ts';
import type { PageContext } from './context.ts';
import { hasImage, joined, lineOf, sharedFacts, storyOf, tagsAndSources } from './facts.ts';
import { page } from './layout.ts';
import { breadcrumbs } from './list-page.ts';
import { periodOf } from './rows.ts';
import { breadcrumbData, eventData } from './structured-data.ts';
import { announcedRow, dateRow, type DateStyle } from './subject-rows.ts';
import { feedOf, followButton, subscribeMenu } from './subscribe.ts';

/** The maximum number of events in structured data. */
const maxData = 10;

/** The maximum number of other subjects of the genre that a page links to. */
const maxOthers = 6;

interface Neighbour {
  readonly id: string;
  readonly name: string;
  readonly next: ListedEvent;
}

/** Returns the subjects of a genre whose next events are the soonest, as many as a page of another subject links to. */
export function neighboursOf(upcoming: readonly ListedEvent[]): readonly Neighbour[] {
  const soonest = new Map<string, Neighbour>();
  for (const event of upcoming) {
    const { id, name } = event.record.subject;
    if (!soonest.has(id)) soonest.set(id, { id, name, next: event });
    if (soonest.size > maxOthers) break;
  }
  return [...soonest.values()];
}

/** What the pages of the subjects of a genre have in common. */
interface SubjectContext {
  readonly category: Category;
  readonly genre: Genre;
  readonly neighbours: readonly Neighbour[];
  /** The tags that have a page. */
  readonly tagsWithPages: ReadonlySet<string>;
}

/** Renders the page of a subject: everything about it. `#{event}` is the address of an event, also after the event. */
export function subjectPageOf(
  context: PageContext,
  subjectContext: SubjectContext,
  content: SubjectRecords,
  changes: readonly ChangeRecord[],
): string {
  const { service, text } = context;
  const { category, genre, neighbours } = subjectContext;
  const { subject, upcoming, under_way: underWay, cancelled, announced, over } = content;
  const path = subjectPage(genre.id, subject.id);
  const root = rootFrom(path);
  const crumbs = [
    [category.name, categoryPage(category.id)],
    [genre.name, genrePage(genre.id)],
  ] as const;
  const current = [...[...underWay, ...upcoming].map(({ record }) => record), ...announced];
  const records = current.length > 0 ? current : [...over, ...cancelled].map(({ record }) => record);
  const shared = sharedFacts(records);
  const facts = [...lineOf(context, shared), ...tagsAndSources(context, records, root, subjectContext.tagsWithPages)];
  const former = formerTimes(changes);
  const isOnePlace = new Set(records.map(({ location }) => JSON.stringify(location))).size === 1;
  const style = {
    root,
    shared,
    former,
    hasPlace: !isOnePlace || upcoming.length + underWay.length === 0,
    ...subjectContext,
  };
  const others = neighbours.filter(({ id }) => id !== subject.id).slice(0, maxOthers);
  const body = html`<main id="main" class="subject">
    ${breadcrumbs(context, root, crumbs)}
    <div class="title">
      <h1><bdi>${subject.name}</bdi></h1>
      ${followButton(context, `s/${genre.id}/${subject.id}`, subject.name)}
      ${subscribeMenu(context, {
        name: subject.name,
        path: subjectFile(genre.id, subject.id, 'ics'),
        feed: feedOf(context, { genre: genre.id }),
        reach: null,
      })}
    </div>
    ${storyOf(shared)} ${subjectCard(context, content, root)}
    <div id="list" class="list" tabindex="-1" data-unit="date" data-g="${category.id}/${genre.id}">
      ${datesOf(context, content, style)}
    </div>
    ${cancelledOf(context, cancelled, style)} ${changesOfSubject(context, changes, root)}
    ${pastOf(context, over, style)} ${foot(context, content, facts)} ${also(context, genre, others, root)}
    <p class="note"><span id="zone">${text('ownZones')}</span></p>
  </main>`;
  return page(context, {
    ...describe(context, genre, content),
    path,
    alternates: [
      ['application/json', subjectFile(genre.id, subject.id, 'json')],
      ['text/calendar', subjectFile(genre.id, subject.id, 'ics')],
      ...(hasFormat('feed', 'genre', service)
        ? [[formats.feed.mediaType, formatPath(formats.feed, { genre: genre.id })] as const]
        : []),
    ],
    data: [
      breadcrumbData(context, [...crumbs, [subject.name, path]]),
      ...[...underWay, ...upcoming, ...cancelled].slice(0, maxData).map((event) => eventData(context, event, former)),
    ],
    hasImages: hasImage([...announced, ...[...upcoming, ...underWay, ...cancelled, ...over].map((one) => one.record)]),
    body,
  });
}

/** Answers what is next and when: "Ahsoka: Season 2 premiere, 20 January 2027". */
function describe(
  context: PageContext,
  genre: Genre,
  { subject, upcoming, under_way: underWay, announced }: SubjectRecords,
): { readonly title: string; readonly description: string } {
  const { locale, text } = context;
  const dates = upcoming.slice(0, 3).map(({ record }) => `${record.title}, ${locale.fullDate(record.date)}`);
  const [next] = upcoming;
  const [begun] = underWay;
  const [later] = announced;
  const answer =
    begun !== undefined
      ? `${fullTitle(begun.record.title, subject.name)}, ${text('onNow')}`
      : next !== undefined
        ? `${fullTitle(next.record.title, subject.name)}, ${locale.fullDate(next.record.date)}`
        : later !== undefined
          ? `${fullTitle(later.title, subject.name)}, ${text('toCome', { period: periodOf(context, later) })}`
          : `${subject.name} (${genre.name})`;
  const none = text(announced.length === 0 ? 'nothing' : 'nothingDated');
  return { title: answer, description: `${dates.length === 0 ? none : `${dates.join('; ')}.`} ${genre.name}.` };
}

/** Renders what is on now, one row a date, and then what has no date yet. */
function datesOf(
  context: PageContext,
  { upcoming, under_way: underWay, announced }: SubjectRecords,
  style: DateStyle,
): Markup {
  const begun = { ...style, hasBegun: true };
  const rows = [
    ...underWay.map((event) => dateRow(context, event, begun)),
    ...upcoming.map((event) => dateRow(context, event, style)),
    ...announced.map((record: AnnouncementRecord) => announcedRow(context, record, style)),
  ];
  if (rows.length === 0) return html`<p class="empty">${context.text('nothing')}</p>`;
  return html`<ol class="dates">
    ${rows}
  </ol>`;
}

function cancelledOf(context: PageContext, events: readonly ListedEvent[], style: DateStyle): Markup | null {
  if (events.length === 0) return null;
  return html`<section class="status cancelled">
    <h2>${context.text('cancelled')}</h2>
    <ol class="dates">
      ${events.map((event) => dateRow(context, event, { ...style, hasBegun: true }))}
    </ol>
  </section>`;
}

/** The past is folded. Browsers open it for the address of an event in it. */
function pastOf(context: PageContext, past: readonly ListedEvent[], style: DateStyle): Markup | null {
  if (past.length === 0) return null;
  return html`<details class="past">
    <summary>${context.text('past')} <span class="count">${context.locale.number(past.length)}</span></summary>
    <ol class="dates">
      ${past.map((event) => dateRow(context, event, { ...style, hasBegun: true, hasPlace: true }))}
    </ol>
  </details>`;
}

/** What all dates share, and links to its website and its source file. */
function foot({ service, text }: PageContext, { subject }: SubjectRecords, facts: readonly Markup[]): Markup | null {
  const website =
    subject.url?.startsWith('https://') === true &&
    html`<a href="${subject.url}" rel="noreferrer">${text('website')}</a>`;
  const edit =
    service.editUrl !== null &&
    html`<a href="${service.editUrl.replaceAll('{path}', subject.path)}" rel="noreferrer">${text('correct')}</a>`;
  const parts = [...facts, website, edit].filter((part) => part !== false);
  return parts.length === 0 ? null : html`<p class="note facts">${joined(parts)}</p>`;
}

/** Links to other subjects of the genre, with the dates of their next events. */
function also(
  { text, locale }: PageContext,
  genre: Genre,
  neighbours: readonly Neighbour[],
  root: string,
): Markup | null {
  if (neighbours.length === 0) return null;
  return html`<section class="also">
    <h2>${text('alsoIn', { name: genre.name })}</h2>
    <ul>
      ${neighbours.map(
        ({ id, name, next }) =>
          html`<li class="e">
            <span class="w"><span class="d">${locale.mediumDate(next.record.date)}</span></span>
            <span class="what"
              ><a class="t" href="${root}${subjectPage(genre.id, id)}"><bdi>${name}</bdi></a></span
            >
          </li>`,
      )}
    </ul>
  </section>`;
}
