import { day, isoDate, isoInstant } from '../../catalogue/time/time.ts';
import { wallAt } from '../../catalogue/time/zone.ts';
import { followRule, type Budget, type Span } from '../ics/recurrence.ts';
import { readRule } from '../ics/rule.ts';
import { ianaZone } from '../ics/time-zone.ts';
import type { Graph, PageEvent } from './graph.ts';
import { millisecondsOf, readMoment, readTimes, type Moment, type TimeCells } from './times.ts';
import { list, termsOf, textOf, textsOf, writtenOf, type Node } from './values.ts';

interface Limits {
  readonly span: Span;
  readonly budget: Budget;
  /** The zone of the page, for times without an offset. */
  readonly zone: string | null;
}

/**
 * Returns the dates of the schedules of an event, without those that its parts replace. Returns null
 * if it has none. Throws an Error with the reason if one cannot be read.
 */
export function readSchedules(
  event: PageEvent,
  graph: Graph,
  limits: Limits,
): readonly TimeCells[] | null {
  const schedules = graph.nodes(event.node['eventSchedule']);
  if (schedules.length === 0) return null;
  const replaced = new Set(event.dates.map(({ startDate }) => textOf(startDate).slice(0, 10)));
  const dates = new Map<string, TimeCells>();
  for (const schedule of schedules) {
    for (const times of readSchedule(schedule, event.node, limits)) {
      const { starts, zone } = times;
      if (!replaced.has(starts.slice(0, 10))) dates.set(`${starts} ${zone}`, times);
    }
  }
  return [...dates.values()];
}

/**
 * Returns the dates of a Schedule of schema.org within a span. What it lacks comes from the event's
 * own start and end.
 */
function readSchedule(schedule: Node, event: Node, limits: Limits): TimeCells[] {
  const startOfEvent = readMoment(textOf(event['startDate']));
  const start = momentOf(schedule, 'startDate') ?? startOfEvent;
  if (start === null) throw new Error('it has no startDate');
  const timed = start.clock === null ? (startOfEvent ?? start) : start;
  const zone = zoneOf(schedule, timed, limits.zone);
  const excluded = new Set(textsOf(schedule['exceptDate']).map((text) => dateIn(zone, text)));
  const isTimed = writtenOf(schedule['startTime']) !== '';
  const times = timesOfDay(schedule, event, isTimed ? start : timed, zone);
  const dates: TimeCells[] = [];
  for (const midnight of midnightsOf(schedule, event, Date.parse(start.date), limits)) {
    const date = isoDate(midnight);
    if (excluded.has(date)) continue;
    limits.budget.spendOccurrence();
    const timesOfDate = {
      ...times,
      start: times.start === '' ? date : `${date}T${times.start}`,
    };
    const cells = readTimes(timesOfDate, zone || limits.zone);
    dates.push({
      ...cells,
      zone,
    });
  }
  return dates;
}

/** Returns the dates of a schedule, as midnights in UTC. */
function midnightsOf(schedule: Node, event: Node, first: number, limits: Limits): number[] {
  const rule = readRule(`RRULE:${ruleOf(schedule)}`);
  if (rule === null) throw new Error('it has no repeatFrequency');
  const last = momentOf(schedule, 'endDate');
  const until = last === null ? Infinity : Date.parse(last.date);
  const span = {
    from: limits.span.from,
    to: Math.min(limits.span.to, until),
  };
  const midnights = [...followRule(rule, first, span, limits.budget)];
  if (last !== null || rule.count !== null) return midnights;
  // An event that lasts until its second date ends with the last one.
  const [earliest = 0, second = Infinity] = midnights;
  const { length, end } = lengthOf(event);
  return length > second - earliest ? midnights.filter((midnight) => midnight <= end) : midnights;
}

/** Returns how long an event lasts, and when it ends, as if it were UTC. NaN if it does not say it. */
function lengthOf(event: Node): { length: number; end: number } {
  const [start = NaN, end = NaN] = [event['startDate'], event['endDate']].map((value) => {
    const moment = readMoment(textOf(value));
    return Date.parse(`${moment?.date}T${moment?.clock ?? '00:00'}Z`);
  });
  return { length: end - start, end };
}

/** Reads a date of a schedule. Returns null if it has none, and throws if it cannot be read. */
function momentOf(schedule: Node, key: 'startDate' | 'endDate'): Moment | null {
  const text = writtenOf(schedule[key]);
  return text === '' ? null : (readMoment(text) ?? refuse(key, '2027-03-04', text));
}

function refuse(name: string, example: string, text: string): never {
  const quoted = JSON.stringify(text.slice(0, 40));
  throw new Error(`expected ${name} to be such as ${example}, not ${quoted}`);
}

/**
 * Returns the zone of a schedule: its own or, if the first start has its offset, that of the page.
 * Returns '' if there is none.
 */
function zoneOf(schedule: Node, start: Moment, zoneOfPage: string | null): string {
  const name = writtenOf(schedule['scheduleTimezone']);
  if (name !== '') return ianaZone(name) ?? refuse('scheduleTimezone', 'Europe/Berlin', name);
  if (zoneOfPage === null || start.offset === '') return '';
  const local = localIn(zoneOfPage, start);
  return local.date === start.date && local.clock === start.clock ? zoneOfPage : '';
}

