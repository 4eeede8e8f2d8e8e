import { day } from '../../catalogue/time/time.ts';

/** A recurrence rule (RFC 5545, 3.3.10). */
export interface Rule {
  readonly frequency: Frequency;
  readonly interval: number;
  readonly count: number | null;
  /** In the form that `readWall` reads; in UTC if the start has a time zone. */
  readonly until: string | null;
  /** The first day of a week; 0 is Sunday. */
  readonly weekStart: number;
  /** The BY-parts except BYDAY, their values sorted and without repetitions. */
  readonly parts: Parts;
  readonly weekdays: readonly Weekday[] | null;
}

type Parts = Readonly<Partial<Record<RulePart, readonly number[]>>>;
type RulePart = (typeof numberParts)[number];
export type Frequency = keyof typeof lengthOf;

/**
 * Every such weekday if `nth` is 0, otherwise the nth one of its month or year; from the end if
 * `nth` is negative.
 */
interface Weekday {
  readonly nth: number;
  /** 0 is Sunday. */
  readonly weekday: number;
}

const numberParts = [
  'BYMONTH',
  'BYYEARDAY',
  'BYMONTHDAY',
  'BYHOUR',
  'BYMINUTE',
  'BYSECOND',
  'BYSETPOS',
] as const;

/** The minimum length of the period of each frequency, in milliseconds. */
export const lengthOf = {
  DAILY: day,
  WEEKLY: 7 * day,
  MONTHLY: 28 * day,
  YEARLY: 365 * day,
} as const;

/**
 * Reads an RRULE or EXRULE line. Returns null if it has no value. Throws if the rule cannot be
 * expanded.
 */
export function readRule(line: string): Rule | null {
  // Some programs write small letters, white space, and a Z after a date.
  const rule = line
    .toUpperCase()
    .replace(/\s+/g, '')
    .replace(/(UNTIL=\d{8})Z/, '$1');
  const value = rule.slice(rule.lastIndexOf(':') + 1);
  if (value === '') return null;
  for (const part of value.split(';')) checkPart(part);
  const parts = Object.fromEntries(
    value.split(';').map((part) => part.split('=') as [string, string]),
  );
  const { COUNT: count, UNTIL: until, BYDAY: byDay } = parts;
  const frequency = parts['FREQ'] as Frequency | undefined;
  if (frequency === undefined) throw new Error('it has no FREQ');
  const interval = Number(parts['INTERVAL'] ?? 1);
  if (!(interval * lengthOf[frequency] <= longestInterval))
    throw new Error(`an INTERVAL of ${interval} is too long`);
  const read = numberParts.flatMap((name) =>
    parts[name] ? [[name, numbersOf(name, parts[name].split(','))]] : [],
  );
  return {
    frequency,
    interval,
    count: count === undefined ? null : Number(count),
    until: until === undefined ? null : extended(until),
    weekStart: weekdays.indexOf(parts['WKST'] ?? 'MO'),
    parts: Object.fromEntries(read) as Parts,
    weekdays:
      byDay === undefined
        ? null
        : byDay.split(',').map((text) => ({
            nth: Number(text.slice(0, -2)),
            weekday: weekdays.indexOf(text.slice(-2)),
          })),
  };
}

/** Throws if a part of a rule is unknown or not allowed. A mistyped COUNT would be ignored. */
function checkPart(part: string): void {
  const [name = '', value] = part.split('=');
  if (part === '' || name.startsWith('X-')) return;
  const allowed = Object.hasOwn(allowedIn, name) ? allowedIn[name] : undefined;
  if (allowed === undefined)
    throw new Error(
      `${JSON.stringify(name.slice(0, 20))} is not a part of a rule that almanac supports`,
    );
  if (value === undefined) throw new Error(`${name} has no value`);
  const invalid = (name === 'FREQ' ? [value] : value.split(',')).find(
    (each) => !allowed.fits(each),
  );
  if (invalid !== undefined)
    throw new Error(
      `expected ${name} to be ${allowed.words}, not ${JSON.stringify(invalid.slice(0, 20))}`,
    );
}

