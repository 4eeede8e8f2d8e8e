import type { ChangeRecord } from '../api/documents.ts';
import { wordFor } from '../catalogue/status-words.ts';
import { isoInstant } from '../catalogue/time/time.ts';
import { wallAt } from '../catalogue/time/zone.ts';
import { eventPage, subjectPage } from '../api/paths.ts';
import { fullTitle } from './subject-name.ts';

/** What every text about changes needs to know of the site. */
export interface ChangedSite {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly hasFile: (path: string) => boolean;
}

/** Returns `Moved: Severance: Premiere` in two parts, the first in a language of the pages. */
export function nameOfChange(
  { kind, title, subject }: ChangeRecord,
  lang = 'en',
): readonly [kind: string, name: string] {
  return [wordFor(kind, lang), fullTitle(title, subject.name)];
}

/**
 * Returns the address of the event on the page of its subject, else its URL or that of the home
 * page.
 */
export function addressOfChange(
  { id, genre, subject, before, after }: ChangeRecord,
  site: ChangedSite,
): string {
  const { baseUrl, hasFile } = site;
  if (hasFile(`${subjectPage(genre, subject.id)}index.html`)) return `${baseUrl}/${eventPage(id)}`;
  return [after?.['url'], before?.['url']].find((url) => typeof url === 'string') ?? `${baseUrl}/`;
}

/**
 * Describes a change: the time of the event, for a move also its previous time, or the fields that
 * changed.
 */
export function describeChange(change: ChangeRecord): string {
  const { isEnd, old, next } = timesOfChange(change, (date, clock) =>
    clock === '' ? date : `${date} ${clock}`,
  );
  const times = [old, isEnd ? next || 'not known' : next].filter((time) => time !== '').join(' → ');
  if (times === '') return `Changed: ${Object.keys(change.after ?? {}).join(', ')}`;
  return isEnd ? `Ends: ${times}` : times;
}

/** Writes a date or a period, and a clock time with its zone, which is empty if it is not known. */
type WriteTime = (date: string, clock: string) => string;

/**
 * Returns the start of an event before and after a change, or its end if that alone changed. What
 * is not known is empty.
 */
export function timesOfChange(
  { before, after }: Pick<ChangeRecord, 'before' | 'after'>,
  write: WriteTime,
): { readonly isEnd: boolean; readonly old: string; readonly next: string } {
  const isEnd = after !== null && 'ends_at' in after && !('starts_at' in after);
  return {
    isEnd,
    old: timeOf(before, isEnd, write),
    next: timeOf(after, isEnd, write),
  };
}

/**
 * Returns the start or the end among the fields of an event, by the event time rule, or an empty
 * text.
 */
function timeOf(fields: ChangeRecord['before'], isEnd: boolean, write: WriteTime): string {
  const { period, time_known: isKnown } = fields ?? {};
  if (typeof period === 'string') return write(period, '');
  const [instant, date] = [
    fields?.[isEnd ? 'ends_at' : 'starts_at'],
    fields?.[isEnd ? 'end_date' : 'date'],
  ];
  if (isKnown === true && typeof instant === 'string') {
    const zone = typeof fields?.['zone'] === 'string' ? fields['zone'] : 'UTC';
    const wall = isoInstant(wallAt(zone, Date.parse(instant)));
    const [day = '', clock = ''] = wall.split('T');
    return write(day, clock.replace(/(:00)?\.000Z$/, ` ${zone}`));
  }
  return typeof date === 'string' ? write(date, '') : '';
}
