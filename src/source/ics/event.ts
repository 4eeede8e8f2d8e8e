import { nearestZone } from '../../catalogue/time/zone.ts';
import type { TextFinding } from '../finding.ts';
import type { EventSource } from '../json/validate.ts';
import { isHttpsUrl } from '../rules.ts';
import type { Budget } from './budget.ts';
import type { Component, ContentLine } from './content-lines.ts';
import { FoundError, readLine, readProperty, readText, readWall } from './ical.ts';
import { readRule, type Rule } from './rule.ts';
import { utc, type Clock, type Clocks } from './time-zone.ts';

/** A date or time in a calendar. Without a clock, it is a date alone or a floating time. */
export interface Moment {
  /** The wall time in milliseconds since 1970, as if it were UTC. Midnight for a date alone. */
  readonly wall: number;
  readonly isDate: boolean;
  readonly clock: Clock | null;
}

type Detail = Exclude<keyof EventSource, 'id' | 'title' | 'starts' | 'zone' | 'cancelled'>;
type Details = Partial<Pick<EventSource, Detail>>;

/** The property that gives each detail of an event. A value that a source file may not contain is left out. */
const detailProperties: Readonly<
  Record<Detail, { readonly name: string; readonly isValid: (text: string) => boolean }>
> = {
  url: { name: 'URL', isValid: isHttpsUrl },
};

/** A VEVENT. */
export interface CalendarEvent {
  readonly offset: number;
  /** Where its DTSTART is. */
  readonly startOffset: number;
  readonly uid: string | null;
  readonly title: string | null;
  readonly details: Details;
  readonly start: Moment;
  readonly sequence: number;
  readonly isCancelled: boolean;
  /** Whether its CLASS is PRIVATE or CONFIDENTIAL. */
  readonly isPrivate: boolean;
  /** The occurrence of a repeating event that this event replaces. */
  readonly replaces: Moment | null;
  /** The rules that add occurrences (RRULE) and, in older calendars, remove them (EXRULE). */
  readonly rules: readonly { readonly rule: Rule; readonly line: ContentLine }[];
  readonly added: readonly Moment[];
  readonly excluded: readonly Moment[];
}

/** The properties of a VEVENT that are read. */
export const eventProperties: ReadonlySet<string> = new Set([
  'UID',
  'SUMMARY',
  'STATUS',
  'SEQUENCE',
  'CLASS',
  'DTSTART',
  'RECURRENCE-ID',
  'RRULE',
  'EXRULE',
  'RDATE',
  'EXDATE',
  ...Object.values(detailProperties).map(({ name }) => name),
]);

/** Reads a VEVENT. Returns null and adds findings if anything in it is invalid. */
export function readEvent(
  component: Component,
  clocks: Clocks,
  budget: Budget,
  findings: TextFinding[],
): CalendarEvent | null {
  const before = findings.length;
  findings.push(...component.malformed);
  const lineOf = (name: string): ContentLine | undefined => component.lines.find((line) => line.name === name);
  const linesOf = (name: string): ContentLine[] => component.lines.filter((line) => line.name === name);
  const textOf = (name: string): string | null => {
    const line = lineOf(name);
    return line === undefined ? null : readLine(line, findings, readText);
  };
  const wordOf = (name: string): string => (textOf(name) ?? '').trim().toUpperCase();
  const momentsOf = (name: string): Moment[] =>
    linesOf(name).flatMap((line) => {
      if (budget.isSpent()) return [];
      const read = (text: string): Moment[] => {
        budget.spendDates(text);
        return readMoments(text, clocks);
      };
      return readLine(line, findings, read) ?? [];
    });
  const momentOf = (name: string): Moment | null => {
    const line = lineOf(name);
    return line === undefined ? null : readLine(line, findings, (text) => readMoment(text, clocks));
  };
  const startLine = lineOf('DTSTART');
  const start = momentOf('DTSTART');
  if (startLine === undefined) {
    const problem = { code: 'event-without-start', title: textOf('SUMMARY') ?? '' } as const;
    findings.push({ problem, offset: component.offset });
  }
  for (const line of linesOf('RECURRENCE-ID')) readLine(line, findings, refuseRange);
  const event = {
    offset: component.offset,
    startOffset: (startLine ?? component).offset,
    uid: textOf('UID'),
    title: textOf('SUMMARY'),
    details: readDetails(textOf),
    sequence: Math.max(0, Number(textOf('SEQUENCE'))) || 0,
    isCancelled: wordOf('STATUS') === 'CANCELLED',
    isPrivate: ['PRIVATE', 'CONFIDENTIAL'].includes(wordOf('CLASS')),
    replaces: momentOf('RECURRENCE-ID'),
    rules: component.lines.filter(isRule).flatMap((line) => {
      const rule = readLine(line, findings, readRule);
      return rule === null ? [] : [{ rule, line }];
    }),
    added: momentsOf('RDATE'),
    excluded: momentsOf('EXDATE'),
  };
  return start === null || findings.length > before ? null : { ...event, start };
}

