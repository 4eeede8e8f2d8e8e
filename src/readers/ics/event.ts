import { slug } from '../../catalogue/id.ts';
import { day } from '../../catalogue/time/time.ts';
import type { TextFinding, ValueLeftOut } from '../schema/finding.ts';
import { isId, maxTags, textRules } from '../schema/rules.ts';
import type { EventSource, LocationSource } from '../schema/source-types.ts';
import { contactsIn, isPersonal, withoutContacts, withoutEdges } from '../contacts.ts';
import { plain, plainLines, withoutEntities } from '../plain.ts';
import { isNoPlace } from '../table/columns.ts';
import type { Component, ContentLine } from './content-lines.ts';
import {
  localWall,
  readLength,
  readMoment,
  readMoments,
  wallOfEnd,
  type Moment,
} from './moment.ts';
import { readLine, readProperty, readText, readTexts, type Length } from './property.ts';
import type { Budget } from './recurrence.ts';
import { readRule, type Rule } from './rule.ts';
import { readStatus, type CalendarStatus } from './status.ts';
import type { Clocks } from './time-zone.ts';

type Details = Partial<Pick<EventSource, Detail>>;
type Detail = keyof typeof propertyOf;

const propertyOf = {
  url: 'URL',
  description: 'DESCRIPTION',
  image: 'IMAGE',
} as const;

export interface CalendarEvent extends CalendarStatus {
  readonly offset: number;
  readonly startOffset: number;
  readonly uid: string | null;
  readonly details: Details;
  readonly tags: readonly string[];
  readonly unusable: readonly string[];
  readonly start: Moment;
  readonly leftOut: readonly ValueLeftOut[];
  readonly length: Length | null;
  /** The number of days of an event that lasts whole days although it has times, or null. */
  readonly wholeDays: number | null;
  readonly location: LocationSource;
  readonly sequence: number;
  readonly isPrivate: boolean;
  readonly hasStatus: boolean;
  readonly replaces: Moment | null;
  /** Whether it replaces all later occurrences as well. */
  readonly isForFuture: boolean;
  /** The rules that add occurrences (RRULE) and, in older calendars, remove them (EXRULE). */
  readonly rules: readonly ReadRule[];
  readonly added: readonly Moment[];
  readonly excluded: readonly Moment[];
}

interface EventContext {
  readonly clocks: Clocks;
  readonly budget: Budget;
  /** What is wrong with the event. */
  readonly findings: TextFinding[];
}

/** An occurrence whose replacement cannot be read: its own date is not certain any more. */
export interface LostOccurrence {
  readonly uid: string | null;
  readonly moment: Moment;
  readonly isForFuture: boolean;
}

/** Returns the occurrence that an event replaces which cannot be read, or null. */
export function lostOccurrence(component: Component, context: EventContext): LostOccurrence | null {
  const properties = new Properties(component.lines, context);
  const { replaces: moment, isForFuture } = properties.replaced();
  return moment && { uid: properties.text('UID'), moment, isForFuture };
}

/** The properties with which programs mark an event that lasts whole days. */
const wholeDayMarks = [
  'X-MICROSOFT-CDO-ALLDAYEVENT',
  'X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT',
  'X-FUNAMBOL-ALLDAY',
];

/** The properties that say who may see an event. Apple's server has more classes. */
const accessMarks = ['CLASS', 'X-CALENDARSERVER-ACCESS'];

export const eventProperties: ReadonlySet<string> = new Set([
  ...'UID SUMMARY STATUS CATEGORIES SEQUENCE DTSTART DTEND DURATION LOCATION GEO'.split(' '),
  ...'RECURRENCE-ID RRULE EXRULE RDATE EXDATE'.split(' '),
  ...wholeDayMarks,
  ...accessMarks,
  ...Object.values(propertyOf),
]);

