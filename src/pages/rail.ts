import { calendarPath } from '../api/formats.ts';
import type { PageContext } from './context.ts';
import { html, type Markup } from '../render/html.ts';
import { categoryPage, genrePage } from '../render/links.ts';

/** The position of the reader that the rail shows. */
interface RailOptions {
  readonly root: string;
  readonly category?: string;
  readonly genre?: string;
  /** The number of upcoming events by the id of a category or genre. Not known while genres are still rendered. */
  readonly counts?: ReadonlyMap<string, number>;
  readonly total?: number;
  /** Whether the page is not a list of events. */
  readonly isAside?: boolean;
}

/** A link to a category or genre. */
export interface CountedLink {
  readonly name: string;
  /** Relative to the root of the site. */
  readonly path: string;
  /** The number of events that it leads to. */
  readonly count: number;
}

/** Renders links to categories or genres. */
export function tagList({ locale }: PageContext, root: string, links: readonly CountedLink[]): Markup {
  return html`<ul class="tags">
    ${links.map(
      (link) =>
        html`<li>
          <a href="${root}${link.path}"
            ><bdi>${link.name}</bdi> <span class="count">${locale.number(link.count)}</span></a
          >
        </li>`,
    )}
  </ul>`;
}

/** Longer lists would slow down every visit. */
const maxListed = 200;
/** From this number on, the script offers to filter the categories. */
const many = 15;

/** Renders the list of categories, with the genres of the chosen one below it. */
export function rail(context: PageContext, { root, category, genre, counts, total, isAside }: RailOptions): Markup {
  const { categories, genres, locale, say, attribute, colour } = context;
  const countOf = (id: string): Markup | false =>
    counts !== undefined && html` <span class="count">${locale.number(counts.get(id) ?? 0)}</span>`;
  const link = (path: string, isCurrent: boolean, name: Markup): Markup =>
    html`<a href="${root + path || './'}" ${isCurrent && html` aria-current="page"`}>${name}</a>`;
  return html`<nav
    class="rail"
    ${attribute('aria-label', 'categories')}${categories.length >= many && html` data-many`}
  >
    <ul>
      <li class="all">
        ${link('', category === undefined && isAside !== true, html`${say('everything')}${total !== undefined && html` <span class="count">${locale.number(total)}</span>`}`)}
      </li>
      ${categories.slice(0, maxListed).map(
        ({ id, name }) =>
          html`<li class="${colour(id)}">
            ${
              context.has('category')
                ? link(categoryPage(id), id === category && genre === undefined, html`<bdi>${name}</bdi>${countOf(id)}`)
                : html`<a href="${root}${calendarPath({ category: id })}"><bdi>${name}</bdi>${countOf(id)}</a>`
            }${
              id === category &&
              html`<ul>
                ${(genres.get(id) ?? [])
                  .slice(0, maxListed)
                  .map(
                    (one) =>
                      html`<li>
                        ${link(genrePage(one.id), one.id === genre, html`<bdi>${one.name}</bdi>${countOf(one.id)}`)}
                      </li>`,
                  )}
              </ul>`
            }
          </li> `,
      )}
    </ul>
  </nav>`;
}
