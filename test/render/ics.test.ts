import * as fc from 'fast-check';
import ICAL from 'ical.js';
import { expect, test } from 'vitest';
import type { Event } from '../../src/catalogue/model.ts';
import { calendarContent, calendarEvent, subjectLines } from '../../src/render/ics.ts';
import { textFault } from '../../src/source/rules.ts';

const genre = { id: 'drama-tv', name: 'Drama', category: 'tv' };
const severance = { id: 'severance', name: 'Severance' };
const ofSeverance = subjectLines(severance, genre.name, 'Television');
const premiere: Event = {
  id: 'drama-tv/severance/premiere',
  title: 'Premiere',
  subject: severance,
  genre,
  precision: 'minute',
  date: '2027-01-15',
  startsAt: Date.UTC(2027, 0, 16, 2),
  upcomingUntil: Date.UTC(2027, 0, 16, 2),
  zone: 'America/New_York',
  url: 'https://example.org/severance?a=1,2;b',
};

test('a known time is UTC and a date alone is an all-day event', () => {
  const dateAlone: Event = { ...premiere, precision: 'day', date: '2027-03-19', startsAt: Date.UTC(2027, 2, 19) };
  const [timed, allDay] = readBack([premiere, dateAlone]);
  expect(timed?.getFirstProperty('dtstart')?.toICALString()).toBe('DTSTART:20270116T020000Z');
  expect(allDay?.getFirstProperty('dtstart')?.toICALString()).toBe('DTSTART;VALUE=DATE:20270319');
});

test('an event has its id, its address, its categories and no time of the build', () => {
  const [event] = readBack([premiere]);
  expect(event?.getFirstPropertyValue('uid')).toBe(premiere.id);
  expect(event?.getFirstPropertyValue('url')).toBe(premiere.url);
  expect(event?.getFirstPropertyValue('description')).toBe('Severance');
  expect(event?.getFirstProperty('categories')?.getValues()).toEqual(['Drama', 'Television']);
  expect(String(event?.getFirstPropertyValue('dtstamp'))).toBe('2027-01-16T02:00:00Z');
  expect(event?.hasProperty('status')).toBe(false);
  const [bare] = readBack([{ ...premiere, url: null }]);
  expect(bare?.hasProperty('url')).toBe(false);
});

test('a cancelled event stands as cancelled', () => {
  const calendar = parse(calendarContent('TV', [calendarEvent(premiere, ofSeverance, true)]).join(''));
  const [event] = calendar.getAllSubcomponents('vevent');
  expect(event?.getFirstPropertyValue('status')).toBe('CANCELLED');
  expect(event?.getFirstPropertyValue('sequence')).toBe(1);
});

test('a calendar has a name and says how often to come back; an empty one still holds a component', () => {
  const text = calendarContent('Shows; films, and more\\', []).join('');
  // ical.js does not undo the escapes of a property that it does not know.
  expect(text).toContain('\r\nX-WR-CALNAME:Shows\\; films\\, and more\\\\\r\n');
  const calendar = parse(text);
  expect(String(calendar.getFirstPropertyValue('refresh-interval'))).toBe('PT12H');
  expect(calendar.getAllSubcomponents('vevent')).toEqual([]);
  expect(calendar.getAllSubcomponents()).toHaveLength(1);
});

const title = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 200 })
  .map((text) => text.trim())
  .filter((text) => textFault(text) === null);

test('every title that a source may have is read back, from lines of 75 octets at most that cut no character', () => {
  fc.assert(
    fc.property(title, title, title, (of, subject, category) => {
      const lines = subjectLines({ id: 's', name: subject }, genre.name, category);
      const text = calendarContent(subject, [calendarEvent({ ...premiere, title: of }, lines, false)]).join('');
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
  const text = calendarEvent({ ...premiere, title: 'x'.repeat(200) }, ofSeverance, false);
  const lengths = physicalLines(text).map((line) => line.length);
  expect(lengths.filter((length) => length === 75)).toHaveLength(2);
});

/** The lines as they are sent, in bytes: cut at CRLF, which also must be the only CR and LF there is. */
function physicalLines(text: string): Buffer[] {
  const lines = text.split('\r\n');
  expect(lines.pop()).toBe('');
  for (const line of lines) expect(line).not.toMatch(/[\r\n]/);
  return lines.map((line) => Buffer.from(line));
}

function readBack(events: readonly Event[]): ICAL.Component[] {
  const pieces = events.map((event) => calendarEvent(event, ofSeverance, false));
  return parse(calendarContent('TV', pieces).join('')).getAllSubcomponents('vevent');
}

function parse(text: string): ICAL.Component {
  return new ICAL.Component(ICAL.parse(text) as unknown[]);
}
