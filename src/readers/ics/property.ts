import { count } from '../../problem/text.ts';
import { day } from '../../catalogue/time/time.ts';
import {
  FoundError,
  maxProblemsPerFile,
  type FoundProblem,
  type TextFinding,
} from '../schema/finding.ts';
import type { ContentLine } from './content-lines.ts';

/**
 * A property of a calendar (RFC 5545, 3.1):
 * `EXDATE;TZID=Europe/Berlin:20270304T200000,20270311T200000`.
 */
export interface Property {
  /** The dates and times, in the basic form of ISO 8601. */
  readonly values: readonly string[];
  readonly tzid: string | null;
  readonly range: string | null;
}

/**
 * Reads a content line of dates or times, which have no colon: some programs write the names of
 * zones that have one without quotation marks. Throws an Error with the reason if its parameters
 * are malformed.
 */
export function readProperty(line: string): Property {
  const start = line.lastIndexOf(':') + 1;
  if (start === 0 || start > maxParameterCharacters) startOfValue(line);
  const parameters = new Map<string, string>();
  for (const [, name = '', quoted, plain = ''] of line.slice(0, start - 1).matchAll(parameter))
    parameters.set(name.toUpperCase(), quoted ?? plain.replaceAll('\\', ''));
  const length = parameters.get('VALUE')?.toUpperCase() === 'DATE' ? 'yyyymmdd'.length : undefined;
  const values = line.slice(start).split(',');
  return {
    values: values.map((value) => value.trim().slice(0, length)).filter((value) => value !== ''),
    tzid: parameters.get('TZID') ?? null,
    range: parameters.get('RANGE') ?? null,
  };
}

const parameter = /;([\w-]+)=(?:"([^"]*)"|([^";]*))/g;

export function startOfValue(line: string): number {
  let isQuoted = false;
  for (let at = 0; at < Math.min(line.length, maxParameterCharacters); at++) {
    if (line[at] === '"') isQuoted = !isQuoted;
    else if (line[at] === ':' && !isQuoted) return at + 1;
  }
  if (line.length < maxParameterCharacters) throw new Error('it has no value');
  throw new Error(`its parameters are longer than ${count(maxParameterCharacters)} characters`);
}

const maxParameterCharacters = 10_000;

/**
 * A length of time: whole days as calendars count them, and then milliseconds. Both are negative
 * before the start.
 */
export interface Length {
  readonly days: number;
  readonly milliseconds: number;
}

/**
 * The longest DURATION, in days. A date that is too far away for JavaScript has no zone offset, nor
 * any text.
 */
const maxDays = 100 * 366;

/**
 * Reads a duration (RFC 5545, 3.3.6; ISO 8601 with fixed lengths). Throws an Error with the reason if
 * it is malformed or longer than 100 years.
 */
export function readDuration(text: string): Length {
  const [whole, sign, ...parts] = duration.exec(text.trim()) ?? [];
  if (whole === undefined) throw new Error('expected a length such as P1D or PT1H30M');
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts.map((part?: string) =>
    Number((part ?? '0').replace(',', '.')),
  );
  const direction = sign === '-' ? -1 : 1;
  const length = {
    days: direction * (weeks * 7 + days),
    milliseconds: direction * ((hours * 60 + minutes) * 60 + seconds) * 1000,
  };
  if (Math.abs(length.days + length.milliseconds / day) > maxDays)
    throw new Error('an event may last 100 years at most');
  return length;
}

const duration =
  /^([+-])?P(?=T?\d)(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+(?:[.,]5)?)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/i;

/** Reads the text of a content line. Throws an Error with the reason if the line is malformed. */
export function readText(line: string): string {
  const start = startOfValue(line);
  const value = line.slice(start, start + maxTextCharacters);
  const text = quotedPrintable.test(line.slice(0, start)) ? readQuotedPrintable(value) : value;
  // RFC 5545 does not escape quotation marks, but many programs do.
  return text.replace(/\\([\\;,"nN])/g, (_, escaped: string) =>
    escaped.toLowerCase() === 'n' ? '\n' : escaped,
  );
}

const quotedPrintable = /;(?:ENCODING=)?QUOTED-PRINTABLE[;:]/i;

/** Some programs write texts of iCalendar as vCalendar has them (RFC 2045, 6.7). */
function readQuotedPrintable(text: string): string {
  const joined = text.replaceAll('=\n', '');
  const escaped = joined.replaceAll('%', '%25').replace(/=([\dA-F]{2})/gi, '%$1');
  return decodeURIComponent(escaped);
}

/**
 * Reads the texts of a content line that may list several, such as CATEGORIES. Throws like {@link
 * readText}.
 */
export function readTexts(line: string): readonly string[] {
  const text = line.slice(startOfValue(line)).slice(0, maxTextCharacters);
  return (text.match(/(?:\\.|[^\\,])+/g) ?? []).map((part) => readText(`:${part}`));
}

/** No text that is published is nearly as long. */
const maxTextCharacters = 10_000;

/**
 * Calls `read` with the text of a line. If it throws, adds a finding at the line and returns null.
 */
export function readLine<T>(
  line: ContentLine,
  findings: TextFinding[],
  read: (text: string) => T,
): T | null {
  if (findings.length > maxProblemsPerFile) return null;
  try {
    return read(line.text);
  } catch (error) {
    findings.push({
      problem: problemOf(error, line),
      offset: line.offset,
    });
    return null;
  }
}

function problemOf(error: unknown, { name, text }: ContentLine): FoundProblem {
  if (error instanceof FoundError) return error.problem;
  const reason = error instanceof Error ? error.message : String(error);
  return {
    code: name.endsWith('RULE') ? 'bad-recurrence' : 'bad-calendar-value',
    found: text,
    reason,
  };
}
