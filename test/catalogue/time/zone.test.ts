import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { memoize } from '../../../src/catalogue/time/memoize.ts';
import { isStart, readStart } from '../../../src/catalogue/time/start.ts';
import {
  firstInstantFrom,
  instantsOf,
  isZone,
  offsetAt,
  wallAt,
} from '../../../src/catalogue/time/zone.ts';

/*
 * Compares conversions from local time to UTC with the calendar fields that Intl shows for an
 * instant, in zones where it agrees with the table of almanac. temporal-polyfill only says where to look: its own
 * conversions go through tables that it builds while it runs, and in long runs on Node.js 22 they
 * were an hour off for Kaliningrad in 1945 and Moscow in 1919.
 */
const allZones = Intl.supportedValuesOf('timeZone');
const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];

/**
 * Years with special cases: the first and last allowed, wars, offsets with seconds, skipped days,
 * and the future.
 */
const years = [
  1900, 1911, 1916, 1919, 1940, 1945, 1972, 1986, 1993, 2000, 2007, 2011, 2016, 2026, 2027, 2037,
  2038, 2500, 2999,
];

/**
 * Returns every change of a zone's offset in the sampled years, in milliseconds since the Unix
 * epoch.
 */
function changesOf(zone: string): number[] {
  return years.flatMap((year) => {
    const end = Date.UTC(year + 1, 0, 1);
    const changes: number[] = [];
    let at = Temporal.Instant.fromEpochMilliseconds(Date.UTC(year, 0, 1)).toZonedDateTimeISO(zone);
    for (;;) {
      const next = at.getTimeZoneTransition('next');
      if (next === null || next.epochMilliseconds >= end) return changes;
      changes.push(next.epochMilliseconds);
      at = next;
    }
  });
}

function plainOf(wall: number): Temporal.PlainDateTime {
  return Temporal.PlainDateTime.from(new Date(wall).toISOString().slice(0, -1));
}

/** Returns the wall time that Intl shows for an instant in whole seconds. */
function wallOf(instant: number, zone: string): number {
  const [month = 0, date, year = 0, ...clock] = fieldsIn(zone)
    .format(instant)
    .split(/\D+/)
    .map(Number);
  return Date.UTC(year, month - 1, date, ...clock);
}

const fieldsIn = memoize(
  (timeZone: string) =>
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    }),
);

/** Returns the instants of a wall time: none, one or two. */
function expectedInstants(zone: string, wall: number): number[] {
  const around = [-48, -26, -13, 0, 13, 26, 48].map((hours) => wall + hours * hour);
  const offsets = new Set(around.map((instant) => wallOf(instant, zone) - instant));
  const instants = Array.from(offsets, (offset) => wall - offset);
  return instants
    .filter((instant) => wallOf(instant, zone) === wall)
    .toSorted((one, other) => one - other);
}

/** The database of Node.js may be older than the table. */
const zones = allZones.filter((zone) => {
  for (let instant = Date.UTC(2020, 0); instant < Date.UTC(2038, 0); instant += 6 * day)
    if (wallAt(zone, instant) !== wallOf(instant, zone)) return false;
  return true;
});

const changes = zones.flatMap((zone) => changesOf(zone).map((change) => ({ zone, change })));

