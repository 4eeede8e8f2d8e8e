import { dateAfter } from '../dates.ts';
import { html } from '../../render/html.ts';
import { isLong, section } from '../rows.ts';
import {
  daysLeft,
  dayOf,
  nameOfDay,
  placeOf,
  rowZone,
  timeLeft,
  timeOf,
  today,
  zoneNote,
} from './clock.ts';
import { all, create, find, write } from './dom.ts';
import { locale, speech } from './page.ts';

/** A row of a list: one event, or several that are folded into one. */
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
  /** `{category}/{genre}` */
  readonly scope: string;
  /** Whether it had begun when the page was built. */
  readonly isUnderWay: boolean;
}

/**
 * Reads the rows of a list that have a time or a date, in this document or in another page of the
 * site.
 */
export function rowsIn(list: ParentNode): Row[] {
  return all('.e:is([data-on], :has(time))', list)
    .filter((node) => node.parentElement?.closest('.e') === null)
    .map(readRow);
}

export function readRow(node: HTMLElement): Row {
  const { on = '', until, over, count } = node.dataset;
  const at = on === '' ? Date.parse(node.querySelector('time')?.dateTime ?? '') : null;
  const end =
    until === undefined
      ? Date.parse(`${on === '' ? '1970-01-01' : dateAfter(on)}T12:00Z`)
      : Date.parse(until);
  return {
    node,
    at,
    day: at === null ? on : dayOf(at, rowZone(node)),
    until: at ?? end,
    over: over === undefined ? null : Date.parse(over),
    count: count === undefined ? Math.max(1, node.querySelectorAll('.e').length) : Number(count),
    scope: node.closest<HTMLElement>('[data-g]')?.dataset['g'] ?? '',
    isUnderWay: node.closest('.now') !== null,
  };
}

/** Returns the rows of single events: those within a row, if it folds several into one. */
export function eventsIn(row: HTMLElement): HTMLElement[] {
  return row.matches('.run') ? all('.e', row) : [row];
}

/** Returns the name of the event of a row, with that of its subject. */
export function nameIn(row: HTMLElement): string {
  const texts = ['.t b', '.t bdi'].map((part) => row.querySelector(part)?.textContent ?? '');
  return texts.filter((text) => text !== '').join(': ');
}

export function countEvents(rows: readonly Row[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0);
}

/** Drops rows whose events are all in other rows. Folded rows win, because they hold several. */
export function withoutRepeated(rows: readonly Row[]): Row[] {
  const shown = new Set<string>();
  return rows
    .toSorted((a, b) => b.count - a.count)
    .filter(({ node, day }) => {
      const links = [...node.querySelectorAll<HTMLAnchorElement>('a.t')].map(({ href }) => href);
      const keys =
        links.length === 0
          ? [node.id]
          : links.map((link) => `${link} ${node.matches('.many') ? day : ''}`);
      const isRepeated = keys.every((key) => shown.has(key));
      for (const key of keys) shown.add(key);
      return !isRepeated;
    });
}

interface Group {
  readonly key: string;
  readonly name?: string | undefined;
  readonly kind?: 'now' | 'still';
  readonly rows: Row[];
  /** The number of events that other pages have. */
  readonly more?: number;
}

interface Arrangement {
  readonly empty?: string;
  /** Whether the list shows all events that begin on its days, although some have begun. */
  readonly hasBegun?: boolean;
}

/**
 * Arranges the rows of a list by the days of the reader, with what is on now first, and the links
 * to more of it. Rows are moved, not created, so links and focus stay the same. Leaves out events
 * that are over.
 */
export function arrange(
  list: HTMLElement,
  rows: readonly Row[],
  { empty, hasBegun = false }: Arrangement = {},
): void {
  const none = list.querySelector(':scope > .announced') === null ? 'nothing' : 'nothingDated';
  const focused = document.activeElement;
  const unit = list.dataset['unit'] === 'day' ? 'day' : 'month';
  const rest = list.querySelector<HTMLElement>(':scope > .rest:not([hidden])');
  const more = Number(rest?.dataset['more'] ?? 0);
  const groups = hasBegun ? groupsByDate(rows.toSorted(byTime), unit) : groupsOf(rows, unit, more);
  const sections = groups.map((group) => sectionOf(group, unit));
  const others = [...list.children].filter(
    (child) => !child.matches('section.day, section.month, .empty'),
  );
  const noEvents =
    sections.length === 0 ? [create(html`<p class="empty">${empty ?? speech.text(none)}</p>`)] : [];
  list.replaceChildren(...sections, ...noEvents, ...others);
  if (rest !== null) sections[0]?.after(rest);
  if (focused instanceof HTMLElement && list.contains(focused))
    focused.focus({ preventScroll: true });
  update(list);
  write(find('zone'), rows.some(({ at }) => at !== null) ? zoneNote : '');
}

function groupsOf(rows: readonly Row[], unit: 'day' | 'month', more: number): Group[] {
  const [current, date] = [Date.now(), today()];
  const begun = rows.filter(({ until, over }) => until <= current && (over ?? until) > current);
  // The build orders what is on now in the same way.
  begun.sort((a, b) => (a.over ?? a.until) - (b.over ?? b.until));
  const onNow: Group = { key: 'now', name: speech.text('onNow'), kind: 'now', rows: begun, more };
  const coming = rows.filter(({ until }) => until > current).sort(byTime);
  const isStillOn = ({ at, day }: Row): boolean => unit === 'day' && at === null && day < date;
  const early = coming.filter(isStillOn);
  const still: Group = {
    key: dateAfter(date, -1),
    name: speech.text('stillOn'),
    kind: 'still',
    rows: early,
  };
  const others = coming.filter((row) => !isStillOn(row));
  const groups = groupsByDate(others, unit);
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

/** Within a day, dates come first. */
export function byTime(a: Row, b: Row): number {
  if (a.day !== b.day) return a.day < b.day ? -1 : 1;
  return (a.at ?? 0) - (b.at ?? 0);
}

function sectionOf({ key, name, kind, rows, more = 0 }: Group, unit: 'day' | 'month'): HTMLElement {
  const date = kind === 'now' ? today() : key;
  const element = create(
    section(locale, kind === undefined ? unit : 'day', date, countEvents(rows) + more, html``),
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
  element.querySelector('ol')?.append(...rows.map(({ node }) => node));
  return element;
}

/** Counts the events of rows by their keys, of which each may have several. */
export function countBy(
  rows: readonly Row[],
  keysOf: (row: Row) => readonly string[],
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows)
    for (const key of keysOf(row)) counts.set(key, (counts.get(key) ?? 0) + row.count);
  return counts;
}

/** Counts the events of each category, by id, and all by an empty one. */
export function countByCategory(rows: readonly Row[]): Map<string, number> {
  return countBy(rows, ({ scope }) => ['', scope.split('/')[0] ?? '']);
}

const dateStyles = { day: 'shortDay', short: 'shortDate', whole: 'mediumDate' } as const;

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
    if (end > day) write(note, speech.text('until', { date: locale.shortDate(end) }));
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
  const { p = 'minute' } = node.dataset;
  const zone = rowZone(node);
  const end =
    over !== null &&
    (isLong(at, over) ? locale.shortDate(dayOf(over - 1, zone)) : timeOf(over, p, zone));
  const there = placeOf(node, at);
  place.replaceChildren(
    timeOf(at, p, zone),
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
    row.node.classList.toggle('begun', hasBegun);
    const state = row.over !== null && row.over > current ? 'onNow' : 'begun';
    showNote(row.node, hasBegun ? speech.text(state) : leftOf(row, current, isDay));
  }
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
