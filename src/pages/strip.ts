import { calendarPath } from '../api/formats.ts';
import { html, type Markup } from '../render/html.ts';
import { categoryPage, genrePage, monthsPage } from '../render/links.ts';
import type { PageContext } from './context.ts';
import type { Word } from './words/tables.ts';

/** Which categories and days a page offers. */
export interface StripOptions {
  readonly root: string;
  /** The category and the genre of the page. */
  readonly category?: string;
  readonly genre?: string;
  /**
   * The number of upcoming events by the id of a category or genre. Not known while genres are
   * still rendered.
   */
  readonly counts?: ReadonlyMap<string, number>;
  readonly total?: number;
  /** Whether the page has the events of several categories, but not all. It offers no days. */
  readonly isAside?: boolean;
}

/** A link to a page of events. */
export interface TagLink {
  readonly name: string;
  /** Relative to the root of the site. */
  readonly path: string;
  /** The number of events that it leads to. */
  readonly count?: number | undefined;
}

export function tagList({ locale }: PageContext, root: string, links: readonly TagLink[]): Markup {
  return html`<ul class="tags">
    ${links.map(
      ({ name, path, count }) =>
        html`<li>
          <a href="${root}${path}"
            ><bdi>${name}</bdi
            >${count !== undefined && html` <span class="count">${locale.number(count)}</span>`}</a
          >
        </li>`,
    )}
  </ul>`;
}

/**
 * Renders the only controls of a list: its days, and the categories with the genres of the current
 * one.
 */
export function strip(context: PageContext, options: StripOptions): Markup {
  const { category, genre } = options;
  if (options.isAside === true) return html``;
  const scope = genre === undefined ? (category ?? '') : `${category}/${genre}`;
  return html`<div class="strip">
    ${context.hasAllPages && days(context, options.root, scope)}${hasRail(context) && rail(context, options)}
  </div>`;
}

/** Whether there is anything to choose between. */
export function hasRail({ categories, genres }: PageContext): boolean {
  return categories.length > 1 || [...genres.values()].flat().length > 1;
}

/** What the days that a list offers are called, by their values in an address. */
export const dayWords = {
  today: 'today',
  tomorrow: 'tomorrow',
  weekend: 'weekend',
  week: 'thisWeek',
} as const;

/**
 * Renders the choices of days. Only the script knows which dates these are: it makes them lead to
 * the choice and counts their events. Without it they lead to the month.
 */
function days({ text }: PageContext, root: string, scope: string): Markup {
  const chip = (when: string, word: Word) =>
    html`<a href="${root}${monthsPage}" data-when="${when}"
      >${text(word)} <span class="count"></span
    ></a>`;
  return html`<nav class="chips" aria-label="${text('dates')}" data-scope="${scope}">
    <a href="#list" data-when="" aria-current="true">${text('upcoming')}</a
    >${Object.entries(dayWords).map(([when, word]) => chip(when, word))}
    <label class="script">${text('pickDate')} <input id="day" type="date" /></label>
  </nav>`;
}

function rail(
  context: PageContext,
  { root, category, genre, counts, total }: StripOptions,
): Markup {
  const { categories, genres, locale, text, colour } = context;
  const countOf = (id: string): Markup | false =>
    counts !== undefined && html` <span class="count">${locale.number(counts.get(id) ?? 0)}</span>`;
  const link = (path: string, isCurrent: boolean, name: Markup) =>
    html`<a href="${root + path || './'}" ${isCurrent && html` aria-current="page"`}>${name}</a>`;
  const whole = html`${text('everything')}${total !== undefined && html` <span class="count">${locale.number(total)}</span>`}`;
  const ofCategory = (id: string, name: string) => {
    const named = html`<bdi>${name}</bdi>${countOf(id)}`;
    if (!context.hasGenrePages)
      return html`<a href="${root}${calendarPath({ category: id })}">${named}</a>`;
    return link(categoryPage(id), id === category && genre === undefined, named);
  };
  const genresOf = (id: string) =>
    html`<ul>
      ${(genres.get(id) ?? []).map(
        ({ id: genreId, name }) =>
          html`<li>
            ${link(genrePage(genreId), genreId === genre, html`<bdi>${name}</bdi>${countOf(genreId)}`)}
          </li>`,
      )}
    </ul>`;
  const isOnly = categories.length === 1;
  return html`<nav class="rail" aria-label="${text('categories')}">
    <ul>
      <li class="all">${link('', category === undefined, whole)}</li>
      ${categories.map(
        ({ id, name }) =>
          html`<li class="${colour(id)}">
            ${!isOnly && ofCategory(id, name)}${(isOnly || id === category) && genresOf(id)}
          </li> `,
      )}
    </ul>
  </nav>`;
}
