import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EventRecord } from '../../src/api/documents.ts';
import { bySoonest } from '../../src/catalogue/soonest.ts';
import { eventRecord } from '../../src/render/records.ts';
import { readCalendar } from '../../src/source/ics/read-calendar.ts';
import type { SourceFile, TextReading } from '../../src/source/reading.ts';
import { emptyGenre } from '../setup/build-site.ts';
import { readTree, tempFolder, writeTree, type Tree } from '../setup/folders.ts';
import { isUpdate, recordPerLine } from '../setup/golden.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

const fixtures = join(import.meta.dirname, '../fixtures/calendars');
interface BuildResult {
  readonly warnings?: readonly { readonly code: string; readonly message: string }[];
  readonly catalogue: { readonly upcoming: number };
}

const now = '2026-11-20T00:00:00Z';

test('reads every event of a table and of exports in the style of Google, Apple, Outlook and Meetup', async () => {
  const cwd = tempFolder();
  cpSync(join(fixtures, 'data'), join(cwd, 'data'), { recursive: true });
  const run = await runAlmanac(['build', '--now', now, '--json'], { cwd });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  const { catalogue, withheld, floating = 0 } = JSON.parse(run.stdout) as Record<string, unknown>;
  const site = readTree(join(cwd, 'dist'));
  const { events } = JSON.parse(site.get('api/v1/events.json')?.toString() ?? '') as { events: EventRecord[] };
  const cancelled = [
    ...(site.get('api/v1/events.ics')?.toString() ?? '').matchAll(/UID:(.*)@.*\r\n(?:(?!END).*\r\n)*STATUS:CANCELLED/g),
  ];
  const read = { catalogue, withheld, floating, cancelled: cancelled.map(([, id]) => id), events };
  const expected = join(fixtures, 'expected.json');
  if (isUpdate) writeFileSync(expected, recordPerLine(read));
  expect(read).toEqual(JSON.parse(readFileSync(expected, 'utf8')));
});

test('the summary counts floating times', async () => {
  const cwd = writeTree(tempFolder(), genreWith({ 'a.ics': calendar('DTSTART:20270410T100000') }));
  const run = await runAlmanac(['build', '--now', now], { cwd });
  expect(run.stdout).toContain('\n  1 event published by date alone (a clock time without a zone)\n');
});

test('events that are private or confidential are left out with a warning, unless they are wanted', async () => {
  const lines = (uid: string, ...more: string[]): string[] => ['BEGIN:VEVENT', `UID:${uid}`, ...more, 'END:VEVENT'];
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
    return { warnings: warnings.map(({ code, message }) => ({ code, message })), upcoming: catalogue.upcoming };
  };
  const warning = { code: 'private-events', message: expect.stringContaining('left out 3 upcoming events') as string };
  expect(await build({})).toEqual({ warnings: [warning], upcoming: 1 });
  expect(await build({ 'a.json': { name: 'A', private: false } })).toEqual({ warnings: [], upcoming: 1 });
  expect(await build({ 'a.json': { name: 'A', private: true } })).toEqual({ warnings: [], upcoming: 4 });
});

test('reads a floating time in the zone of X-WR-TIMEZONE, if the calendar has a valid one', () => {
  const [start, rule] = ['DTSTART:20270327T193000', 'RRULE:FREQ=DAILY;COUNT=3'];
  const read = (zone: string): unknown[] => {
    const text = calendar(start, rule, 'EXDATE:20270328T193000').replace('VERSION', `X-WR-TIMEZONE:${zone}\nVERSION`);
    return eventsIn(text).map(({ starts_at, zone: found }) => [starts_at.slice(5, 16), found]);
  };
  expect(read('Europe/Vienna')).toEqual([
    ['03-27T18:30', 'Europe/Vienna'],
    ['03-29T17:30', 'Europe/Vienna'],
  ]);
  expect(read('Vienna, maybe')).toEqual([
    ['03-27T00:00', null],
    ['03-29T00:00', null],
  ]);
});

