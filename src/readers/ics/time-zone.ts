import { day, readOffset } from '../../catalogue/time/time.ts';
import { instantsOf, isZone, offsetAt, wallAt } from '../../catalogue/time/zone.ts';
import type { TextFinding } from '../schema/finding.ts';
import { type Budget, followRule } from './recurrence.ts';
import type { Component } from './content-lines.ts';
import { readLine, readProperty, readText } from './property.ts';
import { readRule, readWall } from './rule.ts';
import windowsZones from './windows-zones.json' with { type: 'json' };

/**
 * Converts between instants and wall times in a zone of a calendar. Wall times are written as if
 * they were UTC.
 */
export interface Clock {
  /** The IANA zone. Null for plain UTC, and for a zone that only the calendar describes. */
  readonly zone: string | null;
  readonly instantAt: (wall: number) => number;
  readonly wallAt: (instant: number) => number;
}

export const utc: Clock = { zone: null, instantAt: (wall) => wall, wallAt: (instant) => instant };

interface Limits {
  readonly defaultZone: string | null | undefined;
  readonly horizon: number;
  readonly budget: Budget;
  readonly findings: TextFinding[];
}

/**
 * The clocks of the TZIDs in a calendar: of IANA zones if possible, otherwise of their VTIMEZONEs.
 */
export interface Clocks {
  /**
   * The clock of times without a TZID: of X-WR-TIMEZONE, else of the default zone. Null if that is
   * missing or unknown.
   */
  readonly ofCalendar: Clock | null;
  /**
   * Returns the clock of a TZID. Returns null if neither the database nor the calendar has such a
   * zone.
   */
  readonly named: (tzid: string) => Clock | null;
}

export function readClocks(calendar: Component, limits: Limits): Clocks {
  const textOf = (component: Component, name: string): string | null =>
    textIn(component, name, limits.findings);
  const zones = calendar.components.filter(({ name }) => name === 'VTIMEZONE');
  const described = new Map(zones.map((zone) => [textOf(zone, 'TZID') ?? '', zone]));
  const clocks = new Map<string, Clock | null>();
  const find = (tzid: string): Clock | null => {
    const own = described.get(tzid);
    const zone = ianaZone(tzid) ?? ianaZone((own && textOf(own, 'X-LIC-LOCATION')) ?? '');
    return zone === null
      ? ((own && describedClock(own, limits)) ?? offsetClock(tzid))
      : zoneClock(zone);
  };
  const named = (tzid: string): Clock | null => {
    const clock = clocks.get(tzid) ?? find(tzid);
    clocks.set(tzid, clock);
    return clock;
  };
  const name = textOf(calendar, 'X-WR-TIMEZONE') ?? limits.defaultZone ?? null;
  return { named, ofCalendar: name === null ? null : named(name) };
}

function ianaZone(tzid: string): string | null {
  const name = tzid.trim();
  if (isZone(name)) return name;
  if (/^(utc|gmt|z|tzone:\/\/microsoft\/utc)$/i.test(name)) return 'UTC';
  const parts = name.split('/');
  const tails = [-3, -2].map((length) => parts.slice(length).join('/'));
  return tails.find(isZone) ?? windowsZone(name);
}

/**
 * Returns the zone of a Windows name such as `Eastern Standard Time`, which Outlook shows as
 * `(UTC-05:00) Eastern Time (US & Canada)`.
 */
function windowsZone(name: string): string | null {
  const [, shownName] = shownPattern.exec(name) ?? [];
  const id = shownName === undefined ? name : windowsIds.get(shownName.replace('&', 'and'));
  return windowsZoneById.get(id ?? name) ?? null;
}

const windowsIds = new Map(Object.entries(windowsZones.shown));
const windowsZoneById = new Map(Object.entries(windowsZones.ids));

const shownPattern = /^\((?:UTC|GMT)(?: ?[+-]\d\d[:.]?\d\d)?\) *(.+?)(?: - (?:New|Old))?$/;

