import { groupBy } from '../../catalogue/group.ts';
import { maxIdCharacters, slug } from '../../catalogue/id.ts';
import { day, isoInstant, minute } from '../../catalogue/time/time.ts';
import { shortHash } from '../schema/event-ids.ts';
import type { TextFinding } from '../schema/finding.ts';
import { type Budget, followRule, type Span } from './recurrence.ts';
import type { CalendarEvent, LostOccurrence } from './event.ts';
import { readLine } from './property.ts';
import { readWall, type Rule } from './rule.ts';
import { dateOf, inSeries, inZoneOf, keyOf, longestOf, onDate, type Moment } from './moment.ts';

/**
 * An event, repeating or not, and the events that replace its occurrences. A calendar may have only
 * the latter.
 */
export interface Series {
  readonly master: CalendarEvent | null;
  /** By the keys of the occurrences that they replace. */
  readonly replacements: ReadonlyMap<string, CalendarEvent>;
  readonly changes: readonly Change[];
  readonly lost: readonly LostOccurrence[];
}

/** A change of all occurrences from one on (RANGE=THISANDFUTURE of RFC 5545, 3.2.13). */
interface Change {
  readonly event: CalendarEvent;
  /** The wall time in the zone of the series for which the first of them was planned. */
  readonly from: number;
}

type ReportFinding = (finding: TextFinding) => void;

/** Groups events by UID. */
export function seriesOf(
  events: readonly CalendarEvent[],
  lost: readonly LostOccurrence[],
  report: ReportFinding,
): Map<string, Series> {
  const lostByUid = groupBy(lost, ({ uid }) => uid?.trim() ?? '');
  const series = new Map<string, Series>();
  for (const [uid, same] of groupBy(events, uidOf)) {
    const masters = same.filter(({ replaces }) => replaces === null);
    let [master = null] = masters;
    for (const later of masters.slice(1)) master = master && newerOf(master, later, report);
    const replacing = same
      .filter(({ replaces }) => replaces !== null)
      .map((event) => likeSeries(event, master));
    series.set(uid, {
      master,
      replacements: replacementsOf(replacing, master, report),
      changes: master === null ? [] : changesOf(replacing, master),
      lost: lostByUid.get(uid) ?? [],
    });
  }
  return series;
}

/** What a private series changes is private, and of one that is cancelled it is off. */
function likeSeries(event: CalendarEvent, master: CalendarEvent | null): CalendarEvent {
  if (master === null) return event;
  const isOff = master.status === 'cancelled' && !event.hasStatus;
  return {
    ...event,
    isPrivate: event.isPrivate || master.isPrivate,
    status: isOff ? 'cancelled' : event.status,
  };
}

/** If the UID is missing, the title and the start take its place. */
function uidOf({ uid, title, start }: CalendarEvent): string {
  return uid?.trim() || `${title} ${isoInstant(start.wall)}`;
}

function replacementsOf(
  events: readonly CalendarEvent[],
  master: CalendarEvent | null,
  report: ReportFinding,
): Map<string, CalendarEvent> {
  const replacements = new Map<string, CalendarEvent>();
  for (const event of events) {
    const key = keyOf(replacedBy(event, master));
    const earlier = replacements.get(key);
    if (earlier === undefined || earlier.isForFuture) replacements.set(key, event);
    else if (!event.isForFuture) replacements.set(key, newerOf(earlier, event, report));
  }
  return replacements;
}

function changesOf(events: readonly CalendarEvent[], master: CalendarEvent): readonly Change[] {
  const changes = events
    .filter(({ isForFuture }) => isForFuture)
    .map((event) => ({ event, from: inZoneOf(master.start, replacedBy(event, master)).wall }));
  return changes.toSorted((a, b) => a.from - b.from);
}

/**
 * Returns the event with the higher SEQUENCE. Of two with the same, one is left out with a warning:
 * the second series, or the first replacement.
 */
function newerOf(
  earlier: CalendarEvent,
  later: CalendarEvent,
  report: ReportFinding,
): CalendarEvent {
  if (later.sequence > earlier.sequence) return later;
  if (later.sequence < earlier.sequence) return earlier;
  const isReplacement = later.replaces !== null;
  const [kept, leftOut] = isReplacement ? [later, earlier] : [earlier, later];
  const isSame = isReplacement || later.start.wall === earlier.start.wall;
  const problem = {
    code: isSame ? 'repeated-uid' : 'duplicate-uid',
    uid: uidOf(kept),
  } as const;
  report({
    problem,
    offset: leftOut.offset,
    first: { offset: kept.offset },
  });
  return kept;
}

