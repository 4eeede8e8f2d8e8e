import { dateAfter } from '../dates.ts';
import { html } from '../../render/html.ts';
import { isLong, section } from '../rows.ts';
import { countdown, dayOf, nameOfDay, now, timeLeft, timeOf, timeThere, today } from './clock.ts';
import { all, create, find, write } from './dom.ts';
import { remembered } from './memory.ts';
import { locale, speech } from './page.ts';

/** A row of a list: one event, or several of the same minute that are folded into one. */
export interface Row {
  readonly node: HTMLElement;
  /** The start, in milliseconds since the Unix epoch. Null if only the date is real. */
  readonly at: number | null;
  /** The date of the event, in the reader's zone if the time is known. */
  readonly day: string;
  readonly until: number;
  /** When it is over, if the source says so. */
  readonly over: number | null;
  readonly count: number;
}

/** Reads the rows of a list, in this document or in another page of the site. */
export function rowsIn(list: ParentNode): Row[] {
  return all('.e', list)
    .filter((node) => node.parentElement?.closest('.e') === null)
    .map(readRow);
}

function readRow(node: HTMLElement): Row {
  const { at: written, on = '', until, over } = node.dataset;
  const at = written === undefined ? null : Date.parse(written);
  const end =
    until === undefined ? Date.parse(`${on === '' ? '1970-01-01' : dateAfter(on)}T12:00Z`) : Date.parse(until);
  return {
    node,
    at,
    day: at === null ? on : dayOf(at),
    until: at ?? end,
    over: over === undefined ? null : Date.parse(over),
    count: Math.max(1, node.querySelectorAll('.e').length),
  };
}

interface Group {
  readonly key: string;
  readonly name?: string | undefined;
  readonly kind?: 'now' | 'still';
  readonly rows: Row[];
  /** The number of events that other pages have. */
  readonly more?: number;
}

/**
 * Arranges the rows of a list by the days of the reader, with what is on now first, and the links to more of it. Rows
 * are moved, not created, so links and focus stay the same. Leaves out events that are over.
 */
export function arrange(list: HTMLElement, rows: readonly Row[], empty = speech.text('nothing')): void {
  const focused = document.activeElement;
  const unit = list.dataset['unit'] === 'day' ? 'day' : 'month';
  const rest = list.querySelector<HTMLElement>(':scope > .rest:not([hidden])');
  const more = Number(rest?.dataset['more'] ?? 0);
  const sections = groupsOf(rows, unit, more).map((group) => sectionOf(group, unit));
  const others = [...list.children].filter((child) => !child.matches('section.day, section.month, .empty'));
  const none = sections.length === 0 ? [create(html`<p class="empty">${empty}</p>`)] : [];
  list.replaceChildren(...sections, ...none, ...others);
  if (rest !== null) sections[0]?.after(rest);
  if (focused instanceof HTMLElement && list.contains(focused)) focused.focus({ preventScroll: true });
  update(list);
}

function groupsOf(rows: readonly Row[], unit: 'day' | 'month', more: number): Group[] {
  const [current, date] = [now(), today()];
  const begun = rows.filter(({ until, over }) => until <= current && (over ?? until) > current);
  const onNow: Group = { key: 'now', name: speech.text('onNow'), kind: 'now', rows: begun.sort(byEnd), more };
  const still: Group = { key: dateAfter(date, -1), name: speech.text('stillOn'), kind: 'still', rows: [] };
  const byKey = new Map<string, Group>();
  for (const row of rows.toSorted(byTime)) {
    if (row.until <= current) continue;
    if (unit === 'day' && row.at === null && row.day < date) still.rows.push(row);
    else {
      const key = unit === 'day' ? row.day : row.day.slice(0, 7);
      const group = byKey.get(key) ?? { key, name: unit === 'day' ? nameOfDay(key) : undefined, rows: [] };
      byKey.set(key, group);
      group.rows.push(row);
    }
  }
  const groups = [...byKey.values()];
  // After today, so that today comes first everywhere.
  groups.splice(groups[0]?.key === date ? 1 : 0, 0, still);
  return [onNow, ...groups].filter((group) => group.rows.length > 0 || group.more);
}

/** The build orders what is on now in the same way. */
function byEnd(a: Row, b: Row): number {
  return (a.over ?? a.until) - (b.over ?? b.until);
}

/** Within a day, dates come first. */
function byTime(a: Row, b: Row): number {
  if (a.day !== b.day) return a.day < b.day ? -1 : 1;
  return (a.at ?? 0) - (b.at ?? 0);
}

