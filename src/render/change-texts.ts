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
  const page = `${subjectPage(genre, subject.id)}index.html`;
  if (hasFile(page)) return `${baseUrl}/${eventPage(id)}`;
  const urls = [after?.['url'], before?.['url']];
  return urls.find((url) => typeof url === 'string') ?? `${baseUrl}/`;
}

/**
 * Describes a change: the time of the event, for a move also its previous time, or the fields that
 * changed.
 */
export function describeChange(change: ChangeRecord): string {
  const { isEnd, old, next } = timesOfChange(change);
  const write = ({ date, clock }: ChangedTime) => `${date} ${clock}`.trim();
  const last = write(next) || (isEnd ? 'not known' : '');
  const times = [write(old), last].filter((time) => time !== '').join(' → ');
  if (times === '') return `Changed: ${Object.keys(change.after ?? {}).join(', ')}`;
  return isEnd ? `Ends: ${times}` : times;
}

/** A date or a period, and a clock time with its zone. What is not known is empty. */
export interface ChangedTime {
  readonly date: string;
  readonly clock: string;
}

/**
 * Returns the start of an event before and after a change, or its end if that alone changed.
 */
export function timesOfChange({ before, after }: Pick<ChangeRecord, 'before' | 'after'>) {
  const isEnd = after !== null && 'ends_at' in after && !('starts_at' in after);
  return {
    isEnd,
    old: timeOf(before, isEnd),
    next: timeOf(after, isEnd),
  };
}

/** Returns the start or the end among the fields of an event, by the event time rule. */
function timeOf(fields: ChangeRecord['before'], isEnd: boolean): ChangedTime {
  const { period, time_known: isKnown } = fields ?? {};
  if (typeof period === 'string') return { date: period, clock: '' };
  const instant = fields?.[isEnd ? 'ends_at' : 'starts_at'];
  const date = fields?.[isEnd ? 'end_date' : 'date'];
  if (isKnown === true && typeof instant === 'string') {
    const zone = typeof fields?.['zone'] === 'string' ? fields['zone'] : 'UTC';
    const wall = isoInstant(wallAt(zone, Date.parse(instant)));
    const [day = '', clock = ''] = wall.split('T');
    return {
      date: day,
      clock: clock.replace(/(:00)?\.000Z$/, ` ${zone}`),
    };
  }
  return { date: typeof date === 'string' ? date : '', clock: '' };
}
