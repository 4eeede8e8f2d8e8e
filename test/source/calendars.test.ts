import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EventRecord } from '../../src/api/documents.ts';
import { bySoonest } from '../../src/catalogue/soonest.ts';
import { eventRecord } from '../../src/render/records.ts';
import { readCalendar } from '../setup/readers.ts';
import type { SourceFile, TextReading } from '../../src/readers/schema/reading.ts';
import { emptyGenre } from '../setup/build-site.ts';
import { tempFolder, writeTree, type Tree } from '../setup/folders.ts';
import { isUpdate } from '../setup/golden.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

interface BuildResult {
  readonly warnings?: readonly { readonly code: string; readonly message: string }[];
  readonly catalogue: { readonly upcoming: number };
}

const now = '2026-11-20T00:00:00Z';

test('the summary counts floating times', async () => {
  const cwd = writeTree(tempFolder(), genreWith({ 'a.ics': calendar('DTSTART:20270410T100000') }));
  const run = await runAlmanac(['build', '--now', now], { cwd });
  expect(run.stdout).toContain(
    '\n  1 event published by date alone (a clock time without a zone)\n',
  );
});

test('events that are private or confidential are left out with a warning, unless they are wanted', async () => {
  const lines = (uid: string, ...more: string[]): string[] => [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    ...more,
    'END:VEVENT',
  ];
  const text = wrap([
    ...lines('a', 'CLASS:private', 'DTSTART:20270410T100000Z', 'RRULE:FREQ=DAILY;COUNT=2'),
    ...lines('b', 'CLASS:CONFIDENTIAL', 'DTSTART:20270410T100000Z'),
    ...lines('c', 'CLASS:PUBLIC', 'DTSTART:20270410T100000Z'),
    ...lines('d', 'CLASS:PRIVATE', 'DTSTART:20200410T100000Z'),
  ]);
  const build = async (metadata: object) => {
    const cwd = writeTree(tempFolder(), genreWith({ 'a.ics': text, ...metadata }));
    const { stdout } = await runAlmanac(['build', '--now', now, '--json'], { cwd });
    const { warnings = [], catalogue } = JSON.parse(stdout) as BuildResult;
    return {
      warnings: warnings.map(({ code, message }) => ({ code, message })),
      upcoming: catalogue.upcoming,
    };
  };
  const warning = {
    code: 'private-events',
    message: expect.stringContaining('left out 3 upcoming events') as string,
  };
  expect(await build({})).toEqual({ warnings: [warning], upcoming: 1 });
  expect(await build({ 'a.json': { name: 'A', private: false } })).toEqual({
    warnings: [],
    upcoming: 1,
  });
  expect(await build({ 'a.json': { name: 'A', private: true } })).toEqual({
    warnings: [],
    upcoming: 4,
  });
});

test('expands a recurring event from the first date that has not ended to two years after now', () => {
  const events = eventsIn(
    calendar('DTSTART;VALUE=DATE:20200101', 'RRULE:FREQ=MONTHLY;BYMONTHDAY=1'),
  );
  expect(events).toHaveLength(24);
  expect([events[0]?.date, events.at(-1)?.date]).toEqual(['2026-12-01', '2028-11-01']);
  expect(events[0]?.id).toBe('chess-games/a/one-2026-12-01');
  const yearly = (start: string): number =>
    eventsIn(calendar(`DTSTART:${start}`, 'RRULE:FREQ=YEARLY')).length;
  expect([yearly('20201120T235959Z'), yearly('20201121T000000Z')]).toEqual([3, 2]);
});

/**
 * The blocks of test/fixtures/recurring-events.txt: a name, the lines of an event, and when it is
 * in January 2027.
 */
const recurring = readFileSync(
  join(import.meta.dirname, '../fixtures/recurring-events.txt'),
  'utf8',
)
  .trimEnd()
  .split('\n\n')
  .slice(1)
  .map((block) => block.split('\n'));

