import { listLimit } from '../api/paths.ts';
import type { AnnouncementRecord, CategoryRecord, GenreRecord } from '../api/documents.ts';
import { describeNext } from './answer.ts';
import type { PageContext } from './context.ts';
import { html } from '../render/html.ts';
import { page } from './layout.ts';
import { categoryPage, genrePage, rootFrom, underWayPage } from '../render/links.ts';
import { rail, tagList } from './rail.ts';
import type { ListedEvent } from '../render/records.ts';
import { listOrNothing } from './rows.ts';
import { breadcrumbData, eventData } from './structured-data.ts';
import { calendarOf, followButton, subscribe } from './subscribe.ts';
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
  const { locale, say, text, colour } = context;
  const listed = soonest.slice(0, listLimit);
  const path = categoryPage(id);
  const root = rootFrom(path);
  const style = { root, unit: 'month', hasGenre: true } as const;
  const all = new Map([...counts, ...genres.map((genre) => [genre.id, genre.upcoming] as const)]);
  const tags = genres.map((genre) => ({ name: genre.name, path: genrePage(genre.id), count: genre.upcoming }));
  const rest = linksToScopes(context, underWay, root, genres, (genre, count) =>
    count > maxUnderWay ? underWayPage(genre) : genrePage(genre),
  );
  const body = html`<div class="columns">
    ${rail(context, { root, category: id, counts: all })}
    <main id="main">
      <div class="title ${colour(id)}">
        <h1><bdi>${name}</bdi> <span class="count">${locale.number(upcoming)}</span></h1>
        ${followButton(context, `c/${id}`, name)}
      </div>
      ${tagList(context, root, tags)}
      <div id="list" class="list" tabindex="-1" data-unit="month">
        ${[nowSection(context, underWay, style, rest), listOrNothing(context, listed, style, announced)]}
      </div>
      <p class="note">
        ${upcoming > listed.length && say('listed', { n: listed.length, total: upcoming })}
        <span id="zone">${say('utc')}</span>
      </p>
    </main>
    <aside class="side">${subscribe(context, calendarOf({ category: id }, root, soonest, upcoming))}</aside>
  </div>`;
  const genreNames = genres
    .slice(0, 8)
    .map((genre) => genre.name)
    .join(', ');
  return page(context, {
    title: `${name}: ${text('upcomingOf', { n: upcoming })}`,
    description: `${describeNext(context, soonest)} ${genreNames}.`,
    path,
    filters: { category: id },
    data: [breadcrumbData(context, [[name, path]]), ...soonest.slice(0, 20).map((event) => eventData(context, event))],
    body,
  });
}
