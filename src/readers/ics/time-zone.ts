import { day, readOffset } from '../../catalogue/time/time.ts';
import {
  instantsOf,
  isZone,
  nearestZone,
  offsetAt,
  wallAt,
  zoneNames,
} from '../../catalogue/time/zone.ts';
import type { TextFinding } from '../schema/finding.ts';
import { type Budget, followRule, type Span } from './recurrence.ts';
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
  /** The zone at a wall time, if that differs from `zone`. */
  readonly zoneAt?: (wall: number) => string | null;
  /** The clock of the calendar, if the times are instants that it shows in its own zone. */
  readonly shown?: Clock;
}

const utc: Clock = {
  zone: null,
  instantAt: (wall) => wall,
  wallAt: (instant) => instant,
};

interface Limits {
  /** The zone that metadata gives the calendar. It counts above X-WR-TIMEZONE. */
  readonly chosenZone: string | null;
  readonly defaultZone: string | null;
  readonly span: Span;
  readonly budget: Budget;
  readonly findings: TextFinding[];
  readonly warnings: TextFinding[];
}

/** The clocks of the TZIDs in a calendar. */
export interface Clocks {
  /**
   * The clock of times without a TZID: of the zone in the metadata, else of X-WR-TIMEZONE, else of
   * the default zone. Null if that is missing or unknown.
   */
  readonly ofCalendar: Clock | null;
  /** The clock of times in UTC. Its zone is the one in which the calendar shows them, or null. */
  readonly ofInstants: Clock;
  /**
   * Returns the clock of a TZID. Returns null if neither the database nor the calendar has such a
   * zone.
   */
  readonly named: (tzid: string) => Clock | null;
}

/**
 * Returns the clocks of a calendar. A VTIMEZONE counts above the name that it has (RFC 5545, 3.2.19
 * and 3.6.5). X-WR-TIMEZONE is the zone of instants too, as Google writes it, unless it is UTC.
 */
export function readClocks(calendar: Component, limits: Limits): Clocks {
  const { chosenZone, defaultZone, findings } = limits;
  const zones = calendar.components.filter(({ name }) => name === 'VTIMEZONE');
  const described = new Map(zones.map((zone) => [textIn(zone, 'TZID', findings) ?? '', zone]));
  const clocks = new Map<string, Clock | null>();
  const clockNamed = (tzid: string): Clock | null => {
    const clock = clocks.get(tzid) ?? findClock(tzid, described.get(tzid), limits);
    clocks.set(tzid, clock);
    return clock;
  };
  const displayName = chosenZone ?? displayNameOf(calendar, clockNamed, limits);
  const name = displayName ?? defaultZone;
  const calendarClock = name === null ? null : clockNamed(name);
  const zone = displayName === null ? null : (calendarClock?.zone ?? null);
  return {
    named: clockNamed,
    ofCalendar: calendarClock,
    ofInstants: {
      ...utc,
      zone,
      shown: calendarClock ?? utc,
    },
  };
}

/** Returns the X-WR-TIMEZONE of a calendar. UTC is none, and an unknown one is a warning. */
function displayNameOf(
  calendar: Component,
  clockNamed: Clocks['named'],
  { findings, warnings }: Limits,
): string | null {
  const name = textIn(calendar, 'X-WR-TIMEZONE', findings)?.trim() ?? '';
  if (name === '') return null;
  const clock = clockNamed(name);
  if (clock === null) {
    const problem = {
      code: 'unknown-zone',
      found: name,
      nearest: nearestZone(name),
    } as const;
    warnings.push({
      problem,
      offset: calendar.offset,
    });
  }
  return isUtc(clock?.zone) ? null : name;
}

function isUtc(zone: string | null | undefined): boolean {
  return /^(?:UTC|Etc\/(?:UTC|UCT|GMT|Zulu|Universal|Greenwich))$/.test(zone ?? '');
}

/** Returns the clock of a TZID that has a VTIMEZONE, or has none. */
function findClock(tzid: string, component: Component | undefined, limits: Limits): Clock | null {
  const location = component && textIn(component, 'X-LIC-LOCATION', limits.findings);
  const zone = ianaZone(tzid) ?? ianaZone(location ?? '');
  const description = component === undefined ? null : describedClock(component, limits);
  if (zone === null) return description ?? offsetClock(tzid);
  return description === null ? zoneClock(zone) : joinedClock(zone, description, limits.span);
}

/**
 * Returns the clock of a zone that the calendar describes and the database has. Where both agree, it
 * is that zone. Where they differ, the description counts, except where it has ended: many programs
 * describe only the years of their events, or only one half of a year.
 */
function joinedClock(zone: string, description: Description, { from }: Span): Clock {
  const database = zoneClock(zone);
  const isHalf = [from, from + yearAfter / 2].some(
    (wall) => database.instantAt(wall) === description.instantAt(wall),
  );
  const isPlain = isUtc(zone);
  if (!isPlain && description.until === -Infinity) return isHalf ? database : description;
  const isDescribed = (wall: number) =>
    wall >= description.from && (isPlain || wall < description.until);
  const at = (wall: number): Clock =>
    isDescribed(wall) && description.instantAt(wall) !== database.instantAt(wall)
      ? description
      : database;
  return {
    zone,
    instantAt: (wall) => at(wall).instantAt(wall),
    wallAt: (instant) => at(description.wallAt(instant)).wallAt(instant),
    zoneAt: (wall) => {
      const clock = at(wall);
      return clock.zoneAt?.(wall) ?? clock.zone;
    },
  };
}

