import type { ChangesDocument } from '../api/documents.ts';
import { compareTexts } from '../catalogue/soonest.ts';
import { readPeriod } from '../catalogue/time/start.ts';
import { groupBy } from '../catalogue/group.ts';
import { timesOfChange, type ChangedTime } from '../render/change-texts.ts';
import type { PageContext } from './context.ts';
import { dateElement } from './date-element.ts';
import { html, type Markup } from '../render/html.ts';
import { page } from './layout.ts';
import { eventPage } from '../api/paths.ts';
import { changesPage, rootFrom } from '../render/links.ts';
import { nameOf, periodOf } from './rows.ts';
import { feedOf } from './subscribe.ts';

type Change = ChangesDocument['changes'][number];

const maxShown = 200;

/**
 * Renders `changes/`: what was cancelled, removed, postponed, moved, dated, added or changed, by the
 * day on which it was seen.
 */
export function changesPageOf(context: PageContext, log: ChangesDocument): string {
  const { text, locale } = context;
  const root = rootFrom(changesPage);
  const feed = feedOf(context, {});
  const shown = sortChanges(log.changes).slice(0, maxShown);
  const missing = missingUntil(log, shown);
  const days = groupBy(shown, ({ at }) => at.slice(0, 10));
  const body = html`<main id="main" class="wide">
    <div class="title">
      <h1>${text('changes')}</h1>
      ${feed !== null && html`<p class="actions"><a href="${root}${feed}">${text('feed')}</a></p>`}
    </div>
    <p class="note">${text('changesLead')}</p>
    ${missing !== null && html`<p class="note">${text('changesMissing', { date: locale.fullDate(missing) })}</p>`}
    <div id="list" class="list" tabindex="-1">
      ${days.size === 0 && html`<p class="empty">${text('noChanges')}</p>`}
      ${Array.from(
        days,
        ([day, ofDay]) =>
          html`<section class="day">
            <h2>
              ${dateElement(locale, day, 'longDate')}
              <span class="count">${locale.number(ofDay.length)}</span>
            </h2>
            <ol>
              ${ofDay.map((change) => changeRow(context, change, root))}
            </ol>
          </section>`,
      )}
    </div>
  </main>`;
  return page(context, {
    title: text('changes'),
    description: text('changesLead'),
    path: changesPage,
    filters: {},
    crumbs: [[text('changes'), changesPage]],
    body,
  });
}

/** Returns the date up to which changes are missing on the page. Null if it has all of the log. */
function missingUntil(
  { since, complete_since: completeSince, changes }: ChangesDocument,
  shown: readonly Change[],
): string | null {
  const isCut = sortChanges(changes).length > shown.length;
  const oldestShown = isCut ? (shown.at(-1)?.at ?? '') : '';
  const first = since ?? '';
  const borders = [first, completeSince ?? '', oldestShown];
  const last = borders.toSorted(compareTexts).at(-1) ?? '';
  return last > first ? last.slice(0, 'yyyy-mm-dd'.length) : null;
}

/**
 * Returns changes newest first, and those of one build by the dates of their events. A new title is
 * one change.
 */
