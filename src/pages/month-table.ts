import type { EventRecord } from '../api/documents.ts';
import { html, type Markup } from '../render/html.ts';
import { monthPage } from '../render/links.ts';
import type { ListedEvent } from '../render/records.ts';
import { isNamedIn } from '../render/subject-name.ts';
import type { PageContext } from './context.ts';
import { dateAfter, datesIn, weekdayOf } from './dates.ts';
import { pageOfDay } from './list-pages.ts';
import { isoDay } from './rows.ts';

/** What the grid of a month shows of an event, or of several events of one subject on one day. */
export interface DayTitle {
  /** The class of its category. */
  readonly colour: string;
  /** The clock time of the only event. Empty if only its date is real. */
  readonly time: string;
  readonly label: string;
  readonly count: number;
}

/** What the events of a month are, in short. */
export interface Overview {
  /** The first titles of each day. */
  readonly titles: ReadonlyMap<string, readonly DayTitle[]>;
  /** The number of events of each category, by its id. */
  readonly ofCategories: ReadonlyMap<string, number>;
}

/** An event in the grid of a month. */
export interface GridEvent extends Omit<DayTitle, 'count'> {
  readonly day: string;
  /** What tells its subject from others. */
  readonly subject: string;
}

/** The maximum number of titles of a day. */
const maxTitles = 3;

/** Sums up a month by the days of UTC. */
export function overviewOf({ colour }: PageContext, events: readonly ListedEvent[]): Overview {
  const ofCategories = new Map<string, number>();
  for (const { record } of events) ofCategories.set(record.category, (ofCategories.get(record.category) ?? 0) + 1);
  return { titles: titlesByDay(events.map(({ record }) => gridEvent(record, colour(record.category)))), ofCategories };
}

function gridEvent(record: EventRecord, colour: string): GridEvent {
  const { title, subject, genre, time_known, starts_at } = record;
  return {
    day: isoDay(record),
    subject: `${genre}/${subject.id}`,
    colour,
    time: time_known ? starts_at.slice(11, 16) : '',
    label: isNamedIn(title, subject.name) ? title : subject.name,
  };
}

/** Returns the first titles of each day, of events in order. Events of one subject become one title. */
export function titlesByDay(events: readonly GridEvent[]): Map<string, DayTitle[]> {
  const days = new Map<string, Map<string, DayTitle>>();
  for (const { day, subject, ...title } of events) {
    const ofDay = days.get(day) ?? new Map<string, DayTitle>();
    days.set(day, ofDay);
    const known = ofDay.get(subject);
    if (known !== undefined) ofDay.set(subject, { ...known, time: '', count: known.count + 1 });
    else if (ofDay.size < maxTitles) ofDay.set(subject, { ...title, count: 1 });
  }
  return new Map(Array.from(days, ([day, ofDay]) => [day, [...ofDay.values()]]));
}

/** The days of a month. */
interface Grid {
  readonly month: string;
  /** The number of events of each day. */
  readonly counts: ReadonlyMap<string, number>;
  readonly root: string;
  /** The first day of each page of the month. */
  readonly firsts: readonly string[];
  /** The titles of each day, for a grid that shows them. */
  readonly titles?: Overview['titles'];
}

/** Renders the days of a month as a table, with the number of events of each. A day links to the page that lists it. */
export function monthTable(context: Pick<PageContext, 'locale' | 'text'>, grid: Grid): Markup {
  const { locale } = context;
  const { month, firsts, titles } = grid;
  const most = Math.max(...grid.counts.values());
  const dates = datesIn(month);
  const [first = `${month}-01`] = dates;
  const offset = (weekdayOf(first) - locale.firstDay + 7) % 7;
  const length = Math.ceil((offset + dates.length) / 7);
  const weeks = Array.from({ length }, (_, week) =>
    Array.from({ length: 7 }, (_day, n) => dates[week * 7 + n - offset] ?? null),
  );
  const weekdays = Array.from({ length: 7 }, (_, n) => dateAfter(someMonday, n + locale.firstDay));
  const short = (day: string): string => (titles === undefined ? locale.narrowWeekday(day) : locale.shortWeekday(day));
  return html`<table
    class="month${titles !== undefined && ' large'}"
    data-month="${month}"
    ${firsts.length > 1 && html` data-firsts="${firsts.join(' ')}"`}
  >
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
            ${week.map((date) => (date === null ? html`<td></td>` : dayCell(context, { ...grid, most }, date)))}
          </tr> `,
      )}
    </tbody>
  </table>`;
}

const someMonday = '2024-01-01';

function dayCell(
  { locale, text }: Pick<PageContext, 'locale' | 'text'>,
  grid: Grid & { readonly most: number },
  date: string,
): Markup {
  const { month, counts, root, firsts, titles } = grid;
  const count = counts.get(date) ?? 0;
  const number = +date.slice(8);
  const level = titles === undefined && count > 0 && ` l${Math.ceil(4 * Math.sqrt(count / grid.most))}`;
  const kind = `${locale.weekend.includes(weekdayOf(date)) ? 'weekend' : ''}${level || ''}`.trim();
  const label = `${locale.monthDay(date)}: ${text('events', { n: count })}`;
  const address = `${root}${monthPage(month, pageOfDay(date, firsts))}#d${date}`;
  const day =
    count === 0
      ? html`<span>${number}</span>`
      : html`<a href="${address}" aria-label="${label}" title="${label}">${number}</a>`;
  const ofDay = titles?.get(date) ?? [];
  const more = count - ofDay.reduce((sum, title) => sum + title.count, 0);
  return html`<td data-day="${date}" ${kind !== '' && html` class="${kind}"`}>
    ${day}${
      ofDay.length > 0 &&
      html`<ul aria-hidden="true">
        ${ofDay.map(titleOf)}${more > 0 && html`<li class="rest">${text('moreTitles', { n: more })}</li>`}
      </ul>`
    }
  </td>`;
}

function titleOf({ colour, time, label, count }: DayTitle): Markup {
  return html`<li class="${colour}">
    ${time !== '' && html`<time>${time}</time>`}<span dir="auto">${label}</span>${count > 1 && html` ×${count}`}
  </li>`;
}
