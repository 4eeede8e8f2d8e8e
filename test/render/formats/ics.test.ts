import * as fc from 'fast-check';
import ICAL from 'ical.js';
import { expect, test } from 'vitest';
import type { Event } from '../../../src/catalogue/model.ts';
import { calendarEvent, categoriesLine, type EventText } from '../../../src/render/event-texts.ts';
import { renderIcs } from '../../../src/render/formats/ics.ts';
import { textRules } from '../../../src/source/rules.ts';

const genre = { id: 'drama-tv', name: 'Drama', category: 'tv' };
const severance = { id: 'severance', name: 'Severance', aliases: [], url: null };
const categories = categoriesLine(genre.name, 'Television');
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
  details: { url: 'https://example.org/severance?a=1,2;b' },
};

test('a known time is UTC and a date alone is an all-day event', () => {
  const dateAlone: Event = { ...premiere, precision: 'day', date: '2027-03-19', startsAt: Date.UTC(2027, 2, 19) };
  const [timed, allDay] = readBack([premiere, dateAlone]);
  expect(timed?.getFirstProperty('dtstart')?.toICALString()).toBe('DTSTART:20270116T020000Z');
  expect(allDay?.getFirstProperty('dtstart')?.toICALString()).toBe('DTSTART;VALUE=DATE:20270319');
});

test('an event has its id, its URL, its categories and no time of the build', () => {
  const [event] = readBack([premiere]);
  expect(event?.getFirstPropertyValue('uid')).toBe(premiere.id);
  expect(event?.getFirstPropertyValue('url')).toBe(premiere.details.url);
  expect(event?.getFirstPropertyValue('description')).toBe('Severance');
  expect(event?.getFirstProperty('categories')?.getValues()).toEqual(['Drama', 'Television']);
  expect(String(event?.getFirstPropertyValue('dtstamp'))).toBe('2027-01-16T02:00:00Z');
  expect(event?.hasProperty('status')).toBe(false);
  const [bare] = readBack([{ ...premiere, details: {} }]);
  expect(bare?.hasProperty('url')).toBe(false);
});

test('a cancelled event has the status CANCELLED', () => {
  const calendar = parse(calendarOf('TV', [calendarEvent(premiere, categories, true)]));
  const [event] = calendar.getAllSubcomponents('vevent');
  expect(event?.getFirstPropertyValue('status')).toBe('CANCELLED');
  expect(event?.getFirstPropertyValue('sequence')).toBe(1);
});

test('a calendar has a name and a refresh interval, and an empty one still has a component', () => {
  const text = calendarOf('Shows; films, and more\\', []);
  // ical.js does not unescape properties that it does not know.
  expect(text).toContain('\r\nX-WR-CALNAME:Shows\\; films\\, and more\\\\\r\n');
  const calendar = parse(text);
  expect(String(calendar.getFirstPropertyValue('refresh-interval'))).toBe('PT12H');
  expect(calendar.getAllSubcomponents('vevent')).toEqual([]);
  expect(calendar.getAllSubcomponents()).toHaveLength(1);
});

const title = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 200 })
  .map((text) => text.trim())
  .filter((text) => textRules.name(text) === null);

test('every valid title can be read back, from lines of at most 75 octets that split no character', () => {
  fc.assert(
    fc.property(title, title, title, (of, subject, category) => {
      const event = { ...premiere, title: of, subject: { id: 's', name: subject, aliases: [], url: null } };
      const text = calendarOf(subject, [calendarEvent(event, categoriesLine(genre.name, category), false)]);
      for (const line of physicalLines(text)) {
        expect(line.length).toBeLessThanOrEqual(75);
        expect(Buffer.from(line.toString('utf8'))).toEqual(line);
      }
      const [read] = parse(text).getAllSubcomponents('vevent');
      expect(read?.getFirstPropertyValue('summary')).toBe(of);
      expect(read?.getFirstPropertyValue('description')).toBe(subject);
      expect(read?.getFirstProperty('categories')?.getValues()).toEqual(['Drama', category]);
    }),
    { numRuns: 1000 },
  );
});

test('a line is filled to 75 octets before it is folded', () => {
  const text = calendarEvent({ ...premiere, title: 'x'.repeat(200) }, categories, false);
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

function readBack(events: readonly Event[]): ICAL.Component[] {
  const texts = events.map((event) => calendarEvent(event, categories, false));
  return parse(calendarOf('TV', texts)).getAllSubcomponents('vevent');
}

function calendarOf(title: string, events: readonly string[]): string {
  const upcoming = events.map((calendar, index): EventText => ({
    id: `${index}`,
    startsAt: index,
    json: '',
    calendar,
  }));
  return [renderIcs({ filters: {}, title, total: events.length, upcoming, cancelled: [] })].flat().join('');
}

function parse(text: string): ICAL.Component {
  return new ICAL.Component(ICAL.parse(text) as unknown[]);
}
