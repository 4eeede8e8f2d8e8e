import * as fc from 'fast-check';
import ICAL from 'ical.js';
import { expect, test } from 'vitest';
import type { Event } from '../../src/catalogue/model.ts';
import { escapeText } from '../../src/render/content-line.ts';
import { calendarEvent } from '../../src/render/calendar-event.ts';
import { renderIcs } from '../../src/render/ics.ts';
import { eventRecord, ListedEvent } from '../../src/render/records.ts';
import { isNamedIn } from '../../src/render/subject-name.ts';
import { textRules } from '../../src/readers/schema/rules.ts';

const genre = { id: 'drama-tv', name: 'Drama', category: 'tv' };
const severance = { id: 'severance', name: 'Severance', aliases: [], url: null };
const authority = 'example.org';
const since = '2026-11-20T00:00:00.000Z';
const site = { categoriesOf: () => 'Television,Drama', authority, since, lang: 'en' };
const premiere: Event = {
  id: 'drama-tv/severance/premiere',
  title: 'Premiere',
  subject: severance,
  genre,
  precision: 'minute',
  date: '2027-01-15',
  startsAt: Date.UTC(2027, 0, 16, 2),
  upcomingUntil: Date.UTC(2027, 0, 16, 2),
  end: null,
  zone: 'America/New_York',
  location: null,
  url: 'https://example.org/severance?a=1,2;b',
  status: 'confirmed',
  tags: ['finale', 'tv'],
  details: null,
  extra: null,
  offset: -5 * 3_600_000,
};

test('an end that equals the start is left out, which RFC 5545 does not allow', () => {
  const { startsAt } = premiere;
  const end = { endDate: premiere.date, endsAt: startsAt, overAt: startsAt };
  const text = calendarEvent(eventRecord({ ...premiere, end }), site);
  expect(text).toContain('DTSTART:20270116T020000Z');
  expect(text).not.toContain('DTEND');
});

test.each([
  ['confirmed', 'en', 'Severance: Premiere', 'CONFIRMED'],
  ['cancelled', 'en', 'Cancelled: Severance: Premiere', 'CANCELLED'],
  ['cancelled', 'de-AT', 'Abgesagt: Severance: Premiere', 'CANCELLED'],
  ['tentative', 'fr', 'À confirmer: Severance: Premiere', 'TENTATIVE'],
  ['postponed', 'es', 'Aplazado\\, sin nueva fecha: Severance: Premiere', 'TENTATIVE'],
  ['cancelled', 'it', 'Cancelled: Severance: Premiere', 'CANCELLED'],
] as const)('the title of a %s event in %s says so', (status, lang, summary, written) => {
  const event = eventRecord({ ...premiere, title: 'Premiere', status });
  const text = calendarEvent(event, { ...site, lang });
  expect(text).toContain(`SUMMARY:${summary}\r\n`);
  expect(text).toContain(`STATUS:${written}\r\n`);
});

test('a calendar that does not hold all events says up to which date it reaches', () => {
  const description = (total: number): unknown =>
    parse(calendarOf('TV', ['BEGIN:VEVENT\r\nEND:VEVENT\r\n'], total)).getFirstPropertyValue(
      'x-wr-caldesc',
    );
  expect(description(1)).toBeNull();
  expect(description(2)).toContain('up to 2027-01-15');
});

const title = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 200 })
  .map((text) => text.trim())
  .filter((text) => textRules.name(text) === null);

test('every valid title can be read back, from lines of at most 75 octets that split no character', () => {
  fc.assert(
    fc.property(title, title, title, (of, subject, category) => {
      const event = {
        ...premiere,
        title: of,
        subject: { id: 's', name: subject, aliases: [], url: null },
      };
      const text = calendarOf(subject, [
        calendarEvent(eventRecord(event), {
          categoriesOf: () => escapeText(category),
          authority,
          since,
          lang: 'en',
        }),
      ]);
      for (const line of physicalLines(text)) {
        expect(line.length).toBeLessThanOrEqual(75);
        expect(Buffer.from(line.toString('utf8'))).toEqual(line);
      }
      const [read] = parse(text).getAllSubcomponents('vevent');
      expect(read?.getFirstPropertyValue('summary')).toBe(
        isNamedIn(of, subject) ? of : `${subject}: ${of}`,
      );
      expect(read?.getFirstProperty('categories')?.getValues()).toEqual([category, 'finale', 'tv']);
    }),
    { numRuns: 1000 },
  );
});

test('a line is filled to 75 octets before it is folded', () => {
  const text = calendarEvent(eventRecord({ ...premiere, title: 'x'.repeat(200) }), site);
  const lengths = physicalLines(text).map((line) => line.length);
  expect(lengths.filter((length) => length === 75)).toHaveLength(2);
});

/** Splits a text at CRLF into lines of bytes. It may not contain any other CR or LF. */
function physicalLines(text: string): Buffer[] {
  const lines = text.split('\r\n');
  expect(lines.pop()).toBe('');
  for (const line of lines) expect(line).not.toMatch(/[\r\n]/);
  return lines.map((line) => Buffer.from(line));
}

function calendarOf(title: string, events: readonly string[], total = events.length): string {
  const upcoming = events.map((entry, index) => {
    const record = { ...eventRecord(premiere), id: `${index}` };
    const event = new ListedEvent(record, premiere, null);
    return Object.assign(event, { calendarEntry: () => entry });
  });
  const totals = { upcoming: total, under_way: 0 };
  const lists = { upcoming, under_way: [], cancelled: [], over: [] };
  return [renderIcs({ filters: {}, title, ...lists, totals }, site)].flat().join('');
}

function parse(text: string): ICAL.Component {
  return new ICAL.Component(ICAL.parse(text) as unknown[]);
}