/** Returns the clock of a fixed offset such as `UTC+01` or `GMT-0330`; null for other names. */
function offsetClock(tzid: string): Clock | null {
  const [, sign = '', hours = '', minutes = '00'] =
    /^(?:UTC|GMT)([+-])(\d\d?)(?::?(\d\d))?$/.exec(tzid.trim()) ?? [];
  if (sign === '') return null;
  const offset = readOffset(`${sign}${hours.padStart(2, '0')}:${minutes}`);
  return { zone: null, instantAt: (wall) => wall - offset, wallAt: (instant) => instant + offset };
}

/**
 * RFC 5545, 3.3.5: a repeated time is the first of the two; a skipped time has the offset from
 * before the gap.
 */
function zoneClock(zone: string): Clock {
  const instantAt = (wall: number): number => {
    const [first] = instantsOf(zone, wall);
    return first ?? wall - offsetAt(zone, wall - day);
  };
  return { zone, instantAt, wallAt: (instant) => wallAt(zone, instant) };
}

/** From the wall time `wall` on, clocks are `offset` ahead of UTC. */
type Onset = { readonly wall: number; readonly offset: number };

/** Clocks change twice a year, and some calendars begin their zones in the year 1. */
const maxOnsets = 5000;

function describedClock(zone: Component, limits: Limits): Clock | null {
  const onsets: Onset[] = [];
  for (const observance of zone.components)
    for (const onset of onsetsOf(observance, limits)) onsets.push(onset);
  onsets.sort((a, b) => a.wall - b.wall);
  const [first] = onsets;
  if (first === undefined || onsets.length > maxOnsets) return null;
  const changes = onsets.map(({ wall, offset }, index) => {
    const before = onsets[index - 1]?.offset ?? offset;
    // The times that an onset skips still have the offset from before.
    return { instant: wall - before, wall: wall + Math.max(0, offset - before), offset };
  });
  return {
    zone: null,
    instantAt: (wall) => wall - (changes.findLast((change) => change.wall <= wall) ?? first).offset,
    wallAt: (instant) =>
      instant + (changes.findLast((change) => change.instant <= instant) ?? first).offset,
  };
}

/**
 * Returns when a STANDARD or DAYLIGHT begins. Rules that are not yearly do not belong in a zone and
 * are ignored.
 */
function onsetsOf(observance: Component, { horizon, budget, findings }: Limits): Onset[] {
  const written = (textIn(observance, 'TZOFFSETTO', findings) ?? '')
    .trim()
    .replace(/\d\d(?=\d)/g, '$&:');
  const start = readWall(textIn(observance, 'DTSTART', findings) ?? '')?.wall;
  if (!offsetShape.test(written) || start === undefined) return [];
  const walls = [start];
  for (const line of observance.lines) {
    readLine(line, findings, (text) => {
      if (line.name === 'RRULE') {
        const rule = readRule(text);
        if (rule?.frequency !== 'YEARLY') return;
        // UNTIL is in UTC. One more day includes the last onset in every zone.
        const until = readWall(rule.until ?? '')?.wall ?? horizon;
        const span = { from: start, to: Math.min(horizon, until + day) };
        for (const wall of followRule(rule, start, span, budget)) walls.push(wall);
      } else if (line.name === 'RDATE') {
        budget.spendDates(text);
        for (const value of readProperty(text).values) walls.push(readWall(value)?.wall ?? start);
      }
    });
  }
  const offset = readOffset(written);
  return walls.map((wall) => ({ wall, offset }));
}

const offsetShape = /^[+-]\d{2}:\d{2}(?::\d{2})?$/;

export function textIn({ lines }: Component, name: string, findings: TextFinding[]): string | null {
  const line = lines.find((candidate) => candidate.name === name);
  return line === undefined ? null : readLine(line, findings, readText);
}
