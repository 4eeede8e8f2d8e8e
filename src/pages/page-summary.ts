import type { Category, Service } from '../catalogue/model.ts';
import { compareTexts, Soonest, type Compare } from '../catalogue/soonest.ts';
import { memoize } from '../catalogue/time/memoize.ts';
import { isoDate, minute } from '../catalogue/time/time.ts';
import { byStart, type GenreRecords, type ListedEvent } from '../render/records.ts';
import { dateAfter, datesOn, isLasting, monthIn } from './dates.ts';
import { maxTitles } from './month-table.ts';
import {
  genreInSearch,
  recentDays,
  SearchBuilder,
  type GenreInSearch,
} from './search/index-file.ts';

/**
 * The maximum number of events that the page of a month lists. A busier month lists the genres of
 * each day.
 */
export const maxInMonth = 500;

/** The maximum number of clock times from which the year counts the days of its reader. */
export const maxClocks = 8000;

/** The maximum number of events that last for months. */
const maxLasting = 200;

/** An event on one of its days. */
export interface EventOnDay extends Pick<ListedEvent, 'record'> {
  /** Whether it began on an earlier day. */
  readonly isRunning: boolean;
}

/** What pages say of one day, by the dates where events happen. */
export interface DaySummary {
  /** The number of events that are on, by the id of their genre. */
  readonly genres: ReadonlyMap<string, number>;
  /** The first of them: what begins, and then what runs. */
  readonly first: readonly EventOnDay[];
  /** The number of those that have a date and no clock time, so that it is the same everywhere. */
  readonly dated: number;
}

/** When events with a clock time begin and last run, in minutes since the Unix epoch. */
interface Clocks {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/**
 * Aggregates for pages that span genres. They grow with genres and days, and only the search data
 * grows with events.
 */
export interface PageSummary {
  /**
   * The first events of each month, in order of their starts: what is on in it, and what a reader
   * far away may have in it.
   */
  readonly byMonth: ReadonlyMap<string, readonly ListedEvent[]>;
  readonly byDay: ReadonlyMap<string, DaySummary>;
  /** The number of events that are on, by day. */
  readonly perDay: ReadonlyMap<string, number>;
  /** Events that last more than a month. Their days do not have them, except for the first. */
  readonly lasting: readonly ListedEvent[];
  /** What was on since the day before the build and is over. */
  readonly recent: readonly ListedEvent[];
  readonly clocks: Clocks;
  /** The number of events under way of each genre that has some, by id. */
  readonly underWay: ReadonlyMap<string, number>;
  readonly search: readonly GenreInSearch[];
}

interface DayBuilder {
  readonly genres: Map<string, number>;
  readonly first: Soonest<EventOnDay>;
  dated: number;
}

const startsFirst: Compare<EventOnDay> = (a, b) =>
  Number(a.isRunning) - Number(b.isRunning) || byStart(a, b);

/** Returns the months that a date has for readers anywhere. */
const monthsAround = memoize((date: string) =>
  [dateAfter(date, -1), date, dateAfter(date)].map(monthIn),
);

/** Adds up genres, in any order. */
export class PageSummaryBuilder {
  readonly #service: Pick<Service, 'pages' | 'pastDays'>;
  /** The day of the build, in UTC. */
  readonly #today: string;
  /** The first day of the past that has a page. */
  readonly #firstDay: string;
  readonly #byMonth = new Map<string, Soonest<ListedEvent>>();
  readonly #byDay = new Map<string, DayBuilder>();
  readonly #lasting = new Soonest<ListedEvent>(maxLasting, byStart);
  readonly #recent = new Soonest<ListedEvent>(maxInMonth, byStart);
  readonly #clocks = { starts: [] as number[], ends: [] as number[] };
  readonly #underWay = new Map<string, number>();
  readonly #search = new SearchBuilder();

  constructor(service: Pick<Service, 'pages' | 'pastDays'>, now: number) {
    this.#service = service;
    this.#today = isoDate(now);
    this.#firstDay = dateAfter(this.#today, -service.pastDays);
  }