/**
 * Returns the id of each UID: its slug, with a hash if the slug is too long or several UIDs have
 * it.
 */
export function idsOf(uids: Iterable<string>): ReadonlyMap<string, string> {
  const ids = Array.from(groupBy(uids, slug)).flatMap(([id, same]) => {
    const isWhole = id !== '' && id.length <= maxIdCharacters && same.length === 1;
    return same.map((uid) => [uid, isWhole ? id : withHash(id, uid)] as const);
  });
  return new Map(ids);
}

function withHash(id: string, uid: string): string {
  const ending = shortHash(uid);
  const start = id.slice(0, maxIdCharacters).replace(/-$/, '');
  return start === '' ? ending : `${start}-${ending}`;
}

/** Which occurrences are read, and what is wrong with those of a series. */
interface Limits {
  readonly span: Span;
  readonly budget: Budget;
  readonly findings: TextFinding[];
}

/** One time at which an event of a calendar happens. */
export interface Occurrence {
  readonly event: CalendarEvent;
  readonly start: Moment;
  /**
   * The date that identifies the occurrence in its series, with the time if it is not the usual
   * one, or null.
   */
  readonly suffix: string | null;
}

/**
 * Returns the occurrences of a series in the span. An event that does not repeat has one, whenever
 * it is.
 */
export function occurrencesOf(series: Series, limits: Limits): Occurrence[] {
  const { master } = series;
  const excluded = new Exclusions(series);
  const moments = master === null ? [] : expand(master, excluded, limits);
  const planned = replace(
    series,
    moments.filter((moment) => !excluded.has(moment)),
    excluded,
  );
  const single = master === null || isRepeating(master) ? null : keyOf(master.start);
  const usualOn =
    master === null ? earliestOn(planned) : (date: Moment) => onDate(date, master.start);
  return planned.map(({ event, start, original, local }) => ({
    event,
    start,
    suffix: keyOf(original) === single ? null : suffixOf(original, local, usualOn(dateOf(local))),
  }));
}

function isRepeating({ rules, added }: CalendarEvent): boolean {
  return rules.length > 0 || added.length > 0;
}

/** The occurrences that a series excludes, by EXDATE and EXRULE. */
class Exclusions {
  readonly #keys = new Set<string>();
  /** The days of the excluded times, for a RECURRENCE-ID that is only a date. */
  readonly #days = new Set<string>();
  readonly #start: Moment | null;
  /** The wall time from which on all occurrences are excluded. */
  #last = Infinity;

  constructor({ master, lost }: Series) {
    this.#start = master?.start ?? null;
    for (const moment of master?.excluded ?? []) this.add(moment);
    for (const { moment, isForFuture } of lost) {
      this.add(moment);
      if (isForFuture) this.#last = Math.min(this.#last, this.#localWall(moment));
    }
  }

