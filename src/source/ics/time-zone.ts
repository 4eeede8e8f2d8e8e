import { day, readOffset } from '../../catalogue/time/time.ts';
import { instantsOf, offsetAt, wallAt } from '../../catalogue/time/zone.ts';
import { countUpTo } from '../positions.ts';
import type { TextFinding } from '../finding.ts';
import type { Bounds } from './bounds.ts';
import type { Component } from './content-lines.ts';
import { ianaZone } from './foreign-zone.ts';
import { readProperty, readRule } from './ical.ts';
import { readLine } from './read-line.ts';
import { followRule } from './recurrence.ts';
import { readWall } from './wall.ts';

/** What turns wall times (read as if they were UTC) into instants, as a calendar names it. */
export interface Clock {
  /** The IANA zone; null for UTC as a mere instant, and for a zone that only the calendar itself describes. */
  readonly zone: string | null;
  readonly instantAt: (wall: number) => number;
  readonly wallAt: (instant: number) => number;
}

export const utc: Clock = { zone: null, instantAt: (wall) => wall, wallAt: (instant) => instant };

/** How far a zone is followed, what that may cost, and where its faults are told. */
interface Limits {
  readonly horizon: number;
  readonly bounds: Bounds;
  readonly findings: TextFinding[];
}

/** The clocks that a calendar's TZIDs name: IANA zones where there is one, else what its VTIMEZONE says. */
export class Clocks {
  readonly #described = new Map<string, Component>();
  readonly #known = new Map<string, Clock | null>();
  readonly #limits: Limits;

  constructor(zones: readonly Component[], limits: Limits) {
    this.#limits = limits;
    for (const zone of zones) this.#described.set(textIn(zone, 'TZID', limits.findings) ?? '', zone);
  }

  /** The clock of a TZID; null where neither the database nor the calendar knows it. */
  named(tzid: string): Clock | null {
    let clock = this.#known.get(tzid);
    if (clock === undefined) this.#known.set(tzid, (clock = this.#find(tzid)));
    return clock;
  }

  #find(tzid: string): Clock | null {
    const described = this.#described.get(tzid);
    const location = described && textIn(described, 'X-LIC-LOCATION', this.#limits.findings);
    const zone = ianaZone(tzid) ?? (location === null || location === undefined ? null : ianaZone(location));
    if (zone !== null) return zoneClock(zone);
    return described === undefined ? null : describedClock(described, this.#limits);
  }
}

/** RFC 5545, 3.3.5: a time shown twice is the first one; a time that is skipped has the offset from before the gap. */
function zoneClock(zone: string): Clock {
  const instantAt = (wall: number): number => {
    const [first] = instantsOf(zone, wall);
    return first ?? wall - offsetAt(zone, wall - day);
  };
  return { zone, instantAt, wallAt: (instant) => wallAt(zone, instant) };
}

/** From `wall` on, clocks are `offset` ahead of UTC. */
interface Onset {
  readonly wall: number;
  readonly offset: number;
}

function describedClock(zone: Component, limits: Limits): Clock | null {
  const onsets: Onset[] = [];
  for (const observance of zone.components) for (const onset of onsetsOf(observance, limits)) onsets.push(onset);
  onsets.sort((a, b) => a.wall - b.wall);
  const [first] = onsets;
  if (first === undefined) return null;
  const changes = onsets.map(({ wall, offset }, index) => {
    const before = onsets[index - 1]?.offset ?? offset;
    // Until what it skips is over, a wall time has the offset from before.
    return { instant: wall - before, wall: wall + Math.max(0, offset - before), offset };
  });
  const byWall = lastUpTo(changes.map(({ wall }) => wall));
  const byInstant = lastUpTo(changes.map(({ instant }) => instant));
  return {
    zone: null,
    instantAt: (wall) => wall - (changes[byWall(wall)] ?? first).offset,
    wallAt: (instant) => instant + (changes[byInstant(instant)] ?? first).offset,
  };
}

/** Finds the last of some times, in any order, that is not later than a given one; -1 where all are. */
function lastUpTo(times: readonly number[]): (time: number) => number {
  // Of each time and those after it the earliest: these only grow.
  const earliest = times.toReversed();
  earliest.forEach((time, index) => (earliest[index] = Math.min(time, earliest[index - 1] ?? time)));
  earliest.reverse();
  return (time) => countUpTo(earliest, time) - 1;
}

/** When a STANDARD or DAYLIGHT begins. Rules other than yearly ones have no place in a zone and are passed over. */
function onsetsOf(observance: Component, { horizon, bounds, findings }: Limits): Onset[] {
  const written = textIn(observance, 'TZOFFSETTO', findings) ?? '';
  const start = readWall(textIn(observance, 'DTSTART', findings) ?? '')?.wall;
  if (!offsetShape.test(written) || start === undefined) return [];
  const walls = [start];
  for (const line of observance.lines) {
    readLine(line, findings, (text) => {
      if (line.name === 'RRULE') {
        const rule = readRule(text);
        if (rule.frequency !== 'YEARLY') return;
        // In UTC, where it has a zone: a day more includes the last one in any.
        const until = readWall(rule.until ?? '')?.wall ?? horizon;
        for (const wall of followRule(rule, start, Math.min(horizon, until + day), bounds)) walls.push(wall);
      } else if (line.name === 'RDATE') {
        bounds.dates(text);
        for (const value of readProperty(text).values) walls.push(readWall(value)?.wall ?? start);
      }
    });
  }
  const offset = readOffset(written);
  return walls.map((wall) => ({ wall, offset }));
}

/** An offset as ical.js writes it. */
const offsetShape = /^[+-]\d{2}:\d{2}(?::\d{2})?$/;

function textIn({ lines }: Component, name: string, findings: TextFinding[]): string | null {
  const line = lines.find((candidate) => candidate.name === name);
  return line === undefined ? null : (readLine(line, findings, readProperty)?.values[0] ?? null);
}
