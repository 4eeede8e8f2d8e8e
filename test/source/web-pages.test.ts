import { describe, expect, test } from 'vitest';
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
      organizer: 'Club e.V., Other',
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
  ['2027-3-4T9:30', '2027-3-4T11:00', '2027-03-04T09:30', '2027-03-04T11:00'],
  ['2027-3-4T9:30-5:00', '', '2027-03-04T09:30-05:00', undefined],
  ['2027-03-04T20:00+01:00[Europe/Berlin]', '', '2027-03-04T20:00+01:00', undefined],
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

/** The statuses and attendances of schema.org in the forms that JSON-LD allows. */
const forms = (term: string): [string, unknown][] => [
  ['an address', `https://schema.org/${term}`],
  ['an http address', `http://schema.org/${term}`],
  ['a term', term],
  ['a prefix', `schema:${term}`],
  ['a trailing slash', `https://schema.org/${term}/`],
  ['a list', [`https://schema.org/${term}`]],
  ['an id', { '@id': `https://schema.org/${term}` }],
  ['a list of ids', [{ '@id': `schema:${term}` }]],
  ['a value', { '@value': term }],
  ['a typed node', { '@type': 'EventStatusType', name: term }],
  ['a typed node with an id', { '@type': 'EventStatusType', '@id': term }],
  ['a type', { '@type': `https://schema.org/${term}` }],
  ['a node of another type', { '@type': 'Text', name: term }],
  ['a reference', { '@id': '#term' }],
];

describe.each([
  ['eventStatus', 'EventCancelled', 'status', 'cancelled'],
  ['eventStatus', 'EventCanceled', 'status', 'cancelled'],
  ['eventStatus', 'EventPostponed', 'status', 'postponed'],
  ['eventAttendanceMode', 'MixedEventAttendanceMode', 'attendance', 'hybrid'],
  ['eventAttendanceMode', 'OfflineEventAttendanceMode', 'attendance', 'in-person'],
] as const)('%s %s', (key, term, field, expected) => {
  test.each(forms(term))('as %s', (_, value) => {
    const { events, lines } = read(
      page([
        { ...concert, [key]: value },
        { '@id': '#term', name: term },
      ]),
    );
    expect([events.map((event) => event[field]), lines]).toEqual([[expected], []]);
  });
});

test('of several statuses the most serious counts, and other words for them are read', () => {
  const statusOf = (eventStatus: unknown): unknown => {
    const { events, codes } = read(page({ ...concert, eventStatus }));
    return [events[0]?.status, events[0]?.attendance, ...codes];
  };
  expect(statusOf(['EventRescheduled', 'EventCancelled'])).toEqual(['cancelled', undefined]);
  expect(statusOf('EventScheduled')).toEqual([undefined, undefined]);
  expect(statusOf('https://schema.org/EventMovedOnline')).toEqual([undefined, 'online']);
  expect(statusOf('Cancelled')).toEqual(['cancelled', undefined]);
  expect(statusOf('event cancelled')).toEqual(['cancelled', undefined]);
  expect(statusOf('Abgesagt')).toEqual(['cancelled', undefined]);
  expect(statusOf(null)).toEqual([undefined, undefined]);
  const eventAttendanceMode = ['OnlineEventAttendanceMode', 'OfflineEventAttendanceMode'];
  expect(read(page({ ...concert, eventAttendanceMode })).events[0]?.attendance).toBe('hybrid');
});

test.each<[string, object, object]>([
  [
    'an address',
    { '@type': 'PostalAddress', name: 'Hall', streetAddress: 'Main 1', addressCountry: 'DE' },
    { name: 'Hall', address: 'Main 1', country: 'DE' },
  ],
  [
    'with its coordinates',
    { name: 'Hall', latitude: 52.5, longitude: '13.4' },
    { name: 'Hall', latitude: 52.5, longitude: 13.4 },
  ],
])('a place that is %s', (_, location, expected) => {
  const { events, lines } = read(page({ ...concert, location }));
  expect([events.map((event) => event.location), lines]).toEqual([[expected], []]);
});