/** Reads a VEVENT. Returns null and adds findings if anything in it is invalid. */
export function readEvent(component: Component, context: EventContext): CalendarEvent | null {
  const { findings } = context;
  const properties = new Properties(component.lines, context);
  const { offset } = component;
  const startLine = properties.find('DTSTART');
  const start = properties.moment('DTSTART');
  const summary = properties.publicText('SUMMARY');
  const status = readStatus(summary, properties.word('STATUS'));
  if (startLine === undefined) {
    const problem = {
      code: 'event-without-start',
      title: status.title,
    } as const;
    findings.push({
      problem,
      offset,
    });
  }
  if (status.isUnknown) properties.leaveOut('STATUS');
  const length =
    startLine === undefined || start === null
      ? null
      : properties.length({
          moment: start,
          text: startLine.text,
        });
  const event = {
    ...status,
    offset,
    startOffset: startLine?.offset ?? offset,
    uid: properties.text('UID'),
    ...readDetails(properties),
    length,
    location: properties.location(),
    hasStatus: properties.find('STATUS') !== undefined,
    sequence: Math.max(0, Number(properties.text('SEQUENCE'))) || 0,
    // RFC 5545, 3.8.1.3: an unknown class is a private one.
    isPrivate: accessMarks.some((name) => !['', 'PUBLIC'].includes(properties.word(name))),
    ...properties.replaced(),
    rules: properties.rules(),
    added: properties.moments('RDATE'),
    excluded: properties.moments('EXDATE'),
  };
  if (start === null || findings.length > 0) return null;
  const isMarked = wholeDayMarks.some((name) => /^(?:TRUE|1)$/.test(properties.word(name)));
  const wholeDays = wholeDaysOf(start, length, isMarked);
  return {
    ...event,
    start,
    wholeDays,
    leftOut: properties.leftOut,
  };
}

/**
 * Returns how many whole days a timed event lasts: one that is marked so, or that lasts from midnight
 * to midnight where the calendar shows it. Returns null for others.
 */
function wholeDaysOf(start: Moment, length: Length | null, isMarked: boolean): number | null {
  if (start.isDate) return null;
  const first = localWall(start);
  const last = length === null ? first : wallOfEnd(start, length);
  const days = Math.round((last - first) / day);
  if (isMarked) return Math.max(1, days);
  const isMidnight = first % day === 0 && (last % day === 0 || isMinuteBeforeMidnight(last));
  return isMidnight && days >= 1 ? days : null;
}

function isMinuteBeforeMidnight(wall: number): boolean {
  return /T23:59:(?:00|59)/.test(new Date(wall).toISOString());
}

function readDetails(properties: Properties): Pick<CalendarEvent, 'details' | 'tags' | 'unusable'> {
  const details: Details = {};
  const unusable: string[] = [];
  for (const key of Object.keys(propertyOf) as Detail[]) {
    const name = propertyOf[key];
    const value = properties.text(name) ?? '';
    const text = key === 'description' ? plainLines(value) : value.trim();
    if (text === '') continue;
    if (key === 'url' && isPersonal(text)) {
      const { offset = 0 } = properties.find(name) ?? {};
      properties.leftOut.push({ name: 'URL of a meeting or with a secret', offset });
    } else if (textRules[key](text) === null) details[key] = text;
    else unusable.push(name);
  }
  const slugs = [
    ...new Set(
      properties.texts('CATEGORIES').map((text) => slug(withoutContacts(withoutEntities(text)))),
    ),
  ];
  const tags = slugs.filter(isId).slice(0, maxTags);
  for (let left = slugs.length - tags.length; left > 0; left--) unusable.push('CATEGORIES');
  return {
    details,
    tags,
    unusable,
  };
}

/** A recurrence rule, and the line that it comes from. */
type ReadRule = { readonly rule: Rule; readonly line: ContentLine };

/**
 * The properties of an event by name. If there are several where one is expected, the first counts.
 */
class Properties {
  readonly leftOut: ValueLeftOut[] = [];
  readonly #lines: readonly ContentLine[];
  readonly #clocks: Clocks;
  readonly #budget: Budget;
  readonly #findings: TextFinding[];

  constructor(lines: readonly ContentLine[], { clocks, budget, findings }: EventContext) {
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
    return this.#all(name).flatMap((line) => readLine(line, this.#findings, readTexts) ?? []);
  }

  /** A text that is a keyword: in capitals, and empty if it is missing. */
  word(name: string): string {
    return (this.text(name) ?? '').trim().toUpperCase();
  }

  moment(name: string): Moment | null {
    return this.#read(name, (line) => readMoment(line, this.#clocks));
  }