  add(category: Category, summary: GenreRecords): void {
    const { genre, upcoming, under_way, over } = summary;
    if (under_way.length > 0) this.#underWay.set(genre.id, under_way.length);
    if (this.#service.pages !== 'all') return;
    this.#search.add(genreInSearch(category, summary, dateAfter(this.#today, -recentDays)));
    this.#recent.addAll(recentOf(over, this.#today));
    for (const events of [upcoming, under_way, over])
      for (const event of events) this.#addEvent(genre.id, event);
  }

  /** Adds what was added up of other genres at the same date. */
  addAll({ byMonth, byDay, lasting, recent, clocks, underWay, search }: PageSummary): void {
    for (const [month, events] of byMonth) this.#monthAt(month).addAll(events);
    for (const [date, { genres, first, dated }] of byDay) {
      const day = this.#dayAt(date);
      for (const [genre, count] of genres) day.genres.set(genre, count);
      day.first.addAll(first);
      day.dated += dated;
    }
    this.#lasting.addAll(lasting);
    this.#recent.addAll(recent);
    for (const [index, start] of clocks.starts.entries())
      this.#addClock(start, clocks.ends[index] ?? start);
    for (const [genre, count] of underWay) this.#underWay.set(genre, count);
    for (const genre of search) this.#search.add(genre);
  }

  build(): PageSummary {
    const months = Array.from(
      this.#byMonth,
      ([month, soonest]) => [month, soonest.list()] as const,
    );
    const days = Array.from(
      this.#byDay,
      ([day, summary]) => [day, { ...summary, first: summary.first.list() }] as const,
    );
    const totalOf = ({ genres }: DaySummary) =>
      [...genres.values()].reduce((sum, count) => sum + count, 0);
    return {
      byMonth: new Map(months.sort(([a], [b]) => compareTexts(a, b))),
      byDay: new Map(days.sort(([a], [b]) => compareTexts(a, b))),
      perDay: new Map(days.map(([day, summary]) => [day, totalOf(summary)])),
      lasting: this.#lasting.list(),
      recent: this.#recent.list(),
      clocks: this.#clocks,
      underWay: this.#underWay,
      search: this.#search.genres,
    };
  }

  #addEvent(genre: string, event: ListedEvent): void {
    const { date, end_date, time_known: hasTime, starts_at, ends_at } = event.record;
    const last = end_date ?? date;
    if (isLasting(date, last)) this.#lasting.add(event);
    const days = datesOn(date, last).filter((on) => on >= this.#firstDay);
    for (const on of days) {
      const summary = this.#dayAt(on);
      const { genres, first } = summary;
      genres.set(genre, (genres.get(genre) ?? 0) + 1);
      first.add({
        record: event.record,
        isRunning: on > date,
      });
      if (!hasTime) summary.dated += 1;
    }
    const months = hasTime ? days.flatMap(monthsAround) : days.map(monthIn);
    for (const month of new Set(months)) this.#monthAt(month).add(event);
    if (!hasTime || days.length === 0) return;
    const start = Date.parse(starts_at);
    const hasEnd = ends_at !== null && !isLasting(date, last);
    const end = hasEnd ? Date.parse(ends_at) - 1 : start;
    this.#addClock(start / minute, end / minute);
  }

  #addClock(start: number, end: number): void {
    const { starts, ends } = this.#clocks;
    if (starts.length > maxClocks) return;
    starts.push(Math.floor(start));
    ends.push(Math.max(Math.floor(start), Math.floor(end)));
  }

  #dayAt(date: string): DayBuilder {
    const summary = this.#byDay.get(date) ?? {
      genres: new Map<string, number>(),
      first: new Soonest(maxTitles, startsFirst),
      dated: 0,
    };
    this.#byDay.set(date, summary);
    return summary;
  }

  #monthAt(month: string): Soonest<ListedEvent> {
    const soonest = this.#byMonth.get(month) ?? new Soonest(maxInMonth + 1, byStart);
    this.#byMonth.set(month, soonest);
    return soonest;
  }
}

/** Returns the events that were on since the day before the build, of those that are over. */
export function recentOf(over: readonly ListedEvent[], today: string): readonly ListedEvent[] {
  // It is still yesterday for readers far away.
  const first = dateAfter(today, -1);
  return over.filter(({ record }) => (record.end_date ?? record.date) >= first).toSorted(byStart);
}
