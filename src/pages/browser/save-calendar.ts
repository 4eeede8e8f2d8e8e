import { calendarPath } from '../../api/formats.ts';
import { save } from './dom.ts';
import { notify, site, speech } from './page.ts';

/**
 * Saves events as one calendar, with the entries of the published calendars. A key is that of something that a reader
 * can follow, or `s/{genre}/{subject}/{event}`.
 */
export async function saveCalendar(keys: readonly string[]): Promise<void> {
  try {
    const calendars = await Promise.all(keys.map(entriesOf));
    const head = calendars.find(({ head: first }) => first !== '')?.head;
    if (head === undefined) throw new Error('no calendar');
    const entries = new Set(calendars.flatMap(({ entries: own }) => own));
    save('events.ics', 'text/calendar', `${head}${[...entries].join('')}END:VCALENDAR\r\n`);
    notify('calendar', null);
  } catch {
    notify('calendar', speech.text('failed'), { label: speech.text('again'), run: () => void saveCalendar(keys) });
  }
}

/** Reads a calendar, and the entries in it that belong to a key. Long lines are folded (RFC 5545, section 3.1). */
async function entriesOf(key: string): Promise<{ readonly head: string; readonly entries: readonly string[] }> {
  const [kind, one = '', subject, event = ''] = key.split('/');
  const response = await fetch(new URL(calendarPath(kind === 'c' ? { category: one } : { genre: one }), site));
  if (response.status === 404) return { head: '', entries: [] };
  if (!response.ok) throw new Error(`${response.status}`);
  const [head = '', ...rest] = (await response.text()).split('BEGIN:VEVENT\r\n');
  const entries = rest.map((entry) => `BEGIN:VEVENT\r\n${entry.replace('END:VCALENDAR\r\n', '')}`);
  const begin = subject === undefined ? 'UID:' : `UID:${one}/${subject}/${event}`;
  return { head, entries: entries.filter((entry) => isOf(entry.replaceAll('\r\n ', ''), begin, event !== '')) };
}

function isOf(entry: string, begin: string, isWhole: boolean): boolean {
  const line = entry.split('\r\n').find((one) => one.startsWith('UID:')) ?? '';
  return isWhole ? line === begin || line.startsWith(`${begin}@`) : line.startsWith(begin);
}