test.each([
  ['eventStatus', 'EventMaybe', 'confirmed'],
  ['eventStatus', { '@id': 'https://schema.org/constructor' }, 'confirmed'],
  ['eventAttendanceMode', 'https://schema.org/Telepathy', 'without it'],
])('a %s that is not known is a warning', (key, value, words) => {
  const { events, codes, lines } = read(page({ ...concert, [key]: value }));
  expect([events[0]?.status, events[0]?.attendance, codes]).toEqual([
    undefined,
    undefined,
    ['unknown-term'],
  ]);
  expect(lines[0]).toContain(words);
});

const full = 'https://schema.org/';
test.each<[string, unknown]>([
  [
    'prefixes',
    {
      '@context': { s: 'https://schema.org/' },
      '@type': 's:Event',
      's:name': 'Quartet',
      's:startDate': { '@value': '2027-03-04' },
      's:location': { '@type': 's:Place', 's:name': 'Hall' },
    },
  ],
  [
    'the prefix schema without a definition',
    {
      '@type': 'schema:Event',
      'schema:name': 'Quartet',
      'schema:startDate': '2027-03-04',
      'schema:location': 'Hall',
    },
  ],
  [
    'full addresses, as an expanded document has them',
    [
      {
        '@type': [`${full}Event`],
        [`${full}name`]: [{ '@value': 'Quartet' }],
        [`${full}startDate`]: [{ '@type': `${full}Date`, '@value': '2027-03-04' }],
        [`${full}location`]: [{ [`${full}name`]: [{ '@value': 'Hall' }] }],
      },
    ],
  ],
  [
    'terms that the context defines',
    {
      '@context': [
        'https://schema.org',
        { titel: 'schema:name', wann: { '@id': 'http://schema.org/startDate' } },
      ],
      type: 'Event',
      titel: 'Quartet',
      wann: '2027-03-04',
      location: 'Hall',
    },
  ],
  [
    'lists',
    {
      ...concert,
      name: { '@list': ['Quartet'] },
      startDate: { '@set': ['2027-03-04'] },
      location: ['Hall'],
    },
  ],
])('reads %s', (_, value) => {
  const { events, lines } = read(page(value));
  expect([events.map(({ title, starts, location }) => [title, starts, location]), lines]).toEqual([
    [['Quartet', '2027-03-04', 'Hall']],
    [],
  ]);
});

const weekly = {
  '@type': 'Schedule',
  repeatFrequency: 'P1W',
  byDay: 'https://schema.org/Thursday',
  startDate: '2027-01-07',
  endDate: '2027-03-25',
  startTime: '19:00',
  endTime: '20:00',
  scheduleTimezone: 'Europe/Berlin',
  exceptDate: '2027-02-11',
};
const meeting = {
  '@type': 'Event',
  name: 'Meeting',
  startDate: '2027-01-07T19:00+01:00',
  endDate: '2027-01-07T20:00+01:00',
};

test('a schedule gives the dates of an event, without the excluded ones', () => {
  const { events, lines, subjects } = read(page({ ...meeting, eventSchedule: weekly }));
  expect(lines).toEqual([]);
  expect(events.map(({ starts }) => starts?.slice(5, 10))).toEqual(
    '01-07 01-14 01-21 01-28 02-04 02-18 02-25 03-04 03-11 03-18 03-25'.split(' '),
  );
  expect(events[0]).toMatchObject({ starts: '2027-01-07T19:00', ends: '2027-01-07T20:00' });
  expect(subjects[0]?.upcoming[0]).toMatchObject({ zone: 'Europe/Berlin' });
});

