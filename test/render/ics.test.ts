import * as fc from 'fast-check';
import ICAL from 'ical.js';
import { expect, test } from 'vitest';
import type { Event } from '../../src/catalogue/model.ts';
import { escapeText } from '../../src/render/content-line.ts';
import { calendarEvent, type EventText } from '../../src/render/event-texts.ts';
import { renderIcs } from '../../src/render/ics.ts';
import { eventRecord } from '../../src/render/records.ts';
import { isNamedIn } from '../../src/render/subject-name.ts';
import { textRules } from '../../src/source/rules.ts';

const genre = { id: 'drama-tv', name: 'Drama', category: 'tv' };
const severance = { id: 'severance', name: 'Severance', aliases: [], url: null };
const authority = 'example.org';
const since = '2026-11-20T00:00:00.000Z';
const ofGenre = { names: 'Television,Drama', authority, since };
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

test('a known time is UTC and a date alone is an all-day event', () => {
  const dateAlone: Event = { ...premiere, precision: 'day', date: '2027-03-19', startsAt: Date.UTC(2027, 2, 19) };
  const [timed, allDay] = readBack([premiere, dateAlone]);
  expect(timed?.getFirstProperty('dtstart')?.toICALString()).toBe('DTSTART:20270116T020000Z');
  expect(allDay?.getFirstProperty('dtstart')?.toICALString()).toBe('DTSTART;VALUE=DATE:20270319');
});

test('an event has its id, its URL, its categories and no time of the build', () => {
  const [event] = readBack([premiere]);
  expect(event?.getFirstPropertyValue('uid')).toBe(`${premiere.id}@example.org`);
  expect(event?.getFirstPropertyValue('url')).toBe(premiere.url);
  expect(event?.getFirstPropertyValue('summary')).toBe('Severance: Premiere');
  expect(event?.getFirstProperty('categories')?.getValues()).toEqual(['Television', 'Drama', 'finale', 'tv']);
  expect(String(event?.getFirstPropertyValue('dtstamp'))).toBe('2026-11-20T00:00:00Z');
  expect(event?.getFirstPropertyValue('description')).toBe(premiere.url);
  expect(event?.getFirstPropertyValue('status')).toBe('CONFIRMED');
  const [bare] = readBack([{ ...premiere, url: null }]);
  expect(bare?.hasProperty('url')).toBe(false);
  expect(bare?.hasProperty('description')).toBe(false);
});

test('a description is followed by the URL, and a picture is named by its address', () => {
  const description = 'Doors open at 7; bring a chair,\nand a friend \\o/';
  const image = { url: 'https://example.org/a,b.jpg', alt: null };
  const facts = { description, image, attendance: null, organizer: null, source: null };
  const [event] = readBack([{ ...premiere, status: 'tentative', details: facts }]);
  expect(event?.getFirstPropertyValue('description')).toBe(`${description}\n\n${premiere.url}`);
  expect(event?.getFirstProperty('image')?.toICALString()).toBe(`IMAGE;VALUE=URI:${image.url}`);
  expect(event?.getFirstPropertyValue('status')).toBe('TENTATIVE');
});

test('an event has its end, its place and its coordinates', () => {
  const hall = { name: 'Hall 4', address: 'Market 1; Vienna', country: 'AT', latitude: 48.2, longitude: -16.5 };
  const endsAt = premiere.startsAt + 5_400_000;
  const timed: Event = { ...premiere, end: { endDate: '2027-01-15', endsAt, overAt: endsAt }, location: hall };
  const days = { endDate: '2027-10-11', endsAt: Date.UTC(2027, 9, 11), overAt: Date.UTC(2027, 9, 12, 12) };
  const fair: Event = { ...premiere, precision: 'day', startsAt: Date.UTC(2027, 9, 8), date: '2027-10-08', end: days };
  const moment: Event = { ...premiere, end: { ...days, endsAt: premiere.startsAt } };
  const [first, second, third] = readBack([timed, fair, moment]);
  expect(first?.getFirstProperty('dtend')?.toICALString()).toBe('DTEND:20270116T033000Z');
  expect(first?.getFirstPropertyValue('location')).toBe('Hall 4, Market 1; Vienna');
  expect(first?.getFirstPropertyValue('geo')).toEqual([48.2, -16.5]);
  expect(second?.getFirstProperty('dtend')?.toICALString()).toBe('DTEND;VALUE=DATE:20271012');
  expect(second?.hasProperty('location')).toBe(false);
  // RFC 5545 does not allow an end that equals the start.
  expect(third?.hasProperty('dtend')).toBe(false);
});

