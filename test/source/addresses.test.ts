import { expect, test } from 'vitest';
import { problemLine, wholeFile } from '../../src/problem/problem.ts';
import { parseSource } from '../../src/source/json/validate.ts';
import { findPageAddress } from '../../src/source/remote/addresses.ts';

/* The addresses that people copy from their browser, and those that they should have copied. */
const sheet = '1AbC-d_EfGhIjKlMnOpQrStUvWxYz0123456789abcdE';
const google = 'https://docs.google.com/spreadsheets';
const calendar = 'https://calendar.google.com/calendar';
const outlook = 'https://outlook.office365.com/owa/calendar/0a1b@club.example/2c3d';

test.each([
  [`${google}/d/${sheet}/edit`, `${google}/d/${sheet}/export?format=csv`],
  [`${google}/d/${sheet}/edit?gid=12#gid=12`, `${google}/d/${sheet}/export?format=csv&gid=12`],
  [`${google}/u/1/d/${sheet}/edit#gid=7`, `${google}/d/${sheet}/export?format=csv&gid=7`],
  [`${google}/d/${sheet}/export?format=xlsx&gid=3`, `${google}/d/${sheet}/export?format=csv&gid=3`],
  [`${google}/d/e/2PACX-1v/pubhtml`, `${google}/d/e/2PACX-1v/pub?output=csv&single=true`],
  [`${google}/d/e/2PACX-1v/pubhtml?gid=5&single=true`, `${google}/d/e/2PACX-1v/pub?output=csv&single=true&gid=5`],
  [
    `${calendar}/embed?src=club%40example.org&ctz=Europe%2FLondon`,
    `${calendar}/ical/club%40example.org/public/basic.ics`,
  ],
  [`${calendar}/u/0/r?cid=Y2x1YkBleGFtcGxlLm9yZw==&pli=1`, `${calendar}/ical/club%40example.org/public/basic.ics`],
  [`${calendar}/u/0/r/month`, null],
  [`${outlook}/calendar.html`, `${outlook}/calendar.ics`],
  ['https://outlook.office.com/calendar/view/month', null],
  ['https://www.icloud.com/calendar/', null],
  ['https://www.meetup.com/chess-club/', 'https://www.meetup.com/chess-club/events/ical/'],
  ['https://www.meetup.com/de-DE/chess-club/events/?type=past', 'https://www.meetup.com/chess-club/events/ical/'],
  ['https://lu.ma/chess', null],
  ['https://luma.com/calendar/manage/cal-Ab12', 'https://api.lu.ma/ics/get?entity=calendar&id=cal-Ab12'],
  [
    'https://example.org/nextcloud/apps/calendar/embed/AbC123',
    'https://example.org/nextcloud/remote.php/dav/public-calendars/AbC123?export',
  ],
  ['https://cloud.example.org/apps/calendar/dayGridMonth/now', null],
])('%s is a page', (address, proposal) => {
  const problem = findPageAddress(address);
  expect(problem).toMatchObject({ code: 'page-address', proposal });
  // The address that is proposed is not a page in turn.
  expect(findPageAddress(proposal ?? '')).toBe(null);
  expect(problem && problemLine({ ...problem, place: wholeFile('a') })).toContain(proposal ?? 'use');
});

test.each([
  `${google}/d/${sheet}/export?format=csv&gid=3`,
  `${google}/d/${sheet}/gviz/tq?tqx=out:csv&sheet=Dates`,
  `${google}/d/e/2PACX-1v/pub?gid=0&single=true&output=csv`,
  `${calendar}/ical/club%40example.org/private-0a1b/basic.ics`,
  `${outlook}/reachcalendar.ics`,
  'https://p12-caldav.icloud.com/published/2/AbC',
  'https://www.meetup.com/chess-club/events/ical/',
  'https://api.lu.ma/ics/get?entity=calendar&id=cal-Ab12',
  'https://api2.luma.com/ics/get?entity=calendar&id=cal-Ab12',
  'https://cloud.example.org/remote.php/dav/public-calendars/AbC123/?export',
  'https://example.org/apps/calendars.ics',
])('%s is none', (address) => {
  expect(findPageAddress(address)).toBe(null);
});

test('a page is refused as a calendar or table, and may be a source of JSON-LD', () => {
  const source = (format: string) => JSON.stringify({ source: 'https://www.meetup.com/chess-club/', format });
  expect(parseSource(source('ics'), 'source')).toBe(null);
  expect(parseSource(source('jsonld'), 'source')).not.toBe(null);
});