test.each<[string, object, readonly string[]]>([
  [
    'without a start of the event',
    {
      startDate: undefined,
      endDate: undefined,
      eventSchedule: { ...weekly, endDate: '2027-01-14' },
    },
    ['2027-01-07T19:00', '2027-01-14T19:00'],
  ],
  [
    'every second month on the first Tuesday',
    {
      eventSchedule: {
        repeatFrequency: 'P2M',
        byDay: 'Tuesday',
        byMonthWeek: 1,
        startDate: '2027-01-01',
        repeatCount: 2,
      },
    },
    ['2027-01-05T19:00', '2027-03-02T19:00'],
  ],
  [
    'with a word for its frequency, and the time of the event',
    { eventSchedule: { repeatFrequency: 'Daily', startDate: '2027-01-07', endDate: '2027-01-08' } },
    ['2027-01-07T19:00', '2027-01-08T19:00'],
  ],
  [
    'in weeks as days',
    {
      eventSchedule: {
        ...weekly,
        byDay: undefined,
        repeatFrequency: 'P14D',
        endDate: '2027-01-21',
      },
    },
    ['2027-01-07T19:00', '2027-01-21T19:00'],
  ],
  [
    'that are two',
    {
      eventSchedule: [
        { ...weekly, endDate: '2027-01-07' },
        { ...weekly, byDay: ['Fr'], endDate: '2027-01-08' },
      ],
    },
    ['2027-01-07T19:00', '2027-01-08T19:00'],
  ],
  [
    'by its id',
    { eventSchedule: { '@id': '#s' }, about: { ...weekly, '@id': '#s', endDate: '2027-01-07' } },
    ['2027-01-07T19:00'],
  ],
  [
    'of weekdays in one text',
    { eventSchedule: { ...weekly, byDay: 'Thursdays, Fri', endDate: '2027-01-08' } },
    ['2027-01-07T19:00', '2027-01-08T19:00'],
  ],
  [
    'in a zone with a Windows name, from an instant',
    {
      eventSchedule: {
        ...weekly,
        scheduleTimezone: 'W. Europe Standard Time',
        startTime: '18:00:00Z',
        endDate: '2027-01-07',
      },
    },
    ['2027-01-07T19:00'],
  ],
  [
    'whose excluded date is an instant of the day before',
    {
      eventSchedule: {
        ...weekly,
        startTime: '00:30',
        exceptDate: '2027-01-06T23:30:00Z',
        endDate: '2027-01-14',
      },
    },
    ['2027-01-14T00:30'],
  ],
  [
    'across a change of clocks, in the zone of the page',
    { eventSchedule: { repeatFrequency: 'P3M', startDate: '2027-01-07', repeatCount: 2 } },
    ['2027-01-07T19:00', '2027-04-07T19:00'],
  ],
  [
    'with the time of its own start',
    {
      startDate: undefined,
      endDate: undefined,
      eventSchedule: {
        repeatFrequency: 'P1W',
        repeatCount: 2,
        startDate: '2027-01-07T18:00+01:00',
        byDay: { '@type': 'DayOfWeek', name: 'Thursday' },
      },
    },
    ['2027-01-07T18:00', '2027-01-14T18:00'],
  ],
  [
    'that ends with its event',
    { endDate: '2027-01-21T20:00+01:00', eventSchedule: { repeatFrequency: 'P1W' } },
    ['2027-01-07T19:00', '2027-01-14T19:00', '2027-01-21T19:00'],
  ],
  [
    'of an event past midnight',
    {
      endDate: '2027-01-08T01:00+01:00',
      eventSchedule: { repeatFrequency: 'P1D', endDate: '2027-01-08' },
    },
    ['2027-01-07T19:00', '2027-01-08T19:00'],
  ],
  [
    'of which one date is told as a part',
    {
      eventSchedule: { ...weekly, endDate: '2027-01-14' },
      subEvent: { '@type': 'Event', startDate: '2027-01-14T20:00' },
    },
    ['2027-01-07T19:00', '2027-01-14T20:00'],
  ],
])('a schedule %s', (_, more, expected) => {
  const { events, lines } = read(page({ ...meeting, ...more }));
  expect([events.map(({ starts }) => starts), lines]).toEqual([expected, []]);
});

test.each<[string, unknown]>([
  ['repeatFrequency', 'now and then'],
  ['byDay', 'Mon-Fri'],
  ['byDay', 'Weekdays'],
  ['exceptDate', '14 January 2027'],
  ['startTime', '7 pm'],
  ['startTime', { '@type': 'Time' }],
  ['endDate', 'summer'],
  ['scheduleTimezone', 'America/New York'],
  ['byMonthWeek', 2],
])('a schedule with an unreadable %s is a warning that names its event', (key, value) => {
  const { events, codes, lines } = read(
    page({ ...meeting, eventSchedule: { ...weekly, [key]: value } }),
  );
  expect([events.map(({ starts }) => starts), codes]).toEqual([
    ['2027-01-07T19:00+01:00'],
    ['schedule-left-out'],
  ]);
  expect(lines[0]).toContain('"Meeting"');
  expect(lines[0]).toContain(key);
});

