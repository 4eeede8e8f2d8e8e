import type { ChangeRecord, ChangesDocument } from '../api/documents.ts';
import { feed, formatPath } from '../api/formats.ts';
import type { Filters } from '../api/paths.ts';
import { html, type Markup } from './html.ts';
import { eventPage, subjectPage } from './links.ts';
import { fullTitle } from './subject-name.ts';

/** The content of a feed apart from its changes. */
export interface FeedHead {
  readonly filters: Filters;
  readonly title: string;
  /** The name of the service. */
  readonly author: string;
  /** Without a final slash. */
  readonly baseUrl: string;
  /** The name in the ids of entries. It does not depend on the address of the site. */
  readonly authority: string;
  /** When the log begins. Null if it is empty and there was no previous site. */
  readonly since: string | null;
  /** Whether the site has a file at a path. */
  readonly hasFile: (path: string) => boolean;
}

/** XML escapes the same characters as HTML. */
const xml = html;

/** The maximum number of entries. */
const maxEntries = 50;

/** Renders the changes of a scope, newest first, as a feed (Atom, RFC 4287). */
export function renderFeed(head: FeedHead, changes: ChangesDocument['changes']): string {
  const { filters, title, author, baseUrl, authority, since } = head;
  const path = formatPath(feed, filters);
  const updated = changes[0]?.at ?? since ?? '1970-01-01T00:00:00Z';
  const { markup } = xml`<feed xmlns="http://www.w3.org/2005/Atom">
<id>tag:${authority},2026:${path}</id>
<title>${plain(title)}</title>
<updated>${updated}</updated>
<author><name>${plain(author)}</name></author>
<link rel="self" type="${feed.mediaType}" href="${baseUrl}/${path}"/>
<link rel="alternate" type="text/html" href="${baseUrl}/"/>
${changes.slice(0, maxEntries).map((change) => entry(change, head))}</feed>
`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${markup}`;
}

/** Renders a change as an entry. Its id contains the time of the change, so that no other entry has it. */
function entry(change: ChangeRecord, head: FeedHead): Markup {
  const { at, kind, id, subject, title, genre, category } = change;
  return xml`<entry>
<id>tag:${head.authority},${at.slice(0, 'yyyy-mm-dd'.length)}:${id}@${at}</id>
<title>${plain(`${kinds[kind]}: ${fullTitle(title, subject.name)}`)}</title>
<updated>${at}</updated>
<link rel="alternate" href="${addressOf(change, head)}"/>
<category term="${kind}"/>
<category term="${genre}"/>
<category term="${category}"/>
<content type="text">${plain(describe(change))}</content>
</entry>
`;
}

/**
 * Returns the address of the event on the page of its subject. Without that page, returns the URL of the event or the
 * address of the home page.
 */
function addressOf({ id, genre, subject, before, after }: ChangeRecord, { baseUrl, hasFile }: FeedHead): string {
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
    return instant.replace('T', ' ').replace(/(:00)?\.000Z$/, ' UTC');
  }
  return typeof date === 'string' ? date : '';
}

/** Returns a text without the characters that XML cannot contain. */
function plain(text: string): string {
  // eslint-disable-next-line no-control-regex -- these are what XML forbids
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '');
}
