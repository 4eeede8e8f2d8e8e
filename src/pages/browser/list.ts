import { dateAfter } from '../dates.ts';
import { html } from '../../render/html.ts';
import { isLong } from '../row-time.ts';
import { section } from '../rows.ts';
import {
  clockOfRow,
  daysLeft,
  dayOf,
  nameOfDay,
  placeOf,
  timeLeft,
  timeOf,
  today,
  zoneNote,
} from './clock.ts';
import { all, create, find, setChildren, write } from './dom.ts';
import { locale, speech } from './page.ts';
import { byTime, countEvents, rowsIn, type DayRows, type Row } from './row.ts';

export interface Group {
  readonly key: string;
  readonly name?: string | undefined;
  readonly kind?: 'now' | 'still';
  readonly rows: Row[];
  /** What began before and is on. */
  readonly running?: readonly Row[];
  /** The number of events that other pages have. */
  readonly more?: number;
}

/**
 * Arranges the rows of a list by the days of the reader, with what is on now first, and the links
 * to more of it. Rows are moved, not created, so links and focus stay the same. Leaves out events
 * that are over.
 */
export function arrange(list: HTMLElement, rows: readonly Row[]): void {
  const unit = list.dataset['unit'] === 'day' ? 'day' : 'month';
  const rest = list.querySelector<HTMLElement>(':scope > .rest:not([hidden])');
  const more = Number(rest?.dataset['more'] ?? 0);
  const none = document.querySelector('.announced') === null ? 'nothing' : 'nothingDated';
  fillList(list, groupsOf(rows, unit, more), none);
  const first = list.querySelector('section');
  if (rest !== null) first?.after(rest);
}

/**
 * Arranges what is on on some days.
 *
 * @param from the first of them, which has what began before
 */
export function arrangeDays(list: HTMLElement, { begins, running }: DayRows, from: string): void {
  const groups = groupsByDate(begins.toSorted(byTime), 'day');
  const first = groups.find(({ key }) => key === from);
  if (running.length > 0) {
    const name = nameOfDay(from);
    groups.splice(0, first === undefined ? 0 : 1, {
      name,
      rows: [],
      ...first,
      key: from,
      running,
    });
  }
  fillList(list, groups, 'nothingThen');
}

/** Replaces the sections of a list. */
export function fillList(
  list: HTMLElement,
  groups: readonly Group[],
  none: 'nothing' | 'nothingDated' | 'nothingThen',
): void {
  const focused = document.activeElement;
  const unit = list.dataset['unit'] === 'day' ? 'day' : 'month';
  const former = all(':scope > :is(section.day, section.month)', list);
  const sections = groups.map((group) => sectionOf(group, unit, former));
  const rest = [...list.children].filter(
    (child) => !child.matches('section.day, section.month, .empty'),
  );
  const isEmpty = sections.length === 0;
  const note = isEmpty ? [create(html`<p class="empty">${speech.text(none)}</p>`)] : [];
  setChildren(list, [...sections, ...note, ...rest]);
  if (focused instanceof HTMLElement && list.contains(focused))
    focused.focus({ preventScroll: true });
  update(list);
  const hasTimes = list.querySelector('.w time') !== null;
  write(find('zone'), hasTimes ? zoneNote : '');
}

function groupsOf(rows: readonly Row[], unit: 'day' | 'month', more: number): Group[] {
  const [current, date] = [Date.now(), today()];
  const begun = rows.filter(({ until, over }) => until <= current && (over ?? until) > current);
  // The build orders what is on now in the same way.
  begun.sort((a, b) => (a.over ?? a.until) - (b.over ?? b.until));
  const onNow: Group = {
    key: 'now',
    name: speech.text('onNow'),
    kind: 'now',
    rows: begun,
    more,
  };
  const coming = rows.filter(({ until }) => until > current).sort(byTime);
  const isStillOn = ({ at, day }: Row) => unit === 'day' && at === null && day < date;
  const early = coming.filter(isStillOn);
  const still: Group = {
    key: dateAfter(date, -1),
    name: speech.text('stillOn'),
    kind: 'still',
    rows: early,
  };
  const later = coming.filter((row) => !isStillOn(row));
  const groups = groupsByDate(later, unit);
  // After today, so that today comes first everywhere.
  groups.splice(groups[0]?.key === date ? 1 : 0, 0, still);
  return [onNow, ...groups].filter((group) => group.rows.length > 0 || group.more);
}

function groupsByDate(rows: readonly Row[], unit: 'day' | 'month'): Group[] {
  const groups = new Map<string, Group>();
  for (const row of rows) {
    const key = unit === 'day' ? row.day : row.day.slice(0, 7);
    const group = groups.get(key) ?? {
      key,
      name: unit === 'day' ? nameOfDay(key) : undefined,
      rows: [],
    };
    groups.set(key, group);
    group.rows.push(row);
  }
  return [...groups.values()];
}

