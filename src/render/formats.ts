import { type FormatHolding, formatPath, formats, hasFormat } from '../api/formats.ts';
import { listLimit, nextEvents, nextUnderWay, scopeFolder } from '../api/paths.ts';
import { idsOf, kindOf, publishedFilters, scopesOf } from '../api/scopes.ts';
import type { Content, SiteFile } from '../api/site-file.ts';
import { renderIcs } from './ics.ts';
import { firstEvents, type GenreRecords, listTotals } from './records.ts';
import { describeScope, type RenderContext } from './scope.ts';
import { ScopeBuilder, type ScopeSummary } from './summary.ts';

type EventsRenderer = (events: ScopeSummary, site: RenderContext) => Content;

/** How each format is rendered from the first events of a scope. */
const renderers: Readonly<Record<FormatHolding<'first'>, EventsRenderer>> = {
  json: (events) => renderList('upcoming', events, listLimit),
  next: (events) => {
    const now = joined(events.under_way.slice(0, nextUnderWay)).join('');
    return renderList('upcoming', events, nextEvents, `,"now":[${now}]`);
  },
  now: (events) => renderList('under_way', events, listLimit),
  announced: (events) => renderList('announced', events, listLimit),
  ics: (events, site) => {
    const { title } = describeScope(events.filters, site);
    return renderIcs({ ...events, title }, site);
  },
};

/** The files of a scope that its first events make up. */
export function* renderEvents(events: ScopeSummary, site: RenderContext): Generator<SiteFile> {
  const { filters } = events;
  const kind = kindOf(filters);
  for (const name of Object.keys(renderers) as (keyof typeof renderers)[]) {
    if (!hasFormat(name, kind, site.service)) continue;
    const content = (): Content => renderers[name](events, site);
    yield { path: formatPath(formats[name], filters), content };
  }
}

/** Renders a list with the first of its records. `total` includes those beyond the limit. */
function renderList(
  state: 'upcoming' | 'under_way' | 'announced',
  scope: ScopeSummary,
  limit: number,
  more = '',
): Content {
  const { filters, totals } = scope;
  const name = state === 'announced' ? state : 'events';
  const head = [
    `{"filters":${JSON.stringify(publishedFilters(filters))}`,
    `"limit":${limit}`,
    `"total":${totals[state]}`,
    `"${name}":[`,
  ];
  const records = joined(scope[state].slice(0, limit));
  return [head.join(','), ...records, `]${more}}\n`];
}

function joined(records: readonly { readonly json: string }[]): string[] {
  return records.map(({ json }, index) => (index === 0 ? json : `,${json}`));
}

/**
 * The files of one genre: its own, and those of its pair with each category, without events in all
 * but one.
 */
export function* renderGenre(content: GenreRecords, site: RenderContext): Generator<SiteFile> {
  const { genre } = content;
  const ids = idsOf({ category: genre.category, genre: genre.id });
  const folders = new Set(scopesOf(ids).map(scopeFolder));
  const events = {
    ...firstEvents(content),
    totals: listTotals(content),
  };
  for (const filters of scopesOf({
    category: [...site.categories.keys()],
    genre: [genre.id],
  })) {
    if (!filters.genre) continue;
    const hasEvents = folders.has(scopeFolder(filters));
    const scope = { ...(hasEvents ? events : noEvents), filters };
    yield* renderEvents(scope, site);
  }
}

const noEvents = new ScopeBuilder({}).build();
