import ICAL from 'ical.js';
import { day } from '../../catalogue/time/time.ts';
import { lengthOf, numberParts, type Frequency, type Part, type Parts, type Rule, type Weekday } from './recurrence.ts';
import { readWall } from './wall.ts';

/**
 * The one door to ical.js: the values of properties, recurrence rules among them. Their occurrences are found elsewhere,
 * since it gives dates that are none of a rule's (29 February in other years) and leaves some out.
 */

// Calendars write `DTSTART:20270304` where VALUE=DATE is missing; the strict design would make nonsense of it.
ICAL.design.strict = false;

// The name of a calendar (RFC 7986) is a text; ical.js does not know it, and would leave its escapes.
ICAL.design.icalendar.property['name'] = { defaultType: 'text' };

/** A property as ical.js reads it. */
export interface Property {
  /** Values in the extended form of ISO 8601 where they are dates or times, without escapes where they are texts. */
  readonly values: readonly string[];
  readonly tzid: string | null;
  readonly range: string | null;
}

/** Reads a content line. Throws an Error with the reason where its value is not of its kind. */
export function readProperty(line: string): Property {
  const property = ICAL.Property.fromString(line);
  const values = (property.jCal as unknown[]).slice(3).map((value) => (Array.isArray(value) ? value[0] : value));
  const parameter = (name: string): string | null => {
    const value = property.getParameter(name) as string | string[] | undefined;
    return (Array.isArray(value) ? value[0] : value) ?? null;
  };
  return { values: values.map(String), tzid: parameter('tzid'), range: parameter('range') };
}

/** Reads an RRULE or EXRULE line. Throws an Error with the reason where it is not a rule that can be followed. */
export function readRule(line: string): Rule {
  // Names may be in any letter case, which ical.js does not know.
  const rule = line.toUpperCase();
  for (const part of rule.slice(rule.lastIndexOf(':') + 1).split(';')) refuseMisfit(part);
  const { freq, interval, count, until, wkst, parts } = ICAL.Property.fromString(rule).getFirstValue() as ICAL.Recur;
  const frequency = freq as Frequency | null;
  if (frequency === null || !(frequency in lengthOf)) throw new Error('it has no FREQ');
  if (!(interval * lengthOf[frequency] <= longestInterval)) throw new Error(`an INTERVAL of ${interval} is too long`);
  const misplaced = hasNoPlaceIn[frequency]?.find((part) => part in parts);
  if (misplaced !== undefined) throw new Error(`${misplaced} has no place in a ${frequency} rule`);
  const read = numberParts.flatMap((part) => (part in parts ? [[part, numbersOf(part, parts[part] as number[])]] : []));
  return {
    frequency,
    interval,
    count,
    until: until === null ? null : until.toString(),
    weekStart: wkst - 1,
    parts: Object.fromEntries(read) as Parts,
    weekdays: 'BYDAY' in parts ? (parts.BYDAY as string[]).map(readWeekday) : null,
  };
}

/**
 * Throws where a part of a rule is none, or has a value that it cannot have. ical.js would pass over it, or take another
 * for it: a mistyped COUNT would be a series without an end.
 */
function refuseMisfit(part: string): void {
  const [name = '', value] = part.split('=');
  if (part === '' || name.startsWith('X-')) return;
  const allowed = Object.hasOwn(allowedIn, name) ? allowedIn[name] : undefined;
  if (allowed === undefined) throw new Error(`${JSON.stringify(name.slice(0, 20))} is no part of a rule`);
  if (value === undefined) throw new Error(`${name} has no value`);
  const misfit = (name === 'FREQ' ? [value] : value.split(',')).find((one) => !allowed.fits(one));
  if (misfit !== undefined) throw new Error(`${name} is ${allowed.words}, not ${JSON.stringify(misfit.slice(0, 20))}`);
}

interface Allowed {
  readonly words: string;
  readonly fits: (value: string) => boolean;
}

function numbers(least: number, most: number): Allowed {
  const words = least < 0 ? `1 to ${most}, or -${most} to -1 from the end` : `${least} to ${most}`;
  return {
    words,
    fits: (value) => isWhole(value) && +value >= least && +value <= most && (least === 0 || +value !== 0),
  };
}

function isWhole(value: string): boolean {
  return /^[+-]?\d+$/.test(value);
}

const fromOne: Allowed = { words: 'a whole number from 1', fits: numbers(1, Infinity).fits };

/** Whether UNTIL is a date or a time that there is. Of another, or of one in another form, ical.js makes other ones. */
function isMoment(value: string): boolean {
  const [, year, month, date, time] = /^(\d{4})(\d\d)(\d\d)(T\d{6}Z?)?$/.exec(value) ?? [];
  const clock = time?.replace(/(\d\d)(\d\d)(\d\d)/, '$1:$2:$3') ?? '';
  return readWall(`${year}-${month}-${date}${clock}`) !== null;
}

const allowedIn: Readonly<Record<string, Allowed>> = {
  FREQ: { words: `one of ${Object.keys(lengthOf).join(', ')}`, fits: (value) => value in lengthOf },
  INTERVAL: fromOne,
  COUNT: fromOne,
  UNTIL: { words: 'a date such as 20270131, or a time such as 20270131T120000Z', fits: isMoment },
  WKST: { words: 'a weekday such as MO', fits: (value) => weekdays.includes(value) },
  BYMONTH: numbers(1, 12),
  BYWEEKNO: numbers(-53, 53),
  BYYEARDAY: numbers(-366, 366),
  BYMONTHDAY: numbers(-31, 31),
  BYDAY: {
    words: 'a weekday such as MO, or the first or last one in its month or year, 1MO or -1MO',
    fits: (value) => /^[+-]?(5[0-3]|[1-4]\d|[1-9])?(SU|MO|TU|WE|TH|FR|SA)$/.test(value),
  },
  BYHOUR: numbers(0, 23),
  BYMINUTE: numbers(0, 59),
  BYSECOND: numbers(0, 60),
  BYSETPOS: numbers(-366, 366),
  // Of RFC 7529 what changes nothing.
  RSCALE: { words: 'GREGORIAN here', fits: (value) => value === 'GREGORIAN' },
  SKIP: { words: 'OMIT here', fits: (value) => value === 'OMIT' },
};

/** In order, and each once; a leap second is the last one that clocks here can show. */
function numbersOf(part: Part, values: readonly number[]): number[] {
  const known = part === 'BYSECOND' ? values.map((value) => Math.min(value, 59)) : values;
  return [...new Set(known)].toSorted((a, b) => a - b);
}

function readWeekday(written: string): Weekday {
  return { nth: Number(written.slice(0, -2)), weekday: weekdays.indexOf(written.slice(-2)) };
}

const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

const hasNoPlaceIn: Partial<Record<Frequency, readonly Part[]>> = {
  DAILY: ['BYYEARDAY'],
  WEEKLY: ['BYMONTHDAY', 'BYYEARDAY'],
  MONTHLY: ['BYYEARDAY', 'BYWEEKNO'],
};

/** Of a few such steps every date can still be reckoned with. */
const longestInterval = 1000 * 366 * day;