test.each<[string, object]>([
  ['startTime', { startDate: '2027-01-07', startTime: '7 pm' }],
  ['endDate', { endDate: { '@type': 'Date' } }],
  ['duration', { endDate: undefined, duration: { '@type': 'QuantitativeValue', value: 2 } }],
])('an unreadable %s costs itself, with a warning', (name, more) => {
  const { events, lines } = read(page({ ...meeting, ...more }));
  expect(events).toHaveLength(1);
  expect(lines).toEqual([expect.stringContaining(`left out 1 ${name};`)]);
});

test.each<[string, unknown]>([
  ['an object without a known key', { sameAs: 'https://schema.org/EventCancelled' }],
  ['an empty object', {}],
  ['a truth value', true],
])('a status that is %s is a warning', (_, eventStatus) => {
  expect(read(page({ ...concert, eventStatus })).codes).toEqual(['unknown-term']);
});

test('an event that does not take place, and has no new date, keeps the previous one', () => {
  const { startDate: previousStartDate, ...rest } = concert;
  for (const eventStatus of ['EventPostponed', 'EventCancelled']) {
    const { events, lines } = read(page({ ...rest, previousStartDate, eventStatus }));
    expect([events.map(({ starts }) => starts), lines]).toEqual([[previousStartDate], []]);
  }
  expect(read(page({ ...rest, previousStartDate })).codes).toContain('empty-text');
});

const cancelled = 'https://schema.org/EventCancelled';

test.each<[string, object]>([
  ['the event that it is a part of', { superEvent: { ...concert, eventStatus: cancelled } }],
  [
    'the same as a reference',
    {
      '@id': '#a',
      superEvent: '#b',
      about: { ...concert, '@id': '#b', '@type': 'EventSeries', eventStatus: cancelled },
    },
  ],
  ['an object with its id', { '@id': '#a', about: { '@id': '#a', eventStatus: cancelled } }],
])('the status of an event comes from %s', (_, more) => {
  const { events, lines } = read(page({ ...concert, ...more }));
  expect([events.map(({ status }) => status), lines]).toEqual([['cancelled'], []]);
});

test('two dates or titles with one id are two events, and more of one time is none', () => {
  const first = { ...concert, '@id': '#event', startDate: '2027-03-05T15:00' };
  const graph = [
    first,
    { ...first, startDate: '2027-03-05T20:00' },
    { ...first, startDate: '2027-03-06' },
    { ...first, startDate: '2027-03-05' },
    { ...first, name: 'Choir' },
  ];
  const { events } = read(page({ '@graph': graph }));
  expect(events.map(({ title, starts }) => `${title} ${starts}`)).toEqual([
    'Quartet 2027-03-05T15:00',
    'Quartet 2027-03-05T20:00',
    'Quartet 2027-03-06',
    'Choir 2027-03-05T15:00',
  ]);
});

test('what refers to an event in reverse says where and what it is a part of', () => {
  const { '@context': context, ...event } = concert;
  const place = { '@type': 'Place', name: 'Hall', '@reverse': { location: [event] } };
  expect(read(page({ '@context': context, ...place })).events).toMatchObject([
    { location: 'Hall' },
  ]);
});

test.each<[string, object]>([
  ['another term', { '@context': { titel: 'name' }, '@type': 'Event', titel: 'Tosca' }],
  ['languages', { '@type': 'Event', name: { it: 'Tosca', en: 'Tosca, an opera' } }],
])('a title by %s', (_, value) => {
  const { events, lines } = read(page({ startDate: '2027-03-05', ...value }));
  expect([events.map(({ title }) => title), lines]).toEqual([['Tosca'], []]);
});

const play = {
  '@type': 'EventSeries',
  '@id': '#s',
  name: 'Play',
  startDate: '2027-07-01',
  endDate: '2027-08-31',
  location: { '@id': '#hall' },
};
const nights = [1, 8].map((date) => ({
  '@id': `#${date}`,
  '@type': 'TheaterEvent',
  name: 'Play',
  startDate: `2027-07-0${date}T20:00:00+02:00`,
}));
const ids = nights.map(({ '@id': id }) => ({ '@id': id }));
const hall = { '@id': '#hall', name: 'Hall' };