test.each(recurring)('expands %s', (...block) => {
  const [lines, expected] = [block.slice(1, -1), block.at(-1)];
  const start = lines[0]?.startsWith('DTSTART') ? [] : ['DTSTART:20270105T100000Z'];
  const events = eventsIn(calendar(...start, ...lines));
  expect(`= ${events.map(({ starts_at }) => starts_at.slice(8, 16)).join(' ')}`.trimEnd()).toBe(
    expected,
  );
});

/**
 * The blocks of test/fixtures/calendar-events.txt: a title, the entries of a calendar, and its
 * upcoming events.
 */
const eventsFile = join(import.meta.dirname, '../fixtures/calendar-events.txt');
const [about = '', home = '', ...blocks] = readFileSync(eventsFile, 'utf8').trimEnd().split('\n\n');
const entries = blocks
  .map((block) => block.split('\n'))
  .map(([title = '', ...lines]) => ({ title, lines }));

test.each(entries)('reads $title', (block) => {
  const [header = '', ...events] = block.lines
    .filter((line) => !line.startsWith('= '))
    .join('\n')
    .split(/^BEGIN:VEVENT\n/m);
  const whole = events.map((text) => {
    const missing = ['UID:one', 'SUMMARY:Match'].filter(
      (line) => !text.includes(line.replace(/:.*/, ':')),
    );
    return ['BEGIN:VEVENT', ...missing, text.trimEnd(), 'END:VEVENT'];
  });
  const zone = home.slice(home.indexOf('\n') + 1);
  const found = eventsIn(wrap([zone, ...header.trimEnd().split('\n'), ...whole.flat()]));
  const shown = found.map((event) => {
    const start = event.time_known ? event.starts_at.replace(/(:00)?\.000Z$/, '') : event.date;
    return `= ${start} ${event.zone ?? '-'} ${event.id.slice('chess-games/a/'.length)} ${event.title}`;
  });
  if (isUpdate) {
    block.lines = [...block.lines.filter((line) => !line.startsWith('= ')), ...shown];
    const texts = entries.map(({ title, lines }) => [title, ...lines].join('\n'));
    writeFileSync(eventsFile, `${[about, home, ...texts].join('\n\n')}\n`);
  }
  expect(block.lines.filter((line) => line.startsWith('= '))).toEqual(shown);
});

test.each([
  [
    'the later of two occurrences a day',
    ['DTSTART;TZID=Europe/Berlin:20270101T090000', 'RRULE:FREQ=DAILY;BYHOUR=9,18;COUNT=40'],
    [
      'RECURRENCE-ID;TZID=Europe/Berlin:20270115T180000',
      'DTSTART;TZID=Europe/Berlin:20270520T180000',
    ],
    'one-2027-01-15t1800',
  ],
  [
    'a time that clocks skip',
    ['DTSTART;TZID=America/New_York:20270301T023000', 'RRULE:FREQ=DAILY;COUNT=20'],
    ['RECURRENCE-ID:20270314T073000Z', 'DTSTART;TZID=America/New_York:20270520T023000'],
    'one-2027-03-14',
  ],
])(
  'keeps the id of a moved occurrence after its original date has passed: %s',
  (_, series, moved, id) => {
    const replacement = vevent(moved, 'Moved');
    const text = wrap([...vevent(series), ...replacement]);
    const idIn = (one: string, at: string): string | undefined =>
      eventsIn(one, { now: Date.parse(at) })
        .find(({ title }) => title === 'Moved')
        ?.id.slice('chess-games/a/'.length);
    expect([idIn(text, now), idIn(text, '2027-04-10T00:00:00Z')]).toEqual([id, id]);
    expect(idIn(wrap(replacement), now)).toBe(id.slice(0, 'one-2027-01-15'.length));
  },
);

test.each([
  '"(UTC+01:00) Amsterdam, Berlin"',
  '"(UTC-05:00) Atlantis Time (Sea)"',
  'CET',
  'Berlin',
  '"(GMT +01:00)"',
])('reports the unknown TZID %s', (tzid) => {
  expect(read(calendar(`DTSTART;TZID=${tzid}:20270105T100000`)).findings).toMatchObject([
    { problem: { code: 'unknown-zone', found: tzid.replaceAll('"', '') } },
  ]);
});

