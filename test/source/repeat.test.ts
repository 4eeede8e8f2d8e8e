import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readSubject } from '../../src/source/subject.ts';
import type { PartialEvent } from '../../src/readers/schema/source-types.ts';

const now = Date.UTC(2027, 0, 1);
const genre = { id: 'clubs', name: 'Clubs', category: 'sports', zone: 'Europe/Berlin' };

function read(event: PartialEvent, at = now) {
  return readSubject({ name: 'Club', events: [{ title: 'Training', ...event }] }, 'club', genre, {
    now: at,
  });
}

function idsOf(event: PartialEvent, at = now): string[] {
  const { upcoming, findings } = read(event, at);
  expect(findings).toEqual([]);
  return upcoming.map(({ id }) => id.slice('clubs/club/'.length));
}

test.each<[string, Partial<PartialEvent>, string[]]>([
  [
    'by weeks until a date, which is included',
    { repeat: 'FREQ=WEEKLY;UNTIL=2027-01-19' },
    ['05', '12', '19'],
  ],
  [
    'as a calendar writes the date',
    { repeat: 'RRULE:FREQ=WEEKLY;UNTIL=20270119' },
    ['05', '12', '19'],
  ],
  ['on a weekday of the month', { repeat: 'FREQ=MONTHLY;BYDAY=1TU;UNTIL=2027-01-31' }, ['05']],
  ['but for exceptions', { repeat: 'FREQ=WEEKLY;COUNT=3', except: ['2027-01-12'] }, ['05', '19']],
])('repeats %s', (_, event, days) => {
  expect(idsOf({ starts: '2027-01-05T19:00', ...event })).toEqual(
    days.map((day) => `training-2027-01-${day}`),
  );
});

test('an occurrence has the time of day of the event where it happens, its length, and its id with the date', () => {
  const event = {
    id: 'tuesdays',
    starts: '2027-03-23T19:00',
    ends: '2027-03-24T01:00',
    repeat: 'FREQ=WEEKLY;COUNT=2',
  };
  const { upcoming } = read(event);
  expect(upcoming.map(({ id, startsAt, end }) => [id, startsAt, end?.endsAt])).toEqual([
    ['clubs/club/tuesdays-2027-03-23', Date.UTC(2027, 2, 23, 18), Date.UTC(2027, 2, 24, 0)],
    // Clocks have changed on the 28th.
    ['clubs/club/tuesdays-2027-03-30', Date.UTC(2027, 2, 30, 17), Date.UTC(2027, 2, 30, 23)],
  ]);
});

test('an endless event is published for two years, and its ids do not change as time goes by', () => {
  const event = { starts: '2020-01-07', repeat: 'FREQ=WEEKLY' };
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 500 }), (days) => {
      const later = now + days * 86_400_000;
      const [first, second] = [idsOf(event), idsOf(event, later)];
      expect(second.length).toBeGreaterThanOrEqual(104);
      expect(first.filter((id) => id >= (second[0] ?? ''))).toEqual(
        second.filter((id) => id <= (first.at(-1) ?? '')),
      );
    }),
    { numRuns: 20 },
  );
});

// These causes have no case in test/fixtures/invalid/, because the schemas of editors cannot see
// them.
test.each<[Partial<PartialEvent>, string, string]>([
  [{ except: ['2027-01-12'] }, 'repeat', 'missing-key'],
  [{ repeat: 'FREQ=WEEKLY', except: ['2027-01-13'] }, 'except', 'bad-value'],
  [{ repeat: 'FREQ=WEEKLY;COUNT=2', except: ['2027-01-19'] }, 'except', 'bad-value'],
])('%j has one problem', (event, key, code) => {
  const { findings } = read({ starts: '2027-01-05', ...event });
  expect(findings.map(({ path, problem }) => [path, problem.code])).toEqual([
    [['events', 0, key], code],
  ]);
});

test('rules of one subject that take too many steps are a problem', () => {
  const event = { starts: '1900-01-01', repeat: 'FREQ=DAILY;COUNT=1000000000' };
  const events = Array.from({ length: 20 }, (_, index) => ({ title: `Day ${index}`, ...event }));
  const { findings } = readSubject({ name: 'Club', events }, 'club', genre, { now });
  expect(findings[0]?.problem.code).toBe('recurrence-too-long');
});