test('expands a recurring event from the first date that has not ended to two years after now', () => {
  const events = eventsIn(calendar('DTSTART;VALUE=DATE:20200101', 'RRULE:FREQ=MONTHLY;BYMONTHDAY=1'));
  expect(events).toHaveLength(24);
  expect([events[0]?.date, events.at(-1)?.date]).toEqual(['2026-12-01', '2028-11-01']);
  expect(events[0]?.id).toBe('chess-games/a/one-2026-12-01');
  const yearly = (start: string): number => eventsIn(calendar(`DTSTART:${start}`, 'RRULE:FREQ=YEARLY')).length;
  expect([yearly('20201120T235959Z'), yearly('20201121T000000Z')]).toEqual([3, 2]);
});

/** The blocks of test/fixtures/recurring-events.txt: a name, the lines of an event, and when it is in January 2027. */
const recurring = readFileSync(join(import.meta.dirname, '../fixtures/recurring-events.txt'), 'utf8')
  .trimEnd()
  .split('\n\n')
  .slice(1)
  .map((block) => block.split('\n'));

test.each(recurring)('expands %s', (...block) => {
  const [lines, expected] = [block.slice(1, -1), block.at(-1)];
  const start = lines[0]?.startsWith('DTSTART') ? [] : ['DTSTART:20270105T100000Z'];
  const events = eventsIn(calendar(...start, ...lines));
  expect(`= ${events.map(({ starts_at }) => starts_at.slice(8, 16)).join(' ')}`.trimEnd()).toBe(expected);
});

test('keeps the id of a moved occurrence, drops a cancelled one, and adds the time to ids on the same day', () => {
  const series = ['DTSTART:20270105T100000Z', 'RRULE:FREQ=DAILY;BYHOUR=10,22;COUNT=4'];
  const moved = vevent(['RECURRENCE-ID:20270105T220000Z', 'DTSTART:20270109T090000Z'], 'Moved');
  const gone = vevent(['RECURRENCE-ID:20270106T100000Z', 'DTSTART:20270106T100000Z', 'STATUS:CANCELLED']);
  const events = eventsIn(wrap([...vevent(series), ...moved, ...gone]));
  expect(events.map(({ id, title, starts_at }) => [id.slice(14), title, starts_at.slice(8, 16)])).toEqual([
    ['one-2027-01-05', 'Match', '05T10:00'],
    ['one-2027-01-06t2200', 'Match', '06T22:00'],
    ['one-2027-01-05t2200', 'Moved', '09T09:00'],
  ]);
});

test('uses the replacement of an occurrence with the highest sequence, or the last one if these are equal', () => {
  const replaced = (...sequences: number[]): string[] => {
    const replacements = sequences.flatMap((sequence, index) =>
      vevent(['RECURRENCE-ID:20270105T100000Z', `SEQUENCE:${sequence}`, `DTSTART:2027020${index + 1}T100000Z`]),
    );
    const series = vevent(['DTSTART:20270105T100000Z', 'RRULE:FREQ=DAILY;COUNT=2']);
    return eventsIn(wrap([...series, ...replacements])).map(({ date }) => date);
  };
  expect(replaced(3, 2)).toEqual(['2027-01-06', '2027-02-01']);
  expect(replaced(2, 3)).toEqual(['2027-01-06', '2027-02-02']);
  expect(replaced(0, 0)).toEqual(['2027-01-06', '2027-02-02']);
});

