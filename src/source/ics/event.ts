import type { TextFinding } from '../finding.ts';
import { eventFields } from '../json/event-fields.ts';
import type { EventSource, LocationSource } from '../json/types.ts';
import { isId, maxTags, textRules } from '../rules.ts';
import { slug } from '../../catalogue/id.ts';
import type { Budget } from './recurrence.ts';
import type { Component } from './content-lines.ts';
import type { Length } from './property.ts';
import type { Moment } from './moment.ts';
import { plainLines } from '../plain.ts';
import { PropertyReader, type LeftOut, type ReadRule } from './property-reader.ts';
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
