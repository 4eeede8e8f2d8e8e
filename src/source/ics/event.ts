import type { TextFinding, FoundProblem } from '../finding.ts';
import type { Bounds } from './bounds.ts';
import { utc, type Clock, type Clocks } from './time-zone.ts';
import type { Component, ContentLine } from './content-lines.ts';
import { readProperty, readRule } from './ical.ts';
import { readLine } from './read-line.ts';
import type { Rule } from './recurrence.ts';
import { readWall } from './wall.ts';
import { nearestZone } from '../../catalogue/time/zone.ts';

/** When something is, as a calendar says it. Without a clock it is a date alone, or a floating time. */
export interface Moment {
  /** The wall time, read as if it were UTC, in milliseconds; midnight of a date alone. */
  readonly wall: number;
  readonly isDate: boolean;
  readonly clock: Clock | null;
}

/** A VEVENT, read. */
export interface CalendarEvent {
  readonly offset: number;
  /** Where its DTSTART stands. */
  readonly startOffset: number;
  readonly uid: string | null;
  readonly title: string | null;
  readonly url: string | null;
  readonly start: Moment;
  readonly sequence: number;
  readonly isCancelled: boolean;
  /** Which occurrence of a repeating event this one stands for. */
  readonly replaces: Moment | null;
  /** What adds occurrences (RRULE) and, as older calendars may, takes them away (EXRULE). */
  readonly rules: readonly { readonly rule: Rule; readonly line: ContentLine }[];
  readonly added: readonly Moment[];
  readonly excluded: readonly Moment[];
}

/** The properties of a VEVENT that are read; all others are passed over. */
export const eventProperties: ReadonlySet<string> = new Set([
  'UID',
  'SUMMARY',
  'URL',
  'STATUS',
  'SEQUENCE',
  'DTSTART',
  'RECURRENCE-ID',
  'RRULE',
  'EXRULE',
  'RDATE',
  'EXDATE',
]);

/** Reads a VEVENT; null, with findings, where something in it is wrong. */
export function readEvent(
  component: Component,
  clocks: Clocks,
  bounds: Bounds,
  findings: TextFinding[],
): CalendarEvent | null {
  const before = findings.length;
  const linesOf = (name: string): ContentLine[] => component.lines.filter((line) => line.name === name);
  const textOf = (name: string): string | null => {
    const [line] = linesOf(name);
    return line === undefined ? null : (readLine(line, findings, readProperty)?.values[0] ?? null);
  };
  const momentsOf = (name: string): Moment[] =>
    linesOf(name).flatMap((line) => {
      const read = readLine(line, findings, (text) => {
        if (name === 'RDATE' || name === 'EXDATE') bounds.dates(text);
        return readMoments(text, clocks);
      });
      if (Array.isArray(read)) return read;
      if (read !== null) findings.push({ problem: read, offset: line.offset });
      return [];
    });
  const [startLine] = linesOf('DTSTART');
  const [start] = momentsOf('DTSTART');
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
    url: textOf('URL'),
    sequence: Math.max(0, Number(textOf('SEQUENCE'))) || 0,
    isCancelled: textOf('STATUS')?.trim().toUpperCase() === 'CANCELLED',
    replaces: momentsOf('RECURRENCE-ID')[0] ?? null,
    rules: component.lines.filter(isRule).flatMap((line) => {
      const rule = readLine(line, findings, readRule);
      return rule === null ? [] : [{ rule, line }];
    }),
    added: momentsOf('RDATE'),
    excluded: momentsOf('EXDATE'),
  };
  return start === undefined || findings.length > before ? null : { ...event, start };
}

function isRule({ name }: ContentLine): boolean {
  return name === 'RRULE' || name === 'EXRULE';
}

/** Throws where a RECURRENCE-ID stands for more than one occurrence. */
function refuseRange(line: string): void {
  const { range } = readProperty(line);
  if (range === null) return;
  throw new Error(
    `a RANGE of ${range} changes many occurrences, and one at a time is allowed: let the series end before it (UNTIL) and a new event begin there`,
  );
}

/** The moments of a line: one, or a list of them. */
function readMoments(line: string, clocks: Clocks): Moment[] | FoundProblem {
  const { values, tzid } = readProperty(line);
  const written = line.slice(line.lastIndexOf(':') + 1).split(',');
  if (!written.every((value) => moment.test(value))) {
    const reason = 'a date is written like 20270131, and a time like 20270131T120000, with a Z behind it in UTC';
    return { code: 'bad-calendar-value', found: line, reason };
  }
  const moments: Moment[] = [];
  for (const value of values) {
    const read = readWall(value);
    if (read === null)
      return { code: 'bad-calendar-value', found: line, reason: 'it is not a date or time that exists' };
    const { wall, isDate, isUtc } = read;
    const clock = isUtc ? utc : tzid === null || isDate ? null : clocks.named(tzid);
    if (clock === null && tzid !== null && !isDate) {
      return { code: 'unknown-zone', found: tzid, nearest: nearestZone(tzid) };
    }
    moments.push({ wall, isDate, clock });
  }
  return moments;
}

/**
 * A date or a time as RFC 5545 writes it, or a period that begins with one. Of what else stands behind a time, such as
 * an offset, ical.js knows nothing: it would be one without a zone, which loses its hour.
 */
const moment = /^\d{8}(?:T\d{6}Z?)?(?:\s*|\/.*)$/;