function sortChanges(changes: readonly Change[]): Change[] {
  const keyOf = ({ at, genre, subject }: Change, date: string) =>
    `${at} ${genre}/${subject.id} ${date}`;
  const removed = new Map(
    changes
      .filter(({ kind }) => kind === 'removed')
      .map((change) => [keyOf(change, dateOf(change)), change]),
  );
  const gone = new Set<Change>();
  const joined = changes.flatMap((change): Change[] => {
    const date = dateOf(change);
    const key = keyOf(change, date);
    const former = change.kind === 'added' ? removed.get(key) : undefined;
    if (former === undefined || date === '') return [change];
    removed.delete(key);
    gone.add(former);
    const before = { title: former.title, ...former.before };
    return [{ ...change, kind: 'changed', before }];
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

const maxOfSubject = 5;

/** Renders the last changes of a subject. What was added stands in its list already. */
export function changesOfSubject(
  context: PageContext,
  changes: readonly Change[],
  root: string,
): Markup | null {
  const { text, locale } = context;
  const shown = sortChanges(changes).filter(({ kind, title, before }) =>
    kind === 'changed' ? (before?.['title'] ?? title) !== title : kind !== 'added',
  );
  if (shown.length === 0) return null;
  const row = (change: Change) =>
    html`<li class="e ${change.kind}">
      <span class="w"
        ><span class="d">${dateElement(locale, change.at.slice(0, 10), 'mediumDate')}</span>
        <i>${text(change.kind)}</i></span
      >
      <span class="what"><span class="t" dir="auto">${titleOf(change, true)}</span></span
      ><span class="in">${datesOf(context, change)}</span>
    </li>`;
  return html`<section class="status log">
    <h2>${text('recentChanges')}</h2>
    <ol>
      ${shown.slice(0, maxOfSubject).map(row)}
    </ol>
    <p><a href="${root}${changesPage}">${text('allChanges')}</a></p>
  </section>`;
}

/**
 * Returns the dates of events before they were last moved, by their ids. The newest change comes
 * first.
 */
export function formerDates(changes: readonly Change[]): ReadonlyMap<string, string> {
  const moved = changes.filter(
    ({ kind, before }) =>
      kind === 'moved' && before?.['starts_at'] !== undefined && isDate(before['date']),
  );
  return new Map(moved.toReversed().map(({ id, before }) => [id, before?.['date'] as string]));
}

/**
 * Returns the former ids of the events of a subject whose id changed when they moved, by their
 * present ids. Former ids that another event has now are left out.
 *
 * @param changes the changes of the subject, newest first
 * @param ids the ids of all events of its page
 */
export function formerIds(
  changes: readonly Change[],
  ids: ReadonlySet<string>,
): ReadonlyMap<string, readonly string[]> {
  const successors = new Map<string, string>();
  const byPresent = new Map<string, string[]>();
  for (const { id, before } of changes) {
    const former = before?.['id'];
    if (typeof former !== 'string' || former === id || successors.has(former)) continue;
    const present = successors.get(id) ?? id;
    successors.set(former, present);
    const folder = present.slice(0, present.lastIndexOf('/') + 1);
    const isHere = former.startsWith(folder) && !ids.has(former);
    if (isHere) byPresent.set(present, [...(byPresent.get(present) ?? []), former]);
  }
  return byPresent;
}

function isDate(value: unknown): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return false;
  return !Number.isNaN(Date.parse(value));
}

function titleOf(change: Change, isSubject = false): Markup {
  const former = change.before?.['title'];
  const isRetitled =
    change.kind === 'changed' && typeof former === 'string' && former !== change.title;
  return html`${isSubject ? change.title : nameOf(change)}${isRetitled && html` <del>${former}</del>`}`;
}

/** A removed event no longer has an address. */
function changeRow(context: PageContext, change: Change, root: string): Markup {
  const { kind, id, category } = change;
  const name = titleOf(change);
  const what =
    kind === 'removed'
      ? html`<span class="t" dir="auto">${name}</span>`
      : html`<a class="t" dir="auto" href="${root}${eventPage(id)}">${name}</a>`;
  return html`<li class="e ${context.colour(category)} ${kind}">
    <span class="w"><i>${context.text(kind)}</i></span>
    <span class="what">${what}</span>
    <span class="in">${datesOf(context, change)}</span>
  </li>`;
}

/**
 * Returns the previous and the new date if it changed, with clock times if these alone did;
 * otherwise the only date.
 */
function datesOf(context: PageContext, change: Change): Markup | null {
  const { isEnd, old, next } = timesOfChange(change);
  const hasClocks = old.date === next.date;
  const write = ({ date, clock }: ChangedTime) =>
    html`${writeDate(context, date)}${hasClocks && clock !== '' && `, ${clock}`}`;
  if (change.kind === 'postponed' && next.date === '') return html`<s>${write(old)}</s>`;
  if (isEnd && next.date === '') return null;
  const isSame = hasClocks && old.clock === next.clock;
  const isMoved = old.date !== '' && next.date !== '' && !isSame;
  const last = write(next.date === '' ? old : next);
  const span = isMoved ? html`${write(old)} ${context.locale.arrow} ${last}` : last;
  if (!isEnd) return span;
  const [before = '', after = ''] = context.text('until', { date: '|' }).split('|');
  return html`${before}${span}${after}`;
}

/** Writes a date or a period of a log, which may be that of another version. */
function writeDate(context: PageContext, date: string): Markup | string {
  if (readPeriod(date, null) !== null) return periodOf(context, { period: date });
  return isDate(date) ? dateElement(context.locale, date, 'fullDate') : date;
}