function sectionOf({ key, name, kind, rows, more = 0 }: Group, unit: 'day' | 'month'): HTMLElement {
  const count = rows.reduce((sum, row) => sum + row.count, more);
  const date = kind === 'now' ? today() : key;
  const element = create(section(locale, { unit }, date, count, html``));
  if (name !== undefined) write(element.querySelector('time b') ?? element.querySelector('time'), name);
  if (kind !== undefined) {
    element.removeAttribute('id');
    element.classList.add(kind);
    element.querySelector('time span')?.remove();
  }
  element.querySelector('ol')?.append(...rows.map((row) => localized(row, unit, kind === 'now')));
  return element;
}

/** Counts the events of each day. */
export function countRows(rows: readonly Row[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { day, count } of rows) counts.set(day, (counts.get(day) ?? 0) + count);
  return counts;
}

/** Writes the reader's time into a row. */
function localized({ node, at, over, day }: Row, unit: 'day' | 'month', isMixed: boolean): HTMLElement {
  for (const place of all('.w', node)) {
    const time = place.querySelector('time');
    if (at !== null) write(time, timesOf({ at, over }, node.dataset['p'] ?? 'minute'));
    const date = place.querySelector('.d');
    if (unit === 'month') write(date, isMixed ? locale.shortDate(day) : locale.shortDay(day));
    else date?.remove();
  }
  return node;
}

/** The start and the end of an event where the reader is: a time, or a date if the event is long. */
function timesOf({ at, over }: Pick<Row, 'over'> & { readonly at: number }, precision: string): string {
  const start = timeOf(at, precision);
  if (over === null) return start;
  return `${start} – ${isLong(at, over) ? locale.shortDate(dayOf(over - 1)) : timeOf(over, precision)}`;
}

/**
 * Updates what depends on the time: countdowns, and which events have begun. Moves no rows, so that nobody clicks on
 * the wrong one.
 */
export function update(list: HTMLElement): void {
  const current = now();
  const isMonth = list.dataset['unit'] === 'month';
  const counts = remembered().hidesCountdowns !== true;
  for (const row of rowsIn(list)) {
    const place = all('.in', row.node).find((one) => one.closest('.e') === row.node);
    const hasBegun = row.until <= current;
    row.node.classList.toggle('begun', hasBegun);
    if (hasBegun) write(place, speech.text(row.over !== null && row.over > current ? 'onNow' : 'begun'));
    else write(place, counts ? leftOf(row, current, isMonth) : '');
  }
}

function leftOf({ at, day }: Row, current: number, isMonth: boolean): string {
  if (at !== null && (isMonth || at - current < 48 * 3600_000)) return timeLeft(at - current);
  if (!isMonth) return '';
  const days = Math.round((Date.parse(day) - Date.parse(today())) / (24 * 3600_000));
  return days > 0 ? speech.text('inDays', { n: days }) : '';
}

/** Shows the local time of an event where it happens, once a reader points at it. Formatting it for all would be slow. */
export function showTimeThere({ target }: Event): void {
  const row = target instanceof Element ? target.closest<HTMLElement>('.e[data-zone]') : null;
  const place = row?.querySelector<HTMLElement>('.w');
  if (!row || !place || place.title !== '') return;
  const { at = '', p = 'minute', zone = '' } = row.dataset;
  place.title = timeThere(Date.parse(at), p, zone) ?? '';
}

const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');

/** Counts down to the first event of the page that has a time and has not begun. `rows` are in order. */
export function countDownToNext(rows: readonly Row[]): void {
  const card = find('next');
  if (card === null) return;
  const current = now();
  const coming = rows.filter(({ until }) => until > current);
  const next = coming.find(({ at }) => at !== null) ?? coming[0];
  card.hidden = next === undefined;
  if (next === undefined) return;
  const { at, node, day } = next;
  const title = node.querySelector(':scope > .t, :scope .e > .t');
  const what = card.querySelector('.what');
  if (title !== null && what !== null && what.textContent?.trim() !== title.textContent?.trim()) {
    const copy = title.cloneNode(true) as HTMLElement;
    copy.removeAttribute('class');
    what.replaceChildren(copy);
  }
  const hides = remembered().hidesCountdowns === true;
  write(card.querySelector('.count'), at === null || hides ? '' : countdown(at - current, !reducedMotion.matches));
  const time = at === null ? '' : `, ${speech.text('yourTime', { time: timeOf(at, node.dataset['p'] ?? 'minute') })}`;
  write(card.querySelector('.when'), `${nameOfDay(day) ?? locale.longDate(day)}${time}`);
}
