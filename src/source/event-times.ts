import { isEnd, readEnd, type End, type EndFault } from '../catalogue/time/end.ts';
import { day, isoDate } from '../catalogue/time/time.ts';
import { isStart, readStart, type Period, type Start, type StartFault } from '../catalogue/time/start.ts';
import { isZone } from '../catalogue/time/zone.ts';
import type { FoundProblem, ValueFinding } from './finding.ts';
import type { PartialEvent } from './json/types.ts';
import { readDate } from './csv/dates.ts';
import { textRules, type DateOrder } from './rules.ts';

/** The maximum length of a date, because readers cache what they parse. The longest form has 32 characters. */
const maxDateCharacters = 65;

interface Timed {
  readonly event: PartialEvent;
  readonly zone: string | null;
  readonly index: number;
}

/** Reads the start of an event, or the period that it is announced for. Returns null if it is invalid. */
export function readStarts(timed: Timed, findings: ValueFinding[]): Start | Period | null {
  const { event, zone, index } = timed;
  const { starts } = event;
  const problem = zone === null || isKnownZone(timed) || event.zone === undefined ? null : textRules.zone(zone);
  if (problem !== null) findings.push({ problem, path: ['events', index, 'zone'] });
  if (starts === undefined) return null;
  const written = starts.slice(0, maxDateCharacters);
  const reading = readStart(written, isKnownZone(timed) ? zone : 'UTC', event.zone === undefined);
  if (!('code' in reading)) return reading;
  reportFault({ found: starts, ...reading }, 'starts', timed, findings);
  return null;
}

/** Reads the end of an event. Returns null if it is missing or invalid, or if the start is. */
export function readEnds(timed: Timed, start: Start | Period | null, findings: ValueFinding[]): End | null {
  const { event, zone, index } = timed;
  const { starts, ends } = event;
  if (start === null || starts === undefined || ends === undefined) return null;
  if ('period' in start) {
    const problem = { code: 'ends-announced', found: ends, announced: start.period } as const;
    findings.push({ problem, path: ['events', index, 'ends'] });
    return null;
  }
  const written = ends.slice(0, maxDateCharacters);
  const reading = readEnd(written, starts, start, isKnownZone(timed) ? zone : 'UTC', event.zone === undefined);
  if (isEnd(reading)) return reading;
  reportFault(reading, 'ends', timed, findings);
  return null;
}

type Fault = (StartFault | EndFault) & { readonly found: string };

/** Reports why a start or an end cannot be read, unless that may follow from an unknown zone. */
function reportFault(fault: Fault, key: 'starts' | 'ends', timed: Timed, findings: ValueFinding[]): void {
  const { event, zone, index } = timed;
  if (!isKnownZone(timed) && dependsOnZone(fault.code)) return;
  const isNextDay = fault.code === 'ends-before-starts' && /^\d\d:\d\d/.test(event.ends ?? '');
  const proposal = isNextDay
    ? isoDate(Date.parse(fault.found.slice(0, 10)) + day) + fault.found.slice(10)
    : fault.code === `bad-${key}`
      ? proposeStart(fault.found)
      : null;
  const problem = { ...fault, key, starts: event.starts ?? '', zone: zone ?? '', proposal };
  findings.push({ problem, path: ['events', index, key] });
}

/**
 * Returns the ISO 8601 form of a start such as `15/01/2027` or `5 May 2027 19:30`, in a zone or with an offset. Returns
 * null if it is unclear, as `05/01/2027` and `5.1.27` are, or not a start at all.
 */
export function proposeStart(written: string): string | null {
  if (!/\p{Nd}{4}/u.test(written)) return null;
  // No locale writes the month first with dots.
  const orders: readonly DateOrder[] = /^\s*\d+\./.test(written) ? ['d.m.y'] : ['d/m/y', 'm/d/y'];
  const readings = new Set(orders.map((order) => readDate(written.trim(), order)));
  const isReal = (text: string): boolean => [null, 'UTC'].some((zone) => isStart(readStart(text, zone)));
  const [start = null, ...others] = [...readings].filter((one) => one !== null && isReal(one));
  return others.length === 0 ? start : null;
}

function isKnownZone({ event, zone }: Timed): boolean {
  const isInvalid = event.zone === undefined && 'zone' in event;
  return !isInvalid && (zone === null || isZone(zone));
}

function dependsOnZone(code: FoundProblem['code']): boolean {
  return ['offset-conflict', 'skipped-time', 'repeated-time', 'ends-before-starts'].includes(code);
}