test('drops a replacement of an excluded occurrence if the series has a higher sequence', () => {
  const datesWith = (excluded: string, sequence: number): string[] => {
    const series = ['DTSTART;VALUE=DATE:20270104', 'RRULE:FREQ=WEEKLY;COUNT=2', excluded, 'SEQUENCE:2'];
    const moved = ['RECURRENCE-ID;VALUE=DATE:20270111', 'DTSTART;VALUE=DATE:20270112', `SEQUENCE:${sequence}`];
    return eventsIn(wrap([...vevent(series), ...vevent(moved)])).map(({ date }) => date);
  };
  expect(datesWith('EXDATE;VALUE=DATE:20270111', 1)).toEqual(['2027-01-04']);
  expect(datesWith('EXDATE;VALUE=DATE:20270111', 2)).toEqual(['2027-01-04', '2027-01-12']);
  expect(datesWith('EXDATE:', 1)).toEqual(['2027-01-04', '2027-01-12']);
});

test.each([
  [
    'the later of two occurrences a day',
    ['DTSTART;TZID=Europe/Berlin:20270101T090000', 'RRULE:FREQ=DAILY;BYHOUR=9,18;COUNT=40'],
    ['RECURRENCE-ID;TZID=Europe/Berlin:20270115T180000', 'DTSTART;TZID=Europe/Berlin:20270520T180000'],
    'one-2027-01-15t1800',
  ],
  [
    'a time that clocks skip',
    ['DTSTART;TZID=America/New_York:20270301T023000', 'RRULE:FREQ=DAILY;COUNT=20'],
    ['RECURRENCE-ID:20270314T073000Z', 'DTSTART;TZID=America/New_York:20270520T023000'],
    'one-2027-03-14',
  ],
])('keeps the id of a moved occurrence after its original date has passed: %s', (_, series, moved, id) => {
  const replacement = vevent(moved, 'Moved');
  const text = wrap([...vevent(series), ...replacement]);
  const idIn = (one: string, at: string): string | undefined =>
    eventsIn(one, { now: Date.parse(at) })
      .find(({ title }) => title === 'Moved')
      ?.id.slice('chess-games/a/'.length);
  expect([idIn(text, now), idIn(text, '2027-04-10T00:00:00Z')]).toEqual([id, id]);
  expect(idIn(wrap(replacement), now)).toBe(id.slice(0, 'one-2027-01-15'.length));
});

test.each([
  ['America/New_York', '20270314T023000', '2027-03-14T07:30'],
  ['Pacific/Auckland', '20270926T023000', '2027-09-25T14:30'],
  ['Pacific/Chatham', '20270926T031500', '2027-09-25T14:30'],
  ['Home', '20270314T023000', '2027-03-14T07:30'],
])('reads a skipped time with the offset from before the gap: %s', (zone, wall, instant) => {
  const [event] = eventsIn(wrap([...home, ...vevent([`DTSTART;TZID=${zone}:${wall}`])]));
  expect(event?.starts_at.slice(0, 16)).toBe(instant);
});

test.each([
  ['before a change', '20271031T120000', '2027-10-31T16:00'],
  ['after one', '20271107T120000', '2027-11-07T17:00'],
  ['repeated', '20271107T013000', '2027-11-07T05:30'],
  ['after the repeated ones', '20271107T020000', '2027-11-07T07:00'],
])('reads times in a zone of the calendar whose first rule has ended: %s', (_, wall, instant) => {
  const [event] = eventsIn(wrap([...home, ...vevent([`DTSTART;TZID=Home:${wall}`])]));
  expect(event?.starts_at.slice(0, 16)).toBe(instant);
});

test('applies the last onset of an ended rule in a zone east of Greenwich', () => {
  const zone = `BEGIN:VTIMEZONE
TZID:Home
BEGIN:STANDARD
DTSTART:20261025T030000
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10;UNTIL=20271031T010000Z
TZOFFSETTO:+0100
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:20270328T020000
TZOFFSETTO:+0200
END:DAYLIGHT
END:VTIMEZONE`.split('\n');
  const [event] = eventsIn(wrap([...zone, ...vevent(['DTSTART;TZID=Home:20271101T120000'])]));
  expect(event?.starts_at.slice(0, 16)).toBe('2027-11-01T11:00');
});

