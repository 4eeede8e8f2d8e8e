import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readDate, readDates, readTime, splitTimes } from '../../src/source/csv/dates.ts';
import { dateOrders, type DateOrder } from '../../src/source/rules.ts';

const days = fc.date({ min: new Date('1970-01-01'), max: new Date('2068-12-31'), noInvalidDate: true });
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
  const always = [`${year}-${month}-${date}`, `${year}/${short[1]}/${short[0]}`, `${year}.${month}.${date}`];
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
          expect([written, order, readDate(written, order)]).toEqual([written, order, day.toISOString().slice(0, 10)]);
      }
    }),
  );
});

test('reads times of twelve and of twenty-four hours', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }), (hour, minute) => {
      const date = new Date(Date.UTC(2027, 0, 30, hour, minute));
      const time = date.toISOString().slice(11, 16);
      const options = { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' } as const;
      const written = ['en-US', 'en-GB', 'de', 'fr', 'es', 'ja'].map((one) => date.toLocaleTimeString(one, options));
      for (const one of [...written, `${time} Uhr`, time.replace(':', '.'), time.replace(':', 'h'), `${time}:00`]) {
        expect([one, readTime(one)]).toEqual([one, time]);
        for (const between of [' ', ', ', 'T']) {
          expect(readDate(`2027/1/30${between}${one}`, 'iso')).toBe(`2027-01-30T${time}`);
        }
      }
    }),
  );
});

test.each([
  ['2025-08-15 19:00 UTC', '2025-08-15T19:00Z'],
  ['Fri Jun 11 2027 09:00:00 GMT+0200 (Central European Summer Time)', '2027-06-11T09:00+02:00'],
  ['2027-08-15 13:00 UTC-6', '2027-08-15T13:00-06:00'],
  ['2027-Q2', '2027-Q2'],
  ['2027-05', '2027-05'],
  ['May 2027', '2027-05'],
  ['le 1er mars 2027 à 20h', '2027-03-01T20:00'],
  ['30-Jan-27', '2027-01-30'],
  ['2027/01/30（土） 19時30分', '2027-01-30T19:30'],
  ['7 March 2027[a]', '2027-03-07'],
  ['March 4, 2027 7:00 PM (GMT+1)', '2027-03-04T19:00+01:00'],
  ['Thu Mar 04 2027 19:30:00 GMT+0100 (CET)', '2027-03-04T19:30+01:00'],
])('reads %s as %s', (written, expected) => {
  expect(readDate(written, 'iso')).toBe(expected);
});

test.each([
  '',
  '05/01/2027',
  '30.01.2027',
  '2027/13/1',
  'tentative 2027/1/1',
  '2027/1/1 25:00',
  '2027/1/1/1',
  '2027-03-04 19:30 (IST)',
])('does not read %j', (written) => {
  expect(readDate(written, 'iso')).toBeNull();
});

test.each(['', '19', '24:00', '19:60', '0:30 PM', '13:00 AM', '25:00 PM', 'midnight', '7:30:61', '19:00 - 21:00'])(
  'does not read the time %j',
  (written) => {
    expect(readTime(written)).toBeNull();
  },
);

test.each([
  ['20:00 hs', '20:00'],
  ['Noon', '12:00'],
  ['12 noon', '12:00'],
  ['ab 19 Uhr', '19:00'],
])('reads the time %s as %s', (written, expected) => {
  expect(readTime(written)).toBe(expected);
});

test('reads any text without an error, as a date, a period or nothing', () => {
  const pieces = fc.constantFrom(
    '2027',
    '30',
    '1',
    '.',
    '/',
    '-',
    ' ',
    ':',
    'Jan',
    'Mar',
    'Sat',
    'pm',
    'T',
    'Z',
    '(',
    ')',
    '年',
    ',',
  );
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

test.each([
  ['19:00 - 21:30', '19:00', '21:30'],
  ['1-3 PM', '13:00', '15:00'],
  ['11:00-1:00 PM', '11:00', '13:00'],
  ['11 - 1:30 pm', '11:00', '13:30'],
  ['9:30 PM to 1:15 AM', '21:30', '01:15'],
  ['20h à 22h', '20:00', '22:00'],
  ['de 10h à 18h', '10:00', '18:00'],
  ['19 - 21 Uhr', '19:00', '21:00'],
  ['9.30–18 Uhr', '09:30', '18:00'],
  ['7:00 PM → 9:00 PM', '19:00', '21:00'],
])('reads the times %s', (written, from, until) => {
  expect(splitTimes(written).map(readTime)).toEqual([from, until]);
});

test.each(['19:30', '1-3', 'a - b', '19:30 - ', '13-1 PM', '- 19:30', '2027-01-30'])(
  'reads one time, or none, in %j',
  (written) => {
    expect(splitTimes(written)).toEqual([written, '']);
  },
);

test.each([
  ['5-8 May 2027', '2027-05-05', '2027-05-08'],
  ['5th to 8th of May 2027', '2027-05-05', '2027-05-08'],
  ['30 Apr - 2 May 2027', '2027-04-30', '2027-05-02'],
  ['30 Dec 2027 - 2 Jan 2028', '2027-12-30', '2028-01-02'],
  ['2027-05-05 to 2027-05-08', '2027-05-05', '2027-05-08'],
  ['2027-05-05..2027-05-08', '2027-05-05', '2027-05-08'],
  ['2027.3.15-16', '2027-03-15', '2027-03-16'],
  ['30.-31.5.2027', '2027-05-30', '2027-05-31'],
  ['30.4. bis 2.5.2027', '2027-04-30', '2027-05-02'],
  ['30.4./2.5.2027', '2027-04-30', '2027-05-02'],
  ['30/31 May 2027', '2027-05-30', '2027-05-31'],
  ['5/8/2027', null, null],
  ['5 au 8 mai 2027', '2027-05-05', '2027-05-08'],
  ['del 5 al 8 de mayo de 2027', '2027-05-05', '2027-05-08'],
  ['du 30 avril au 2 mai 2027', '2027-04-30', '2027-05-02'],
  ['2027年5月5日〜8日', '2027-05-05', '2027-05-08'],
  ['8-5 May 2027', null, null],
  ['soon - later', null, null],
])('reads the dates %j', (written, from, until) => {
  expect(readDates(written, 'd.m.y')).toEqual(from === null ? null : [from, until]);
});