test('accepts LF and CRLF, lines folded anywhere, and empty lines', () => {
  const text = calendar('DTSTART:20270105T100000Z');
  const folded = text.replace('SUMMARY', 'SUM\n MARY').replace('20270105T1', '20270105\n\tT1');
  const [plain] = eventsIn(text);
  const spaced = text.replaceAll(/^(BEGIN|END):.*/gm, '$& ');
  for (const other of [
    folded,
    folded.replaceAll('\n', '\r\n'),
    `\ufeff${text}\n\n`,
    spaced,
    `  ${text}`,
  ]) {
    expect(eventsIn(other)).toEqual([plain]);
  }
});

test('takes the name of a subject from its JSON, from the calendar, or from the file name', () => {
  const named = calendar('DTSTART:20270105T100000Z').replace(
    'VERSION:2.0',
    'VERSION:2.0\nX-WR-CALNAME: Chess\\, mostly ',
  );
  const nameOf = (text: string, name: string | null = null): string | undefined =>
    eventsIn(text, { name })[0]?.subject.name;
  expect(nameOf(calendar('DTSTART:20270105T100000Z'))).toBe('a');
  expect(nameOf(named)).toBe('Chess, mostly');
  for (const name of ['NAME:', 'name;ALTREP="https://example.org":']) {
    expect(nameOf(named.replace('X-WR-CALNAME:', name))).toBe('Chess, mostly');
  }
  expect(nameOf(named, 'Club')).toBe('Club');
});

test.each([
  ['18991230T055900Z', 0],
  ['00010101T000000Z', 0],
  ['18991231', 0],
  ['19000101', 1],
])('drops events before 1900: %s', (start, count) => {
  const { subjects, findings } = read(calendar(`DTSTART:${start}`));
  expect([subjects[0]?.source.events?.length, findings]).toEqual([count, []]);
});

test.each([
  ['FREQ=YEARLY', '18000101T090000Z', 150],
  ['FREQ=YEARLY;COUNT=300', '18000101T090000Z', 150],
  ['FREQ=MONTHLY;BYDAY=1MO', '18000101T090000Z', 150],
  ['FREQ=DAILY', '18000101T090000Z', 20],
])('skips the past of a series at little cost: %s since %s, %i times', (rule, start, count) => {
  const events = Array.from({ length: count }, (_, index) =>
    vevent([`DTSTART:${start}`, `RRULE:${rule}`], 'Match', `n${index}`),
  );
  const { subjects, findings } = read(wrap(events.flat()));
  expect(findings).toEqual([]);
  expect(subjects[0]?.upcoming.length).toBeGreaterThan(count);
});

test('publishes the URL of an event if it begins with https', () => {
  const urlOf = (url: string): string | null | undefined =>
    eventsIn(calendar('DTSTART:20270105T100000Z', `URL:${url}`))[0]?.url;
  expect(urlOf('https://example.org/match')).toBe('https://example.org/match');
  for (const other of ['http://example.org/match', 'message:%3Ca@b%3E', ''])
    expect(urlOf(other)).toBeNull();
});

test('shortens a title to 200 characters', () => {
  const titled = (title: string): string => wrap(vevent(['DTSTART:20270105T100000Z'], title));
  const titleOf = (title: string): string | undefined => eventsIn(titled(title))[0]?.title;
  expect(titleOf('🦉'.repeat(201))).toBe(`${'🦉'.repeat(199)}…`);
  expect(titleOf('🦉'.repeat(200))).toBe('🦉'.repeat(200));
  expect(titleOf(`${'x'.repeat(198)} and more`)).toBe(`${'x'.repeat(198)}…`);
});