test('reads an offset with seconds in a zone of the calendar', () => {
  const zone = ['BEGIN:VTIMEZONE', 'TZID:Home', 'BEGIN:STANDARD', 'DTSTART:19000101T000000', 'TZOFFSETTO:+001932'];
  const described = [...zone, 'END:STANDARD', 'END:VTIMEZONE'];
  const [event] = eventsIn(wrap([...described, ...vevent(['DTSTART;TZID=Home:20270105T100000'])]));
  expect(event).toMatchObject({ starts_at: '2027-01-05T09:40:28.000Z', precision: 'second' });
});

/** The rules of New York under a name that is not in the time zone database. */
const home = `BEGIN:VTIMEZONE
TZID:Home
BEGIN:STANDARD
DTSTART:19671029T020000
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10;UNTIL=20061029T060000Z
TZOFFSETFROM:-0400
TZOFFSETTO:-0500
END:STANDARD
BEGIN:STANDARD
DTSTART:20071104T020000
RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=11
TZOFFSETFROM:-0400
TZOFFSETTO:-0500
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:20070311T020000
RRULE:FREQ=YEARLY;BYDAY=2SU;BYMONTH=3
TZOFFSETFROM:-0500
TZOFFSETTO:-0400
END:DAYLIGHT
END:VTIMEZONE`.split('\n');

test.each(['0001', '1601'])('reads a zone whose rules begin in the year %s', (year) => {
  const zone = home.filter((line) => !line.includes('UNTIL')).map((line) => line.replace(/(?<=DTSTART:)\d{4}/, year));
  const event = (start: string): string[] => vevent([`DTSTART;TZID=Home:2027${start}T100000`]);
  const hours = ['0105', '0705'].map((start) => eventsIn(wrap([...zone, ...event(start)]))[0]?.starts_at.slice(11, 13));
  expect(hours).toEqual(['15', '14']);
});

test.each([
  ['an IANA name', 'Asia/Tokyo', 'Asia/Tokyo'],
  ['an offset', '"UTC+5:30"', null],
  ['a prefix', '/freeassociation.sourceforge.net/Asia/Tokyo', 'Asia/Tokyo'],
  ['three parts', '/mozilla.org/20050126_1/America/Argentina/Salta', 'America/Argentina/Salta'],
  ['a Windows name', 'Tokyo Standard Time', 'Asia/Tokyo'],
  ['UTC', 'UTC', 'UTC'],
  ['a zone as Outlook shows it', '"(UTC-05:00) Eastern Time (US & Canada)"', 'America/New_York'],
])('reads a TZID that is %s', (_, tzid, zone) => {
  const [event] = eventsIn(calendar(`DTSTART;TZID=${tzid}:20270105T100000`));
  expect(event).toMatchObject({ zone, date: '2027-01-05', time_known: true });
  if (zone === null) expect(event?.starts_at).toBe('2027-01-05T04:30:00.000Z');
});

test.each(['"(UTC+01:00) Amsterdam, Berlin"', '"(UTC-05:00) Atlantis Time (Sea)"', 'CET', 'Berlin', '"(GMT +01:00)"'])(
  'reports the unknown TZID %s',
  (tzid) => {
    expect(read(calendar(`DTSTART;TZID=${tzid}:20270105T100000`)).findings).toMatchObject([
      { problem: { code: 'unknown-zone', found: tzid.replaceAll('"', '') } },
    ]);
  },
);

test('prefers a VTIMEZONE to an IANA name without a slash', () => {
  const zone = home.map((line) => line.replace('TZID:Home', 'TZID:EST'));
  const [event] = eventsIn(wrap([...zone, ...vevent(['DTSTART;TZID=EST:20270705T100000'])]));
  expect(event).toMatchObject({ zone: null, starts_at: '2027-07-05T14:00:00.000Z' });
});