interface Allowed {
  readonly words: string;
  readonly fits: (value: string) => boolean;
}

function numbers(least: number, most: number): Allowed {
  const words = least < 0 ? `1 to ${most}, or -${most} to -1 from the end` : `${least} to ${most}`;
  return {
    words,
    fits: (value) =>
      /^[+-]?\d+$/.test(value) &&
      +value >= least &&
      +value <= most &&
      (least === 0 || +value !== 0),
  };
}

const fromOne: Allowed = {
  words: 'a whole number of at least 1',
  fits: numbers(1, Infinity).fits,
};

function isMoment(value: string): boolean {
  return /^\d{8}(T\d{6}Z?)?$/.test(value) && readWall(extended(value)) !== null;
}

function extended(value: string): string {
  return value.replace(/^(\d{4})(\d\d)(\d\d)/, '$1-$2-$3').replace(/T(\d\d)(\d\d)/, 'T$1:$2:');
}

const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

const allowedIn: Readonly<Record<string, Allowed>> = {
  FREQ: { words: `one of ${Object.keys(lengthOf).join(', ')}`, fits: (value) => value in lengthOf },
  INTERVAL: fromOne,
  COUNT: fromOne,
  UNTIL: {
    words: 'a date such as 20270131, or a time such as 20270131T120000Z',
    fits: isMoment,
  },
  WKST: {
    words: 'a weekday such as MO',
    fits: (value) => weekdays.includes(value),
  },
  BYMONTH: numbers(1, 12),
  BYYEARDAY: numbers(-366, 366),
  BYMONTHDAY: numbers(-31, 31),
  BYDAY: {
    words: 'a weekday such as MO, or one with its number in the month or year, such as 1MO or -1MO',
    fits: (value) => /^[+-]?(5[0-3]|[1-4]\d|[1-9])?(SU|MO|TU|WE|TH|FR|SA)$/.test(value),
  },
  BYHOUR: numbers(0, 23),
  BYMINUTE: numbers(0, 59),
  BYSECOND: numbers(0, 60),
  BYSETPOS: numbers(-366, 366),
};

function numbersOf(part: RulePart, values: readonly string[]): number[] {
  const read = values.map((value) =>
    part === 'BYSECOND' ? Math.min(Number(value), 59) : Number(value),
  );
  return [...new Set(read)].toSorted((a, b) => a - b);
}

/** A few such intervals still lead to dates that JavaScript can represent. */
const longestInterval = 1000 * 366 * day;

/** A date, or a date with a clock time. */
export interface Wall {
  /** The wall time in milliseconds since 1970, as if it were UTC. Midnight for a date alone. */
  readonly wall: number;
  readonly isDate: boolean;
  readonly isUtc: boolean;
}

/**
 * Reads `20270304`, `20270304T200000` or the latter with a Z, with hyphens and colons or without.
 * Null for others.
 */
export function readWall(text: string): Wall | null {
  const match = /^(\d{4})-?(\d{2})-?(\d{2})(?:T(\d{2}):?(\d{2}):?(\d{2})(Z)?)?$/.exec(text);
  if (match === null) return null;
  const [year = 0, month = 0, date = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1, 7)
    .map((part: string | undefined) => Number(part ?? 0));
  const midnight = midnightUtc(year, month - 1, date);
  const isReal = new Date(midnight).getUTCDate() === date && month >= 1 && month <= 12;
  if (!isReal || hours > 23 || minutes > 59 || seconds > 60) return null;
  // A leap second is read as the second before it.
  const wall = midnight + ((hours * 60 + minutes) * 60 + Math.min(seconds, 59)) * 1000;
  return {
    wall,
    isDate: match[4] === undefined,
    isUtc: match[7] !== undefined,
  };
}

/**
 * `Date.UTC` reads the years 0 to 99 as 1900 to 1999. Some calendars begin their time zones in the
 * year 1.
 */
export function midnightUtc(year: number, month: number, date = 1): number {
  return year < 100 ? new Date(0).setUTCFullYear(year, month, date) : Date.UTC(year, month, date);
}