test('leaves out each event that cannot be read, and counts them', () => {
  const invalid = {
    'bad-recurrence': vevent(['DTSTART:20270105T100000Z', 'RRULE:FREQ=YEARLY;BYWEEKNO=53']),
    'bad-calendar-value': vevent(['DTSTART:20270230T100000Z']),
    'unknown-zone': vevent(['DTSTART;TZID=Nowhere:20270105T100000']),
    'event-without-start': ['BEGIN:VEVENT', 'END:VEVENT'],
    'year-out-of-range': ['BEGIN:VEVENT', 'UID:e', 'DTSTART:30000101T000000Z', 'END:VEVENT'],
    'duplicate-uid': vevent(['DTSTART:20270109T100000Z']),
    'repeated-uid': vevent(['DTSTART:20270105T100000Z'], 'Another match'),
  };
  const text = wrap([...vevent(['DTSTART:20270105T100000Z']), ...Object.values(invalid).flat()]);
  const { subjects, findings, warnings } = read(text);
  expect(subjects[0]?.source.events?.map(({ id, title }) => [id, title])).toEqual([
    ['one', 'Match'],
  ]);
  expect(findings).toEqual([]);
  expect(warnings[0]?.problem).toEqual({ code: 'events-left-out', events: 7 });
  const codes = warnings.slice(1).map(({ problem }) => problem.code);
  expect(codes.toSorted()).toEqual(Object.keys(invalid).toSorted());
});

test('of two replacements of one occurrence, the first is left out with a warning', () => {
  const replacement = (title: string) =>
    vevent(['RECURRENCE-ID:20270106T100000Z', 'DTSTART:20270107T100000Z'], title);
  const series = vevent(['DTSTART:20270105T100000Z', 'RRULE:FREQ=DAILY;COUNT=2']);
  const text = wrap([...series, ...replacement('First'), ...replacement('Second')]);
  expect(eventsIn(text).map(({ title }) => title)).toEqual(['Match', 'Second']);
  const { warnings } = read(text);
  expect(warnings.map(({ problem }) => problem.code)).toEqual(['events-left-out', 'repeated-uid']);
  expect(warnings[1]?.offset).toBe(text.indexOf('BEGIN:VEVENT', text.indexOf('COUNT=2')));
});

test('a calendar that cancels, and statuses that calendars do not have', () => {
  const start = 'DTSTART:20270410T100000Z';
  const statusOf = (lines: readonly string[], ...header: string[]) => {
    const { subjects, findings, warnings } = read(
      wrap([...header, 'BEGIN:VEVENT', 'UID:a', 'SUMMARY:A', start, ...lines, 'END:VEVENT']),
    );
    const [event] = subjects.flatMap(({ source }) => source.events ?? []);
    const names = [...findings, ...warnings].map(({ problem }) => problem);
    return [event?.cancelled === true ? 'cancelled' : event?.status, names];
  };
  expect(statusOf([], 'METHOD:CANCEL')).toEqual(['cancelled', []]);
  expect(statusOf(['STATUS:Postponed'])).toEqual(['postponed', []]);
  const unknown = { code: 'values-left-out', names: ['1 STATUS "On hold"'] };
  expect(statusOf(['STATUS:On hold'])).toEqual([undefined, [unknown]]);
});

test('a text in the quoted form of vCalendar is read', () => {
  const summary = ['SUMMARY;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Caf=C3=A9 =', '100 %25'];
  const text = wrap(['BEGIN:VEVENT', 'DTSTART:20270410T100000Z', ...summary, 'END:VEVENT']);
  expect(eventsIn(text).map(({ title }) => title)).toEqual(['Café 100 %25']);
});

test('a period of an RDATE has an end of its own', () => {
  const lines = [
    'DTSTART:20270410T100000Z',
    'DTEND:20270410T110000Z',
    'RDATE;VALUE=PERIOD:20270411T100000Z/PT90M,20270412T100000Z/20270412T120000Z',
  ];
  expect(eventsIn(calendar(...lines)).map(({ ends_at }) => ends_at?.slice(8, 16))).toEqual([
    '10T11:00',
    '11T11:30',
    '12T12:00',
  ]);
  const backwards = lines.with(2, 'RDATE;VALUE=PERIOD:20270411T100000Z/20270411T090000Z');
  expect(read(calendar(...backwards)).findings).toMatchObject([
    { problem: { code: 'ends-before-starts' } },
  ]);
});