describe('at every change of every zone in the sampled years', () => {
  test('there are enough changes', () => {
    expect(zones.length).toBeGreaterThan(400);
    expect(allZones.length - zones.length).toBeLessThan(20);
    expect(changes.length).toBeGreaterThan(2000);
  });

  test('returns the right offset and wall time, also days before and after', () => {
    const around = [-10, -3, -1, 1, 3, 10].map((days) => days * day);
    const wrong = changes.flatMap(({ zone, change }) =>
      [-second, 0, second, ...around].flatMap((distance) => {
        const [instant, wall] = [change + distance, wallOf(change + distance, zone)];
        const isRight =
          offsetAt(zone, instant) === wall - instant && wallAt(zone, instant) === wall;
        return isRight ? [] : [{ zone, instant }];
      }),
    );
    expect(wrong).toEqual([]);
    // The shortest change is one week of summer time.
    const noon = Date.UTC(2000, 9, 10, 12);
    expect(
      [-3, 0, 8].map((days) => wallAt('America/Recife', noon + days * day) - noon - days * day),
    ).toEqual([-3 * hour, -2 * hour, -3 * hour]);
  });

  test('finds none, one or two instants of a wall time', () => {
    const found = { 0: 0, 1: 0, 2: 0 };
    const wrong: unknown[] = [];
    for (const { zone, change } of changes.filter((_, index) => index % 3 === 0)) {
      const walls = [wallOf(change - second, zone) + second, wallOf(change, zone)].toSorted(
        (a, b) => a - b,
      );
      const [from = 0, to = 0] = walls;
      const middle = Math.floor((from + to) / 2 / second) * second;
      for (const wall of [
        from - hour,
        from - second,
        from,
        middle,
        to - second,
        to,
        to + second,
        to + hour,
      ]) {
        const expected = expectedInstants(zone, wall);
        const instants = instantsOf(zone, wall);
        if (instants.join() !== expected.join()) wrong.push({ zone, wall, instants, expected });
        found[expected.length as 0 | 1 | 2]++;
      }
    }
    expect(wrong).toEqual([]);
    expect(Math.min(...Object.values(found))).toBeGreaterThan(700);
  });

  test('a date ends when the next one begins', () => {
    const wrong: unknown[] = [];
    for (const { zone, change } of changes.filter((_, index) => index % 4 === 0)) {
      const around = plainOf(wallOf(change, zone)).toPlainDate();
      for (const days of [-2, -1, 0, 1]) {
        const date = around.add({ days });
        const next = date.add({ days: 1 });
        const midnight = Date.parse(`${next.toString()}T00:00Z`);
        // If clocks skip midnight, the date ends at the change.
        const end = expectedInstants(zone, midnight)[0] ?? change;
        const found = firstInstantFrom(zone, midnight);
        if (found !== end) wrong.push({ zone, date: date.toString(), found, end });
      }
    }
    expect(wrong).toEqual([]);
  });

  test('returns the date of an instant in the zone', () => {
    for (const { zone, change } of changes.filter((_, index) => index % 4 === 1)) {
      for (const instant of [change - second, change, change + 11 * hour]) {
        const written = `${new Date(instant).toISOString().slice(0, 19)}Z`;
        const reading = readStart(written, zone);
        const date = plainOf(wallOf(instant, zone)).toPlainDate().toString();
        expect(reading).toMatchObject({ date, startsAt: instant, upcomingUntil: instant });
      }
    }
  });
});

