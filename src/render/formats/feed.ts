import type { ChangeRecord, ChangesDocument } from '../../api/documents.ts';
import { feed, formatPath } from '../../api/formats.ts';
import type { Filters } from '../../api/paths.ts';
import { html, type Markup } from '../pages/html.ts';

/** What a feed says besides its changes. */
export interface FeedHead {
  readonly filters: Filters;
  readonly title: string;
  /** The name of the service. */
  readonly author: string;
  /** Without a final slash. */
  readonly baseUrl: string;
  /** What ids are named after, whatever the address of the site. */
  readonly authority: string;
  /** When the log begins; null if it is empty and there was no earlier site. */
  readonly since: string | null;
}

/** XML escapes the same characters as HTML. */
const xml = html;

/** The maximum number of entries. */
const maxEntries = 50;

/** Renders the changes of a scope, newest first, as a feed (Atom, RFC 4287). */
export function renderFeed(
  { filters, title, author, baseUrl, authority, since }: FeedHead,
  changes: ChangesDocument['changes'],
): string {
  const path = formatPath(feed, filters);
  const updated = changes[0]?.at ?? since ?? '1970-01-01T00:00:00Z';
  const { markup } = xml`<feed xmlns="http://www.w3.org/2005/Atom">
<id>tag:${authority},2026:${path}</id>
<title>${plain(title)}</title>
<updated>${updated}</updated>
<author><name>${plain(author)}</name></author>
<link rel="self" type="${feed.mediaType}" href="${baseUrl}/${path}"/>
<link rel="alternate" type="text/html" href="${baseUrl}/"/>
${changes.slice(0, maxEntries).map((change) => entry(change, baseUrl, authority))}</feed>
`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${markup}`;
}

/** A change and the time at which it was seen give an entry an id that no other has. */
function entry(change: ChangeRecord, baseUrl: string, authority: string): Markup {
  const { at, kind, id, subject, title, genre, category } = change;
  const url = [change.after?.['url'], change.before?.['url']].find((one) => typeof one === 'string') ?? `${baseUrl}/`;
  return xml`<entry>
<id>tag:${authority},${at.slice(0, 'yyyy-mm-dd'.length)}:${id}@${at}</id>
<title>${plain(`${kinds[kind]}: ${title.includes(subject.name) ? title : `${subject.name}: ${title}`}`)}</title>
<updated>${at}</updated>
<link rel="alternate" href="${url}"/>
<category term="${kind}"/>
<category term="${genre}"/>
<category term="${category}"/>
<content type="text">${plain(describe(change))}</content>
</entry>
`;
}

const kinds: Readonly<Record<ChangeRecord['kind'], string>> = {
  cancelled: 'Cancelled',
  removed: 'Removed',
  added: 'New',
  dated: 'Dated',
  moved: 'Moved',
  changed: 'Changed',
};

/** Says when the event happens, and before a move when it would have happened; or which fields changed. */
function describe({ before, after }: ChangeRecord): string {
  const [old, next] = [timeOf(before), timeOf(after)];
  if (old !== '' && next !== '') return `${old} → ${next}`;
  return old + next || `Changed: ${Object.keys(after ?? {}).join(', ')}`;
}

/** Returns the time that some fields of an event tell, by the event time rule (specification 1); empty if they tell none. */
function timeOf(fields: ChangeRecord['before']): string {
  const { period, date, starts_at: start, time_known: isKnown } = fields ?? {};
  if (typeof period === 'string') return period;
  if (isKnown === true && typeof start === 'string') return start.replace('T', ' ').replace(/(:00)?\.000Z$/, ' UTC');
  return typeof date === 'string' ? date : '';
}

/** Returns a text without the characters that XML cannot contain. */
function plain(text: string): string {
  // eslint-disable-next-line no-control-regex -- these are what XML forbids
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '');
}
