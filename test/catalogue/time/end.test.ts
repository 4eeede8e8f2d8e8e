import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readEnd } from '../../../src/catalogue/time/end.ts';
import { isStart, readStart, type Start } from '../../../src/catalogue/time/start.ts';

const hour = 3_600_000;

function startOf(written: string, zone: string | null): Start {
  const reading = readStart(written, zone);
  if (!isStart(reading)) throw new Error(`${written} is not a start`);
  return reading;
}

/** Reads the end of an event whose start is valid. */
function endOf(starts: string, ends: string, zone: string | null) {
  return readEnd(ends, { starts, start: startOf(starts, zone) }, zone);
}

test('converts the wall time of an end to an instant, and takes the last date before it', () => {
  // No zone changes its clocks on these days, so every hour has 60 minutes.
  const zone = fc.constantFrom('UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Kiritimati');
  fc.assert(
    fc.property(zone, fc.nat(23), fc.nat(100), (name, from, hours) => {
      const wall = Date.UTC(2027, 5, 1, from);
      const write = (time: number): string => new Date(time).toISOString().slice(0, 16);
      const start = startOf(write(wall), name);
      const end = endOf(write(wall), write(wall + hours * hour), name);
      const endsAt = start.startsAt + hours * hour;
      const lastMoment = wall + Math.max(0, hours * hour - 1);
      expect(end).toEqual({
        endsAt,
        overAt: endsAt,
        endDate: new Date(lastMoment).toISOString().slice(0, 10),
      });
    }),
  );
});

test('reads a time of day on the date of the start, in its zone or with its offset', () => {
  const endsAt = (starts: string, zone: string | null): unknown => {
    const end = endOf(starts, '22:30', zone);
    return 'endsAt' in end ? new Date(end.endsAt).toISOString() : end;
  };
  expect(endsAt('2027-01-15T20:00', 'America/New_York')).toBe('2027-01-16T03:30:00.000Z');
  expect(endsAt('2027-01-15T20:00-05:00', 'America/New_York')).toBe('2027-01-16T03:30:00.000Z');
  expect(endsAt('2027-01-15T20:00-03:00', null)).toBe('2027-01-16T01:30:00.000Z');
  expect(endsAt('2027-01-15T20:00Z', null)).toBe('2027-01-15T22:30:00.000Z');
  expect(endsAt('2027-01-15T20:00Z', 'Asia/Tokyo')).toBe('2027-01-15T22:30:00.000Z');
});

test('an end without a date has the offset of its start in an inherited zone, and one with a date needs its own', () => {
  const starts = '2027-01-15T20:00-05:00';
  const start = readStart(starts, 'Europe/Berlin', true);
  expect(start).toMatchObject({
    date: '2027-01-16',
    startsAt: Date.UTC(2027, 0, 16, 1),
    offset: hour,
  });
  const end = (ends: string): unknown =>
    readEnd(ends, { starts, start: start as Start }, 'Europe/Berlin', true);
  expect(end('22:30')).toMatchObject({
    endDate: '2027-01-16',
    endsAt: Date.UTC(2027, 0, 16, 3, 30),
  });
  expect(end('2027-01-16T04:00+01:00')).toMatchObject({ endsAt: Date.UTC(2027, 0, 16, 3) });
  expect(end('2027-01-16T04:00')).toEqual({ code: 'zone-missing', found: '2027-01-16T04:00' });
  expect(readStart(starts, 'Europe/Berlin')).toMatchObject({ code: 'offset-conflict' });
});