/** Returns the date and the time of day in a zone of a moment with an offset. */
function localIn(zone: string, moment: Moment): Moment {
  const { date, clock, offset } = moment;
  const instant = Date.parse(`${date}T${clock}${offset}`);
  if (zone === '' || offset === '' || Number.isNaN(instant)) return moment;
  const local = isoInstant(wallAt(zone, instant));
  return {
    date: local.slice(0, 10),
    clock: local.slice(11, 16),
    offset: '',
  };
}

/** Returns the date on which an excluded occurrence would start. */
function dateIn(zone: string, text: string): string {
  const moment = readMoment(text) ?? refuse('exceptDate', '2027-03-04', text);
  return localIn(zone, moment).date;
}

/** Returns the times of day of a schedule, else those of its first start and of its event. */
function timesOfDay(schedule: Node, event: Node, first: Moment, zone: string) {
  const startTime = writtenOf(schedule['startTime']);
  const endTime = writtenOf(schedule['endTime']);
  const duration = writtenOf(schedule['duration']) || writtenOf(event['duration']);
  const isOneDay = lengthOf(event).length < day;
  const endOfEvent = isOneDay ? readMoment(textOf(event['endDate']))?.clock : null;
  // In the zone of the schedule, the offset of the first date is not that of all.
  const start =
    startTime === '' ? clockWithOffset(localIn(zone, first)) : clockIn(startTime, first.date, zone);
  return {
    start,
    end:
      /(?:^|T)(\d\d:\d\d)/i.exec(endTime)?.[1] ??
      (endTime || (duration === '' ? (endOfEvent ?? '') : '')),
    duration,
  };
}

/** Returns the time of day in a text such as `19:00`, `19:00:00` or `T19:00:00+01:00`. */
function clockIn(text: string, date: string, zone: string): string {
  const time = text.replace(/^(?:\d{4}-\d\d-\d\d)?T?/i, '');
  const moment = readMoment(`${date}T${time}`) ?? refuse('startTime', '19:30', text);
  const local = localIn(zone, moment);
  if (local.date !== date) refuse('startTime', '19:30', text);
  return clockWithOffset(local);
}

function clockWithOffset({ clock, offset }: Moment): string {
  return clock === null ? '' : clock + offset;
}

/** Returns the rule of RFC 5545 that a schedule means, without its end. */
function ruleOf(schedule: Node): string {
  const days = list(schedule['byDay']).flatMap((value) =>
    typeof value === 'string' ? value.split(/[\s,;]+/) : [value],
  );
  const weekdays = termsOf(days).map(weekdayOf);
  const [frequency, interval] = frequencyOf(schedule['repeatFrequency'], weekdays.length > 0);
  const weeks = textsOf(schedule['byMonthWeek']);
  const isNumbered = frequency === 'MONTHLY' && weekdays.length > 0;
  if (weeks.length > 0 && !isNumbered) throw new Error('expected byMonthWeek with byDay in months');
  const numbered = weeks.flatMap((week) => weekdays.map((weekday) => week + weekday));
  const count = textOf(schedule['repeatCount']);
  const parts = {
    FREQ: frequency,
    INTERVAL: interval,
    BYDAY: (weeks.length > 0 ? numbered : weekdays).join(),
    BYMONTH: textsOf(schedule['byMonth']).join(),
    BYMONTHDAY: textsOf(schedule['byMonthDay']).join(),
    COUNT: count,
  };
  return Object.entries(parts)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${value}`)
    .join(';');
}

/** Returns the frequency and the interval of `P2W`, `Weekly` or `https://schema.org/Daily`. */
function frequencyOf(value: unknown, hasWeekdays: boolean): readonly [string, string] {
  const [text = ''] = termsOf(value);
  const word = text.toLowerCase().replace(/^annually$/, 'yearly');
  if (frequencies.includes(word)) return [word.toUpperCase(), '1'];
  if (text === '' && hasWeekdays) return ['WEEKLY', '1'];
  const [, count = '', unit = ''] = /^P(\d{1,4})([DWMY])$/i.exec(text) ?? [];
  const frequency = frequencies.find((name) => name.startsWith(unit.toLowerCase()));
  if (unit !== '' && frequency !== undefined) return [frequency.toUpperCase(), count];
  const days = (millisecondsOf(text) ?? 0) / day;
  if (Number.isInteger(days) && days > 0) return ['DAILY', String(days)];
  return refuse('repeatFrequency', 'P1W or Weekly', text);
}

const frequencies = ['daily', 'weekly', 'monthly', 'yearly'];

/** Returns the weekday of `Thursday`, `Thu`, `Thursdays` or `2TH` as RFC 5545 writes it. */
function weekdayOf(term: string): string {
  const [, number = '', name = ''] = /^([+-]?\d)?([a-z]{2,}?)s?$/i.exec(term) ?? [];
  const weekday = weekdays.find((word) => name !== '' && word.startsWith(name.toLowerCase()));
  return number + (weekday ?? refuse('byDay', 'Thursday', term)).slice(0, 2).toUpperCase();
}

const weekdays = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ');
