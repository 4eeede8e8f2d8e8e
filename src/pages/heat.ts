import type { EventRecord, GenreRecord } from '../api/documents.ts';
import { dateAfter, mondayOf } from './dates.ts';
import { html, type Markup } from '../render/html.ts';
import { monthPage } from '../render/links.ts';
import type { PageContext } from './context.ts';
import type { Locale } from './locale.ts';
import type { Range } from './search/dates.ts';

/** The number of weeks in a heat map. */
export const weeks = 53;

/**
 * When events start: the numbers of events known by their date, by date, and the numbers of events with a clock time,
 * by the quarter of an hour (in quarters since the Unix epoch). Clocks differ from UTC by whole quarters, so a script
 * can count the days of any reader from these.
 */
export interface Starts {
  readonly dates: ReadonlyMap<string, number>;
  readonly quarters: ReadonlyMap<number, number>;
}

const quarter = 15 * 60_000;

/** Counts the starts of events. */
export function countStarts(records: readonly Pick<EventRecord, 'time_known' | 'date' | 'starts_at'>[]): Starts {
  const [dates, quarters] = [new Map<string, number>(), new Map<number, number>()];
  for (const { time_known, date, starts_at } of records) {
    if (time_known) addTo(quarters, Math.floor(Date.parse(starts_at) / quarter), 1);
    else addTo(dates, date, 1);
  }
  return { dates, quarters };
}

/** Adds up the starts of genres. */
export function sumOfStarts(genres: Iterable<Starts>): Starts {
  const [dates, quarters] = [new Map<string, number>(), new Map<number, number>()];
  for (const starts of genres) {
    for (const [date, count] of starts.dates) addTo(dates, date, count);
    for (const [start, count] of starts.quarters) addTo(quarters, start, count);
  }
  return { dates, quarters };
}

