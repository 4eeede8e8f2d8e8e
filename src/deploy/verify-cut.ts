import type { EventRecord } from '../api/documents.ts';
import { day, hour, minute, second } from '../catalogue/time/time.ts';
import { calendarEntries, type CalendarEntry } from './calendar-entries.ts';
import { calendarEvent, categoriesLine } from '../render/event-texts.ts';
import type { Overview } from './site.ts';
import type { Report } from './verify-report.ts';

/** A list that is not as it was published: what is left of it, if its host may be believed. */
export interface CutList {
  readonly total: number;
  readonly events: readonly EventRecord[];
}

/** What such a list was before. */
export interface Published {
  readonly total: number;
  /** The calendar beside it, which hosts leave as it is. */
  readonly calendar: string;
  readonly overview: Overview;
}

/**
 * Holds a list to the calendar beside it: what it lists stands there alike (id, title, subject, start and url), and what
 * it lacks is over at `now`, in milliseconds since 1970. Its total must have fallen by as many.
 */
export function checkCut(report: Report, path: string, list: CutList, published: Published, now: number): void {
  const textOf = textsIn(published.overview);
  const upcoming = calendarEntries(published.calendar).filter(({ isCancelled }) => !isCancelled);
  const gone = new Map(upcoming.map((entry) => [entry.id, entry]));
  for (const event of list.events) {
    report.agree(path, `what it says of ${event.id}`, textOf(event), gone.get(event.id)?.text);
    gone.delete(event.id);
  }
  const isOver = [...gone.values()].every((entry) => earliestEnd(entry) <= now + skew);
  if (gone.size > 0 && isOver && list.total === published.total - gone.size) return;
  const { length } = list.events;
  report.add(path, { code: 'site-list-changed', total: list.total, length, published: published.total });
}

/** The clock of a host may be ahead by so much. */
const skew = minute;

/** The earliest instant at which an event may be over. A date alone is over first where clocks are 14 hours ahead. */
function earliestEnd({ unfolded }: CalendarEntry): number {
  const written = /^DTSTART(?:;VALUE=DATE)?:(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z)?\r?$/m.exec(unfolded) ?? [];
  const [year = NaN, month = NaN, date = NaN, hours = NaN, minutes = NaN, seconds = NaN] = written.slice(1).map(Number);
  const midnight = Date.UTC(year, month - 1, date);
  const isDate = written[4] === undefined;
  return midnight + (isDate ? day - 14 * hour : hours * hour + minutes * minute + seconds * second);
}

/** Writes a record as the calendars have it. */
function textsIn({ genres, categories }: Overview): (event: EventRecord) => string {
  const [ofGenre, ofCategory] = [genres, categories].map(
    (named) => new Map(named.map(({ id, name }) => [id, name] as const)),
  );
  return (event) => {
    const lines = categoriesLine(ofGenre?.get(event.genre) ?? '', ofCategory?.get(event.category) ?? '');
    return calendarEvent({ ...event, startsAt: Date.parse(event.starts_at) }, lines, false);
  };
}
