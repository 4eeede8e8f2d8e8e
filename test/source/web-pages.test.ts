import { expect, test } from 'vitest';
import { problemLine, wholeFile, type Problem } from '../../src/problem/problem.ts';
import { readPage } from '../setup/readers.ts';
import type { SourceFile } from '../../src/readers/schema/reading.ts';

/* The events of web pages, as the systems of venues and ticket shops describe them. */
const file: SourceFile = {
  stem: 'club',
  genre: { id: 'music-city', name: 'Music', category: 'city', zone: 'Europe/Berlin' },
  now: Date.UTC(2026, 10, 20),
  name: 'Club',
  url: null,
  address: 'https://club.example/program/',
};
const concert = {
  '@context': 'https://schema.org',
  '@type': 'MusicEvent',
  name: 'Quartet',
  startDate: '2027-03-04',
};

function page(...values: unknown[]): string {
  const scripts = values.map(
    (value) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`,
  );
  return `<!doctype html><html><head><title>Club</title>${scripts.join('\n')}</head><body></body></html>`;
}

function read(html: string, more: Partial<SourceFile> = {}) {
  const { subjects, findings, warnings } = readPage(html, { ...file, ...more });
  const lines = [...findings, ...warnings].map(({ problem }) =>
    problemLine({ ...problem, place: wholeFile('p') } as Problem),
  );
  const events = subjects.flatMap(({ source }) => source.events ?? []);
  return {
    subjects,
    events,
    lines,
    codes: [...findings, ...warnings].map(({ problem }) => problem.code),
  };
}

test('an event has its title, times, place, status, organizer, picture and page', () => {
  const event = {
    ...concert,
    '@id': 'https://club.example/program/quartet#event',
    name: 'Quartet &#8211; Live &amp; Loud',
    startDate: '2027-03-04T20:00:00+01:00',
    endDate: '2027-03-04T23:30:00+01:00',
    eventStatus: 'https://schema.org/EventPostponed',
    eventAttendanceMode: 'https://schema.org/MixedEventAttendanceMode',
    url: 'quartet/',
    image: ['https://club.example/quartet.jpg', 'https://club.example/wide.jpg'],
    description: '<p>With <b>guests</b>.</p>',
    organizer: [{ '@type': 'Organization', name: 'Club e.V.' }, { name: 'Other' }],
    location: {
      '@type': 'MusicVenue',
      name: 'Great Hall',
      address: {
        streetAddress: 'Main Street 1',
        postalCode: '10115',
        addressLocality: 'Berlin',
        addressCountry: 'DE',
      },
      geo: { latitude: '52.53', longitude: 13.38 },
    },
    offers: { '@type': 'Offer', price: '20', url: 'https://tickets.example' },
  };
  const { subjects, events, lines } = read(page(event));
  expect(lines).toEqual([]);
  expect(subjects.map(({ id, subject }) => [id, subject.name])).toEqual([['club', 'Club']]);
  expect(events).toMatchObject([
    {
      title: 'Quartet – Live & Loud',
      starts: '2027-03-04T20:00+01:00',
      ends: '2027-03-04T23:30+01:00',
      url: 'https://club.example/program/quartet/',
      status: 'postponed',
      attendance: 'hybrid',
      organizer: 'Club e.V.',
      image: 'https://club.example/quartet.jpg',
      location: {
        name: 'Great Hall',
        address: 'Main Street 1, 10115 Berlin',
        country: 'DE',
        latitude: 52.53,
        longitude: 13.38,
      },
      source: 'https://club.example/program/',
    },
  ]);
  expect(read(page(event), { descriptions: true }).events).toMatchObject([
    { description: 'With guests.' },
  ]);
});

test.each([
  ['2027-03-04', '', '2027-03-04', undefined],
  ['2027-03-04', '2027-03-06T22:00', '2027-03-04', '2027-03-06'],
  ['2027-03', '', '2027-03', undefined],
  ['2027-03-04T20:00:30', '2027-03-04T22:00', '2027-03-04T20:00', '2027-03-04T22:00'],
  ['2027-03-04T19:00:00.000Z', '', '2027-03-04T19:00Z', undefined],
  [
    '2027-03-04T20:00:00+0100',
    '2027-03-05T01:00:00+0100',
    '2027-03-04T20:00+01:00',
    '2027-03-05T01:00+01:00',
  ],
  ['2027-03-04T00:00:00+01:00', '2027-03-06T23:59:59+01:00', '2027-03-04', '2027-03-06'],
  ['2027-03-04T00:00:00', '2027-03-05T00:00:00', '2027-03-04', '2027-03-04'],
  ['2027-03-04T00:00', '', '2027-03-04', ''],
  ['2027-03-04T00:00', '2027-03-04T06:00', '2027-03-04T00:00', '2027-03-04T06:00'],
])('%s to %s', (startDate, endDate, starts, ends) => {
  const { events, lines } = read(
    page({ ...concert, startDate, ...(endDate !== '' && { endDate }) }),
  );
  expect([lines, events.map((event) => [event.starts, event.ends])]).toEqual([
    [],
    [[starts, ends || undefined]],
  ]);
});

test.each<[string, unknown, readonly string[]]>([
  ['a graph', { '@graph': [{ '@type': 'WebSite', name: 'Club' }, concert] }, ['Quartet']],
  [
    'a list of items',
    { '@type': 'ItemList', itemListElement: [{ '@type': 'ListItem', item: concert }] },
    ['Quartet'],
  ],
  ['the events of a place', { '@type': 'Place', name: 'Club', event: [concert] }, ['Quartet']],
  ['no event', { ...concert, '@type': 'Article' }, []],
  ['a larger event', { ...concert, superEvent: { ...concert, name: 'Festival' } }, ['Quartet']],
  [
    'a festival and its parts',
    { ...concert, name: 'Festival', subEvent: [concert] },
    ['Festival', 'Quartet'],
  ],
  [
    'the dates of a series',
    { ...concert, subEvent: [{ startDate: '2027-03-05' }, { startDate: '2027-03-06' }] },
    ['Quartet', 'Quartet'],
  ],
  [
    'a series',
    { ...concert, '@type': 'EventSeries', name: 'Spring', subEvent: [concert] },
    ['Quartet'],
  ],
])('%s', (_, value, titles) => {
  expect(read(page(value)).events.map(({ title }) => title)).toEqual(titles);
});

test('the parts of an event have its place and page, and its objects are found by their ids', () => {
  const place = { '@id': '#hall', '@type': 'Place', name: 'Hall', address: 'Main Street 1' };
  const parts = [
    { '@type': 'Event', name: 'A', startDate: '2027-03-05' },
    { '@type': 'Event', name: 'B', startDate: '2027-03-06', url: 'https://b.example/' },
  ];
  const festival = { ...concert, url: '/festival', location: { '@id': '#hall' }, subEvent: parts };
  const { events } = read(page({ '@graph': [festival, place] }));
  const location = { name: 'Hall', address: 'Main Street 1' };
  expect(events.map(({ title, url, location: at }) => [title, url, at])).toEqual([
    ['Quartet', 'https://club.example/festival', location],
    ['A', 'https://club.example/festival', location],
    ['B', 'https://b.example/', location],
  ]);
});

test.each<[string, unknown, unknown, string | undefined]>([
  ['a name', 'Hall', 'Hall', undefined],
  ['an address in one line', { address: 'Main Street 1' }, 'Main Street 1', undefined],
  [
    'a virtual place',
    { '@type': 'VirtualLocation', url: 'https://zoom.us/j/1?pwd=secret' },
    undefined,
    'online',
  ],
  ['a link', 'https://meet.google.com/abc', undefined, 'online'],
  [
    'both',
    [{ '@type': 'VirtualLocation', url: 'https://zoom.us/j/1' }, { name: 'Hall' }],
    'Hall',
    'hybrid',
  ],
])('a location that is %s', (_, location, expected, attendance) => {
  const { events, lines } = read(page({ ...concert, location }));
  expect([lines, events[0]?.location, events[0]?.attendance]).toEqual([[], expected, attendance]);
  expect(JSON.stringify(events)).not.toContain('zoom.us');
});

test('what is nested too deep, and an end that does not exist, cost nothing else', () => {
  const deep = `<script type="application/ld+json">${'['.repeat(100_000)}${']'.repeat(100_000)}</script>`;
  const wrong = { ...concert, startDate: '2027-03-04T00:00', endDate: '2027-99-04T00:00' };
  expect(read(deep + page(wrong)).events).toMatchObject([
    { title: 'Quartet', starts: '2027-03-04' },
  ]);
});

test('events that cannot be read are left out with a warning', () => {
  const { events, lines } = read(
    page([concert, { ...concert, startDate: 'soon' }, { ...concert, name: undefined }]),
  );
  expect(events.map(({ title }) => title)).toEqual(['Quartet']);
  expect(lines).toEqual([
    expect.stringContaining('left out 2 rows'),
    expect.stringContaining('found an empty title'),
    expect.stringContaining('found starts "soon"'),
  ]);
});

test.each([
  ['<!-- <script type="application/ld+json">{"a":1}</script> -->', 0],
  ['<!--><script type=application/ld+json>{}</script>', 1],
  [`<SCRIPT data-x='1' TYPE='application/ld+json' id=a>{}</SCRIPT >`, 1],
  ['<script type="application/ld+json; charset=utf-8">{}</scripts></script>', 1],
  ['<script type="application/ld+json', 0],
  [`<script data-for="${'a > b '.repeat(1000)}" type=' application/ld+json'>{}</script>`, 1],
  ['<script data-type="application/ld+json" type="module">{}</script>', 0],
  ['<style>/* <script type="application/ld+json">{}</script> */</style>', 0],
  [
    '<title><script type="application/ld+json"></title><script type="application/ld+json">{}</script>',
    1,
  ],
  [`<script>write('<script type="application/ld+json">{}')</script>`, 0],
])('%s has %i scripts of JSON-LD', (html, scripts) => {
  const { problem } = readPage(html, file).findings[0] ?? readPage(html, file).warnings[0] ?? {};
  expect(problem).toMatchObject({ code: 'no-json-ld', scripts });
});

test('a page without JSON-LD, or with nothing that can be read, is a problem; one without events has an empty subject', () => {
  expect(readPage('<p>Quartet, March 4</p>', file).findings).toMatchObject([
    { problem: { code: 'no-json-ld' } },
  ]);
  const broken = '<script type="application/ld+json">{"@type": }</script>';
  expect(readPage(broken, file).findings.map(({ problem }) => problem.code)).toEqual([
    'no-json-ld',
    'bad-json-ld',
  ]);
  const { subjects, findings, warnings } = readPage(page({ '@type': 'WebSite' }), file);
  expect([subjects.map(({ id }) => id), findings]).toEqual([['club'], []]);
  expect(warnings).toMatchObject([{ problem: { code: 'no-json-ld', scripts: 1 } }]);
});

test('times without an offset are in the zone of the source', () => {
  const html = page({ ...concert, startDate: '2027-03-04T20:00' });
  const genre = { id: 'music-city', name: 'Music', category: 'city' };
  const { subjects } = readPage(html, { ...file, genre, mapping: { zone: 'America/New_York' } });
  expect(subjects[0]?.upcoming.map(({ startsAt }) => new Date(startsAt).toISOString())).toEqual([
    '2027-03-05T01:00:00.000Z',
  ]);
  // Like a row of a table, the event keeps its date.
  expect(read(html, { genre })).toMatchObject({
    codes: ['skipped-rows', 'zone-missing'],
    events: [{ starts: '2027-03-04' }],
  });
});
