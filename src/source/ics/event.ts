import type { TextFinding } from '../finding.ts';
import type { EventSource, LocationSource } from '../json/validate.ts';
import { isHttpsUrl } from '../rules.ts';
import type { ReadField } from '../subject.ts';
import type { Budget } from './budget.ts';
import type { Component, ContentLine } from './content-lines.ts';
import { readLine, readProperty, readText, type Length } from './ical.ts';
import { readLength } from './length.ts';
import { readCoordinates, readLocation } from './location.ts';
import { readMoment, readMoments, type Moment } from './moment.ts';
import { readRule, type Rule } from './rule.ts';
import type { Clocks } from './time-zone.ts';

type Detail = Exclude<keyof EventSource, ReadField>;
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
  /** The names of the properties whose value a source file may not contain. */
  readonly unusable: readonly string[];
  readonly start: Moment;
  /** How long it lasts. Null if it has neither DTEND nor DURATION. */
  readonly length: Length | null;
  readonly location: LocationSource;
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
  'DTEND',
  'DURATION',
  'LOCATION',
  'GEO',
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
  const read = new PropertyReader(component.lines, clocks, budget, findings);
  const { offset } = component;
  const startLine = read.find('DTSTART');
  const start = read.moment('DTSTART');
  const title = read.text('SUMMARY');
  if (startLine === undefined) {
    findings.push({ problem: { code: 'event-without-start', title: title ?? '' }, offset });
  }
  const event = {
    offset,
    startOffset: startLine?.offset ?? offset,
    uid: read.text('UID'),
    title,
    ...readDetails(read),
    length: startLine === undefined || start === null ? null : read.length({ moment: start, text: startLine.text }),
    location: read.location(),
    sequence: Math.max(0, Number(read.text('SEQUENCE'))) || 0,
    isCancelled: read.word('STATUS') === 'CANCELLED',
    isPrivate: ['PRIVATE', 'CONFIDENTIAL'].includes(read.word('CLASS')),
    replaces: read.replaced(),
    rules: read.rules(),
    added: read.moments('RDATE'),
    excluded: read.moments('EXDATE'),
  };
  return start === null || findings.length > before ? null : { ...event, start };
}

/** Reads the properties of an event by name. If there are several where one is expected, the first counts. */
class PropertyReader {
  readonly #lines: readonly ContentLine[];
  readonly #clocks: Clocks;
  readonly #budget: Budget;
  readonly #findings: TextFinding[];

  constructor(lines: readonly ContentLine[], clocks: Clocks, budget: Budget, findings: TextFinding[]) {
    this.#lines = lines;
    this.#clocks = clocks;
    this.#budget = budget;
    this.#findings = findings;
  }

  find(name: string): ContentLine | undefined {
    return this.#lines.find((line) => line.name === name);
  }

  text(name: string): string | null {
    return this.#read(name, readText);
  }

  /** A text that is a keyword: in capitals, and empty if it is missing. */
  word(name: string): string {
    return (this.text(name) ?? '').trim().toUpperCase();
  }

  moment(name: string): Moment | null {
    return this.#read(name, (text) => readMoment(text, this.#clocks));
  }

  /** The length that a DTEND or a DURATION gives. */
  length(start: Parameters<typeof readLength>[1]): Length | null {
    const [end, duration] = [this.find('DTEND'), this.find('DURATION')];
    if (end !== undefined && duration !== undefined) {
      this.#findings.push({ problem: { code: 'two-ends', found: duration.text }, offset: duration.offset });
      return null;
    }
    return this.#read(end?.name ?? 'DURATION', (text) => readLength(text, start, this.#clocks));
  }

  location(): LocationSource {
    return readLocation(this.text('LOCATION') ?? '', this.#read('GEO', readCoordinates));
  }

  /** The occurrence that a RECURRENCE-ID stands for. It may not stand for all later ones as well. */
  replaced(): Moment | null {
    return this.#read('RECURRENCE-ID', (text) => {
      refuseRange(text);
      return readMoment(text, this.#clocks);
    });
  }

  /** The moments that all lines of this name list. */
  moments(name: string): Moment[] {
    const lines = this.#lines.filter((line) => line.name === name);
    return lines.flatMap((line) => {
      if (this.#budget.isSpent()) return [];
      const read = (text: string): Moment[] => {
        this.#budget.spendDates(text);
        return readMoments(text, this.#clocks);
      };
      return readLine(line, this.#findings, read) ?? [];
    });
  }

  rules(): CalendarEvent['rules'] {
    const lines = this.#lines.filter(({ name }) => name === 'RRULE' || name === 'EXRULE');
    return lines.flatMap((line) => {
      const rule = readLine(line, this.#findings, readRule);
      return rule === null ? [] : [{ rule, line }];
    });
  }

  #read<T>(name: string, read: (text: string) => T): T | null {
    const line = this.find(name);
    return line === undefined ? null : readLine(line, this.#findings, read);
  }
}

function readDetails(event: PropertyReader): Pick<CalendarEvent, 'details' | 'unusable'> {
  const details: Record<string, string> = {};
  const unusable: string[] = [];
  for (const [key, { name, isValid }] of Object.entries(detailProperties)) {
    const text = event.text(name)?.trim() ?? '';
    if (isValid(text)) details[key] = text;
    else if (text !== '') unusable.push(name);
  }
  return { details, unusable };
}

/** Throws if a RECURRENCE-ID replaces more than one occurrence. */
function refuseRange(line: string): void {
  const { range } = readProperty(line);
  if (range === null) return;
  throw new Error(
    `a RANGE of ${range} changes many occurrences, and one at a time is allowed: let the series end before it (UNTIL) and a new event begin there`,
  );
}