  moments(name: string): Moment[] {
    return this.#all(name).flatMap((line) => {
      if (this.#budget.isSpent()) return [];
      const read = (text: string): Moment[] => {
        this.#budget.spendDates(text);
        return readMoments(text, this.#clocks);
      };
      return readLine(line, this.#findings, read) ?? [];
    });
  }

  length(start: Parameters<typeof readLength>[1]): Length | null {
    const name = this.find('DTEND') === undefined ? 'DURATION' : 'DTEND';
    return this.#readOptional(name, (line) => readLength(line, start, this.#clocks));
  }

  location(): LocationSource {
    const text = withoutEntities(this.text('LOCATION') ?? '');
    const coordinates = this.#readOptional('GEO', readCoordinates);
    const place = text.replaceAll(/\bhttps?:\/\/\S+/gi, '');
    if (place === text) return readLocation(plain(this.publicText('LOCATION')), coordinates);
    // Such a link leads to a meeting, often with its password, and is not for the public.
    this.#leaveOutPart('LOCATION', text);
    return readLocation(plain(withoutEdges(withoutContacts(place))), coordinates);
  }

  /** A text without e-mail addresses and telephone numbers, which it counts. */
  publicText(name: string): string {
    const text = withoutEntities(this.text(name) ?? '');
    const rest = withoutContacts(text);
    if (rest !== text) this.#leaveOutPart(name, text);
    return rest;
  }

  #leaveOutPart(name: string, text: string): void {
    this.leftOut.push({
      name: `${name} with ${contactsIn(text)}`,
      offset: this.find(name)?.offset ?? 0,
    });
  }

  /** Returns the occurrence that a RECURRENCE-ID stands for, alone or with all later ones. */
  replaced(): Pick<CalendarEvent, 'replaces' | 'isForFuture'> {
    const range = this.#read('RECURRENCE-ID', (line) => readProperty(line).range);
    const replaces = this.#read('RECURRENCE-ID', (line) => {
      if (range === null || range === 'THISANDFUTURE') return readMoment(line, this.#clocks);
      throw new Error(`expected a RANGE of THISANDFUTURE, not ${range}`);
    });
    return {
      replaces,
      isForFuture: range !== null,
    };
  }

  /** Counts a value that is left out of the event, with the text that it has. */
  leaveOut(name: string): void {
    const text = JSON.stringify((this.text(name) ?? '').trim().slice(0, 40));
    this.leftOut.push({
      name: `${name} ${text}`,
      offset: this.find(name)?.offset ?? 0,
    });
  }

  rules(): ReadRule[] {
    return this.#all('RRULE', 'EXRULE').flatMap((line) => {
      const rule = readLine(line, this.#findings, readRule);
      return rule === null ? [] : [{ rule, line }];
    });
  }

  #all(...names: string[]): ContentLine[] {
    return this.#lines.filter(({ name }) => names.includes(name));
  }

  #read<T>(name: string, read: (text: string) => T): T | null {
    const line = this.find(name);
    return line === undefined ? null : readLine(line, this.#findings, read);
  }

  /** Like `#read`, but an event is of use without the value. */
  #readOptional<T>(name: string, read: (text: string) => T): T | null {
    const line = this.find(name);
    if (line === undefined) return null;
    const faults: TextFinding[] = [];
    const value = readLine(line, faults, read);
    if (faults.length > 0) this.leftOut.push({ name, offset: line.offset });
    return value;
  }
}

type Coordinates = Readonly<Record<'latitude' | 'longitude', number>>;

function readCoordinates(line: string): Coordinates {
  const [, latitude = NaN, longitude = NaN] = geo.exec(line)?.map(Number) ?? [];
  // Programs write zeros for what they do not know.
  const isSomewhere = latitude !== 0 || longitude !== 0;
  if (isSomewhere && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)
    return { latitude, longitude };
  throw new Error('expected degrees north and east, such as 52.52;13.405');
}

const geo = /:\s*([+-]?\d+(?:\.\d*)?(?:e[+-]?\d+)?)\s*;\s*([+-]?\d+(?:\.\d*)?(?:e[+-]?\d+)?)\s*$/i;

function readLocation(text: string, coordinates: Coordinates | null): LocationSource {
  const name = isNoPlace(text) ? '' : text;
  if (coordinates === null) return name === '' ? null : name;
  return {
    name: name || `${coordinates.latitude}, ${coordinates.longitude}`,
    ...coordinates,
  };
}
