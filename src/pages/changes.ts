import type { ChangesDocument } from '../api/documents.ts';
import { formatPath, formats } from '../api/formats.ts';
import { compareTexts } from '../catalogue/soonest.ts';
import type { PageContext } from './context.ts';
import { html, type Markup } from '../render/html.ts';
import { page } from './layout.ts';
import { changesPage, eventPage, rootFrom } from '../render/links.ts';
import { groupBy, nameOf } from './rows.ts';
import { breadcrumbData } from './structured-data.ts';

type Change = ChangesDocument['changes'][number];

/** The number of changes on the page. The log and the feed have more. */
const maxShown = 200;

/** Renders `changes/`: what was added, dated, moved, changed, cancelled or removed, by the day on which it was seen. */
export function changesPageOf(context: PageContext, { changes }: ChangesDocument): string {
  const { service, say, text, locale } = context;
  const root = rootFrom(changesPage);
  const days = groupBy(inOrder(changes).slice(0, maxShown), ({ at }) => at.slice(0, 10));
  const body = html`<main id="main" class="wide">
    <div class="title">
      <h1>${say('changes')}</h1>
      <p class="actions"><a href="${root}${formatPath(formats.feed, {})}">${say('feed')}</a></p>
    </div>
    <p class="note">${say('changesLead')}</p>
    <div id="list" class="list" tabindex="-1">
      ${days.length === 0 && html`<p class="empty">${say('noChanges')}</p>`}
      ${days.map(
        ([day, ofDay]) =>
          html`<section class="day">
            <h2>
              <time datetime="${day}">${locale.longDate(day)}</time>
              <span class="count">${locale.number(ofDay.length)}</span>
            </h2>
            ${changeList(context, ofDay, root)}
          </section>`,
      )}
    </div>
  </main>`;
  return page(context, {
    title: `${text('changes')} – ${service.name}`,
    description: text('changesLead'),
    path: changesPage,
    filters: {},
    data: [breadcrumbData(context, [[text('changes'), changesPage]])],
    view: 'changes',
    body,
  });
}

/** Returns changes newest first, and those of one build by the dates of their events. A new title is one change. */
function inOrder(changes: readonly Change[]): Change[] {
  const keyOf = ({ at, genre, subject }: Change, date: string): string => `${at} ${genre}/${subject.id} ${date}`;
  const removed = new Map(
    changes.filter(({ kind }) => kind === 'removed').map((change) => [keyOf(change, dateOf(change)), change]),
  );
  const gone = new Set<Change>();
  const joined = changes.flatMap((change): Change[] => {
    const former = change.kind === 'added' ? removed.get(keyOf(change, dateOf(change))) : undefined;
    if (former === undefined || dateOf(change) === '') return [change];
    removed.delete(keyOf(change, dateOf(change)));
    gone.add(former);
    return [{ ...change, kind: 'changed', before: { title: former.title, ...former.before } }];
  });
  return joined
    .filter((change) => !gone.has(change))
    .sort((a, b) => compareTexts(b.at, a.at) || compareTexts(dateOf(a), dateOf(b)));
}

/** The date of the event of a change, as it is now. Empty if it is not known. */
function dateOf({ before, after }: Change): string {
  const date = (after ?? before)?.['date'];
  return typeof date === 'string' ? date : '';
}

/** Renders changes as rows. A removed event no longer has an address. */
export function changeList(context: PageContext, changes: readonly Change[], root: string): Markup {
  const row = (change: Change): Markup => {
    const { kind, id, category } = change;
    const former = change.before?.['title'];
    const isRetitled = kind === 'changed' && typeof former === 'string' && former !== change.title;
    const name = html`${nameOf(change)}${isRetitled && html` <del>${former}</del>`}`;
    // A subject may have disappeared with its last event.
    const what =
      kind === 'removed'
        ? html`<span class="t" dir="auto">${name}</span>`
        : html`<a class="t" dir="auto" href="${root}${eventPage(id)}">${name}</a>`;
    return html`<li class="e ${context.colour(category)} ${kind}">
      <span class="w"><i>${context.say(kind)}</i></span> ${what}<span class="in">${datesOf(context, change)}</span>
    </li>`;
  };
  return html`<ol>
    ${changes.map(row)}
  </ol>`;
}

/** Returns the previous and the new date if the date changed, otherwise the only one that is known. */
function datesOf({ locale }: PageContext, { before, after }: Change): string {
  const written = (fields: Change['before']): string | null => {
    const date = fields !== null && 'date' in fields ? fields['date'] : null;
    return typeof date === 'string' ? locale.fullDate(date) : null;
  };
  return [...new Set([written(before), written(after)])].filter((date) => date !== null).join(` ${locale.arrow} `);
}