test('a zone of the calendar that nobody knows is a warning', () => {
  const text = wrap(['X-WR-TIMEZONE:Atlantis', ...vevent(['DTSTART:20270410T100000Z'])]);
  const { findings, warnings } = read(text);
  expect([...findings, ...warnings]).toMatchObject([
    { problem: { code: 'unknown-zone', found: 'Atlantis' } },
  ]);
});

test('comments around a calendar are passed over', () => {
  const text = `X-COMMENT:a\n${calendar('DTSTART:20270410T100000Z')}\nX-COMMENT:b\n`;
  expect(read(text).findings).toEqual([]);
  expect(eventsIn(text)).toHaveLength(1);
});

test('an import says what it leaves out of a calendar', async () => {
  const [event, unreadable] = ['RRULE:FREQ=DAILY;COUNT=2', 'RRULE:FREQ=HOURLY'].map((rule, index) =>
    ['BEGIN:VEVENT', `UID:${index}`, 'DTSTART:20270410T100000Z', rule, 'END:VEVENT'].join('\n'),
  );
  const text = wrap([event ?? '', unreadable ?? '']);
  const cwd = writeTree(tempFolder(), { ...genreWith({}), 'b.ics': text });
  const run = await runAlmanac(['import', 'b.ics', '--into', 'games/chess', '--now', now], { cwd });
  expect(run).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('2 events') as string,
    stderr: expect.stringContaining('left out 1 event that cannot be read') as string,
  });
});

test('vCalendar 1.0 is refused by its name', () => {
  const text = calendar('DTSTART:20270105T100000Z').replace('VERSION:2.0', 'VERSION:1.0');
  expect(read(text).findings).toMatchObject([{ problem: { code: 'old-calendar' }, offset: 0 }]);
});

test('the zone in the metadata of a calendar counts above the one that it names', () => {
  const text = calendar('DTSTART:20270306T030000Z').replace(
    'VERSION:2.0',
    'VERSION:2.0\nX-WR-TIMEZONE:America/Los_Angeles',
  );
  const shown = (options: Partial<SourceFile>): unknown =>
    eventsIn(text, options).map(({ date, zone, starts_local: local }) => [date, zone, local]);
  const berlin = { id: 'chess-games', name: 'Chess', category: 'games', zone: 'Europe/Berlin' };
  const atHome = [['2027-03-05', 'America/Los_Angeles', '2027-03-05T19:00']];
  expect([shown({}), shown({ genre: berlin })]).toEqual([atHome, atHome]);
  const chosen = [['2027-03-06', 'Asia/Tokyo', '2027-03-06T12:00']];
  expect(shown({ zone: 'Asia/Tokyo' })).toEqual(chosen);
  expect(shown({ mapping: { zone: 'Asia/Tokyo' } })).toEqual(chosen);
});

test('whole days have their last day, and a title loses the word for its status', () => {
  const days = vevent([
    'DTSTART;TZID=Europe/Berlin:20270105T000000',
    'DTEND;TZID=Europe/Berlin:20270108T000000',
  ]);
  const off = vevent(['DTSTART:20270306T030000Z', 'STATUS:CANCELLED'], 'Canceled: Tosca', 'two');
  const { subjects } = read(wrap([...days, ...off]));
  expect(subjects[0]?.source.events).toEqual([
    { id: 'one', title: 'Match', starts: '2027-01-05', ends: '2027-01-07' },
    { id: 'two', title: 'Tosca', starts: '2027-03-06T03:00Z', cancelled: true },
  ]);
});

test('refuses a calendar without a valid event, or one that is cut off or too expensive', () => {
  const codesOf = (text: string): unknown => read(text).findings.map(({ problem }) => problem.code);
  expect(codesOf(calendar('DTSTART:x'))).toEqual(['bad-calendar-value']);
  expect(codesOf(wrap([...vevent(['DTSTART:20270105']), 'BEGIN:VEVENT']))).toEqual([
    'calendar-nesting',
  ]);
  const minutes = Array.from({ length: 60 }, (_, minute) => minute).join();
  const often = vevent([
    'DTSTART:20270105T100000Z',
    `RRULE:FREQ=DAILY;BYHOUR=10,11;BYMINUTE=${minutes}`,
  ]);
  const other = ['BEGIN:VEVENT', 'UID:two', 'DTSTART:20270105', 'END:VEVENT'];
  expect(codesOf(wrap([...other, ...often]))).toEqual(['too-many-occurrences']);
});