test('each change of an event has a later stamp and a higher sequence than the one before', () => {
  const versionOf = (updatedAt: string | null) => {
    const record = { ...eventRecord(premiere), updated_at: updatedAt };
    const [event] = parse(calendarOf('TV', [calendarEvent(record, ofGenre)])).getAllSubcomponents('vevent');
    return ['dtstamp', 'last-modified', 'sequence'].map((name) => String(event?.getFirstPropertyValue(name)));
  };
  expect(versionOf(null)).toEqual(['2026-11-20T00:00:00Z', '2026-11-20T00:00:00Z', '0']);
  const minutes = (Date.UTC(2026, 10, 21) - Date.UTC(2020, 0)) / 60_000;
  expect(versionOf('2026-11-21T00:00:30.000Z')).toEqual([
    '2026-11-21T00:00:30Z',
    '2026-11-21T00:00:30Z',
    String(minutes),
  ]);
});

test('a calendar that does not hold all events says up to which date it reaches', () => {
  const description = (total: number): unknown =>
    parse(calendarOf('TV', ['BEGIN:VEVENT\r\nEND:VEVENT\r\n'], total)).getFirstPropertyValue('x-wr-caldesc');
  expect(description(1)).toBeNull();
  expect(description(2)).toContain('up to 2027-01-15');
});

test('a calendar has a name and a refresh interval, and an empty one still has a component', () => {
  const text = calendarOf('Shows; films, and more\\', []);
  // ical.js does not unescape properties that it does not know.
  for (const name of ['NAME', 'X-WR-CALNAME']) expect(text).toContain(`\r\n${name}:Shows\\; films\\, and more\\\\\r\n`);
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
      const text = calendarOf(subject, [
        calendarEvent(eventRecord(event), { names: escapeText(category), authority, since }),
      ]);
      for (const line of physicalLines(text)) {
        expect(line.length).toBeLessThanOrEqual(75);
        expect(Buffer.from(line.toString('utf8'))).toEqual(line);
      }
      const [read] = parse(text).getAllSubcomponents('vevent');
      expect(read?.getFirstPropertyValue('summary')).toBe(isNamedIn(of, subject) ? of : `${subject}: ${of}`);
      expect(read?.getFirstProperty('categories')?.getValues()).toEqual([category, 'finale', 'tv']);
    }),
    { numRuns: 1000 },
  );
});

test('a line is filled to 75 octets before it is folded', () => {
  const text = calendarEvent(eventRecord({ ...premiere, title: 'x'.repeat(200) }), ofGenre);
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
  const texts = events.map((event) => calendarEvent(eventRecord(event), ofGenre));
  return parse(calendarOf('TV', texts)).getAllSubcomponents('vevent');
}

function calendarOf(title: string, events: readonly string[], total = events.length): string {
  const upcoming = events.map((calendar, index): EventText => ({
    record: { ...eventRecord(premiere), id: `${index}` },
    ownUrl: null,
    offset: 0,
    json: '',
    calendar,
  }));
  const totals = { upcoming: total, under_way: 0, cancelled: 0, announced: 0, subjects: 0 };
  const scope = { filters: {}, title, service: title, baseUrl: 'https://example.org', authority, since };
  const lists = { upcoming, under_way: [], cancelled: [], announced: [], over: [] };
  return [renderIcs({ ...scope, ...lists, totals })].flat().join('');
}

function parse(text: string): ICAL.Component {
  return new ICAL.Component(ICAL.parse(text) as unknown[]);
}
