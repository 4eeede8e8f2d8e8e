import { isEnd, readEnd, type End, type EndFault } from '../catalogue/time/end.ts';
import { day, isoDate } from '../catalogue/time/time.ts';
import {
  isStart,
  readStart,
  type Period,
  type Start,
  type StartFault,
} from '../catalogue/time/start.ts';
import { isZone } from '../catalogue/time/zone.ts';
import type { FoundProblem, ValueFinding } from '../readers/schema/finding.ts';
import type { PartialEvent } from '../readers/schema/source-types.ts';
import { readDate } from '../readers/dates.ts';
import { textRules, type DateOrder } from '../readers/schema/rules.ts';

/**
 * The maximum length of a date, because readers cache what they parse. The longest form has 32
 * characters.
 */
const maxDateCharacters = 65;

type Times = { readonly start: Start | Period | null; readonly end: End | null };

/**
 * Reads the start of an event, or the period that it is announced for, and its end. Null for each
 * that is invalid.
 */
export function readTimes(
  event: PartialEvent,
  zone: string | null,
  index: number,
  findings: ValueFinding[],
): Times {
  const { starts, ends } = event;
  const isInherited = event.zone === undefined;
  const isKnown = !(isInherited && 'zone' in event) && (zone === null || isZone(zone));
  const report = (problem: FoundProblem, key: string): void => {
    // That may follow from an unknown zone.
    if (isKnown || !zoneProblems.has(problem.code))
      findings.push({
        problem,
        path: ['events', index, key],
      });
  };
  const problem = isInherited || zone === null ? null : textRules.zone(zone);
  if (problem !== null) report(problem, 'zone');
  if (starts === undefined) return { start: null, end: null };
  const zoneRead = isKnown ? zone : 'UTC';
  const start = readStart(starts.slice(0, maxDateCharacters), zoneRead, isInherited);
  if ('code' in start) {
    report(problemOf({ found: starts, ...start }, 'starts', event, zone), 'starts');
    return { start: null, end: null };
  }
  if (ends === undefined) return { start, end: null };
  if ('period' in start) {
    report(
      {
        code: 'ends-announced',
        found: ends,
        announced: start.period,
      },
      'ends',
    );
    return { start, end: null };
  }
  const text = ends.slice(0, maxDateCharacters);
  const end = readEnd(text, { starts, start }, zoneRead, isInherited);
  if (isEnd(end)) return { start, end };
  report(problemOf(end, 'ends', event, zone), 'ends');
  return { start, end: null };
}

const zoneProblems = new Set<string>([
  'offset-conflict',
  'skipped-time',
  'repeated-time',
  'ends-before-starts',
]);

type Fault = (StartFault | EndFault) & { readonly found: string };

function problemOf(
  fault: Fault,
  key: 'starts' | 'ends',
  event: PartialEvent,
  zone: string | null,
): FoundProblem {
  const { code, found: text } = fault;
  const isNextDay = code === 'ends-before-starts' && /^\d\d:\d\d/.test(event.ends ?? '');
  const nextDay = isNextDay ? isoDate(Date.parse(text.slice(0, 10)) + day) + text.slice(10) : null;
  const proposal = code === `bad-${key}` ? proposeStart(text) : nextDay;
  const context = {
    key,
    starts: event.starts ?? '',
    zone: zone ?? '',
    proposal,
  };
  return { ...fault, ...context };
}

/**
 * Returns the ISO 8601 form of a start such as `15/01/2027` or `5 May 2027 19:30`, in a zone or
 * with an offset. Returns null if it is unclear, as `05/01/2027` and `5.1.27` are, or not a start
 * at all.
 */
export function proposeStart(text: string): string | null {
  if (!/\p{Nd}{4}/u.test(text)) return null;
  // No locale writes the month first with dots.
  const orders: readonly DateOrder[] = /^\s*\d+\./.test(text) ? ['d.m.y'] : ['d/m/y', 'm/d/y'];
  const readings = new Set(orders.map((order) => readDate(text.trim(), order)));
  const isReal = (start: string | null): start is string =>
    start !== null && [null, 'UTC'].some((zone) => isStart(readStart(start, zone)));
  const starts = [...readings].filter(isReal);
  return starts.length === 1 ? (starts[0] ?? null) : null;
}