test('accepts LF and CRLF, lines folded anywhere, and empty lines', () => {
  const text = calendar('DTSTART:20270105T100000Z');
  const folded = text.replace('SUMMARY', 'SUM\n MARY').replace('20270105T1', '20270105\n\tT1');
  const [plain] = eventsIn(text);
  const spaced = text.replaceAll(/^(BEGIN|END):.*/gm, '$& ');
  for (const other of [folded, folded.replaceAll('\n', '\r\n'), `\ufeff${text}\n\n`, spaced, `  ${text}`]) {
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

test('adds a hash to the id of a long UID, or of one with the same slug as another', () => {
  const events = (uids: string[]): string =>
    wrap(
      uids.flatMap((uid) => ['BEGIN:VEVENT', `UID:${uid}`, 'SUMMARY:Match', 'DTSTART:20270105T100000Z', 'END:VEVENT']),
    );
  const ids = (...uids: string[]): string[] =>
    eventsIn(events(uids)).map(({ id }) => id.slice('chess-games/a/'.length));
  const long = 'x'.repeat(70);
  expect(ids(long)).toEqual([expect.stringMatching(/^x{64}-[0-9a-f]{8}$/)]);
  expect(ids('x'.repeat(64))).toEqual(['x'.repeat(64)]);
  expect(ids(`${'x'.repeat(63)}-y`)).toEqual([expect.stringMatching(/^x{63}-[0-9a-f]{8}$/)]);
  expect(ids('a@b', 'A@B')).toEqual([
    expect.stringMatching(/^a-b-[0-9a-f]{8}$/),
    expect.stringMatching(/^a-b-[0-9a-f]{8}$/),
  ]);
  expect(ids('a@b', 'A@B').toSorted()).toEqual(ids('A@B', 'a@b').toSorted());
  expect(ids('你好')).toEqual([expect.stringMatching(/^[0-9a-f]{8}$/)]);
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
    vevent([`DTSTART:${start}`, `RRULE:${rule}`]).map((line) => line.replace('UID:one', `UID:n${index}`)),
  );
  const { subjects, findings } = read(wrap(events.flat()));
  expect(findings).toEqual([]);
  expect(subjects[0]?.upcoming.length).toBeGreaterThan(count);
});

test('uses the event with the higher sequence if two have the same UID, and one of two equal ones', () => {
  const twice = wrap([
    ...vevent(['DTSTART:20270106T100000Z', 'SEQUENCE:2']),
    ...vevent(['DTSTART:20270105T100000Z', 'SEQUENCE:1']),
  ]);
  expect(eventsIn(twice).map(({ date }) => date)).toEqual(['2027-01-06']);
  const one = vevent(['DTSTART:20270105T100000Z']);
  expect(eventsIn(wrap([...one, ...one]))).toHaveLength(1);
});

test.each(['', 'UID:', 'UID: '])('makes ids from titles and starts for events with the UID %j', (uid) => {
  const event = (title: string, start: string): string[] =>
    ['BEGIN:VEVENT', uid, `SUMMARY:${title}`, `DTSTART:${start}`, 'END:VEVENT'].filter((line) => line !== '');
  const [first, second] = ['20270105T100000Z', '20270106T100000Z'] as const;
  const lines = [event('Match', first), event('Match', second), event('Dinner', first)].flat();
  const found = eventsIn(wrap(lines));
  expect(found.map(({ id, date }) => [id.slice('chess-games/a/'.length), date])).toEqual([
    ['dinner-2027-01-05t10-00-00-000z', '2027-01-05'],
    ['match-2027-01-05t10-00-00-000z', '2027-01-05'],
    ['match-2027-01-06t10-00-00-000z', '2027-01-06'],
  ]);
});

test('publishes the URL of an event if it begins with https', () => {
  const urlOf = (url: string): string | null | undefined =>
    eventsIn(calendar('DTSTART:20270105T100000Z', `URL:${url}`))[0]?.url;
  expect(urlOf('https://example.org/match')).toBe('https://example.org/match');
  for (const other of ['http://example.org/match', 'message:%3Ca@b%3E', '']) expect(urlOf(other)).toBeNull();
});

test('shortens a title to one line of 200 characters; an event without a title gets the name of its subject', () => {
  const titled = (title: string): string => wrap(vevent(['DTSTART:20270105T100000Z'], title));
  const titleOf = (title: string): string | undefined => eventsIn(titled(title))[0]?.title;
  expect(titleOf(' Two\\n  lines\\, really ')).toBe('Two lines, really');
  expect(titleOf('The \\"last\\" \\\\" one')).toBe('The "last" \\" one');
  expect(titleOf('🦉'.repeat(201))).toBe(`${'🦉'.repeat(199)}…`);
  expect(titleOf('🦉'.repeat(200))).toBe('🦉'.repeat(200));
  expect(titleOf(`${'x'.repeat(198)} and more`)).toBe(`${'x'.repeat(198)}…`);
  expect(titleOf('')).toBe('a');
});

test('reads a line without a name as the rest of the line before it', () => {
  const [start, rest] = ['DTSTART:20270105T100000Z', 'a second line, not folded'];
  const titleOf = (...lines: string[]): unknown =>
    read(wrap(['BEGIN:VEVENT', ...lines, 'END:VEVENT'])).subjects[0]?.source.events?.[0]?.title;
  expect(titleOf(start, 'SUMMARY:first line', rest, rest)).toBe(`first line ${rest} ${rest}`);
  expect(titleOf('SUMMARY:first line', 'DESCRIPTION:first line', rest, `${rest}: more`, start)).toBe('first line');
  expect(read(calendar(start, rest)).findings).toMatchObject([{ problem: { code: 'bad-calendar-value' } }]);
});

test('lenient reading leaves out each invalid event with a warning', () => {
  const invalid = {
    'bad-recurrence': vevent(['DTSTART:20270105T100000Z', 'RRULE:FREQ=DAILY;COUNT=x']),
    'bad-calendar-value': vevent(['DTSTART:20270230T100000Z']),
    'unknown-zone': vevent(['DTSTART;TZID=Nowhere:20270105T100000']),
    'event-without-start': ['BEGIN:VEVENT', 'END:VEVENT'],
    'year-out-of-range': ['BEGIN:VEVENT', 'UID:e', 'DTSTART:30000101T000000Z', 'END:VEVENT'],
  };
  const text = wrap([...vevent(['DTSTART:20270105T100000Z']), ...Object.values(invalid).flat()]);
  const codes = Object.keys(invalid);
  const lenient = read(text, { isLenient: true });
  expect(lenient.subjects[0]?.source.events?.map(({ id }) => id)).toEqual(['one']);
  expect(lenient.findings).toEqual([]);
  expect(lenient.warnings.map(({ problem }) => problem.code)).toEqual(codes);
  const strict = read(text);
  expect([strict.findings.map(({ problem }) => problem.code), strict.warnings]).toEqual([codes, []]);
});

test('lenient reading refuses a calendar without a valid event, or one that is cut off or too expensive', () => {
  const codesOf = (text: string): unknown =>
    read(text, { isLenient: true }).findings.map(({ problem }) => problem.code);
  expect(codesOf(calendar('DTSTART:x'))).toEqual(['bad-calendar-value']);
  expect(codesOf(wrap([...vevent(['DTSTART:20270105']), 'BEGIN:VEVENT']))).toEqual(['calendar-nesting']);
  const minutes = Array.from({ length: 60 }, (_, minute) => minute).join();
  const often = vevent(['DTSTART:20270105T100000Z', `RRULE:FREQ=DAILY;BYHOUR=10,11;BYMINUTE=${minutes}`]);
  const other = ['BEGIN:VEVENT', 'UID:two', 'DTSTART:20270105', 'END:VEVENT'];
  expect(codesOf(wrap([...other, ...often]))).toEqual(['too-many-occurrences']);
});

test('leaves out an end, a length or coordinates that cannot be read, keeps their events, and counts the values', () => {
  const event = (index: number, ...lines: string[]): string =>
    `BEGIN:VEVENT\nUID:${index}\nSUMMARY:E${index}\nDTSTART:20270304T200000Z\n${lines.map((line) => `${line}\n`).join('')}END:VEVENT\n`;
  const day = 'BEGIN:VEVENT\nUID:d\nSUMMARY:Day\nDTSTART;VALUE=DATE:20270304\nDTEND:20270305T200000Z\nEND:VEVENT\n';
  const text = `BEGIN:VCALENDAR\n${event(0, 'GEO:;')}${event(1, 'GEO:52.5\\;13.4')}${event(2, 'DTEND:None')}${event(
    3,
    'DTEND:20270304T190000Z',
  )}${event(4, 'DTEND;VALUE=DATE:20270305')}${event(5, 'DURATION:P99999999W')}${event(6, 'DURATION:P999999999999999999W')}${event(
    7,
    'DURATION:-PT1H',
  )}${event(8, 'DURATION:2 hours', 'GEO:95;200')}${event(9, 'DTEND:30000101T000000Z')}${event(
    10,
    'DTEND:20270304T210000Z',
    'DURATION:PT3H',
  )}${day}END:VCALENDAR\n`;
  const { subjects, findings, warnings } = read(text);
  expect(findings).toEqual([]);
  expect(subjects[0]?.source.events?.map(({ ends, location }) => [ends, location])).toEqual([
    ...Array.from({ length: 10 }, () => [undefined, undefined]),
    ['2027-03-04T21:00Z', undefined],
    [undefined, undefined],
  ]);
  expect(warnings).toEqual([
    { problem: { code: 'values-left-out', names: ['5 DTEND', '4 DURATION', '3 GEO'] }, offset: text.indexOf('GEO:;') },
  ]);
});

test('leaves links to meetings out of places, and counts them', () => {
  const event = (index: number, location: string): string =>
    `BEGIN:VEVENT\nUID:${index}\nSUMMARY:E${index}\nDTSTART:20270304T200000Z\nLOCATION:${location}\nEND:VEVENT\n`;
  const places = [
    'https://teams.microsoft.com/l/meetup-join/secret',
    'Room 5\\; https://zoom.us/j/1?pwd=x',
    'Room 5 (A)',
  ];
  const { subjects, warnings } = read(
    `BEGIN:VCALENDAR\n${places.map((place, n) => event(n, place)).join('')}END:VCALENDAR\n`,
  );
  expect(subjects[0]?.source.events?.map(({ location }) => location ?? null)).toEqual([null, 'Room 5', 'Room 5 (A)']);
  expect(warnings).toMatchObject([{ problem: { code: 'values-left-out', names: ['2 LOCATION with a link'] } }]);
});

function read(text: string, options: Partial<SourceFile> = {}): TextReading {
  const genre = { id: 'chess-games', name: 'Chess', category: 'games' };
  return readCalendar(text, { stem: 'a', genre, now: Date.parse(now), name: null, url: null, ...options });
}

/** Returns a data folder with one genre. */
function genreWith(files: Readonly<Record<string, unknown>>): Tree {
  return {
    ...emptyGenre('data/games/chess', { pages: 'home' }),
    ...Object.fromEntries(Object.entries(files).map(([name, content]) => [`data/games/chess/${name}`, content])),
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

function vevent(lines: readonly string[], title = 'Match'): string[] {
  return ['BEGIN:VEVENT', 'UID:one', `SUMMARY:${title}`, ...lines, 'END:VEVENT'];
}

function wrap(lines: readonly string[]): string {
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\n');
}
