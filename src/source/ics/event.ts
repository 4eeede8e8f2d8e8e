import type { TextFinding } from '../finding.ts';
import { eventFields } from '../json/event-fields.ts';
import type { EventSource, LocationSource } from '../json/types.ts';
import { isId, maxTags, textRules } from '../rules.ts';
import { slug } from '../../catalogue/id.ts';
import type { Budget } from './recurrence.ts';
import type { Component, ContentLine } from './content-lines.ts';
import { readLength, readMoment, readMoments, type Moment } from './moment.ts';
import { plain, plainLines } from '../plain.ts';
import { readLine, readProperty, readText, readTexts, type Length } from './property.ts';
import { readRule, type Rule } from './rule.ts';
import type { Clocks } from './time-zone.ts';

type Details = Partial<Pick<EventSource, Detail>>;
type Detail = keyof typeof propertyOf;

const propertyOf = { url: 'URL', description: 'DESCRIPTION', image: 'IMAGE' } as const;

export interface CalendarEvent {
  readonly offset: number;
  readonly startOffset: number;
  readonly uid: string | null;
  readonly title: string | null;
  readonly details: Details;
  readonly tags: readonly string[];
  readonly unusable: readonly string[];
  readonly start: Moment;
  readonly leftOut: readonly LeftOut[];
  readonly length: Length | null;
  readonly location: LocationSource;
  readonly sequence: number;
  readonly isCancelled: boolean;
  readonly isTentative: boolean;
  readonly isPrivate: boolean;
  readonly replaces: Moment | null;
  /** The rules that add occurrences (RRULE) and, in older calendars, remove them (EXRULE). */
  readonly rules: readonly ReadRule[];
  readonly added: readonly Moment[];
  readonly excluded: readonly Moment[];
}

export const eventProperties: ReadonlySet<string> = new Set([
  ...'UID SUMMARY STATUS CATEGORIES SEQUENCE CLASS DTSTART DTEND DURATION LOCATION GEO'.split(' '),
  ...'RECURRENCE-ID RRULE EXRULE RDATE EXDATE'.split(' '),
  ...Object.values(propertyOf),
]);

/** Reads a VEVENT. Returns null and adds findings if anything in it is invalid. */
export function readEvent(
  component: Component,
  clocks: Clocks,
  budget: Budget,
  findings: TextFinding[],
): CalendarEvent | null {
  const before = findings.length;
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
    isTentative: read.word('STATUS') === 'TENTATIVE',
    isPrivate: ['PRIVATE', 'CONFIDENTIAL'].includes(read.word('CLASS')),
    replaces: read.replaced(),
    rules: read.rules(),
    added: read.moments('RDATE'),
    excluded: read.moments('EXDATE'),
  };
  return start === null || findings.length > before ? null : { ...event, start, leftOut: read.leftOut };
}

function readDetails(event: PropertyReader): Pick<CalendarEvent, 'details' | 'tags' | 'unusable'> {
  const details: Details = {};
  const unusable: string[] = [];
  for (const key of Object.keys(propertyOf) as Detail[]) {
    const name = propertyOf[key];
    const written = event.text(name) ?? '';
    const text = key === 'description' ? plainLines(written) : written.trim();
    const { format } = eventFields[key];
    if (text === '') continue;
    if (format === undefined || textRules[format](text) === null) details[key] = text;
    else unusable.push(name);
  }
  const slugs = [...new Set(event.texts('CATEGORIES').map(slug))];
  const tags = slugs.filter(isId);
  for (let left = slugs.length - Math.min(tags.length, maxTags); left > 0; left--) unusable.push('CATEGORIES');
  return { details, tags: tags.slice(0, maxTags), unusable };
}

/** A recurrence rule, and the line that it comes from. */
type ReadRule = { readonly rule: Rule; readonly line: ContentLine };

export type LeftOut = Pick<ContentLine, 'name' | 'offset'>;

/** Reads the properties of an event by name. If there are several where one is expected, the first counts. */
class PropertyReader {
  readonly #lines: readonly ContentLine[];
  readonly #clocks: Clocks;
  readonly #budget: Budget;
  readonly #findings: TextFinding[];
  readonly leftOut: LeftOut[] = [];

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

  texts(name: string): string[] {
    const lines = this.#lines.filter((line) => line.name === name);
    return lines.flatMap((line) => readLine(line, this.#findings, readTexts) ?? []);
  }

  /** A text that is a keyword: in capitals, and empty if it is missing. */
  word(name: string): string {
    return (this.text(name) ?? '').trim().toUpperCase();
  }

  moment(name: string): Moment | null {
    return this.#read(name, (text) => readMoment(text, this.#clocks));
  }

  length(start: Parameters<typeof readLength>[1]): Length | null {
    const name = this.find('DTEND') === undefined ? 'DURATION' : 'DTEND';
    return this.#readOptional(name, (text) => readLength(text, start, this.#clocks));
  }

  location(): LocationSource {
    const written = this.text('LOCATION') ?? '';
    const place = written.replaceAll(/\bhttps?:\/\/\S+/gi, '');
    const coordinates = this.#readOptional('GEO', readCoordinates);
    if (place === written) return readLocation(plain(written), coordinates);
    // Such a link leads to a meeting, often with its password, and is not for the public.
    this.leftOut.push({ name: 'LOCATION with a link', offset: this.find('LOCATION')?.offset ?? 0 });
    return readLocation(plain(place).replaceAll(/^[,;|(– -]+|[,;|(– -]+$/g, ''), coordinates);
  }

  /** The occurrence that a RECURRENCE-ID stands for. It may not stand for all later ones as well. */
  replaced(): Moment | null {
    return this.#read('RECURRENCE-ID', (text) => {
      const { range } = readProperty(text);
      if (range === null) return readMoment(text, this.#clocks);
      throw new Error(
        `a RANGE of ${range} changes many occurrences, but only changes of one are supported; end the series before it (UNTIL) and start a new event there`,
      );
    });
  }

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

  rules(): ReadRule[] {
    const lines = this.#lines.filter(({ name }) => name === 'RRULE' || name === 'EXRULE');
    return lines.flatMap((line) => {
      const rule = readLine(line, this.#findings, readRule);
      return rule === null ? [] : [{ rule, line }];
    });
  }

  /** Like `#read`, but an event is of use without the value. */
  #readOptional<T>(name: string, read: (text: string) => T): T | null {
    const line = this.find(name);
    const findings: TextFinding[] = [];
    const value = line === undefined ? null : readLine(line, findings, read);
    if (findings.length > 0) this.leftOut.push({ name, offset: line?.offset ?? 0 });
    return value;
  }

  #read<T>(name: string, read: (text: string) => T): T | null {
    const line = this.find(name);
    return line === undefined ? null : readLine(line, this.#findings, read);
  }
}

type Coordinates = Readonly<Record<'latitude' | 'longitude', number>>;

function readCoordinates(line: string): Coordinates {
  const [, latitude = NaN, longitude = NaN] = geo.exec(line)?.map(Number) ?? [];
  if (Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180) return { latitude, longitude };
  throw new Error('expected degrees north and east, such as 52.52;13.405');
}

const geo = /:\s*([+-]?\d+(?:\.\d*)?(?:e[+-]?\d+)?)\s*;\s*([+-]?\d+(?:\.\d*)?(?:e[+-]?\d+)?)\s*$/i;

function readLocation(name: string, coordinates: Coordinates | null): LocationSource {
  if (coordinates === null) return name === '' ? null : name;
  return { name: name || `${coordinates.latitude}, ${coordinates.longitude}`, ...coordinates };
}
