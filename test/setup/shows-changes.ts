/** The files of a site that depend on the sites before it, because they show what changed, and the manifest. */
const showsChanges =
  /^(api\/v1\/(changes|openapi)\.json|files\.json|sitemap\.xml|((changes|today|api\/v1)\/)?index\.html|.*(feed\.xml|\.csv))$/;

/** When an event changed, in JSON, in calendars and in the calendar that a page has for one date. */
const times =
  /"updated_at":(null|"[^"]*")|^(DTSTAMP|LAST-MODIFIED|SEQUENCE):.*$|(DTSTAMP|LAST-MODIFIED|SEQUENCE)%3A[\dTZ]*/gm;

/** What the page of a subject says about changes. */
const changes = /<section class="status log">.*?<\/section>/gs;

/** Returns what a file of a site contains apart from what depends on the sites before it. */
export function withoutHistory(path: string, content: Buffer): string {
  return showsChanges.test(path) ? '' : content.toString('latin1').replace(times, '').replace(changes, '');
}
