import { createContext, Script } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { printable } from '../../src/problem/problem.ts';
import { readCalendar, readPage, readTable } from '../setup/readers.ts';
import { explain } from '../../src/source/explain.ts';
import { insertEvent } from '../../src/readers/schema/json-syntax.ts';
import type { SourceFile } from '../../src/readers/schema/reading.ts';
import { textRules } from '../../src/readers/schema/rules.ts';

const genre = { id: 'drama-tv', name: 'Drama', category: 'tv' };
const file: SourceFile = { stem: 'a', genre, now: Date.UTC(2026, 10, 20), name: null, url: null };
const many = 1_000_000;
/**
 * Milliseconds. What takes quadratic time takes minutes for a million characters, and anything else
 * far less than this.
 */
const limit = 30_000;

const cell = (starts: string): string => `subject,title,starts\ns,t,"${starts}"\n`;
const subject = (starts: string): string =>
  JSON.stringify({ name: 'S', events: [{ title: 'T', starts, ends: starts, zone: 'UTC' }] });
const calendar = (...lines: string[]): string =>
  [
    'BEGIN:VCALENDAR',
    'BEGIN:VEVENT',
    'UID:u',
    'SUMMARY:s',
    ...lines,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n');
const start = 'DTSTART:20270304T200000Z';

describe('a text that an expression or a loop could take quadratic time for', () => {
  test.each<[string, () => unknown]>([
    [
      'zero fractions of a second in a cell',
      () => readTable(cell(`2027-11-01 10:00:00.${'0'.repeat(many)}\nx`), file),
    ],
    ['spaces in a cell', () => readTable(cell(`2027-11-01${' '.repeat(many)}x`), file)],
    [
      'quotation marks in a table',
      () => readTable(`subject,title,starts\n${'"a"b,'.repeat(many / 8)}\n`, file),
    ],
    [
      'many T in a start',
      () => explain(subject(`${'T'.repeat(many)}\nTZ`), 'subject', { file: 'a.json' }),
    ],
    [
      'fractions in a start',
      () =>
        explain(subject(`2027-11-01 10:00:00.${'0'.repeat(many)}x`), 'subject', { file: 'a.json' }),
    ],
    [
      'white space around keys',
      () => explain(`{"name"${' '.repeat(many)}"`, 'subject', { file: 'a.json' }),
    ],
    [
      'tabs in a file that gets an event',
      () =>
        insertEvent(`{"name":"S","events":[${'\t'.repeat(many)}"x"${'\t'.repeat(many)},1]}`, {}),
    ],
    [
      'spaces in the zone of a calendar',
      () =>
        readCalendar(
          calendar(start).replace(
            'BEGIN:VEVENT',
            `X-WR-TIMEZONE:(UTC)${' '.repeat(many)}\u2028\r\nBEGIN:VEVENT`,
          ),
          file,
        ),
    ],
    [
      'long names of zones',
      () =>
        readCalendar(
          calendar(
            ...Array.from(
              { length: 100 },
              (_, index) => `EXDATE;TZID="${index}${', '.repeat(4900)}":20270304T200000`,
            ),
            start,
          ),
          file,
        ),
    ],
    [
      'folded lines',
      () => readCalendar(calendar(`LOCATION:${'\r\n x'.repeat(many / 4)}`, start), file),
    ],
    [
      'spaces in coordinates',
      () =>
        readCalendar(
          calendar(`GEO:1;1${' '.repeat(many)}x${':1;1'.repeat(many / 4)}`, start),
          file,
        ),
    ],
    [
      'backslashes in a text',
      () => readCalendar(calendar(`SUMMARY:${'\\'.repeat(many)}"`, start), file),
    ],
    [
      'slashes in the address of a source',
      () => textRules['source-url'](`http:${'/'.repeat(many)} @`),
    ],
    ['a base URL of slashes', () => textRules['base-url'](`http://x${'/'.repeat(many)}y`)],
    [
      'spaces in a text that is printed',
      () => printable(`x${' '.repeat(many)}${'::'.repeat(many)}${' '.repeat(many)}x`),
    ],
    [
      'quotation marks in a script of a page',
      () => readPage(`<script type="application/ld+json">"${'\\"'.repeat(many)}`, file),
    ],
    ['a language of hyphens', () => textRules.language(`en${'-abc'.repeat(many / 4)}`)],
  ])('%s', (_, work) => {
    // Ends a function that takes too long, unlike the limit of a test.
    const ends = () =>
      new Script('work()').runInContext(createContext({ work }), { timeout: limit }) as unknown;
    expect(ends).not.toThrow();
  });
});
