import ICAL from 'ical.js';
import { day } from '../../catalogue/time/time.ts';
import { FoundError, maxProblemsPerFile, type FoundProblem, type TextFinding } from '../finding.ts';
import type { ContentLine } from './content-lines.ts';

/*
 * The only module that imports ical.js, which reads the parameters and values of content lines. It does not expand
 * recurrence rules here (see recurrence.ts) and does not apply a VTIMEZONE (see time-zone.ts).
 */

// Calendars write `DTSTART:20270304` without VALUE=DATE. In strict mode, ical.js misreads that.
ICAL.design.strict = false;

// ical.js removes escapes only from properties that it knows to be text. NAME and X-WR-CALNAME are not among them.
const { value: types } = ICAL.design.icalendar;
types['unknown'] = types['text'];

/** A property as ical.js reads it. */
export interface Property {
  /** Dates and times in the extended form of ISO 8601; texts without escapes. */
  readonly values: readonly string[];
  readonly tzid: string | null;
  readonly range: string | null;
}

/** Reads a content line. Throws an Error with the reason if its value is malformed. */
export function readProperty(line: string): Property {
  const property = ICAL.Property.fromString(checkParameters(line));
  const values = (property.jCal as unknown[]).slice(3).map((value) => (Array.isArray(value) ? value[0] : value));
  const parameter = (name: string): string | null => {
    const value = property.getParameter(name) as string | string[] | undefined;
    return (Array.isArray(value) ? value[0] : value) ?? null;
  };
  // ical.js reads a time after VALUE=DATE as a time if it ends with a Z.
  const length = property.type === 'date' ? 'yyyy-mm-dd'.length : undefined;
  const texts = values.map((value) => String(value).slice(0, length));
  return { values: texts, tzid: parameter('tzid'), range: parameter('range') };
}

/** A length of time: whole days as calendars count them, and then milliseconds. Both are negative before the start. */
export interface Length {
  readonly days: number;
  readonly milliseconds: number;
}

/** The longest DURATION, in days. A date that is too far away for JavaScript has no zone offset, nor any text. */
const maxDays = 100 * 366;

/** Reads a DURATION. Throws an Error with the reason if it is malformed or longer than 100 years. */
export function readDuration(line: string): Length {
  const value = ICAL.Property.fromString(checkParameters(line)).getFirstValue() as ICAL.Duration;
  const { weeks, days, hours, minutes, seconds, isNegative } = value;
  const [sign, milliseconds] = [isNegative ? -1 : 1, ((hours * 60 + minutes) * 60 + seconds) * 1000];
  const length = { days: sign * (weeks * 7 + days), milliseconds: sign * milliseconds };
  // Written so that NaN is refused as well.
  if (Math.abs(length.days) + Math.abs(length.milliseconds) / day <= maxDays) return length;
  throw new Error('an event may last 100 years at most');
}

/** Reads the text of a content line. Throws an Error with the reason if the line is malformed. */
export function readText(line: string): string {
  return readTexts(line)[0] ?? '';
}

/** Reads the texts of a content line that may list several, such as CATEGORIES. Throws like {@link readText}. */
export function readTexts(line: string): readonly string[] {
  // Many programs escape quotation marks. RFC 5545 and ical.js do not.
  const text = line.slice(0, maxTextCharacters);
  const plain = text.includes('\\"') ? text.replace(/\\([\\"])/g, (pair, sign) => (sign === '"' ? '"' : pair)) : text;
  return readProperty(plain).values;
}

/** No text that is published is nearly as long. The escapes of a longer one would take much memory. */
const maxTextCharacters = 10_000;
/** ical.js takes quadratic time to read parameters. */
const maxParameterCharacters = 10_000;

/** Returns the line. Throws if its parameters, up to the first colon outside quotation marks, are too long. */
function checkParameters(line: string): string {
  let isQuoted = false;
  for (let at = 0; at < Math.min(line.length, maxParameterCharacters); at++) {
    if (line[at] === '"') isQuoted = !isQuoted;
    else if (line[at] === ':' && !isQuoted) return line;
  }
  if (line.length < maxParameterCharacters) return line;
  throw new Error(`its parameters are longer than ${maxParameterCharacters.toLocaleString('en-US')} characters`);
}

/** Calls `read` with the text of a line. If it throws, adds a finding at the line and returns null. */
export function readLine<T>(line: ContentLine, findings: TextFinding[], read: (text: string) => T): T | null {
  if (findings.length > maxProblemsPerFile) return null;
  try {
    return read(line.text);
  } catch (error) {
    findings.push({ problem: problemOf(error, line), offset: line.offset });
    return null;
  }
}

function problemOf(error: unknown, { name, text }: ContentLine): FoundProblem {
  if (error instanceof FoundError) return error.problem;
  // ical.js throws a TypeError if a part is missing, such as the end of the period in `VALUE=PERIOD:x`.
  const reason = error instanceof Error && !(error instanceof TypeError) ? error.message : 'a part has no value';
  return { code: name.endsWith('RULE') ? 'bad-recurrence' : 'bad-calendar-value', found: text, reason };
}
