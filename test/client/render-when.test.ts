import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderWhen, type Timed } from '../../src/client/index.ts';

const zones = [
  'Pacific/Kiritimati',
  'Asia/Kolkata',
  'Europe/Berlin',
  'UTC',
  'America/New_York',
  'Etc/GMT+12',
];
const locales = ['en-GB', 'en-US', 'de-DE', 'fr-FR', 'ja-JP', 'sv-SE'];
const clock = /\d\s*[:.h]\s*\d|\b[AP]M\b|\bUhr\b|GMT|UTC|\bCES?T\b|時/;

/** Some versions of ICU use narrow spaces. */
const plain = (text: string): string => text.replace(/\s/g, ' ');

function dateAlone(date: string): Timed {
  return { date, starts_at: `${date}T00:00:00.000Z`, time_known: false, precision: 'day' };
}

function at(starts: string, precision: Timed['precision']): Timed {
  return { date: starts.slice(0, 10), starts_at: starts, time_known: true, precision };
}

describe('an event whose time is not known', () => {
  test('is formatted as its date, without a clock time', () => {
    expect(renderWhen(dateAlone('2027-01-20'), 'en-GB', 'America/New_York')).toMatch(
      /^Wednesday,? 20 January 2027$/,
    );
    expect(renderWhen(dateAlone('2027-01-20'), 'de-DE')).toBe('Mittwoch, 20. Januar 2027');
  });

  test('is the same for readers in every zone, whatever the date', () => {
    const dates = fc.date({
      min: new Date('1900-01-01'),
      max: new Date('2999-12-31T12:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(
        dates,
        fc.constantFrom(...locales),
        fc.constantFrom(...zones),
        (instant, locale, zone) => {
          const date = instant.toISOString().slice(0, 10);
          const rendered = renderWhen(dateAlone(date), locale, zone);
          expect(rendered).toBe(renderWhen(dateAlone(date), locale, 'UTC'));
          expect(rendered).toContain(String(Number(date.slice(8))));
          expect(rendered).toContain(date.slice(0, 4));
          expect(rendered).not.toMatch(clock);
        },
      ),
    );
  });

  test('ignores starts_at', () => {
    const event = { ...dateAlone('2027-01-20'), starts_at: '2027-01-19T11:00:00.000Z' };
    expect(renderWhen(event, 'en-GB', 'Pacific/Kiritimati')).toBe(
      renderWhen(dateAlone('2027-01-20'), 'en-GB'),
    );
  });
});

describe('an event whose time is known', () => {
  test.each<[Timed['precision'], RegExp]>([
    ['hour', /21(h|:00)? CET$/],
    ['minute', /21:00 CET$/],
    ['second', /21:00:00 CET$/],
  ])('is as fine as its precision: %s', (precision, expected) => {
    const rendered = plain(
      renderWhen(at('2027-01-15T20:00:00.000Z', precision), 'en-GB', 'Europe/Berlin'),
    );
    expect(rendered).toMatch(/^Friday,? 15 January 2027/);
    expect(rendered).toMatch(expected);
  });

  test('has its date and time in the given zone, with the name of the zone', () => {
    const event = at('2027-01-15T20:00:00.000Z', 'minute');
    expect(plain(renderWhen(event, 'en-US', 'America/New_York'))).toMatch(
      /January 15, 2027.* 3:00 PM EST$/,
    );
    expect(plain(renderWhen(event, 'en-US', 'Asia/Tokyo'))).toMatch(
      /January 16, 2027.* 5:00 AM GMT\+9$/,
    );
    expect(plain(renderWhen(event, 'en-US', null))).toMatch(/ UTC$/);
  });

  test('with precision hour, has minutes in zones where the hour is not full', () => {
    const event = at('2027-01-15T20:00:00.000Z', 'hour');
    expect(plain(renderWhen(event, 'en-US', 'Asia/Kolkata'))).toMatch(
      /January 16, 2027.* 1:30 AM GMT\+5:30$/,
    );
    expect(plain(renderWhen(event, 'en-US', 'America/New_York'))).toMatch(
      /January 15, 2027.* 3 PM EST$/,
    );
  });

  test('shows seconds exactly if they are known', () => {
    const instants = fc.integer({ min: Date.parse('2026-01-01'), max: Date.parse('2060-01-01') });
    const cases = fc.record({
      instant: instants,
      zone: fc.constantFrom(...zones),
      precision: fc.constantFrom('hour', 'minute', 'second' as const),
    });
    fc.assert(
      fc.property(cases, ({ instant, zone, precision }) => {
        const rendered = renderWhen(at(new Date(instant).toISOString(), precision), 'en-GB', zone);
        expect(/\d:\d\d:\d\d/.test(rendered)).toBe(precision === 'second');
        expect(rendered).toMatch(clock);
      }),
    );
  });
});

test('refuses an unknown zone or locale', () => {
  expect(() => renderWhen(at('2027-01-15T20:00:00.000Z', 'minute'), 'en', 'Mars/Base')).toThrow(
    RangeError,
  );
  expect(() => renderWhen(dateAlone('2027-01-15'), 'not a locale')).toThrow(RangeError);
});

describe('an event with an end', () => {
  const days = (date: string, end_date: string): Timed => ({
    ...dateAlone(date),
    end_date,
    ends_at: `${end_date}T00:00:00.000Z`,
  });

  test.each([
    ['2027-10-08', '2027-10-11', /^8\s?–\s?11 October 2027$/],
    ['2027-10-30', '2027-11-02', /^30 October – 2 November 2027$/],
    ['2027-12-30', '2028-01-02', /^30 December 2027 – 2 January 2028$/],
    ['2027-10-08', '2027-10-08', /^Friday,? 8 October 2027$/],
  ])('from %s until %s, without a clock time', (date, end, expected) => {
    expect(plain(renderWhen(days(date, end), 'en-GB', 'America/New_York'))).toMatch(expected);
    expect(plain(renderWhen(days(date, end), 'en-GB', 'Pacific/Kiritimati'))).toMatch(expected);
  });

  test('shows both times of a known one, in the given zone', () => {
    const event: Timed = {
      ...at('2027-10-08T17:30:00.000Z', 'minute'),
      end_date: '2027-10-08',
      ends_at: '2027-10-08T20:30:00.000Z',
    };
    const rendered = plain(renderWhen(event, 'en-GB', 'Europe/Vienna'));
    expect(rendered).toMatch(/8 October 2027.*19:30\s?–\s?22:30/);
    const past = plain(
      renderWhen({ ...event, ends_at: '2027-10-08T23:30:00.000Z' }, 'en-GB', 'Europe/Vienna'),
    );
    expect(past).toMatch(/8 October 2027.*19:30.*9 October 2027.*01:30/);
    expect(renderWhen({ ...event, ends_at: null }, 'en-GB', 'UTC')).not.toContain('–');
  });
});
