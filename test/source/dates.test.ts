import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readDate, readDates, readTime } from '../../src/readers/dates.ts';
import { dateOrders, type DateOrder } from '../../src/readers/schema/rules.ts';

const days = fc.date({
  min: new Date('1970-01-01'),
  max: new Date('2068-12-31'),
  noInvalidDate: true,
});
const languages = ['en-US', 'en-GB', 'de', 'fr', 'es'];

/** Returns the ways in which a date is written, and the orders in which each can be read. */
function writings(day: Date): [string, readonly DateOrder[]][] {
  const [year = '', month = '', date = ''] = day.toISOString().slice(0, 10).split('-');
  const short = [`${Number(date)}`, `${Number(month)}`] as const;
  const dayFirst: DateOrder[] = ['d.m.y', 'd/m/y'];
  const named = languages.flatMap((language) =>
    (['long', 'short'] as const).flatMap((length) => {
      const options = { year: 'numeric', month: length, day: 'numeric', timeZone: 'UTC' } as const;
      const weekdays = [{}, { weekday: 'long' }, { weekday: 'short' }] as const;
      return weekdays.map((more) => day.toLocaleDateString(language, { ...options, ...more }));
    }),
  );
  const always = [
    `${year}-${month}-${date}`,
    `${year}/${short[1]}/${short[0]}`,
    `${year}.${month}.${date}`,
  ];
  return [
    ...[...always, `${year}年${short[1]}月${short[0]}日`, `${year}${month}${date}`, ...named].map(
      (written): [string, readonly DateOrder[]] => [written, dateOrders],
    ),
    [`${date}.${month}.${year}`, dayFirst],
    [`${short[0]}. ${short[1]}. ${year}`, dayFirst],
    [`${short[0]}.${short[1]}.${year.slice(2)}`, dayFirst],
    [`${date}/${month}/${year}`, dayFirst],
    [`${short[0]}-${short[1]}-${year}`, dayFirst],
    [`${month}/${date}/${year}`, ['m/d/y']],
    [`${short[1]}/${short[0]}/${year.slice(2)}`, ['m/d/y']],
  ];
}

test('reads dates as people write them, in each language of the pages', () => {
  fc.assert(
    fc.property(days, (day) => {
      for (const [written, orders] of writings(day)) {
        for (const order of orders)
          expect([written, order, readDate(written, order)]).toEqual([
            written,
            order,
            day.toISOString().slice(0, 10),
          ]);
      }
    }),
  );
});

test.each([
  ['30.09 - 01.10.2027', '2027-09-30', '2027-10-01'],
  ['22-27, October, 2027', '2027-10-22', '2027-10-27'],
  ['5-7 Oct 2027', '2027-10-05', '2027-10-07'],
  ['30 September - 2 October 2027', '2027-09-30', '2027-10-02'],
  ['Dec 30, 2027 - Jan 2, 2028', '2027-12-30', '2028-01-02'],
  ['2027-10-05/2027-10-07', '2027-10-05', '2027-10-07'],
])('reads the two dates of %j', (text, first, last) => {
  expect(readDates(text, 'd.m.y')).toEqual([first, last]);
});

test('a word may stand between a date and its time', () => {
  for (const text of ['Fr. 05.03.2027, ab 20 Uhr', '05.03.2027 um 20:00', '5 March 2027 at 8 pm'])
    expect(readDate(text, 'd.m.y')).toBe('2027-03-05T20:00');
});

test('reads times of twelve and of twenty-four hours', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 23 }),
      fc.integer({ min: 0, max: 59 }),
      (hour, minute) => {
        const date = new Date(Date.UTC(2027, 0, 30, hour, minute));
        const time = date.toISOString().slice(11, 16);
        const options = { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' } as const;
        const written = ['en-US', 'en-GB', 'de', 'fr', 'es', 'ja'].map((one) =>
          date.toLocaleTimeString(one, options),
        );
        for (const one of [
          ...written,
          `${time} Uhr`,
          time.replace(':', '.'),
          time.replace(':', 'h'),
          `${time}:00`,
        ]) {
          expect([one, readTime(one)]).toEqual([one, time]);
          for (const between of [' ', ', ', 'T']) {
            expect(readDate(`2027/1/30${between}${one}`, 'iso')).toBe(`2027-01-30T${time}`);
          }
        }
      },
    ),
  );
});

test('reads any text without an error, as a date, a period or nothing', () => {
  const pieces = fc.constantFrom(...'2027|30|1|.|/|-| |:|Jan|Mar|Sat|pm|T|Z|(|)|年|,'.split('|'));
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
      ),
      (written) => {
        for (const order of dateOrders) {
          expect(readDate(written, order) ?? '2027').toMatch(
            /^\d{4}(-\d\d(-\d\d(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)?)?)?|-[QH]\d)?$/,
          );
        }
      },
    ),
    { numRuns: 2000 },
  );
});
