import type { ChangeRecord } from '../api/documents.ts';
import { feed, formatPath } from '../api/formats.ts';
import { isoInstant } from '../catalogue/time/time.ts';
import { wallAt } from '../catalogue/time/zone.ts';
import type { Markup } from './html.ts';
import { eventPage, subjectPage } from './links.ts';
import type { Scope } from './scope.ts';
import { fullTitle } from './subject-name.ts';
import { xml, xmlDocument } from './xml.ts';

/** The change log of a scope. */
export interface ScopeChanges extends Scope {
  /** Newest first. */
  readonly changes: readonly ChangeRecord[];
  /** Whether the site has a file at a path. */
  readonly hasFile: (path: string) => boolean;
}

/** The number of entries. A feed has more if the newest build saw more changes. */
const maxEntries = 50;

/** Renders the changes of a scope as a feed (Atom, RFC 4287). */
export function renderFeed(scope: ScopeChanges): string {
  const { filters, title, service, baseUrl, authority, since, changes } = scope;
  const path = formatPath(feed, filters);
  const updated = changes[0]?.at ?? since;
  return xmlDocument(xml`<feed xmlns="http://www.w3.org/2005/Atom">
<id>tag:${authority},2026:${path}</id>
<title>${title}</title>
<updated>${updated}</updated>
<author><name>${service}</name></author>
<link rel="self" type="${feed.mediaType}" href="${baseUrl}/${path}"/>
<link rel="alternate" type="text/html" href="${baseUrl}/"/>
${changes.filter(({ at }, index) => index < maxEntries || at === changes[0]?.at).map((change) => entry(change, scope))}</feed>
`);
}

/**
 * Renders a change as an entry. Its id contains the time of the change, so that no other entry has it, and as its date
 * the beginning of the log, when the authority was in use.
 */
function entry(change: ChangeRecord, scope: ScopeChanges): Markup {
  const { at, kind, id, subject, title, genre, category } = change;
  return xml`<entry>
<id>tag:${scope.authority},${scope.since.slice(0, 'yyyy-mm-dd'.length)}:${id}@${at}</id>
<title>${kinds[kind]}: ${fullTitle(title, subject.name)}</title>
<updated>${at}</updated>
<link rel="alternate" href="${addressOf(change, scope)}"/>
<category term="${kind}"/>
<category term="${genre}"/>
<category term="${category}"/>
<content type="text">${describe(change)}</content>
</entry>
`;
}

/**
 * Returns the address of the event on the page of its subject. Without that page, returns the URL of the event or the
 * address of the home page.
 */
function addressOf({ id, genre, subject, before, after }: ChangeRecord, { baseUrl, hasFile }: ScopeChanges): string {
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
function describe({ before, after }: ChangeRecord): string {
  const hasEndAlone = after !== null && 'ends_at' in after && !('starts_at' in after);
  const [old = '', next = ''] = [before, after].map((fields) => timeOf(fields, hasEndAlone));
  const times = [old, next].filter((time) => time !== '').join(' → ');
  if (times === '' || (hasEndAlone && next === '')) return `Changed: ${Object.keys(after ?? {}).join(', ')}`;
  return hasEndAlone ? `Ends: ${times}` : times;
}

/**
 * Returns the start or the end that some fields of an event contain, by the event time rule (specification 1), or an
 * empty text.
 */
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
