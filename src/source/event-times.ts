import { isEnd, readEnd, type End } from '../catalogue/time/end.ts';
import type { Period } from '../catalogue/time/period.ts';
import { isStart, readStart, type Start } from '../catalogue/time/start.ts';
import { isZone } from '../catalogue/time/zone.ts';
import type { FoundProblem, JsonPath, ValueFinding } from './finding.ts';
import type { PartialEvent } from './json/types.ts';
import { readDate } from './csv/dates.ts';
import { textRules, type DateOrder } from './rules.ts';

/** Longer texts are not read as dates, because their readers keep what they have read. The longest form has 32. */
const maxDateCharacters = 64;

/** Reads the start of an event, or the period that it is announced for. Returns null if it is invalid. */
export function readStarts(
  event: PartialEvent,
  zone: string | null,
  index: number,
  findings: ValueFinding[],
): Start | Period | null {
  const { starts } = event;
  const zoneIsKnown = isKnownZone(event, zone);
  const problem = zone === null || zoneIsKnown || event.zone === undefined ? null : textRules.zone(zone);
  if (problem !== null) findings.push({ problem, path: ['events', index, 'zone'] });
  if (starts === undefined) return null;
  const isLong = starts.length > maxDateCharacters;
  const reading = isLong
    ? ({ code: 'bad-starts' } as const)
    : readStart(starts, zoneIsKnown ? zone : 'UTC', event.zone === undefined);
  if (!('code' in reading)) return reading;
  if (zoneIsKnown || !dependsOnZone(reading.code)) {
    const proposal = reading.code === 'bad-starts' && !isLong ? proposeStart(starts) : null;
    const details = { key: 'starts', found: starts, zone: zone ?? '', proposal };
    findings.push({ problem: { ...reading, ...details }, path: ['events', index, 'starts'] });
  }
  return null;
}

/** Reads the end of an event. Returns null if it is missing or invalid, or if the start is. */
export function readEnds(
  event: PartialEvent,
  start: Start | Period | null,
  zone: string | null,
  index: number,
  findings: ValueFinding[],
): End | null {
  const { starts, ends } = event;
  if (start === null || starts === undefined || ends === undefined) return null;
  const path: JsonPath = ['events', index, 'ends'];
  if ('period' in start) {
    findings.push({ problem: { code: 'ends-announced', found: ends, announced: start.period }, path });
    return null;
  }
  const zoneIsKnown = isKnownZone(event, zone);
  const isLong = ends.length > maxDateCharacters;
  const reading = isLong
    ? ({ code: 'bad-ends', found: ends } as const)
    : readEnd(ends, starts, start, zoneIsKnown ? zone : 'UTC', event.zone === undefined);
  if (isEnd(reading)) return reading;
  if (zoneIsKnown || !dependsOnZone(reading.code)) {
    const proposal = reading.code === 'bad-ends' && !isLong ? proposeStart(ends) : null;
    const details = { key: 'ends', starts, zone: zone ?? '', proposal };
    findings.push({ problem: { ...reading, ...details }, path });
  }
  return null;
}

/**
 * Returns the ISO 8601 form of a start such as `15/01/2027` or `5 May 2027 19:30`, in a zone or with an offset. Returns
 * null if it is unclear, as `05/01/2027` and `5.1.27` are, or not a start at all.
 */
export function proposeStart(written: string): string | null {
  if (!/\p{Nd}{4}/u.test(written)) return null;
  // Nobody writes the month first with dots.
  const orders: readonly DateOrder[] = /^\s*\d+\./.test(written) ? ['d.m.y'] : ['d/m/y', 'm/d/y'];
  const readings = new Set(orders.map((order) => readDate(written.trim(), order)));
  const isReal = (text: string): boolean => [null, 'UTC'].some((zone) => isStart(readStart(text, zone)));
  const [start = null, ...others] = [...readings].filter((one) => one !== null && isReal(one));
  return others.length === 0 ? start : null;
}

function isKnownZone(event: PartialEvent, zone: string | null): boolean {
  const isInvalid = event.zone === undefined && 'zone' in event;
  return !isInvalid && (zone === null || isZone(zone));
}

function dependsOnZone(code: FoundProblem['code']): boolean {
  return ['offset-conflict', 'skipped-time', 'repeated-time', 'ends-before-starts'].includes(code);
}
