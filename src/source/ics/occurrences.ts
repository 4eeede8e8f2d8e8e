import { day, minute } from '../../calendar/time.ts';
import type { Finding } from '../finding.ts';
import { BoundsError, type Bounds } from './bounds.ts';
import type { CalendarEvent, Moment } from './calendar-event.ts';
import { followRule, untilOf, type Rule } from './ical.ts';
import { readWall } from './wall.ts';

/** One time that something in a calendar happens. */
export interface Occurrence {
  readonly event: CalendarEvent;
  readonly start: Moment;
  /** What tells it from the others of a repeating event: its date, with the time where a date has several; else null. */
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
export function occurrencesOf(series: Series, span: Span, bounds: Bounds, findings: Finding[]): Occurrence[] {
  const { master, replacements } = series;
  const isSingle = master !== null && master.rules.length === 0 && master.added.length === 0;
  if (isSingle && replacements.length === 0) return [{ event: master, start: master.start, suffix: null }];
  const moments = master === null ? [] : isSingle ? [master.start] : expand(master, span, bounds, findings);
  const replacing = new Map(replacements.map((event) => [keyOf(event.replaces ?? event.start), event]));
  const occurrences: Omit<Occurrence, 'suffix'>[] = [];
  const originals: Moment[] = [];
  for (const original of moments) {
    const event = replacing.get(keyOf(original)) ?? replacing.get(keyOf(dateOf(original)));
    if (event !== undefined) replacing.delete(keyOf(event.replaces ?? event.start));
    occurrences.push({ event: event ?? (master as CalendarEvent), start: event?.start ?? original });
    originals.push(original);
  }
  // What replaces an occurrence that the rule does not give, or that is not in the span, stands on its own.
  for (const event of replacing.values()) {
    occurrences.push({ event, start: event.start });
    originals.push(event.replaces ?? event.start);
  }
  const suffixes = suffixesFor(originals);
  return occurrences.map((occurrence, index) => ({ ...occurrence, suffix: suffixes[index] ?? null }));
}

/** The times of a repeating event in the span, the excluded ones taken away, in order. */
function expand(event: CalendarEvent, span: Span, bounds: Bounds, findings: Finding[]): Moment[] {
  const { start, rules, added, excluded } = event;
  const found = new Map<string, Moment>();
  const add = (moment: Moment): void => {
    if (moment.wall < span.from || moment.wall > span.to || found.has(keyOf(moment))) return;
    bounds.occurrence();
    found.set(keyOf(moment), moment);
  };
  const gone = new Set(excluded.map(keyOf));
  const tried = (text: string, offset: number, expandIt: () => void): void => {
    try {
      expandIt();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const bad = { code: 'bad-recurrence', found: text, reason: error.message } as const;
      findings.push({ problem: error instanceof BoundsError ? error.problem : bad, path: [], offset });
    }
  };
  for (const { rule, text, offset } of rules) {
    tried(text, offset, () => {
      const until = Math.min(span.to, untilIn(rule, start));
      for (const wall of followRule(rule, start.wall, until, bounds)) add({ ...start, wall });
    });
  }
  tried('RDATE', event.offset, () => [start, ...added].forEach(add));
  return [...found.values()]
    .filter((moment) => !gone.has(keyOf(moment)) && !gone.has(keyOf(dateOf(moment))))
    .sort((a, b) => a.wall - b.wall);
}

/** The last wall time that a rule allows; UNTIL is in UTC where the start has a zone. */
function untilIn(rule: Rule, start: Moment): number {
  const until = untilOf(rule);
  const read = until === null ? null : readWall(until);
  if (read === null) return Infinity;
  if (read.isDate) return read.wall + day - 1;
  return read.isUtc && start.clock !== null ? start.clock.wallAt(read.wall) : read.wall;
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

/** The date of each occurrence; where a date has come before, the time as well. */
function suffixesFor(moments: readonly Moment[]): string[] {
  const used = new Set<string>();
  return moments.map(({ wall, isDate }) => {
    const [date = '', time = ''] = new Date(wall).toISOString().split('T');
    const precise = `${date}t${time.slice(0, wall % minute === 0 ? 5 : 8).replaceAll(':', '')}`;
    const suffix = isDate || !used.has(date) ? date : precise;
    used.add(suffix);
    return suffix;
  });
}