test.each<[string, readonly unknown[]]>([
  ['inline', [{ ...play, subEvent: nights }, hall]],
  ['by their ids', [{ ...play, subEvent: ids }, ...nights, hall]],
  [
    'by the whole',
    [play, ...nights.map((night) => ({ ...night, superEvent: { '@id': '#s' } })), hall],
  ],
  [
    'both ways, before the whole',
    [
      hall,
      ...nights.map((night) => ({ ...night, superEvent: { '@id': '#s' } })),
      { ...play, subEvent: ids },
    ],
  ],
  [
    'by full addresses',
    [
      {
        ...play,
        subEvent: nights.map(({ '@id': id }) => ({ '@id': `https://club.example/program/${id}` })),
      },
      ...nights,
      hall,
    ],
  ],
  [
    'in two halves',
    [
      { ...play, subEvent: ids },
      ...nights.map(({ '@id': id, name }) => ({ '@id': id, name })),
      ...nights,
      hall,
    ],
  ],
])('the dates of a series that are written %s', (_, graph) => {
  const { events, lines } = read(page({ '@graph': graph }));
  expect([events.map(({ starts, location }) => [starts, location]), lines]).toEqual([
    [
      ['2027-07-01T20:00+02:00', 'Hall'],
      ['2027-07-08T20:00+02:00', 'Hall'],
    ],
    [],
  ]);
});

test('each of several starts is an event, and all places and organizers are named', () => {
  const { events, lines } = read(
    page({
      ...concert,
      startDate: ['2027-03-04T20:00', '2027-03-11T20:00'],
      endDate: ['2027-03-04T22:00', '2027-03-11T23:00'],
      location: [{ name: 'Hall', address: 'Main Street 1' }, { name: 'Garden' }],
      organizer: ['Club', { name: 'Town' }],
    }),
  );
  expect(lines).toEqual([]);
  expect(events).toMatchObject([
    {
      starts: '2027-03-04T20:00',
      ends: '2027-03-04T22:00',
      location: 'Hall, Garden',
      organizer: 'Club, Town',
    },
    { starts: '2027-03-11T20:00', ends: '2027-03-11T23:00' },
  ]);
});

test.each<[string, object, string, string | undefined]>([
  [
    'a later day',
    { startDate: '2027-06-04T18:00:00+02:00', endDate: '2027-06-06' },
    '2027-06-04T18:00+02:00',
    '2027-06-06T22:00Z',
  ],
  [
    'a day after the clocks change',
    { startDate: '2027-03-27T18:00+01:00', endDate: '2027-03-28' },
    '2027-03-27T18:00+01:00',
    '2027-03-28T22:00Z',
  ],
  [
    'the same day',
    { startDate: '2027-06-04T18:00', endDate: '2027-06-04' },
    '2027-06-04T18:00',
    undefined,
  ],
  [
    'a local day',
    { startDate: '2027-06-04T18:00', endDate: '2027-06-05' },
    '2027-06-04T18:00',
    '2027-06-06T00:00',
  ],
  [
    'an hour',
    { startDate: '2027-06-04T18', endDate: '2027-06-04T20' },
    '2027-06-04T18',
    '2027-06-04T20',
  ],
  [
    'a time of day',
    { startDate: '2027-06-04T18:00+02:00', endDate: '21:30' },
    '2027-06-04T18:00+02:00',
    '2027-06-04T21:30+02:00',
  ],
  [
    'a time of day after midnight',
    { startDate: '2027-06-04T18:00+02:00', endDate: '02:00:00' },
    '2027-06-04T18:00+02:00',
    '2027-06-05T02:00+02:00',
  ],
  [
    'a duration',
    { startDate: '2027-06-04T23:00+02:00', duration: 'PT2H30M' },
    '2027-06-04T23:00+02:00',
    '2027-06-05T01:30+02:00',
  ],
  ['a duration of days', { startDate: '2027-06-04', duration: 'P3D' }, '2027-06-04', '2027-06-06'],
  [
    'a duration of a day',
    { startDate: '2027-06-04T00:00+02:00', duration: 'P1D' },
    '2027-06-04',
    undefined,
  ],
  [
    'offsets of two digits',
    { startDate: '2027-06-04T18:00+02', endDate: '2027-06-04 20:00:00 +02' },
    '2027-06-04T18:00+02:00',
    '2027-06-04T20:00+02:00',
  ],
  [
    'times of their own',
    { startDate: '2027-06-04', startTime: '18:00:00', endTime: '20:00' },
    '2027-06-04T18:00',
    '2027-06-04T20:00',
  ],
])('an end that is %s', (_, times, starts, ends) => {
  const { events, lines } = read(page({ ...concert, ...times }));
  expect([events.map((event) => [event.starts, event.ends]), lines]).toEqual([
    [[starts, ends]],
    [],
  ]);
});