function readDetails(textOf: (name: string) => string | null): Details {
  const read = Object.entries(detailProperties).flatMap(([key, { name, isValid }]) => {
    const text = textOf(name)?.trim() ?? '';
    return isValid(text) ? [[key, text] as const] : [];
  });
  return Object.fromEntries(read);
}

function isRule({ name }: ContentLine): boolean {
  return name === 'RRULE' || name === 'EXRULE';
}

/** Throws if a RECURRENCE-ID replaces more than one occurrence. */
function refuseRange(line: string): void {
  const { range } = readProperty(line);
  if (range === null) return;
  throw new Error(
    `a RANGE of ${range} changes many occurrences, and one at a time is allowed: let the series end before it (UNTIL) and a new event begin there`,
  );
}

/** Reads the date or time of a DTSTART or RECURRENCE-ID. */
function readMoment(line: string, clocks: Clocks): Moment {
  const [moment] = readMoments(line, clocks);
  if (moment === undefined) throw new Error('it has no value');
  return moment;
}

/** Reads the dates and times of a line. An RDATE or EXDATE may have many of them, and those of some programs none. */
function readMoments(line: string, clocks: Clocks): Moment[] {
  const value = line.lastIndexOf(':') + 1;
  const written = line.slice(value).split(',').map(tidy).filter(Boolean);
  const misfit = written.find((one) => !momentShape.test(one));
  if (misfit !== undefined) {
    throw new Error('a date is written like 20270131, and a time like 20270131T120000, with a Z behind it in UTC');
  }
  if (written.length === 0) return [];
  const { values, tzid } = readProperty(line.slice(0, value) + written.join());
  return values.map((one) => {
    const read = readWall(one);
    if (read === null) throw new Error('it is not a date or time that exists');
    const { wall, isDate, isUtc } = read;
    return { wall, isDate, clock: isDate ? null : isUtc ? utc : clockOf(tzid, clocks) };
  });
}

/** Without white space, and without the Z after a date: other programs read such dates, ical.js does not. */
function tidy(written: string): string {
  return written.trim().replace(/^(\d{8})Z$/, '$1');
}

/**
 * A date or time as RFC 5545 writes it, or a period that begins with one. ical.js ignores anything else after a time,
 * such as an offset.
 */
const momentShape = /^\d{8}(?:T\d{6}Z?)?(?:\/.*)?$/;

/** Returns the clock of a time with this TZID; that of the whole calendar, or null, for a time without one. */
function clockOf(tzid: string | null, clocks: Clocks): Clock | null {
  if (tzid === null) return clocks.ofCalendar;
  const clock = clocks.named(tzid);
  if (clock === null) throw new FoundError({ code: 'unknown-zone', found: tzid, nearest: nearestZone(tzid) });
  return clock;
}
