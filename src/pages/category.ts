import type { AnnouncementRecord, CategoryRecord, GenreRecord } from '../api/documents.ts';
import { listLimit } from '../api/paths.ts';
import { html } from '../render/html.ts';
import { categoryPage, genrePage, rootFrom, underWayPage } from '../render/links.ts';
import type { ListedEvent } from '../render/records.ts';
import { describeNext } from './card.ts';
import type { PageContext } from './context.ts';
import { listLayout } from './list-layout.ts';
import { listOrNothing } from './rows.ts';
import { linksToScopes, maxUnderWay, nowSection, type CountedUnderWay } from './under-way.ts';

/** The events that the page of a category lists. */
interface CategoryEvents {
  readonly soonest: readonly ListedEvent[];
  readonly underWay: CountedUnderWay;
  readonly announced: readonly AnnouncementRecord[];
}

/** Renders the page of a category: its genres, its events under way and its soonest events, by month. */
export function categoryPageOf(
  context: PageContext,
  { id, name, upcoming }: CategoryRecord,
  genres: readonly GenreRecord[],
  { soonest, underWay, announced }: CategoryEvents,
  counts: ReadonlyMap<string, number>,
): string {
  const { text } = context;
  const listed = soonest.slice(0, listLimit);
  const path = categoryPage(id);
  const root = rootFrom(path);
  const style = { root, unit: 'month', hasGenre: true, hasDots: false } as const;
  const all = new Map([...counts, ...genres.map((genre) => [genre.id, genre.upcoming] as const)]);
  const rest = linksToScopes(context, underWay, root, genres, (genre, count) =>
    count > maxUnderWay ? underWayPage(genre) : genrePage(genre),
  );
  const genreNames = genres
    .slice(0, 8)
    .map((genre) => genre.name)
    .join(', ');
  return listLayout(context, {
    path,
    title: `${name}: ${text('upcomingOf', { n: upcoming })}`,
    description: `${describeNext(context, soonest)} ${genreNames}.`,
    name,
    filters: { category: id },
    total: upcoming,
    upcoming: soonest,
    crumbs: [[name, path]],
    follow: `c/${id}`,
    strip: { category: id, counts: all, hasDays: true },
    list: html`${nowSection(context, underWay, style, rest)} ${listOrNothing(context, listed, style, announced)}`,
    below: listedOf(context, listed.length, upcoming),
  });
}

/** Says how many events of a longer list a page shows. The script looks for it. */
export function listedOf({ text }: PageContext, shown: number, total: number): ReturnType<typeof html> | false {
  return total > shown && html`<p class="note" data-more>${text('listed', { n: shown, total })}</p>`;
}