  /** The wall time in the zone of the series. */
  #localWall(moment: Moment): number {
    return this.#start === null ? moment.wall : inZoneOf(this.#start, moment).wall;
  }

  add(moment: Moment): void {
    if (this.#start === null) return;
    const seriesMoment = inSeries(moment, this.#start);
    this.#keys.add(keyOf(seriesMoment));
    this.#days.add(keyOf(dateOf(inZoneOf(this.#start, seriesMoment))));
  }

  /** Whether an occurrence, or its whole day, is excluded. */
  has(moment: Moment): boolean {
    if (this.#start === null || this.#keys.size === 0) return false;
    if (this.#localWall(moment) >= this.#last) return true;
    const date = keyOf(dateOf(inZoneOf(this.#start, moment)));
    if (moment.isDate) return this.#days.has(date);
    return this.#keys.has(keyOf(moment)) || this.#keys.has(date);
  }
}

interface PlannedOccurrence extends Omit<Occurrence, 'suffix'> {
  readonly original: Moment;
  readonly local: Moment;
}

function replace(
  { master, replacements, changes }: Series,
  moments: readonly Moment[],
  excluded: Exclusions,
): PlannedOccurrence[] {
  const left = new Map(replacements);
  const planned: PlannedOccurrence[] = [];
  const add = (event: CalendarEvent, start: Moment, original: Moment): void => {
    planned.push({
      event,
      start,
      original,
      local: inZoneOf(master?.start ?? start, original),
    });
  };
  for (const moment of moments) {
    const local = inZoneOf(master?.start ?? moment, moment);
    const key = [moment, dateOf(local)].map(keyOf).find((candidate) => left.has(candidate)) ?? '';
    const event = left.get(key);
    left.delete(key);
    const change = changes.findLast(({ from }) => from <= local.wall);
    if (event !== undefined) add(event, event.start, replacedBy(event, master));
    else if (change !== undefined) add(change.event, shifted(local, change), moment);
    else add(master as CalendarEvent, moment, moment);
  }
  // The rest replaces occurrences that the rule does not have, or that are outside the span.
  for (const event of left.values()) {
    const original = replacedBy(event, master);
    if (!excluded.has(original)) add(event, event.start, original);
  }
  return planned;
}

/** Moves an occurrence as far as a change moves the first of them. */
function shifted(moment: Moment, { event, from }: Change): Moment {
  const { start } = event;
  const wall = moment.wall + inZoneOf(moment, start).wall - from;
  if (start.isDate) return dateOf({ ...moment, wall });
  return {
    wall,
    isDate: false,
    clock: moment.clock ?? start.clock,
  };
}

/**
 * Returns the times of a repeating event in the span, in order. With a rule, its DTSTART counts
 * only if it fits.
 */
function expand(
  event: CalendarEvent,
  excluded: Exclusions,
  { span, budget, findings }: Limits,
): Moment[] {
  const { start, rules, added } = event;
  if (!isRepeating(event)) return [start];
  const moments = new Map<string, Moment>();
  // An occurrence that began before the span may be under way in it.
  const from = span.from - longestOf(event.length);
  const within = { ...span, from };
  const add = (moment: Moment): void => {
    const key = keyOf(moment);
    if (moment.wall < from || moment.wall > span.to || moments.has(key)) return;
    budget.spendOccurrence();
    moments.set(key, moment);
  };
  for (const { rule, line } of rules) {
    if (budget.isSpent()) break;
    readLine(line, findings, () => {
      for (const wall of wallsOf(rule, start, within, budget)) {
        const timed = { ...start, wall };
        const moment = start.isDate ? dateOf(timed) : timed;
        if (line.name === 'EXRULE') excluded.add(moment);
        else add(moment);
      }
    });
  }
  const isRuled = rules.some(({ line }) => line.name === 'RRULE');
  const listed = added.map((moment) => inZoneOf(start, inSeries(moment, start)));
  readLine(
    {
      name: 'RDATE',
      text: '',
      offset: event.offset,
    },
    findings,
    () => (isRuled ? listed : [start, ...listed]).forEach(add),
  );
  return [...moments.values()].sort((a, b) => a.wall - b.wall);
}

/**
 * UNTIL is in UTC if the start has a zone. When clocks change, two instants have the same wall
 * time.
 */
function* wallsOf(
  rule: Rule,
  { wall: start, clock }: Moment,
  span: Span,
  budget: Budget,
): Generator<number> {
  const until = readWall(rule.until ?? '');
  const utcClock = until?.isUtc === true ? clock : null;
  const limit = until?.wall ?? Infinity;
  let last = until?.isDate === true ? limit + day - 1 : limit;
  if (utcClock !== null) last = utcClock.wallAt(limit) + day;
  const within = {
    ...span,
    to: Math.min(span.to, last),
  };
  for (const wall of followRule(rule, start, within, budget)) {
    if (utcClock === null || utcClock.instantAt(wall) <= limit) yield wall;
  }
}

function replacedBy({ replaces, start }: CalendarEvent, master: CalendarEvent | null): Moment {
  const replaced = replaces ?? start;
  return master === null ? replaced : inSeries(replaced, master.start);
}

/**
 * Returns the key of an occurrence in its series. It does not depend on which occurrences are left.
 */
function suffixOf(original: Moment, { wall, isDate }: Moment, usual: Moment): string {
  const [date = '', time = ''] = new Date(wall).toISOString().split('T');
  if (isDate || keyOf(original) === keyOf(usual)) return date;
  return `${date}t${time.slice(0, wall % minute === 0 ? 5 : 8).replaceAll(':', '')}`;
}

function earliestOn(occurrences: readonly PlannedOccurrence[]): (date: Moment) => Moment {
  const earliest = new Map<number, Moment>();
  for (const { local, original } of occurrences.toSorted((a, b) => b.local.wall - a.local.wall)) {
    earliest.set(dateOf(local).wall, original);
  }
  return (date) => earliest.get(date.wall) ?? date;
}