/** Returns the zone of the database that a name stands for, or null. */
export function ianaZone(tzid: string): string | null {
  const name = tzid.trim();
  const zone = zonesInLowerCase.get(name.toLowerCase());
  if (zone !== undefined) return zone;
  if (/^(utc|gmt|z|tzone:\/\/microsoft\/utc)$/i.test(name)) return 'UTC';
  const parts = name.split('/');
  const tails = [-3, -2].map((length) => parts.slice(length).join('/'));
  return tails.find(isZone) ?? windowsZone(name);
}

const zonesInLowerCase = new Map(Array.from(zoneNames, (zone) => [zone.toLowerCase(), zone]));

/**
 * Returns the zone of a Windows name such as `Eastern Standard Time`, which Outlook shows as
 * `(UTC-05:00) Eastern Time (US & Canada)`.
 */
function windowsZone(name: string): string | null {
  const [, shownName] = shownPattern.exec(name) ?? [];
  const id = shownName === undefined ? name : windowsIds.get(shownName.replace('&', 'and'));
  // Exchange numbers the zones that it changed.
  const ids = [id ?? name, name.replace(/ \d+$/, '')];
  return ids.map((text) => windowsZoneById.get(text)).find((zone) => zone !== undefined) ?? null;
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
  return {
    zone: null,
    instantAt: (wall) => wall - offset,
    wallAt: (instant) => instant + offset,
  };
}

/**
 * RFC 5545, 3.3.5: a repeated time is the first of the two; a skipped time has the offset from
 * before the gap.
 */
function zoneClock(zone: string): Clock {
  const instantAt = (wall: number) => {
    const [first] = instantsOf(zone, wall);
    return first ?? wall - offsetAt(zone, wall - day);
  };
  return {
    zone,
    instantAt,
    wallAt: (instant) => wallAt(zone, instant),
  };
}

/** From the wall time `wall` on, clocks are `offset` ahead of UTC. */
type Onset = { readonly wall: number; readonly offset: number };

/** Clocks change twice a year, and some calendars begin their zones in the year 1. */
const maxOnsets = 5000;

/** A clock that a VTIMEZONE describes, and the wall times between which it does. */
interface Description extends Clock {
  readonly from: number;
  /** Not known if clocks never change: then the description may be a part of the zone. */
  readonly until: number;
}

/** A description that repeats yearly covers another year. */
const yearAfter = 366 * day;

function describedClock(zone: Component, limits: Limits): Description | null {
  const onsets = zone.components.flatMap((observance) => onsetsOf(observance, limits));
  onsets.sort((a, b) => a.wall - b.wall);
  const [first] = onsets;
  if (first === undefined || onsets.length > maxOnsets) return null;
  const changes = onsets.map(({ wall, offset }, index) => {
    const before = onsets[index - 1]?.offset ?? offset;
    // The times that an onset skips still have the offset from before.
    return {
      instant: wall - before,
      wall: wall + Math.max(0, offset - before),
      offset,
    };
  });
  const walls = changes.map(({ wall }) => wall);
  const instants = changes.map(({ instant }) => instant);
  const offsetFrom = (times: readonly number[], time: number) =>
    changes[lastUpTo(times, time)]?.offset ?? first.offset;
  const isFixed = onsets.every(({ offset }) => offset === first.offset);
  const instantAt = (wall: number) => wall - offsetFrom(walls, wall);
  const { defaultZone } = limits;
  const usual = defaultZone === null ? null : zoneClock(defaultZone);
  return {
    zone: null,
    // Most calendars describe the zone of the catalogue.
    zoneAt: (wall) => (usual?.instantAt(wall) === instantAt(wall) ? defaultZone : null),
    instantAt,
    wallAt: (instant) => instant + offsetFrom(instants, instant),
    from: first.wall,
    until: isFixed ? -Infinity : (walls.at(-1) ?? 0) + yearAfter,
  };
}

/** Returns the index of the last time that is not after `time`, or -1. Times are in order. */
function lastUpTo(times: readonly number[], time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * Returns when a STANDARD or DAYLIGHT begins. Rules that are not yearly do not belong in a zone and
 * are ignored.
 */
function onsetsOf(observance: Component, { span, budget, findings }: Limits): Onset[] {
  const text = (textIn(observance, 'TZOFFSETTO', findings) ?? '')
    .trim()
    .replace(/\d\d(?=\d)/g, '$&:');
  const start = readWall(textIn(observance, 'DTSTART', findings) ?? '')?.wall;
  if (!offsetShape.test(text) || start === undefined) return [];
  const walls = [start];
  for (const line of observance.lines) {
    readLine(line, findings, (content) => {
      if (line.name === 'RRULE') {
        const rule = readRule(content);
        if (rule?.frequency !== 'YEARLY') return;
        // UNTIL is in UTC. One more day includes the last onset in every zone.
        const until = readWall(rule.until ?? '')?.wall ?? span.to;
        const ofRule = {
          from: start,
          to: Math.min(span.to, until + day),
        };
        for (const wall of followRule(rule, start, ofRule, budget)) walls.push(wall);
      } else if (line.name === 'RDATE') {
        budget.spendDates(content);
        for (const value of readProperty(content).values)
          walls.push(readWall(value)?.wall ?? start);
      }
    });
  }
  const offset = readOffset(text);
  return walls.map((wall) => ({
    wall,
    offset,
  }));
}

const offsetShape = /^[+-]\d{2}:\d{2}(?::\d{2})?$/;

/**
 * Returns the text of the first property of this name (RFC 5545, 3.3.11), or null if there is none.
 * Adds what is wrong with it to `findings`.
 */
export function textIn({ lines }: Component, name: string, findings: TextFinding[]): string | null {
  const line = lines.find((candidate) => candidate.name === name);
  return line === undefined ? null : readLine(line, findings, readText);
}
