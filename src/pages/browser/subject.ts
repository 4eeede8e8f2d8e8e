import { html, type Markup } from '../../render/html.ts';
import { fullTitle } from '../../render/subject-name.ts';
import type { CalendarEntry } from '../calendar-entry.ts';
import { cardView, type CardDate } from '../card.ts';
import { isLong } from '../row-time.ts';
import {
  clockAtPlace,
  daysLeft,
  readerClock,
  timeLeft,
  timeOf,
  today,
  wallTime,
  type Clock,
} from './clock.ts';
import { all, find, put, renew, write } from './dom.ts';
import { localize } from './list.ts';
import { rowsIn, type Row } from './row.ts';
import { locale, nameWindow, speech } from './page.ts';
import { entryOf, statusOf, withStatus } from './save-calendar.ts';

/* The page of a subject: its card shows the date that the address names, or else the next. */

/** Where the build says that all dates are, if they are at one place. */
let sharedPlace: Markup | null = null;
let rows: readonly Row[] = [];

/** Writes the reader's times into the page of a subject. */
export function showSubject(): void {
  const card = find('next');
  rows = rowsIn(document);
  for (const row of rows) localize(row, 'weekday');
  const where = card?.querySelector('.where');
  if (where) sharedPlace ??= { markup: where.innerHTML };
  showChosen();
}

/** Shows the date that the address names, or else the next. */
export function showChosen(): void {
  const card = find('next');
  if (card === null) return;
  const id = decodeURIComponent(location.hash.slice(1));
  const target = id === '' ? null : (find(id)?.closest<HTMLElement>('.e') ?? null);
  const row = target === null ? nextRow() : rows.find(({ node }) => node === target);
  for (const { node } of rows)
    node.querySelector('.t')?.toggleAttribute('aria-current', node === row?.node);
  card.hidden = row === undefined && target === null && card.dataset['of'] !== undefined;
  if (row !== undefined) {
    const date = dateOf(row);
    renew(card, cardView(speech.text, date));
    const name = document.querySelector('h1')?.textContent ?? '';
    nameWindow(`${fullTitle(date.title, name)}, ${date.when}`);
  }
  if (row === undefined && target !== null) renew(card, cardView(speech.text, announcedOf(target)));
}

function nextRow(): Row | undefined {
  const current = Date.now();
  return rows.find(
    ({ until, over, node }) =>
      (over ?? until) > current && node.closest('.cancelled, .past') === null,
  );
}

function announcedOf(node: HTMLElement): CardDate {
  const [title, when] = ['.t', '.w'].map((part) => node.querySelector(part)?.textContent ?? '');
  return {
    title: title ?? '',
    when: when ?? '',
  };
}

function dateOf(row: Row): CardDate {
  const { node, day, last } = row;
  const title = node.dataset['title'] ?? node.querySelector('.t')?.textContent ?? '';
  const place = node.querySelector('template.where');
  const where = place === null ? sharedPlace : { markup: place.innerHTML };
  const isVoid = node.querySelector('s.w') !== null;
  const isRange = last > day && (row.at === null || isLong(row.at, row.over ?? row.at));
  const date = isRange ? locale.dateRange(day, last) : locale.longDate(day);
  const isCancelled = statusOf(node) === 'cancelled';
  const status = node.querySelector('.what .status')?.innerHTML;
  return {
    title,
    when: isVoid ? speech.text('postponed') : date,
    where,
    website: node.dataset['url'],
    ...(isVoid
      ? { former: date }
      : {
          left: leftUntil(row),
          clock: clockOf(row),
          status: isCancelled ? speech.text('cancelled') : status && { markup: status },
          entry: calendarEntry(node, title, where),
        }),
  };
}

/** Says how far a date is, in words that the date itself does not have. */
function leftUntil({ at, day, last, until, over }: Row): string {
  const current = Date.now();
  const hasBegun = until <= current;
  if (hasBegun && over !== null && over > current)
    return speech.text(last === today() && last > day ? 'lastDay' : 'onNow');
  if (hasBegun) return day === today() ? speech.text('begun') : daysLeft(day);
  return at !== null && at - current < 24 * 3600_000 ? timeLeft(at - current) : daysLeft(day);
}

/** The times of the reader and of the place: one of them if they agree. */
function clockOf({ node, at, over }: Row): Markup | null {
  if (at === null) return null;
  const { p = 'minute', ahead } = node.dataset;
  const hasEnd = over !== null && !isLong(at, over);
  const rangeOn = (clock: Clock) => {
    const start = timeOf(at, p, clock);
    return hasEnd ? `${start} – ${timeOf(over, p, clock)}` : start;
  };
  const here = rangeOn(readerClock);
  const atPlace = clockAtPlace(node);
  // Without a zone there is no time at the place.
  if (ahead === undefined || wallTime(at, readerClock) === wallTime(at, atPlace))
    return html`<time class="there">${here}</time>`;
  return html`<span class="here">${speech.text('yourTime', { time: here })}</span> ·
    <span class="there">${speech.text('there', { time: rangeOn(atPlace) })}</span>`;
}

function calendarEntry(node: HTMLElement, title: string, where: Markup | null): CalendarEntry {
  const name = document.querySelector('h1')?.textContent ?? '';
  const place = document.createElement('p');
  if (where !== null) put(place, where);
  for (const map of all('[href^="geo:"]', place)) map.remove();
  const at = (place.textContent ?? '').replace(/[\s·]+$/, '').replace(/\s*·\s*/g, ', ');
  return {
    ...entryOf(node),
    title: withStatus(fullTitle(title, name), statusOf(node)),
    place: at.replace(/\s+/g, ' '),
  };
}

/** Updates the countdown of the card. Once a date is over, the next takes its place. */
export function tickSubject(): void {
  const id = document.querySelector('.t[aria-current]')?.closest('.e')?.id;
  const row = rows.find(({ node }) => node.id === id);
  const isGone = row === undefined || (location.hash === '' && row !== nextRow());
  if (isGone) showChosen();
  else if (row.node.querySelector('s.w') === null)
    write(document.querySelector('.card .count'), leftUntil(row));
}
