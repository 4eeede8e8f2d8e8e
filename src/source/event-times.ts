import { isEnd, readEnd, type End } from '../catalogue/time/end.ts';
import type { Period } from '../catalogue/time/period.ts';
import { readStart, type Start } from '../catalogue/time/start.ts';
import { isZone, nearestZone } from '../catalogue/time/zone.ts';
import type { FoundProblem, JsonPath, ValueFinding } from './finding.ts';
import type { PartialEvent } from './json/types.ts';
import { proposeStart } from './propose-start.ts';

/** Returns the zone of an event. The default does not apply to a time that has an offset, nor if the event says null. */
export function zoneOf({ zone, starts }: PartialEvent, defaultZone: string | null): string | null {
  if (zone !== undefined) return zone;
  return starts?.includes('T') === true && offsetAtEnd.test(starts) ? null : defaultZone;
}

const offsetAtEnd = /(Z|[+-]\d\d:\d\d)$/;

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
  if (zone !== null && !zoneIsKnown && event.zone !== undefined) {
    const problem = { code: 'unknown-zone', found: zone, nearest: nearestZone(zone) } as const;
    findings.push({ problem, path: ['events', index, 'zone'] });
  }
  if (starts === undefined) return null;
  const isLong = starts.length > maxDateCharacters;
  const reading = isLong ? ({ code: 'bad-starts' } as const) : readStart(starts, zoneIsKnown ? zone : 'UTC');
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
    : readEnd(ends, starts, start, zoneIsKnown ? zone : 'UTC');
  if (isEnd(reading)) return reading;
  if (zoneIsKnown || !dependsOnZone(reading.code)) {
    const proposal = reading.code === 'bad-ends' && !isLong ? proposeStart(ends) : null;
    const details = { key: 'ends', starts, zone: zone ?? '', proposal };
    findings.push({ problem: { ...reading, ...details }, path });
  }
  return null;
}

/** Whether the zone of an event is valid. An invalid one is already reported. */
function isKnownZone(event: PartialEvent, zone: string | null): boolean {
  const isInvalid = event.zone === undefined && 'zone' in event;
  return !isInvalid && (zone === null || isZone(zone));
}

/** Whether a problem may disappear with another zone. */
function dependsOnZone(code: FoundProblem['code']): boolean {
  return ['offset-conflict', 'skipped-time', 'repeated-time', 'ends-before-starts'].includes(code);
}