test('a festival from an hour to a day ends with that day', () => {
  const html = page({ ...concert, startDate: '2027-06-04T18:00:00+02:00', endDate: '2027-06-06' });
  const genre = { id: 'music-city', name: 'Music', category: 'city' };
  for (const more of [{}, { genre }]) {
    const { subjects } = read(html, more);
    expect(subjects[0]?.upcoming.map(({ end }) => end?.endDate)).toEqual(['2027-06-06']);
  }
});

test('ends and durations that cannot be read are counted', () => {
  const { events, lines } = read(
    page([
      { ...concert, startDate: '2027-03-04T20:00', endDate: 'late' },
      { ...concert, startDate: '2027-03-05T20:00', duration: 'two hours' },
    ]),
  );
  expect(events.map(({ ends }) => ends)).toEqual([undefined, undefined]);
  expect(lines).toEqual([expect.stringContaining('1 duration, 1 endDate')]);
});

test('entities are those of HTML, and decoded once', () => {
  const { events } = read(
    page({
      ...concert,
      name: 'Caf&eacute; &amp; Bar &ndash; &amp;lt;live&amp;gt;',
      location: { name: 'Th&eacute;&acirc;tre &#8211; Gro&szlig;' },
    }),
  );
  expect(events).toMatchObject([
    { title: 'Café & Bar – &lt;live&gt;', location: 'Théâtre – Groß' },
  ]);
});

test('a page with too many references or events is refused by their number', () => {
  const many = (length: number, event: (at: number) => object) =>
    read(page(Array.from({ length }, (_, at) => event(at)))).codes;
  const event = { '@type': 'Event', name: 'E', startDate: '2027-05-05' };
  expect(many(10_001, () => ({ ...event, location: { '@id': '#a' } }))).toEqual([
    'too-many-references',
  ]);
  expect(many(100_001, () => event)).toEqual(['too-many-events']);
});

test.each([
  ['a comma after the last value', '{"@type":"Event","name":"A, ]","startDate":"2027-03-04",}'],
  ['a semicolon at its end', '[{"@type":"Event","name":"A, ]","startDate":"2027-03-04"}];'],
])('a script with %s is read', (_, script) => {
  const html = `<script type="application/ld+json">${script}</script>`;
  expect(read(html).events.map(({ title }) => title)).toEqual(['A, ]']);
});

test('a script in a comment of old browsers is read', () => {
  const script = (text: string) => `<script type="application/ld+json">${text}</script>`;
  const json = JSON.stringify(concert);
  for (const text of [
    `<!-- ${json} -->`,
    `//<![CDATA[\n${json}\n//]]>`,
    `/*<![CDATA[*/${json}/*]]>*/`,
  ])
    expect(read(script(text)).events).toHaveLength(1);
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

test('a document of JSON-LD is read like a script', () => {
  expect(read(`\n${JSON.stringify([concert])}`).events).toHaveLength(1);
});

test('a schedule that cannot be read is the reason why its event has no dates', () => {
  const {
    startDate: _,
    endDate: __,
    ...event
  } = {
    ...meeting,
    eventSchedule: { ...weekly, byDay: 'Often' },
  };
  const { codes, subjects } = read(page(event));
  expect([codes, subjects.flatMap(({ upcoming }) => upcoming)]).toEqual([
    ['schedule-left-out', 'empty-text'],
    [],
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

test('contacts are left out of the texts of an event', () => {
  const { events, lines } = read(
    page({
      ...concert,
      name: 'Quartet, tickets: 030 1234567',
      location: { name: 'Hall (hall@example.org)', address: 'Street 1, Tel. +49 30 1234567' },
      organizer: 'ann@example.org',
    }),
  );
  expect(events).toMatchObject([
    { title: 'Quartet, tickets', location: { name: 'Hall', address: 'Street 1' } },
  ]);
  expect(events[0]).not.toHaveProperty('organizer');
  expect(lines).toHaveLength(1);
});
