import { formatPath, formats, scopeOf, type Format, type FormatName } from '../api/formats.ts';
import type { Content, SiteFile } from '../api/site-file.ts';
import type { ScopeEvents } from './event-texts.ts';
import { renderIcs } from './formats/ics.ts';
import { renderJson } from './formats/json.ts';

const renderers: Readonly<Record<FormatName, (events: ScopeEvents) => Content>> = {
  json: renderJson,
  ics: renderIcs,
};

/** Renders the events of a scope in each format that exists for it. */
export function* renderScope(events: ScopeEvents): Generator<SiteFile> {
  const scope = scopeOf(events.filters);
  for (const name of Object.keys(formats) as FormatName[]) {
    const format: Format = formats[name];
    if (format.scopes.includes(scope))
      yield { path: formatPath(format, events.filters), content: renderers[name](events) };
  }
}
