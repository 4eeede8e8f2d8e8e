import { day, minute } from '../../catalogue/time/time.ts';
import type { TextFinding } from '../finding.ts';
import { inBounds, type Bounds } from './bounds.ts';
import type { CalendarEvent, Moment } from './event.ts';
import { readLine } from './read-line.ts';
import { followRule, type Rule } from './recurrence.ts';
import { readWall } from './wall.ts';

/** One time that something in a calendar happens. */
export interface Occurrence {
  readonly event: CalendarEvent;
  readonly start: Moment;
  /** What tells it from the others of a repeating event: its date, with the time where that is not the event's own; else null. */
  readonly suffix: string | null;
}

/** A repeating event and what replaces some of its occurrences; or an event that happens once. */
export interface Series {
  readonly master: CalendarEvent | null;
  readonly replacements: readonly CalendarEvent[];
}

/** What is expanded: wall times from `from` to `to`, in milliseconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Every occurrence of a series. An event that does not repeat has one, whenever it is; a series those in the span. */
export function occurrencesOf(series: Series, span: Span, bounds: Bounds, findings: TextFinding[]): Occurrence[] {
  const { master, replacements } = series;
  const isSingle = master !== null && master.rules.length === 0 && master.added.length === 0;
  if (isSingle && replacements.length === 0) return [{ event: master, start: master.start, suffix: null }];
  const moments = master === null ? [] : isSingle ? [master.start] : expand(master, span, bounds, findings);
  const originals = originalsOf(series, moments);
  const plainOn = master === null ? earliestOn(originals) : (date: Moment) => onDate(date, master.start);
  const only = isSingle ? keyOf(master.start) : null;
  return originals.map(({ event, start, original, local }) => {
    const suffix = keyOf(original) === only ? null : suffixOf(original, local, plainOn(dateOf(local)));
    return { event, start, suffix };
  });
}

/** An occurrence with the moment it was first meant for, as it is written and by the clock of its series. */
interface Original extends Omit<Occurrence, 'suffix'> {
  readonly original: Moment;
  readonly local: Moment;
}

/** The moments of a series, each with what happens then. */
function originalsOf({ master, replacements }: Series, moments: readonly Moment[]): Original[] {
  const replacing = new Map<string, CalendarEvent>();
  for (const event of replacements) {
    const key = keyOf(replacedBy(event, master));
    if (event.sequence >= (replacing.get(key)?.sequence ?? 0)) replacing.set(key, event);
  }
  const originals: Original[] = [];
  const add = (event: CalendarEvent, start: Moment, original: Moment): void => {
    originals.push({ event, start, original, local: inZoneOf(master?.start ?? start, original) });
  };
  for (const moment of moments) {
    const whole = dateOf(inZoneOf(master?.start ?? moment, moment));
    const key = [moment, whole].map(keyOf).find((candidate) => replacing.has(candidate)) ?? '';
    const event = replacing.get(key);
    replacing.delete(key);
    if (event === undefined) add(master as CalendarEvent, moment, moment);
    else add(event, event.start, replacedBy(event, master));
  }
  // What replaces an occurrence that the rule does not give, or that is not in the span, stands on its own.
  for (const event of replacing.values()) add(event, event.start, replacedBy(event, master));
  return originals;
}

/** The times of a repeating event in the span, the excluded ones taken away, in order. */
function expand(event: CalendarEvent, span: Span, bounds: Bounds, findings: TextFinding[]): Moment[] {
  const { start, rules, added, excluded } = event;
  const found = new Map<string, Moment>();
  const add = (moment: Moment): void => {
    if (moment.wall < span.from || moment.wall > span.to || found.has(keyOf(moment))) return;
    bounds.occurrence();
    found.set(keyOf(moment), moment);
  };
  const gone = new Set(excluded.map(keyOf));
  for (const { rule, line } of rules) {
    if (bounds.isSpent()) break;
    readLine(line, findings, () => {
      const isExcluding = line.name === 'EXRULE';
      for (const wall of wallsOf(rule, start, span, bounds)) {
        const moment = { ...start, wall };
        if (isExcluding) gone.add(keyOf(moment));
        else add(moment);
      }
    });
  }
  inBounds(event.offset, findings, () => [start, ...added].forEach(add));
  return [...found.values()]
    .filter((moment) => !gone.has(keyOf(moment)) && !gone.has(keyOf(dateOf(moment))))
    .sort((a, b) => a.wall - b.wall);
}

