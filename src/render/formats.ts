import { type FormatHolding, formatPath, formats, hasFormat } from '../api/formats.ts';
import { listLimit, nextEvents, nextUnderWay, scopeFolder } from '../api/paths.ts';
import { idsOf, kindOf, publishedFilters, scopesOf } from '../api/scopes.ts';
import type { Content, SiteFile } from '../api/site-file.ts';
import type { Service } from '../catalogue/model.ts';
import type { EventTexts, ScopeEvents } from './event-texts.ts';
import { renderIcs } from './ics.ts';
import { type GenreRecords, listTotals } from './records.ts';
import { describeScope, type RenderContext } from './scope.ts';
import { ScopeBuilder } from './summary.ts';

/** How each format is rendered from the first events of a scope. */
const renderers: Readonly<Record<FormatHolding<'first'>, (events: ScopeEvents) => Content>> = {
  json: (events) => renderList('upcoming', events, listLimit),
  next: (events) => {
    const now = joined(events.under_way.slice(0, nextUnderWay)).join('');
    return renderList('upcoming', events, nextEvents, `,"now":[${now}]`);
  },
  now: (events) => renderList('under_way', events, listLimit),
  announced: (events) => renderList('announced', events, listLimit),
  ics: renderIcs,
};

/** Renders the files of a scope that its first events make up. */
export function* renderEvents(events: ScopeEvents, service: Service): Generator<SiteFile> {
  const { filters } = events;
  const kind = kindOf(filters);
  for (const name of Object.keys(renderers) as (keyof typeof renderers)[]) {
    if (!hasFormat(name, kind, service)) continue;
    yield { path: formatPath(formats[name], filters), content: () => renderers[name](events) };
  }
}

/** Renders a list with the first of its records. `total` includes those beyond the limit. */
function renderList(
  state: 'upcoming' | 'under_way' | 'announced',
  scope: ScopeEvents,
  limit: number,
  more = '',
): Content {
  const { filters, totals } = scope;
  const name = state === 'announced' ? state : 'events';
  const head = `{"filters":${JSON.stringify(publishedFilters(filters))},"limit":${limit},"total":${totals[state]}`;
  return [`${head},"${name}":[`, ...joined(scope[state].slice(0, limit)), `]${more}}\n`];
}

function joined(records: readonly { readonly json: string }[]): string[] {
  return records.map(({ json }, index) => (index === 0 ? json : `,${json}`));
}

/**
 * Renders the files of one genre: its own, and those of its pair with each category, without events
 * in all but one.
 */
export function* renderGenre(
  content: GenreRecords,
  texts: EventTexts,
  context: RenderContext,
): Generator<SiteFile> {
  const { genre } = content;
  const folders = new Set(
    scopesOf(idsOf({ category: genre.category, genre: genre.id })).map(scopeFolder),
  );
  const events = { ...texts, totals: listTotals(content) };
  for (const filters of scopesOf({ category: [...context.categories.keys()], genre: [genre.id] })) {
    if (!filters.genre) continue;
    const shown = folders.has(scopeFolder(filters)) ? events : noEvents;
    yield* renderEvents({ ...shown, ...describeScope(filters, context) }, context.service);
  }
}

const noEvents = new ScopeBuilder({}).build();
