import { html, type Markup } from '../render/html.ts';
import { monthPage } from '../render/links.ts';
import { fullTitle, isNamedIn } from '../render/subject-name.ts';
import type { PageContext } from './context.ts';
import { dateAfter, datesIn, weekdayOf } from './dates.ts';

/** What happens, in the colour of its category, and the page that says more. */
export interface DayTitle {
  readonly colour: string;
  readonly name: string;
  readonly address: string;
  /** Whether it began on an earlier day. */
  readonly isRunning: boolean;
  /** Whether its date is void. */
  readonly isPostponed: boolean;
}

interface Grid {
  readonly month: string;
  readonly counts: ReadonlyMap<string, number>;
  readonly root: string;
  /** The first events of each day, for a grid that names them. */
  readonly titles?: ReadonlyMap<string, readonly DayTitle[]>;
}

/**
 * Returns what a narrow cell says of an event: its title first where its subject has several.
 *
 * @param subjects the names of the subjects of all events of the cell
 */
export function cellName(title: string, subject: string, subjects: readonly string[]): string {
  const isRepeated = subjects.filter((name) => name === subject).length > 1;
  return isRepeated && !isNamedIn(title, subject)
    ? `${title}, ${subject}`
    : fullTitle(title, subject);
}

/** The number of events of a day that the grid of its month names. */
export const maxTitles = 4;

/**
 * Renders the days of a month as a table. A day links to its events, or is shaded by their number.
 */
export function monthTable(context: Pick<PageContext, 'locale' | 'text'>, grid: Grid): Markup {
  const { locale } = context;
  const { month, titles } = grid;
  const most = Math.max(...grid.counts.values());
  const offset = (weekdayOf(`${month}-01`) - locale.firstDay + 7) % 7;
  const cells = [...Array<null>(offset).fill(null), ...datesIn(month)];
  const weeks = Array.from({ length: Math.ceil(cells.length / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_day, n) => cells[week * 7 + n] ?? null),
  );
  const weekdays = Array.from({ length: 7 }, (_, n) => dateAfter(someMonday, n + locale.firstDay));
  const short = titles === undefined ? locale.narrowWeekday : locale.shortWeekday;
  return html`<table class="month${titles !== undefined && ' large'}">
    <caption class="sr">
      ${locale.month(month)}
    </caption>
    <thead>
      <tr>
        ${weekdays.map((day) => html`<th scope="col" abbr="${locale.weekday(day)}">${short(day)}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${weeks.map(
        (week) =>
          html`<tr>
            ${week.map((date) => (date === null ? html`<td></td>` : dayCell(context, grid, most, date)))}
          </tr> `,
      )}
    </tbody>
  </table>`;
}

const someMonday = '2024-01-01';

function dayCell(
  { locale, text }: Pick<PageContext, 'locale' | 'text'>,
  grid: Grid,
  most: number,
  date: string,
): Markup {
  const { month, counts, root, titles } = grid;
  const count = counts.get(date) ?? 0;
  const number = +date.slice(8);
  const isShaded = titles === undefined && count > 0;
  const level = isShaded ? ` l${Math.ceil(4 * Math.sqrt(count / most))}` : '';
  const weekend = locale.weekend.includes(weekdayOf(date)) ? 'weekend' : '';
  const kind = `${weekend}${level}`.trim();
  // In a month itself, a day is on the same page.
  const address = `${titles === undefined ? root + monthPage(month) : ''}#d${date}`;
  const label = `${locale.monthDay(date)}: ${text('events', { n: count })}`;
  const shown = titles?.get(date) ?? [];
  const more = count - maxTitles;
  const counted = titles === undefined && count > 0 && html` data-count="${count}"`;
  return html`<td data-day="${date}" ${counted}${kind !== '' && html` class="${kind}"`}>
    ${count === 0 ? html`<span>${number}</span>` : html`<a href="${address}" aria-label="${label}">${number}</a>`}${
      shown.length > 0 &&
      html`<ul>
        ${shown.map(
          (title) =>
            html`<li class="${title.colour}${title.isRunning && ' runs'}">
              <a href="${title.address}" dir="auto"
                >${title.isPostponed ? html`<s>${title.name}</s>` : title.name}</a
              >
            </li>`,
        )}${more > 0 && html`<li class="rest"><a href="${address}">${text('moreTitles', { n: more })}</a></li>`}
      </ul>`
    }
  </td>`;
}
