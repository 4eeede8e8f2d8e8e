import { day, isoDate } from '../../catalogue/time/time.ts';
import { isZone } from '../../catalogue/time/zone.ts';
import { followRule, type Budget, type Span } from '../ics/recurrence.ts';
import { readRule } from '../ics/rule.ts';
import { readDuration, readMoment, readTimes, type TimeCells } from './times.ts';
import { termsOf, textOf, textsOf, type Node } from './values.ts';

/** The times of one date of a schedule, in its zone. */
export interface ScheduledTimes extends TimeCells {
  readonly zone: string;
}

interface Limits {
  readonly span: Span;
  readonly budget: Budget;
  /** The zone of the page, for times without an offset. */
  readonly zone: string | null;
}

/**
 * Returns the dates of a Schedule of schema.org within a span. What it lacks comes from the event's
 * own start and end. Throws an Error with the reason if it cannot be read.
 */
export function readSchedule(schedule: Node, event: Node, limits: Limits): ScheduledTimes[] {
  const ofEvent = readMoment(textOf(event['startDate']));
  const start = readMoment(textOf(schedule['startDate'])) ?? ofEvent;
  if (start === null) throw new Error('it has no startDate');
  const rule = readRule(`RRULE:${ruleOf(schedule)}`);
  if (rule === null) throw new Error('it has no repeatFrequency');
  const first = Date.parse(start.date);
  const endDate = readMoment(textOf(schedule['endDate']))?.date;
  const until = endDate === undefined ? Infinity : Date.parse(endDate);
  const span = { from: limits.span.from, to: Math.min(limits.span.to, until) };
  const excluded = new Set(textsOf(schedule['exceptDate']).map((text) => text.slice(0, 10)));
  const zoneName = textOf(schedule['scheduleTimezone']);
  const zone = isZone(zoneName) ? zoneName : '';
  const times = timesOfDay(schedule, event, zone);
  const dates: ScheduledTimes[] = [];
  for (const midnight of followRule(rule, first, span, limits.budget)) {
    const date = isoDate(midnight);
    if (excluded.has(date)) continue;
    limits.budget.spendOccurrence();
    const timesOfDate = { ...times, start: times.start === '' ? date : `${date}T${times.start}` };
    const cells = readTimes(timesOfDate, zone || limits.zone);
    dates.push({ ...cells, zone });
  }
  return dates;
}

/** Returns the times of day of a schedule, else those of its event, without date and zone. */
function timesOfDay(schedule: Node, event: Node, zone: string) {
  const [ownStart, ownEnd] = [event['startDate'], event['endDate']].map((value) =>
    readMoment(textOf(value)),
  );
  // In the zone of the schedule, the offset of the first date is not that of all.
  const offset = zone === '' ? (ownStart?.offset ?? '') : '';
  const ofEvent = ownStart?.clock == null ? '' : ownStart.clock + offset;
  const ofSchedule = clockIn(textOf(schedule['startTime']));
  const start = (zone === '' ? ofSchedule : ofSchedule.slice(0, 5)) || ofEvent;
  const isSameDay = ownEnd?.date === ownStart?.date;
  const duration = textOf(schedule['duration']) || textOf(event['duration']);
  const endOfEvent = isSameDay && duration === '' ? (ownEnd?.clock ?? '') : '';
  return { start, end: clockIn(textOf(schedule['endTime'])).slice(0, 5) || endOfEvent, duration };
}

/** Returns the time of day in a text such as `19:00`, `19:00:00` or `T19:00:00+01:00`, or ''. */
function clockIn(text: string): string {
  const [, clock = '', offset = ''] =
    /^(?:\d{4}-\d\d-\d\d)?T?(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/i.exec(text) ?? [];
  return clock + offset;
}

/** Returns the rule of RFC 5545 that a schedule means, without its end. */
function ruleOf(schedule: Node): string {
  const weekdays = termsOf(schedule['byDay']).map(weekdayOf);
  const [frequency, interval] = frequencyOf(schedule['repeatFrequency'], weekdays.length > 0);
  const weeks = textsOf(schedule['byMonthWeek']);
  const isNumbered = frequency === 'MONTHLY' && weeks.length > 0;
  const days = isNumbered
    ? weeks.flatMap((week) => weekdays.map((weekday) => `${week}${weekday}`))
    : weekdays;
  const count = textOf(schedule['repeatCount']);
  const parts = {
    FREQ: frequency,
    INTERVAL: interval,
    BYDAY: days.join(),
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
  const word = words.get(text.toLowerCase());
  if (word !== undefined) return [word, '1'];
  if (text === '' && hasWeekdays) return ['WEEKLY', '1'];
  const [, count = '', unit = ''] = /^P(\d{1,4})([DWMY])$/i.exec(text) ?? [];
  const frequency = units.get(unit.toUpperCase());
  if (frequency !== undefined) return [frequency, count];
  const days = (readDuration(text) ?? 0) / day;
  if (Number.isInteger(days) && days > 0) return ['DAILY', String(days)];
  const quoted = JSON.stringify(text.slice(0, 40));
  throw new Error(`expected a repeatFrequency such as P1W or Weekly, not ${quoted}`);
}

const words: ReadonlyMap<string, string> = new Map([
  ['daily', 'DAILY'],
  ['weekly', 'WEEKLY'],
  ['monthly', 'MONTHLY'],
  ['yearly', 'YEARLY'],
  ['annually', 'YEARLY'],
]);
const units: ReadonlyMap<string, string> = new Map([
  ['D', 'DAILY'],
  ['W', 'WEEKLY'],
  ['M', 'MONTHLY'],
  ['Y', 'YEARLY'],
]);

/** Returns the weekday of `Thursday`, `Th` or `2TH` as RFC 5545 writes it. */
function weekdayOf(term: string): string {
  const [, number = '', name = ''] = /^([+-]?\d)?([a-z]{2})/i.exec(term) ?? [];
  if (name === '') throw new Error(`expected a weekday, not ${JSON.stringify(term.slice(0, 40))}`);
  return number + name.toUpperCase();
}