test('leaves out an end, a length or coordinates that cannot be read, keeps their events, and counts the values', () => {
  const unreadable = [
    'GEO:;',
    'GEO:52.5\\;13.4',
    'DTEND:None',
    'DTEND:20270304T190000Z',
    'DTEND;VALUE=DATE:20270305',
    'DURATION:P99999999W',
    'DURATION:P999999999999999999W',
    'DURATION:-PT1H',
    'DURATION:2 hours\nGEO:95;200',
    'DTEND:30000101T000000Z',
  ];
  const events = [...unreadable, 'DTEND:20270304T210000Z\nDURATION:PT3H'].map((lines) => [
    'DTSTART:20270304T200000Z',
    lines,
  ]);
  events.push(['DTSTART;VALUE=DATE:20270304', 'DTEND:20270305T200000Z']);
  const text = wrap(events.flatMap((lines, at) => vevent(lines, `Match ${at}`, `uid-${at}`)));
  const { subjects, findings, warnings } = read(text);
  expect(findings).toEqual([]);
  expect(subjects[0]?.source.events?.map(({ ends, location }) => [ends, location])).toEqual([
    ...unreadable.map(() => [undefined, undefined]),
    ['2027-03-04T21:00Z', undefined],
    [undefined, undefined],
  ]);
  expect(warnings).toEqual([
    {
      problem: { code: 'values-left-out', names: ['5 DTEND', '4 DURATION', '3 GEO'] },
      offset: text.indexOf('GEO:;'),
    },
  ]);
});

test('leaves links to meetings out of places, and counts them', () => {
  const places = [
    'https://teams.microsoft.com/l/meetup-join/secret',
    'Room 5\\; https://zoom.us/j/1?pwd=x',
    'Room 5 (A)',
  ];
  const events = places.map((place, at) =>
    vevent(['DTSTART:20270304T200000Z', `LOCATION:${place}`], 'Match', `uid-${at}`),
  );
  const { subjects, warnings } = read(wrap(events.flat()));
  expect(subjects[0]?.source.events?.map(({ location }) => location ?? null)).toEqual([
    null,
    'Room 5',
    'Room 5 (A)',
  ]);
  expect(warnings).toMatchObject([
    { problem: { code: 'values-left-out', names: ['2 LOCATION with a link'] } },
  ]);
});

function read(text: string, options: Partial<SourceFile> = {}): TextReading {
  const genre = { id: 'chess-games', name: 'Chess', category: 'games' };
  return readCalendar(text, {
    stem: 'a',
    genre,
    now: Date.parse(now),
    name: null,
    url: null,
    ...options,
  });
}

/** Returns a data folder with one genre. */
function genreWith(files: Readonly<Record<string, unknown>>): Tree {
  return {
    ...emptyGenre('data/games/chess', { pages: 'home' }),
    ...Object.fromEntries(
      Object.entries(files).map(([name, content]) => [`data/games/chess/${name}`, content]),
    ),
  };
}

/** Returns the upcoming events of a valid calendar, soonest first. */
function eventsIn(text: string, options: Partial<SourceFile> = {}): EventRecord[] {
  const { subjects, findings } = read(text, options);
  expect(findings).toEqual([]);
  return subjects.flatMap(({ upcoming }) => upcoming.toSorted(bySoonest).map(eventRecord));
}

function calendar(...lines: string[]): string {
  return wrap(vevent(lines));
}

function vevent(lines: readonly string[], title = 'Match', uid = 'one'): string[] {
  return ['BEGIN:VEVENT', `UID:${uid}`, `SUMMARY:${title}`, ...lines, 'END:VEVENT'];
}

function wrap(lines: readonly string[]): string {
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\n');
}
