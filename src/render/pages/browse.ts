import type { CategoryRecord, EventRecord, GenreRecord } from '../../api/documents.ts';
import { calendarPath } from '../../api/formats.ts';
import { documentPath, root } from '../../api/paths.ts';
import type { Service, Totals } from '../../catalogue/model.ts';
import { eventList, type ShownEvent } from './event-list.ts';
import { grouped, plural } from './dates.ts';
import { html, type Markup } from './html.ts';
import { page } from './layout.ts';
import { subscription } from './subscription.ts';
import { monthStrip, type MonthCounts } from './month-strip.ts';

/** The content of the browse page. */
export interface Browsing {
  readonly service: Service;
  /** Without a final slash. */
  readonly baseUrl: string;
  readonly totals: Totals;
  readonly categories: readonly CategoryRecord[];
  readonly genres: readonly GenreRecord[];
  /** The soonest events of the catalogue. */
  readonly soonest: readonly EventRecord[];
  readonly months: MonthCounts;
}

/** The number of events in the page itself, which are visible before and without JavaScript. */
const onFirstPaint = 60;
/** Longer lists of categories and genres would slow down every visit. The script fetches what it needs. */
const maxListed = 200;

/** Renders `index.html`, the list of upcoming events. Times are in UTC until the script replaces them. */
export function browsePage(browsing: Browsing): string {
  const { service, baseUrl, totals, categories } = browsing;
  const description = `${plural(totals.upcoming, 'upcoming event')} in ${plural(categories.length, 'category')}, as a page, as calendars and as JSON. ${service.license}`;
  const body = html`${header(browsing)}
    <main id="main">
      <p id="stale" class="notice" hidden></p>
      ${filterForm(browsing)} ${results(browsing)}
    </main>
    ${directory(browsing)}`;
  return page({
    title: `${service.name}: what is coming up`,
    description,
    canonical: `${baseUrl}/`,
    root: '',
    script: 'browse.js',
    body,
  });
}

function header({ service, totals }: Browsing): Markup {
  return html`<header class="masthead">
    <p class="nav"><a href="${root}/">For programs: the API</a></p>
    <h1><bdi>${service.name}</bdi></h1>
    <p class="lead">
      ${plural(totals.upcoming, 'upcoming event')} of ${plural(totals.subjects, 'subject')}, soonest first.
    </p>
    <noscript
      ><p class="notice">
        Filters, search, countdowns and your own time zone need JavaScript.
        <a href="#lists">Every list is also below, by category</a>, as a calendar and as JSON.
      </p></noscript
    >
  </header>`;
}

function filterForm({ categories, months }: Browsing): Markup {
  return html`<form class="filters" role="search" aria-label="Events">
      <div class="field">
        <label for="search">Search</label
        ><input
          id="search"
          type="search"
          autocomplete="off"
          spellcheck="false"
          placeholder="A title, a team, a city"
          enterkeyhint="search"
        />
      </div>
      <div class="field">
        <label for="genre">Genre</label
        ><select id="genre">
          <option value="">All genres</option>
        </select>
      </div>
      <label class="check"><input id="countdowns" type="checkbox" checked /> Countdowns</label>
      <nav class="categories" aria-label="Categories">
        <ul>
          <li><a href="./" data-category="" aria-current="true">Everything</a></li>
          ${categories.slice(0, maxListed).map(
            ({ id, name, upcoming }) =>
              html`<li>
                <a href="?category=${id}" data-category="${id}"
                  ><bdi>${name}</bdi> <span class="count">${grouped(upcoming)}</span></a
                >
              </li>`,
          )}
        </ul>
      </nav>
    </form>
    <nav id="months" class="months" aria-label="Months">
      ${monthStrip(months, null, (month) => (month === null ? './' : `?month=${month}`))}
    </nav>`;
}

function results({ baseUrl, soonest, totals, genres }: Browsing): Markup {
  const names = new Map(genres.map(({ id, name }) => [id, name]));
  const shown = soonest.slice(0, onFirstPaint);
  const context = {
    genreName: (id: string) => names.get(id) ?? id,
    genreLink: () => null,
  };
  return html`<section class="results" aria-labelledby="heading">
    <h2 id="heading" tabindex="-1">Everything</h2>
    <p id="summary" class="summary" role="status">
      The first ${grouped(shown.length)} of ${plural(totals.upcoming, 'upcoming event')}. Clock times are in UTC.
    </p>
    <p id="subscribe" class="subscribe">${subscription(`${baseUrl}/`, calendarPath({}), 'everything')}</p>
    <div id="list">
      ${shown.length === 0 ? html`<p class="empty">Nothing is coming up.</p>` : eventList(shown.map(inUtc), context)}
    </div>
    <p class="more"><button id="more" type="button" hidden>Show more</button> <span id="progress"></span></p>
  </section>`;
}

/** Links to the list of each category and genre, as a calendar and as JSON. */
function directory({ service, categories, genres, totals }: Browsing): Markup {
  const withGenres = genres.length <= maxListed;
  return html`<footer class="directory">
    <h2 id="lists">Every list, as a calendar and as JSON</h2>
    <ul class="lists">
      <li>
        <span class="name">Everything <span class="count">${grouped(totals.upcoming)}</span></span>
        ${links({}, 'everything')}
      </li>
      ${categories.slice(0, maxListed).map(
        ({ id, name, upcoming }) =>
          html`<li>
            <span class="name"><bdi>${name}</bdi> <span class="count">${grouped(upcoming)}</span></span>
            ${links({ category: id }, name)}${
              withGenres &&
              html`<details>
                <summary>
                  Genres<span class="sr"> of <bdi>${name}</bdi></span>
                </summary>
                <ul>
                  ${genres
                    .filter(({ category }) => category === id)
                    .map(
                      (genre) =>
                        html`<li>
                          <span class="name"
                            ><bdi>${genre.name}</bdi> <span class="count">${grouped(genre.upcoming)}</span></span
                          >
                          ${links({ genre: genre.id }, genre.name)}
                        </li>`,
                    )}
                </ul>
              </details>`
            }
          </li>`,
      )}
    </ul>
    <p class="small"><bdi>${service.license}</bdi> <span id="synced"></span></p>
    <p class="small"><a href="${root}/">How to fetch it: the API reference</a></p>
  </footer>`;
}

function links(filters: { readonly category?: string; readonly genre?: string }, name: string): Markup {
  const of = html`<span class="sr"> of <bdi>${name}</bdi></span>`;
  return html`<span class="links"
    ><a href="${calendarPath(filters)}">Calendar${of}</a>
    <a href="${documentPath({ operation: 'events', ...filters })}">JSON${of}</a></span
  >`;
}

/** The time of an event in UTC, to its precision. An event known by its date alone has none. */
function inUtc(event: EventRecord): ShownEvent {
  if (!event.time_known) return { event, day: event.date, clock: null, there: null };
  const time = event.starts_at.slice(11, event.precision === 'second' ? 19 : 16);
  // A full hour in one zone is half past the hour in some others.
  const isHour = event.precision === 'hour' && time.endsWith(':00');
  const clock = { time: isHour ? `${time.slice(0, 2)} h` : time, zone: 'UTC' };
  return { event, day: event.starts_at.slice(0, 10), clock, there: null };
}