function addTo<Key>(counts: Map<Key, number>, key: Key, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

/** The file with the starts of each genre, which the home page loads when its reader chooses a category. */
export const startsPath = 'assets/starts.json';

/** By the id of a category and of a genre: its name, the number of its upcoming events, and its packed starts. */
export type StartsFile = Readonly<Record<string, Readonly<Record<string, readonly [string, number, string]>>>>;

/** Returns the content of {@link startsPath}. */
export function startsText(genres: readonly GenreRecord[], starts: ReadonlyMap<string, Starts>): string {
  const file: Record<string, Record<string, readonly [string, number, string]>> = {};
  for (const { id, name, category, upcoming } of genres) {
    const own = starts.get(id);
    if (upcoming > 0 && own !== undefined) (file[category] ??= {})[id] = [name, upcoming, packStarts(own)];
  }
  return JSON.stringify(file);
}

/** Returns the starts up to a year and some weeks after the first one, as a text for an attribute. */
export function packStarts({ dates, quarters }: Starts): string {
  const days = new Map(Array.from(dates, ([date, count]) => [Date.parse(date) / (96 * quarter), count]));
  return `${pack(days, weeks * 7 + 14)};${pack(quarters, (weeks * 7 + 14) * 96)}`;
}

/** Ascending numbers as differences in base 36. A count other than 1 follows a colon. */
function pack(counts: ReadonlyMap<number, number>, reach: number): string {
  const keys = [...counts.keys()].sort((a, b) => a - b);
  const end = (keys[0] ?? 0) + reach;
  let previous = 0;
  const parts = keys
    .filter((key) => key <= end)
    .map((key) => {
      const count = counts.get(key) ?? 1;
      const text = (key - previous).toString(36) + (count === 1 ? '' : `:${count.toString(36)}`);
      previous = key;
      return text;
    });
  return parts.join(' ');
}

/** Reads the text of {@link packStarts}. */
export function unpackStarts(text: string): Starts {
  const [days = [], quarters = []] = text.split(';').map(unpack);
  const isoDate = (day: number): string => new Date(day * 96 * quarter).toISOString().slice(0, 10);
  return {
    dates: new Map(Array.from(days, ([day, count]) => [isoDate(day), count] as const)),
    quarters: new Map(quarters),
  };
}

function unpack(text: string): [number, number][] {
  let key = 0;
  return text
    .split(' ')
    .filter((part) => part !== '')
    .map((part) => {
      const [difference = '', count = '1'] = part.split(':');
      key += parseInt(difference, 36);
      return [key, parseInt(count, 36)];
    });
}

/** Counts the events of each day. `dayOf` gives the day of an instant: in UTC, or where the reader is. */
export function countDays({ dates, quarters }: Starts, dayOf: (instant: number) => string): Map<string, number> {
  const counts = new Map(dates);
  for (const [key, count] of quarters) {
    const day = dayOf(key * quarter);
    counts.set(day, (counts.get(day) ?? 0) + count);
  }
  return counts;
}

/**
 * Renders a heat map of 53 weeks from the week of `first` on: a grid with a row for each day of the week. Arrow keys
 * move within it, so it is one stop of the tab key.
 */
export function heatMap(
  { locale, text, attribute }: Pick<PageContext, 'locale' | 'text' | 'attribute'>,
  counts: ReadonlyMap<string, number>,
  first: string,
  chosen: Range | null = null,
): Markup {
  const start = mondayOf(first);
  const levels = levelsOf(counts);
  const isChosen = (date: string): boolean => chosen !== null && date >= chosen.from && date <= chosen.until;
  // A chosen range may begin outside of the map.
  const stop =
    chosen !== null && chosen.from > first && chosen.from < dateAfter(start, weeks * 7) ? chosen.from : first;
  const rows = Array.from({ length: 7 }, (_, weekday) => {
    const dates = Array.from({ length: weeks }, (_week, week) => dateAfter(start, week * 7 + weekday));
    return html`<div role="row">
      ${dates.map((date) => {
        const count = date < first ? 0 : (counts.get(date) ?? 0);
        const label = `${locale.longDate(date)}: ${text('events', { n: count })}`;
        return html`<button
          type="button"
          role="gridcell"
          tabindex="${date === stop ? 0 : -1}"
          class="l${levelOf(levels, count)}${date === first && ' today'}"
          data-day="${date}"
          aria-label="${label}"
          ${isChosen(date) && html` aria-selected="true"`}${date < first && html` disabled`}
        ></button>`;
      })}
    </div>`;
  });
  return html`<div class="heat" role="grid" ${attribute('aria-label', 'heatMap')}>${rows}</div>
    ${monthLabels(locale, start)}
    <p class="readout" aria-hidden="true"></p>`;
}

function monthLabels(locale: Locale, start: string): Markup {
  const months = Array.from({ length: weeks }, (_, week) => dateAfter(start, week * 7)).map((date) =>
    dateAfter(date, 6).slice(0, 7),
  );
  return html`<div class="months" aria-hidden="true">
    ${months.map(
      // A label is as wide as three weeks.
      (month, week) =>
        html`<span>${month !== months[week - 1] && month === months[week + 2] && locale.shortMonth(month)}</span>`,
    )}
  </div>`;
}

/** Links to the months that have events, for readers without a script. */
export function monthLinks({ locale, attribute }: PageContext, months: readonly string[], root: string): Markup {
  return html`<nav class="monthlinks" ${attribute('aria-label', 'months')}>
    <ul>
      ${months.map((month) => html`<li><a href="${root}${monthPage(month)}">${locale.month(month)}</a></li>`)}
    </ul>
  </nav>`;
}

/** The counts from which the second, third and fourth shade begin: quartiles of the days that have events. */
function levelsOf(counts: ReadonlyMap<string, number>): readonly number[] {
  const sorted = [...counts.values()].sort((a, b) => a - b);
  return [0.4, 0.7, 0.9].map((share) => Math.max(2, sorted[Math.floor(sorted.length * share)] ?? 2));
}

function levelOf(levels: readonly number[], count: number): number {
  if (count === 0) return 0;
  return 1 + levels.filter((level, n) => count >= level + n).length;
}
