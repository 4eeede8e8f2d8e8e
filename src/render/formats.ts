import { formatPath, formats, hasFormat, type Format, type FormatName } from '../api/formats.ts';
import { nextEvents } from '../api/paths.ts';
import { kindOf } from '../api/scopes.ts';
import type { Content, SiteFile } from '../api/site-file.ts';
import { csv } from './csv.ts';
import type { ScopeEvents } from './event-texts.ts';
import { renderFeed, type ScopeChanges } from './feed.ts';
import { renderIcs } from './ics.ts';
import type { JoinedRenderer } from './joined.ts';
import { firstOf } from './json.ts';
import { ndjson, renderPast } from './ndjson.ts';
import { subjects } from './subjects.ts';

/** How a format is rendered: from the first events of a scope, from its change log, or from all events of each genre. */
type Renderer =
  | { readonly from: 'events'; readonly render: (events: ScopeEvents) => Content }
  | { readonly from: 'changes'; readonly render: (changes: ScopeChanges) => Content }
  | JoinedRenderer;

const renderers: Readonly<Record<FormatName, Renderer>> = {
  json: { from: 'events', render: firstOf('upcoming') },
  next: { from: 'events', render: firstOf('upcoming', nextEvents) },
  now: { from: 'events', render: firstOf('underWay') },
  announced: { from: 'events', render: firstOf('announced') },
  cancelled: { from: 'events', render: firstOf('cancelled') },
  ics: { from: 'events', render: renderIcs },
  ndjson,
  past: { from: 'events', render: renderPast },
  csv,
  subjects,
  feed: { from: 'changes', render: renderFeed },
};

type From<Source extends Renderer['from']> = Extract<Renderer, { readonly from: Source }>;

const eventFormats = formatsFrom('events');
export const changeFormats = formatsFrom('changes');
export const joinedFormats = formatsFrom('genres');

/** Returns the formats that are rendered from a source, with their rows in the table of formats. */
function formatsFrom<Source extends Renderer['from']>(from: Source): (Format & From<Source>)[] {
  const rows = (Object.keys(renderers) as FormatName[]).map((name) => ({ ...formats[name], ...renderers[name] }));
  return rows.filter((row): row is typeof row & From<Source> => row.from === from);
}

/** Renders the files of a scope that its first events make up. */
export function* renderEvents(events: ScopeEvents, isBulk: boolean): Generator<SiteFile> {
  const { filters } = events;
  const kind = kindOf(filters);
  for (const format of eventFormats) {
    if (hasFormat(format, kind, isBulk)) yield { path: formatPath(format, filters), content: format.render(events) };
  }
}
