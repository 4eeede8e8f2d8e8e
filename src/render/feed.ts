import type { ChangeRecord } from '../api/documents.ts';
import { formatPath, formats } from '../api/formats.ts';
import { addressOfChange, type ChangedSite, describeChange, nameOfChange } from './change-texts.ts';
import { html as xml, type Markup } from './html.ts';
import type { Scope } from './scope.ts';

export interface ScopeChanges extends Scope, ChangedSite {
  /** Newest first. */
  readonly changes: readonly ChangeRecord[];
}

/** The number of entries. A feed has more if the newest build saw more changes. */
const maxEntries = 50;

/** Renders the changes of a scope as a feed (Atom, RFC 4287). */
export function renderFeed(scope: ScopeChanges): string {
  const { filters, title, service, baseUrl, authority, since, changes } = scope;
  const path = formatPath(formats.feed, filters);
  const updated = changes[0]?.at ?? since;
  const newest = changes.filter(({ at }, index) => index < maxEntries || at === updated);
  const entries = newest.map((change) => entry(change, scope));
  const { markup } = xml`<feed xmlns="http://www.w3.org/2005/Atom">
<id>tag:${authority},2026:${path}</id>
<title>${title}</title>
<updated>${updated}</updated>
<author><name>${service}</name></author>
<link rel="self" type="${formats.feed.mediaType}" href="${baseUrl}/${path}"/>
<link rel="alternate" type="text/html" href="${baseUrl}/"/>
${entries}</feed>
`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${markup.replace(forbidden, '')}`;
}

/**
 * Renders a change as an entry. Its id contains the time of the change, so that no other entry has
 * it, and as its date the beginning of the log, when the authority was in use.
 */
function entry(change: ChangeRecord, scope: ScopeChanges): Markup {
  const { at, kind, id, genre, category } = change;
  return xml`<entry>
<id>tag:${scope.authority},${scope.since.slice(0, 'yyyy-mm-dd'.length)}:${id}@${at}</id>
<title>${nameOfChange(change, scope.lang).join(': ')}</title>
<updated>${at}</updated>
<link rel="alternate" href="${addressOfChange(change, scope)}"/>
<category term="${kind}"/>
<category term="${genre}"/>
<category term="${category}"/>
<content type="text">${describeChange(change)}</content>
</entry>
`;
}

// eslint-disable-next-line no-control-regex -- these are what XML forbids
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
