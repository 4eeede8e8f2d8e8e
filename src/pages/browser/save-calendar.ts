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
  const [, page] = /^genre\/(.+)$/.exec(link?.href.replace(site.href, '') ?? '') ?? [];
  const id = page?.replace(/\/?#/, '/') ?? `${row.dataset['g']?.split('/')[1]}/${row.id}`;
  const [name = '', title = ''] = ['b', 'bdi'].map((part) => textOf(link?.querySelector(part)));
  return {
    uid: `${id}@${document.body.dataset['authority'] ?? site.hostname}`,
    stamp: new Date().toISOString(),
    start: on ?? row.querySelector('time')?.dateTime ?? '',
    end: (on === undefined ? over : end) ?? null,
    title: title === '' ? name : fullTitle(title, name),
    place: textOf(row.querySelector('.p')),
    url: link?.href ?? '',
  };
}

function textOf(place: Element | null | undefined): string {
  return (place?.textContent ?? '').replace(/\s+/g, ' ').trim();
}
