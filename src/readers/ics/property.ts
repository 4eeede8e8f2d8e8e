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
 * Reads a content line of dates or times. Throws an Error with the reason if its parameters are
 * malformed.
 */
export function readProperty(line: string): Property {
  const start = startOfValue(line);
  const written = Array.from(line.slice(0, start).matchAll(/;([\w-]+)=(?:"([^"]*)"|([^";:,]*))/g));
  const parameters = new Map(
    written.map(([, name = '', quoted, plain]) => [name.toUpperCase(), quoted ?? plain]),
  );
  const length = parameters.get('VALUE')?.toUpperCase() === 'DATE' ? 'yyyymmdd'.length : undefined;
  const values = line.slice(start).split(',');
  return {
    values: values.map((value) => value.trim().slice(0, length)).filter((value) => value !== ''),
    tzid: parameters.get('TZID') ?? null,
    range: parameters.get('RANGE') ?? null,
  };
}

function startOfValue(line: string): number {
  let isQuoted = false;
  for (let at = 0; at < Math.min(line.length, maxParameterCharacters); at++) {
    if (line[at] === '"') isQuoted = !isQuoted;
    else if (line[at] === ':' && !isQuoted) return at + 1;
  }
  if (line.length < maxParameterCharacters) throw new Error('it has no value');
  throw new Error(
    `its parameters are longer than ${maxParameterCharacters.toLocaleString('en-US')} characters`,
  );
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
 * Reads a DURATION. Throws an Error with the reason if it is malformed or longer than 100 years.
 */
export function readDuration(line: string): Length {
  const [whole, sign, ...parts] = duration.exec(line.slice(startOfValue(line)).trim()) ?? [];
  if (whole === undefined) throw new Error('expected a length such as P1D or PT1H30M');
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts.map((part?: string) =>
    Number(part ?? 0),
  );
  const length = {
    days: weeks * 7 + days,
    milliseconds: ((hours * 60 + minutes) * 60 + seconds) * 1000,
  };
  if (length.days + length.milliseconds / day > maxDays)
    throw new Error('an event may last 100 years at most');
  return sign === '-' ? { days: -length.days, milliseconds: -length.milliseconds } : length;
}

const duration =
  /^([+-])?P(?=T?\d)(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/i;

/** Reads the text of a content line. Throws an Error with the reason if the line is malformed. */
export function readText(line: string): string {
  const text = line.slice(startOfValue(line)).slice(0, maxTextCharacters);
  // RFC 5545 does not escape quotation marks, but many programs do.
  return text.replace(/\\([\\;,"nN])/g, (_, escaped: string) =>
    escaped.toLowerCase() === 'n' ? '\n' : escaped,
  );
}

/**
 * Reads the texts of a content line that may list several, such as CATEGORIES. Throws like {@link
 * readText}.
 */
export function readTexts(line: string): readonly string[] {
  const text = line.slice(startOfValue(line)).slice(0, maxTextCharacters);
  return (text.match(/(?:\\.|[^\\,])+/g) ?? []).map((one) => readText(`:${one}`));
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
    findings.push({ problem: problemOf(error, line), offset: line.offset });
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
