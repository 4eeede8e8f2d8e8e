import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { hostDatabase, hostOffsetAt } from '../../src/calendar/host-zones.ts';
import { makeZoneTable } from '../../src/calendar/make-zone-table.ts';
import { knownZones } from '../../src/calendar/known-zones.ts';
import { openTable } from '../../src/calendar/zone-table.ts';

const made = makeZoneTable();
const table = openTable(made, hostDatabase());
const names = made.groups.flatMap(({ zones }) => zones.split(' '));
const [second, hour, day] = [1000, 3_600_000, 86_400_000];

describe('the table of zones that the bundle holds', () => {
  test('has the zones of the host, and the years that most events are in', () => {
    expect(names.length).toBeGreaterThan(500);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !table.has(name))).toEqual([]);
    expect(Intl.supportedValuesOf('timeZone').filter((name) => name.includes('/') && !table.has(name))).toEqual([]);
    expect(new Date(made.from).toISOString()).toBe('2020-01-01T00:00:00.000Z');
    expect(new Date(made.to).toISOString()).toBe('2036-01-01T00:00:00.000Z');
  });

  test('tells what Intl tells, and nothing of other years', () => {
    const anyName = fc.constantFrom(...names);
    const anyInstant = fc.integer({ min: made.from - 400 * day, max: made.to + 400 * day });
    const anyOf = fc.oneof(anyInstant, fc.constantFrom(made.from - 1, made.from, made.to - 1, made.to));
    fc.assert(
      fc.property(anyName, anyOf, (name, instant) => {
        const isInside = instant >= made.from && instant < made.to;
        expect(table.offsetAt(name, instant)).toBe(isInside ? hostOffsetAt(name, instant) : null);
      }),
      { numRuns: 5000 },
    );
  });

  test('knows every change of clocks to the second', () => {
    const wrong: unknown[] = [];
    let changes = 0;
    for (const { zones } of made.groups) {
      const [name = ''] = zones.split(' ');
      let at = Temporal.Instant.fromEpochMilliseconds(made.from).toZonedDateTimeISO(name);
      for (;;) {
        const next = at.getTimeZoneTransition('next');
        if (next === null || next.epochMilliseconds >= made.to) break;
        for (const instant of [next.epochMilliseconds - second, next.epochMilliseconds]) {
          const expected = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(name).offsetNanoseconds;
          if (table.offsetAt(name, instant) !== expected / 1e6) wrong.push({ name, instant });
        }
        changes++;
        at = next;
      }
    }
    expect(wrong).toEqual([]);
    expect(changes).toBeGreaterThan(1000);
  });

  test('tells nothing where another version of the database is run with, nor of a name that it has not', () => {
    expect(table.offsetAt('Europe/Berlin', Date.UTC(2026, 6))).toBe(2 * hour);
    const unknown = openTable({ ...made, database: null }, null);
    for (const other of [openTable(made, '1999z'), openTable(null, hostDatabase()), unknown]) {
      expect(other.has('Europe/Berlin')).toBe(false);
      expect(other.offsetAt('Europe/Berlin', Date.UTC(2026, 6))).toBe(null);
    }
    expect(table.has('Mars/Olympus_Mons')).toBe(false);
    expect(table.offsetAt('Mars/Olympus_Mons', Date.UTC(2026, 6))).toBe(null);
    expect(table.has('constructor')).toBe(false);
  });

  test('is in the bundle alone: what else tests zones asks Intl', () => {
    expect(knownZones).toBe(null);
  });
});