/** When a rule lets something be up to the end of the span. The start, its own or not, is the first of its COUNT. */
function* wallsOf(rule: Rule, start: Moment, span: Span, bounds: Bounds): Generator<number> {
  const last = lastOf(rule, start);
  let left = rule.count ?? Infinity;
  for (const wall of followRule(rule, start.wall, Math.min(span.to, last.wall), bounds)) {
    if (wall !== start.wall && --left <= 0) return;
    if (last.allows(wall)) yield wall;
  }
}

/** How far a rule's UNTIL lets it go: no wall time beyond `wall`, and of the others those that it allows. */
interface Last {
  readonly wall: number;
  readonly allows: (wall: number) => boolean;
}

/** UNTIL is in UTC where the start has a zone; by the clock alone one could not tell it where clocks are changed. */
function lastOf(rule: Rule, { clock }: Moment): Last {
  const always = (): boolean => true;
  const read = rule.until === null ? null : readWall(rule.until);
  if (read === null) return { wall: Infinity, allows: always };
  if (read.isDate) return { wall: read.wall + day - 1, allows: always };
  if (!read.isUtc || clock === null) return { wall: read.wall, allows: always };
  return { wall: clock.wallAt(read.wall) + day, allows: (wall) => clock.instantAt(wall) <= read.wall };
}

/** Equal for the same moment, in whatever zone it is written. */
function keyOf({ wall, isDate, clock }: Moment): string {
  if (isDate) return `date ${wall}`;
  return clock === null ? `floating ${wall}` : `instant ${clock.instantAt(wall)}`;
}

/** Its date alone: some calendars exclude and replace whole days. */
function dateOf(moment: Moment): Moment {
  return { wall: Math.floor(moment.wall / day) * day, isDate: true, clock: null };
}

/** The moment that a replacement stands for: in a series of dates its date. */
function replacedBy({ replaces, start }: CalendarEvent, master: CalendarEvent | null): Moment {
  const replaced = replaces ?? start;
  return master?.start.isDate === true ? dateOf(replaced) : replaced;
}

/** The same moment by the clock of another; one without a clock or a time stays what it is. */
function inZoneOf({ clock }: Moment, moment: Moment): Moment {
  if (moment.clock === null || clock === null) return moment;
  return { ...moment, wall: clock.wallAt(moment.clock.instantAt(moment.wall)), clock };
}

/**
 * What tells an occurrence from the others of its series: its date; its time as well, save for the moment that is
 * plain on that date. So it rests on the series alone, and on none of the occurrences that are left of it.
 */
function suffixOf(original: Moment, { wall, isDate }: Moment, plain: Moment): string {
  const [date = '', time = ''] = new Date(wall).toISOString().split('T');
  if (isDate || keyOf(original) === keyOf(plain)) return date;
  return `${date}t${time.slice(0, wall % minute === 0 ? 5 : 8).replaceAll(':', '')}`;
}

/** A date at the time of day when a series starts. */
function onDate(date: Moment, start: Moment): Moment {
  return { ...start, wall: date.wall + (start.wall - dateOf(start).wall) };
}

/** Where a calendar has only replacements of a series, the earliest on a date is plain. */
function earliestOn(occurrences: readonly Original[]): (date: Moment) => Moment {
  const earliest = new Map<number, Moment>();
  for (const { local, original } of occurrences.toSorted((a, b) => b.local.wall - a.local.wall)) {
    earliest.set(dateOf(local).wall, original);
  }
  return (date) => earliest.get(date.wall) ?? date;
}
