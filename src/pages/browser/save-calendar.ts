import { contentLine, escapeText } from '../../render/content-line.ts';
import { fullTitle } from '../../render/subject-name.ts';
import { dateAfter } from '../dates.ts';
import { now } from './clock.ts';
import { find, save } from './dom.ts';
import { site } from './page.ts';

/** Saves the events of rows as a calendar (RFC 5545). It is made from the rows themselves, so it has all of them. */
export function saveCalendar(rows: readonly HTMLElement[], name = ''): void {
  const entries = new Set(
    rows.flatMap((row) => (row.matches('.run') ? [...row.querySelectorAll('.e')] : [row])).map(entryOf),
  );
  const head = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Almanac//Saved events//EN', ''].join('\r\n');
  const title = name === '' ? '' : contentLine('X-WR-CALNAME', escapeText(name));
  const text = `${head}${title}${[...entries].join('')}END:VCALENDAR\r\n`;
  save('events.ics', 'text/calendar', text);
}

/** Returns the entry of a row, with the same UID as in the published calendars. */
function entryOf(row: Element): string {
  const { g: scope = '', at, on = '', end = on, over } = (row as HTMLElement).dataset;
  const subject = find('list')?.dataset['subject'];
  const id =
    row.id.includes('/') || subject === undefined ? `${scope.split('/')[1] ?? ''}/${row.id}` : `${subject}/${row.id}`;
  const times =
    at === undefined
      ? `DTSTART;VALUE=DATE:${basic(on)}\r\nDTEND;VALUE=DATE:${basic(dateAfter(end))}\r\n`
      : `DTSTART:${basicInstant(at)}\r\n${over === undefined || over === at ? '' : `DTEND:${basicInstant(over)}\r\n`}`;
  const place = [...row.querySelectorAll(':scope > .p, :scope > .where bdi')].map(textOf).join(', ');
  const url = row.querySelector<HTMLAnchorElement>('a.t')?.href ?? '';
  return [
    'BEGIN:VEVENT\r\n',
    contentLine('UID', `${id}@${document.body.dataset['authority'] ?? site.hostname}`),
    `DTSTAMP:${basicInstant(new Date(now()).toISOString())}\r\n`,
    times,
    contentLine('SUMMARY', escapeText(titleOf(row))),
    place === '' ? '' : contentLine('LOCATION', escapeText(place)),
    url === '' ? '' : contentLine('URL', url),
    'TRANSP:TRANSPARENT\r\nEND:VEVENT\r\n',
  ].join('');
}

/** Returns the title of the event of a row, with the name of its subject. */
function titleOf(row: Element): string {
  const link = row.querySelector('.t');
  const name = textOf(link?.querySelector('b'));
  const text = textOf(link);
  if (name !== '') return text === name ? name : fullTitle(text.slice(name.length).trim(), name);
  // The page of a subject leaves out its name.
  const subject =
    document.getElementById('list')?.dataset['subject'] === undefined
      ? ''
      : textOf(document.querySelector('main h1 bdi'));
  return subject === '' ? text : fullTitle(text, subject);
}

function textOf(place: Element | null | undefined): string {
  return (place?.textContent ?? '').replace(/\s+/g, ' ').trim();
}

/** Writes a date or an instant in the basic form of ISO 8601: `20270116`, `20270116T020000Z`. */
function basic(text: string): string {
  return text.replace(/[-:]|\.\d+/g, '');
}

/** Rows leave out seconds that are zero. */
function basicInstant(text: string): string {
  return basic(new Date(text).toISOString());
}
