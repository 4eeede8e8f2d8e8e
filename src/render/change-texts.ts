import type { ChangeRecord } from '../api/documents.ts';
import { isoInstant } from '../catalogue/time/time.ts';
import { wallAt } from '../catalogue/time/zone.ts';
import { eventPage, subjectPage } from './links.ts';
import { fullTitle } from './subject-name.ts';

/** What every text about changes needs to know of the site. */
export interface ChangedSite {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly hasFile: (path: string) => boolean;
}

/** Returns `Moved: Severance: Premiere` in two parts. */
export function nameOfChange({ kind, title, subject }: ChangeRecord): readonly [kind: string, name: string] {
  return [kinds[kind], fullTitle(title, subject.name)];
}

/** Returns the address of the event on the page of its subject, else its URL or that of the home page. */
export function addressOfChange({ id, genre, subject, before, after }: ChangeRecord, site: ChangedSite): string {
  const { baseUrl, hasFile } = site;
  if (hasFile(`${subjectPage(genre, subject.id)}index.html`)) return `${baseUrl}/${eventPage(id)}`;
  return [after?.['url'], before?.['url']].find((one) => typeof one === 'string') ?? `${baseUrl}/`;
}

const kinds: Readonly<Record<ChangeRecord['kind'], string>> = {
  cancelled: 'Cancelled',
  removed: 'Removed',
  added: 'New',
  dated: 'Dated',
  moved: 'Moved',
  changed: 'Changed',
};

/** Describes a change: the time of the event, for a move also its previous time, or the fields that changed. */
export function describeChange({ before, after }: ChangeRecord): string {
  const hasEndAlone = after !== null && 'ends_at' in after && !('starts_at' in after);
  const [old = '', next = ''] = [before, after].map((fields) => timeOf(fields, hasEndAlone));
  const times = [old, next].filter((time) => time !== '').join(' → ');
  if (times === '' || (hasEndAlone && next === '')) return `Changed: ${Object.keys(after ?? {}).join(', ')}`;
  return hasEndAlone ? `Ends: ${times}` : times;
}

/** Returns the start or the end among the fields of an event, by the event time rule, or an empty text. */
function timeOf(fields: ChangeRecord['before'], isEnd: boolean): string {
  const { period, time_known: isKnown } = fields ?? {};
  if (typeof period === 'string') return period;
  const [instant, date] = [fields?.[isEnd ? 'ends_at' : 'starts_at'], fields?.[isEnd ? 'end_date' : 'date']];
  if (isKnown === true && typeof instant === 'string') {
    const zone = typeof fields?.['zone'] === 'string' ? fields['zone'] : 'UTC';
    const wall = isoInstant(wallAt(zone, Date.parse(instant)));
    return wall.replace('T', ' ').replace(/(:00)?\.000Z$/, ` ${zone}`);
  }
  return typeof date === 'string' ? date : '';
}
