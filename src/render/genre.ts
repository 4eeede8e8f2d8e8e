import { scopeFolder } from '../api/paths.ts';
import { idsOf, scopesOf } from '../api/scopes.ts';
import type { SiteFile } from '../api/site-file.ts';
import type { EventTexts } from './event-texts.ts';
import { renderEvents } from './formats.ts';
import { listTotals, type GenreRecords } from './records.ts';
import { describeScope, type RenderContext } from './scope.ts';

/** Renders the files of one genre: its own, and those of its pair with each category, without events in all but one. */
export function* renderGenre(content: GenreRecords, texts: EventTexts, context: RenderContext): Generator<SiteFile> {
  const { genre } = content;
  const own = new Set(scopesOf(idsOf({ category: genre.category, genre: genre.id })).map(scopeFolder));
  const events = { ...texts, totals: listTotals(content) };
  for (const filters of scopesOf({ category: [...context.categories.keys()], genre: [genre.id] })) {
    if (!filters.genre) continue;
    const shown = own.has(scopeFolder(filters)) ? events : noEvents;
    yield* renderEvents({ ...shown, ...describeScope(filters, context) }, context.service);
  }
}

const noEvents = {
  upcoming: [],
  under_way: [],
  cancelled: [],
  announced: [],
  over: [],
  totals: { upcoming: 0, under_way: 0, cancelled: 0, announced: 0, subjects: 0 },
};
