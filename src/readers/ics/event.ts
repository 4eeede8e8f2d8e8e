import type { TextFinding } from '../schema/finding.ts';
import type { EventSource, LocationSource } from '../schema/source-types.ts';
import { isId, maxTags, textRules } from '../schema/rules.ts';
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
  const read = openProperties(component.lines, clocks, budget, findings);
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
    length:
      startLine === undefined || start === null
        ? null
        : read.length({ moment: start, text: startLine.text }),
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
  return start === null || findings.length > before
    ? null
    : { ...event, start, leftOut: read.leftOut };
}

function readDetails(
  event: ReturnType<typeof openProperties>,
): Pick<CalendarEvent, 'details' | 'tags' | 'unusable'> {
  const details: Details = {};
  const unusable: string[] = [];
  for (const key of Object.keys(propertyOf) as Detail[]) {
    const name = propertyOf[key];
    const written = event.text(name) ?? '';
    const text = key === 'description' ? plainLines(written) : written.trim();
    if (text === '') continue;
    if (textRules[key](text) === null) details[key] = text;
    else unusable.push(name);
  }
  const slugs = [...new Set(event.texts('CATEGORIES').map(slug))];
  const tags = slugs.filter(isId);
  for (let left = slugs.length - Math.min(tags.length, maxTags); left > 0; left--)
    unusable.push('CATEGORIES');
  return { details, tags: tags.slice(0, maxTags), unusable };
}

/** A recurrence rule, and the line that it comes from. */
type ReadRule = { readonly rule: Rule; readonly line: ContentLine };

export type LeftOut = Pick<ContentLine, 'name' | 'offset'>;

/**
 * Reads the properties of an event by name. If there are several where one is expected, the first
 * counts.
 */
function openProperties(
  lines: readonly ContentLine[],
  clocks: Clocks,
  budget: Budget,
  findings: TextFinding[],
) {
  const leftOut: LeftOut[] = [];
  const find = (name: string) => lines.find((line) => line.name === name);
  const all = (...names: string[]) => lines.filter(({ name }) => names.includes(name));
  const read = <T>(name: string, readValue: (text: string) => T): T | null => {
    const line = find(name);
    return line === undefined ? null : readLine(line, findings, readValue);
  };
  /** Like `read`, but an event is of use without the value. */
  const readOptional = <T>(name: string, readValue: (text: string) => T): T | null => {
    const line = find(name);
    const faults: TextFinding[] = [];
    const value = line === undefined ? null : readLine(line, faults, readValue);
    if (faults.length > 0) leftOut.push({ name, offset: line?.offset ?? 0 });
    return value;
  };
  const text = (name: string): string | null => read(name, readText);
  const moments = (name: string): Moment[] =>
    all(name).flatMap((line) => {
      if (budget.isSpent()) return [];
      const readList = (list: string): Moment[] => {
        budget.spendDates(list);
        return readMoments(list, clocks);
      };
      return readLine(line, findings, readList) ?? [];
    });
  const location = (): LocationSource => {
    const written = text('LOCATION') ?? '';
    const place = written.replaceAll(/\bhttps?:\/\/\S+/gi, '');
    const coordinates = readOptional('GEO', readCoordinates);
    if (place === written) return readLocation(plain(written), coordinates);
    // Such a link leads to a meeting, often with its password, and is not for the public.
    leftOut.push({ name: 'LOCATION with a link', offset: find('LOCATION')?.offset ?? 0 });
    return readLocation(plain(place).replaceAll(/^[,;|(– -]+|[,;|(– -]+$/g, ''), coordinates);
  };
  return {
    leftOut,
    find,
    text,
    moments,
    location,
    texts: (name: string) => all(name).flatMap((line) => readLine(line, findings, readTexts) ?? []),
    /** A text that is a keyword: in capitals, and empty if it is missing. */
    word: (name: string) => (text(name) ?? '').trim().toUpperCase(),
    moment: (name: string) => read(name, (line) => readMoment(line, clocks)),
    length: (start: Parameters<typeof readLength>[1]) => {
      const name = find('DTEND') === undefined ? 'DURATION' : 'DTEND';
      return readOptional(name, (line) => readLength(line, start, clocks));
    },
    /**
     * The occurrence that a RECURRENCE-ID stands for. It may not stand for all later ones as well.
     */
    replaced: () =>
      read('RECURRENCE-ID', (line) => {
        const { range } = readProperty(line);
        if (range === null) return readMoment(line, clocks);
        throw new Error(
          `a RANGE of ${range} changes many occurrences, but only changes of one are supported; end the series before it (UNTIL) and start a new event there`,
        );
      }),
    rules: (): ReadRule[] =>
      all('RRULE', 'EXRULE').flatMap((line) => {
        const rule = readLine(line, findings, readRule);
        return rule === null ? [] : [{ rule, line }];
      }),
  };
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
