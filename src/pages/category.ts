import type { CategoryRecord, GenreRecord } from '../api/documents.ts';
import { categoryPage, genrePage, rootFrom } from '../render/links.ts';
import type { ScopeSummary } from '../render/summary.ts';
import type { PageContext } from './context.ts';
import { soonestLayout } from './list-layout.ts';
import { linksToScopes } from './under-way.ts';

/**
 * Renders the page of a category.
 *
 * @param underWay the number of events under way of each genre that has some, by id
 * @param counts the number of upcoming events of each category, by id
 */
export function categoryPageOf(
  context: PageContext,
  { id, name, upcoming }: CategoryRecord,
  genres: readonly GenreRecord[],
  scope: ScopeSummary,
  underWay: ReadonlyMap<string, number>,
  counts: ReadonlyMap<string, number>,
): string {
  const path = categoryPage(id);
  const names = genres.slice(0, 8).map((genre) => genre.name);
  const all = new Map([...counts, ...genres.map((genre) => [genre.id, genre.upcoming] as const)]);
  return soonestLayout(context, scope, {
    path,
    name,
    total: upcoming,
    crumbs: [[name, path]],
    follow: `c/${id}`,
    strip: { category: id, counts: all, hasDays: true },
    about: ` ${names.join(', ')}.`,
    hasDots: false,
    rest: linksToScopes(context, scope.totals.under_way, underWay, rootFrom(path), genres, genrePage),
  });
}