describe('a start in a source file', () => {
  const dublin = Date.UTC(1910, 5, 1, 12) + (25 * 60 + 21) * second;
  const monrovia = Date.UTC(1970, 5, 1, 12) + (44 * 60 + 30) * second;

  test('may be in a zone with offsets that have seconds', () => {
    expect(offsetAt('Europe/Dublin', dublin)).toBe(-(25 * 60 + 21) * second);
    expect(readStart('1910-06-01T12:00', 'Europe/Dublin')).toMatchObject({
      startsAt: dublin,
      date: '1910-06-01',
    });
    expect(readStart('1970-06-01T12:00', 'Africa/Monrovia')).toMatchObject({
      startsAt: monrovia,
      date: '1970-06-01',
    });
    // Offsets are written in whole minutes, so each one conflicts with an offset that has seconds.
    // Only Z is possible.
    const conflict = { code: 'offset-conflict', offsets: ['-00:25:21'] };
    expect(readStart('1910-06-01T12:00-00:25', 'Europe/Dublin')).toEqual(conflict);
    expect(readStart('1910-06-01T12:25:21Z', 'Europe/Dublin')).toMatchObject({
      startsAt: dublin,
      date: '1910-06-01',
    });
  });

  test.each([
    ['2027-03-14T02:30', 'America/New_York', { code: 'skipped-time' }],
    ['2027-03-14T02', 'America/New_York', { code: 'skipped-time' }],
    [
      '2027-11-07T01:30',
      'America/New_York',
      { code: 'repeated-time', offsets: ['-04:00', '-05:00'] },
    ],
    [
      '2027-04-04T01:45',
      'Australia/Lord_Howe',
      { code: 'repeated-time', offsets: ['+11:00', '+10:30'] },
    ],
    [
      '2011-12-30',
      'Pacific/Apia',
      { date: '2011-12-30', upcomingUntil: Date.UTC(2011, 11, 30, 10) },
    ],
    [
      '2011-12-29',
      'Pacific/Apia',
      { date: '2011-12-29', upcomingUntil: Date.UTC(2011, 11, 30, 10) },
    ],
    ['2027-03-13', 'America/Havana', { upcomingUntil: Date.UTC(2027, 2, 14, 4) }],
    ['2028-03-11', 'America/Havana', { upcomingUntil: Date.UTC(2028, 2, 12, 5) }],
    ['2027-03-13', null, { upcomingUntil: Date.UTC(2027, 2, 14, 12) }],
    ['2027-03-13', 'UTC', { upcomingUntil: Date.UTC(2027, 2, 14) }],
    ['2027-03-14T02:30-05:00', 'America/New_York', { code: 'skipped-time' }],
    ['2027-03-14T02:30-04:00', 'America/New_York', { code: 'skipped-time' }],
    [
      '2027-03-14T03:30+10:00',
      'America/New_York',
      { code: 'offset-conflict', offsets: ['-04:00'] },
    ],
    [
      '2027-11-07T01:30-06:00',
      'America/New_York',
      { code: 'offset-conflict', offsets: ['-04:00', '-05:00'] },
    ],
    [
      '2027-07-01T12:00-05:00',
      'America/New_York',
      { code: 'offset-conflict', offsets: ['-04:00'] },
    ],
    [
      '2027-07-01T12:00+00:00',
      'America/New_York',
      { code: 'offset-conflict', offsets: ['-04:00'] },
    ],
    ['2027-07-01T12:00Z', 'America/New_York', { startsAt: Date.UTC(2027, 6, 1, 12) }],
    ['2027-07-01T12:00-00:00', 'UTC', { startsAt: Date.UTC(2027, 6, 1, 12) }],
    ['1900-01-01T00:00+14:00', null, { date: '1900-01-01', startsAt: Date.UTC(1899, 11, 31, 10) }],
    [
      '2999-12-31T23:59:59-12:00',
      null,
      { date: '2999-12-31', startsAt: Date.UTC(3000, 0, 1, 11, 59, 59) },
    ],
  ])('%s in %s', (written, zone, expected) => {
    expect(readStart(written, zone)).toMatchObject(expected);
  });

  test('may have an offset if it is that of the zone, and no other offset', () => {
    for (const { zone, change } of changes.filter((_, index) => index % 7 === 0)) {
      for (const instant of [change - minute, change]) {
        const wall = Math.floor(wallOf(instant, zone) / minute) * minute;
        for (const offset of [
          wallOf(change - minute, zone) - change + minute,
          wallOf(change, zone) - change,
        ]) {
          if (offset % minute !== 0) continue;
          const sign = offset < 0 ? '-' : '+';
          const clock = new Date(Math.abs(offset)).toISOString().slice(11, 16);
          const written = `${new Date(wall).toISOString().slice(0, 16)}${sign}${clock}`;
          const isReal = wallOf(wall - offset, zone) === wall;
          expect([zone, written, isStart(readStart(written, zone))]).toEqual([
            zone,
            written,
            isReal,
          ]);
        }
      }
    }
  });
});

test('every name of Node with a slash is a zone', () => {
  const slashed = allZones.filter((zone) => zone.includes('/'));
  expect(slashed.filter((zone) => !isZone(zone))).toEqual([]);
});
