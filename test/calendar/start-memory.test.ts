import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readStart } from '../../src/calendar/start.ts';

const two = fc.integer({ min: 0, max: 62 }).map((value) => String(value).padStart(2, '0'));
const date = fc
  .tuple(fc.constantFrom('1899', '1900', '2027', '2028', '2999', '3000'), two, two)
  .map((parts) => parts.join('-'));
const clock = fc.oneof(
  fc.constantFrom('', 'T', 'T24', 'T7:00', ' 20:00', 'T20:00:30.5', 'T20+0100'),
  fc
    .tuple(
      two,
      fc.constantFrom('', ':00', ':59', ':60'),
      fc.constantFrom('', ':00', ':61'),
      fc.constantFrom('', 'Z', '-05:00', '+24:00'),
    )
    .map(([hours, ...rest]) => `T${hours}${rest.join('')}`),
);

/** The shape of a whole start in one expression, as the format's documentation draws it. */
const dated =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:T(?:[01]\d|2[0-3])(?::[0-5]\d(?::[0-5]\d)?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?)?$/;

test('date and clock are read apart, which accepts just what one expression for both accepts', () => {
  fc.assert(
    fc.property(date, clock, (day, time) => {
      const reading = readStart(day + time, 'UTC');
      const isBad = typeof reading === 'object' && 'code' in reading && reading.code === 'bad-starts';
      expect(isBad).toBe(!dated.test(day + time));
    }),
    { numRuns: 2000 },
  );
});

test('what was read before changes no answer, even when there is more of it than is remembered', () => {
  const starts = [
    '2027-03-04',
    '2027-02-29',
    '3000-01-01',
    '2027-03-04T20',
    '2027-03-04T25',
    '2027-03-04T20:00Z',
    '2027-Q2',
  ];
  const read = () => starts.map((written) => readStart(written, 'Europe/Berlin'));
  const first = read();
  for (let number = 0; number < 25_000; number++)
    readStart(`${1900 + (number % 900)}-01-${10 + (number % 19)}T${number}`, 'UTC');
  expect(read()).toEqual(first);
  expect(first).toMatchObject([
    { precision: 'day', date: '2027-03-04' },
    { code: 'no-such-date' },
    { code: 'year-out-of-range' },
    { precision: 'hour', date: '2027-03-04' },
    { code: 'bad-starts' },
    { precision: 'minute', startsAt: Date.UTC(2027, 2, 4, 20) },
    'undated',
  ]);
});
