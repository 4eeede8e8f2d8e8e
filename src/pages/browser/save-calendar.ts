import { fullTitle } from '../../render/subject-name.ts';
import { calendarText, type CalendarEntry } from '../calendar-entry.ts';
import { save } from './dom.ts';
import { site } from './page.ts';

/** Saves the events of rows as a calendar. It is made from the rows themselves, so it has all of them. */
export function saveCalendar(rows: readonly HTMLElement[], name = ''): void {
  const events = rows.flatMap((row) => (row.matches('.run') ? [...row.querySelectorAll<HTMLElement>('.e')] : [row]));
  save('events.ics', 'text/calendar', calendarText(events.map(entryOf), name));
}

function entryOf(row: HTMLElement): CalendarEntry {
  const { on, end, over } = row.dataset;
  const link = row.querySelector<HTMLAnchorElement>('.t');
  return {
    uid: `${idOf(row, link)}@${document.body.dataset['authority'] ?? site.hostname}`,
    stamp: new Date().toISOString(),
    start: on ?? row.querySelector('time')?.dateTime ?? '',
    end: (on === undefined ? over : end) ?? null,
    title: titleOf(link),
    place: textOf(row.querySelector('.p')),
    url: link?.href ?? '',
  };
}

function idOf({ id, dataset }: HTMLElement, link: HTMLAnchorElement | null): string {
  const [, page] = /^genre\/(.+)$/.exec(link?.href.replace(site.href, '') ?? '') ?? [];
  return page?.replace(/\/?#/, '/') ?? `${dataset['g']?.split('/')[1]}/${id}`;
}

function titleOf(link: Element | null): string {
  const [name, title] = ['b', 'bdi'].map((part) => textOf(link?.querySelector(part)));
  return title === '' ? (name ?? '') : fullTitle(title ?? '', name ?? '');
}

function textOf(place: Element | null | undefined): string {
  return (place?.textContent ?? '').replace(/\s+/g, ' ').trim();
}
