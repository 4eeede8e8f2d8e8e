import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mountOf } from '../../src/api/address.ts';
import { slug } from '../../src/catalogue/id.ts';
import { problemLine } from '../../src/problem/problem.ts';
import { readPeriod } from '../../src/catalogue/time/start.ts';
import { nearestZone } from '../../src/catalogue/time/zone.ts';
import { isCountry, readCountry } from '../../src/readers/schema/country.ts';
import { readDate, readDates, readTime, splitTimes } from '../../src/readers/dates.ts';
import { attendances, readChoice } from '../../src/readers/schema/rules.ts';
import { visibilityOf } from '../../src/readers/table/columns.ts';
import { proposeStart } from '../../src/source/event-times.ts';
import { isLanguage } from '../../src/catalogue/language.ts';
import { findPageAddress } from '../../src/readers/schema/addresses.ts';
import { readSections } from '../setup/sections.ts';

/* test/fixtures/readings.txt has texts as people write them, and what each means. ␤ is the end of a line. */
type Reading = readonly (string | null)[] | string | null | undefined;

const readers: Readonly<Record<string, (written: string) => Reading>> = {
  'a date, in the order iso': (written) => readDate(written, 'iso'),
  'a time': readTime,
  'two times': (written) => {
    const [from, until] = splitTimes(written);
    return from === written && until === '' ? null : [from, until].map(readTime);
  },
  'a range of dates, in the order d.m.y': (written) => readDates(written, 'd.m.y'),
  'a proposal for a start': proposeStart,
  'a period, its first and last day, and when it is over': (written) => {
    const read = readPeriod(written, null);
    return (
      read && [
        read.period,
        read.window.from,
        read.window.until,
        new Date(read.announcedUntil).toISOString(),
      ]
    );
  },
  'a code of a country': (written) => (isCountry(written) ? written : null),
  'a language tag': (written) => (isLanguage(written) ? written : null),
  'the path of a base URL': (written) => `${mountOf(written)}/`,
  'a slug': (written) => slug(written) || null,
  'a country': readCountry,
  'how people attend': (written) => readChoice(written, attendances),
  'for whom a row is': visibilityOf,
  'the nearest zone': nearestZone,
  'what to do about the address of a page': (written) => {
    const problem = findPageAddress(written);
    // The address that is proposed is not a page in turn.
    expect(findPageAddress(problem?.proposal ?? '')).toBeNull();
    return problem && problemLine({ ...problem, place: null }).split('itself; ')[1];
  },
};

const fixture = readSections(join(import.meta.dirname, '../fixtures/readings.txt'));

test('each kind of text has a reader', () => {
  expect([...fixture.keys()]).toEqual(Object.keys(readers));
});

describe.each([...fixture])('%s', (kind, section) => {
  const rows = section.trimEnd().split('\n');
  test.each(rows.map((row) => [row]))('%s', (row) => {
    const written = row.slice(0, row.lastIndexOf(' = ')).replaceAll('␤', '\n');
    const reading = readers[kind]?.(written) ?? 'nothing';
    expect(`${written} = ${[reading].flat().join(' ')}`).toBe(row.replaceAll('␤', '\n'));
  });
});