/** Returns the section of a group: a former one with its name if there is one. */
function sectionOf(
  group: Group,
  unit: 'day' | 'month',
  former: readonly HTMLElement[],
): HTMLElement {
  const { key, name, kind, rows, running = [], more = 0 } = group;
  const date = kind === 'now' ? today() : key;
  const element = create(
    section({ locale, ...speech }, kind === undefined ? unit : 'day', {
      key: date,
      count: countEvents(rows) + running.length + more,
      rows: rows.length > 0 || more > 0 ? html`` : null,
      running: running.length > 0 ? html`` : null,
    }),
  );
  if (name !== undefined) write(element.querySelector('time b'), name);
  if (unit === 'day' && key.slice(0, 4) !== today().slice(0, 4))
    write(element.querySelector('time span'), locale.fullDate(date));
  if (kind !== undefined) {
    element.removeAttribute('id');
    element.classList.add(kind);
    element.querySelector('time span')?.remove();
  }
  for (const row of rows) localize(row, unit === 'month' && (kind === 'now' ? 'short' : 'day'));
  element.querySelector('.also')?.append(...running.map((row) => runningRow(row, key)));
  const nodes = rows.map(({ node }) => node);
  const same = former.find(
    // The build names no day of what is on now, and opens a day of a month.
    ({ className, dataset }) =>
      className.replace(' open', '') === element.className && (dataset['key'] ?? date) === date,
  );
  const formerRows = same?.querySelector('ol:not(.also)');
  const place = element.querySelector('ol:not(.also)');
  if (!same || !formerRows || !place) {
    place?.append(...nodes);
    return element;
  }
  setChildren(formerRows, nodes);
  const parts = [...element.children].map((part) => (part === place ? formerRows : part));
  setChildren(same, parts);
  return same;
}

/** Returns a copy of a row that says until when its event is on, on a day after its first. */
function runningRow({ node, at, over, last }: Row, day: string): HTMLElement {
  const row = node.cloneNode(true) as HTMLElement;
  row.removeAttribute('id');
  const { p = 'minute' } = row.dataset;
  const isUntilTime = at !== null && over !== null && last === day;
  const end = last > day ? speech.text('until', { date: locale.shortDate(last) }) : null;
  const clock = isUntilTime ? `– ${timeOf(over, p, clockOfRow(node))}` : speech.text('lastDay');
  row.querySelector('.w .d')?.remove();
  write(row.querySelector('.w :is(time, i)'), end ?? clock);
  return row;
}

const dateStyles = {
  day: 'shortDay',
  short: 'shortDate',
  weekday: 'weekdayDate',
} as const;

/** Writes the reader's time into a row, and its date if its heading does not say it. */
export function localize(
  { node, at, over, day }: Row,
  date: keyof typeof dateStyles | false,
): void {
  for (const place of all('.w', node)) {
    const time = place.querySelector('time');
    if (at !== null && time !== null) showTimes(time, { at, over, node });
    const note = place.querySelector('i');
    const { end = day } = node.dataset;
    if (end > day)
      write(
        note,
        end === today()
          ? speech.text('lastDay')
          : speech.text('until', { date: locale.shortDate(end) }),
      );
    else if (note !== null) write(note, date === false ? speech.text('allDay') : '');
    if (date === false) {
      place.querySelector('.d')?.remove();
      continue;
    }
    if (place.querySelector('.d') === null)
      place.prepend(create(html`<span class="d"></span>`), ' ');
    write(place.querySelector('.d'), locale[dateStyles[date]](day));
  }
}

function showTimes(
  place: Element,
  { at, over, node }: Pick<Row, 'over' | 'node'> & { readonly at: number },
): void {
  const p = node.dataset['p'] === 'hour' ? 'hour' : 'minute';
  const clock = clockOfRow(node);
  const end =
    over !== null &&
    (isLong(at, over) ? locale.shortDate(dayOf(over - 1, clock)) : timeOf(over, p, clock));
  const there = placeOf(node, at);
  place.replaceChildren(
    timeOf(at, p, clock),
    ...(end === false ? [] : [create(html`<span> – ${end}</span>`)]),
    ...(there === '' ? [] : [create(html`<small> ${there}</small>`)]),
  );
}

/**
 * Updates what depends on the time: countdowns, and which events have begun. Moves no rows, so that
 * nobody clicks on the wrong one.
 */
export function update(list: HTMLElement): void {
  const current = Date.now();
  const isDay = list.dataset['unit'] === 'day';
  for (const row of rowsIn(list)) {
    // A postponed event is struck. Its date does not count.
    if (row.node.querySelector(':scope > s.w') !== null) continue;
    const hasBegun = row.until <= current;
    const isOver = hasBegun && (row.over === null ? row.day < today() : row.over <= current);
    row.node.classList.toggle('begun', hasBegun);
    row.node.classList.toggle('over', isOver);
    showNote(row.node, noteOf(row, current, isDay));
  }
}

/** Says that an event has begun, or how long it is until it begins. Nothing if it is over. */
function noteOf(row: Row, current: number, isDay: boolean): string {
  const { until, over, day } = row;
  if (until > current) return leftOf(row, current, isDay);
  if (over !== null) return over > current ? speech.text('onNow') : '';
  return day < today() ? '' : speech.text('begun');
}

function showNote(row: HTMLElement, text: string): void {
  const last = row.querySelector('.g') ?? row.querySelector('.what');
  const next = last?.nextElementSibling;
  if (next?.matches('.in') === true) write(next, text);
  else if (text !== '') last?.after(create(html`<span class="in">${text}</span>`));
}

function leftOf({ at, day }: Row, current: number, isDay: boolean): string {
  if (at !== null && at - current < 24 * 3600_000) return timeLeft(at - current);
  return !isDay && day >= today() ? daysLeft(day) : '';
}
