import { formatPath, formats, scopeOf, type Format, type FormatName } from '../api/formats.ts';
import type { JoinedFormat } from '../api/joined.ts';
import type { Content, SiteFile } from '../api/site-file.ts';
import type { ScopeEvents } from './event-texts.ts';
import { renderIcs } from './ics.ts';
import { renderAnnounced } from './announced.ts';
import { renderJson, renderNext } from './json.ts';
import { renderNow } from './now.ts';

/**
 * The formats that hold the soonest events of a scope. `joined-files.ts` and `site.ts` render the others.
 */
const renderers: Readonly<Record<Exclude<FormatName, JoinedFormat | 'feed'>, (events: ScopeEvents) => Content>> = {
  json: renderJson,
  next: renderNext,
  now: renderNow,
  announced: renderAnnounced,
  ics: renderIcs,
};

/** Renders the events of a scope in each format that exists for it. */
export function* renderScope(events: ScopeEvents): Generator<SiteFile> {
  const scope = scopeOf(events.filters);
  for (const [name, render] of Object.entries(renderers)) {
    const format: Format = formats[name as keyof typeof renderers];
    if (format.scopes.includes(scope)) yield { path: formatPath(format, events.filters), content: render(events) };
  }
}
