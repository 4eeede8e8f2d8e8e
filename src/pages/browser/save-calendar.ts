import { calendarText, type CalendarEntry } from '../calendar-entry.ts';
import { eventsIn, nameIn } from './row.ts';
import { site, speech } from './page.ts';

/**
 * Saves the events of rows as a calendar. It is made from the rows themselves, so it has all of
 * them.
 */
export function saveCalendar(rows: readonly HTMLElement[], name = ''): void {
  const text = calendarText(rows.flatMap(eventsIn).map(entryOf), name);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/calendar' }));
  link.download = 'events.ics';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Returns the event of a row as a calendar holds it. */
export function entryOf(row: HTMLElement): CalendarEntry {
  const { on, end, over } = row.dataset;
  const status = statusOf(row);
  const link = row.querySelector<HTMLAnchorElement>('.t');
  const [, page] = /^genre\/(.+)$/.exec(link?.href.replace(site.href, '') ?? '') ?? [];
  const id = page?.replace(/\/?#/, '/') ?? `${row.dataset['g']?.split('/')[1]}/${row.id}`;
  return {
    uid: `${id}@${document.body.dataset['authority'] ?? site.hostname}`,
    stamp: new Date().toISOString(),
    start: on ?? row.querySelector('time')?.dateTime ?? '',
    end: (on === undefined ? over : end) ?? null,
    title: withStatus(nameIn(row), status),
    status,
    place: (row.querySelector('.p')?.textContent ?? '').replace(/\s+/g, ' ').trim(),
    url: link?.href ?? '',
  };
}

const notable = ['cancelled', 'postponed', 'tentative'] as const;

/** Returns the status of the event of a row. */
export function statusOf(row: HTMLElement): CalendarEntry['status'] {
  return notable.find((status) => status === row.dataset['s']) ?? 'confirmed';
}

/** Several programs ignore the status of an entry, so its title says it as well. */
export function withStatus(title: string, status: CalendarEntry['status']): string {
  return status === 'confirmed' ? title : `${speech.text(status)}: ${title}`;
}
