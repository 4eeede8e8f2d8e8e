import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { build } from '../../src/build.ts';
import type { EventRecord } from '../../src/api/documents.ts';
import { readCalendar } from '../../src/source/ics/read-calendar.ts';
import { readTree, tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

const fixtures = join(import.meta.dirname, '../fixtures/calendars');
const now = '2026-11-20T00:00:00Z';

test('exports in the style of Google, Apple, Outlook and Meetup, and a table, are read whole', async () => {
  const cwd = tempFolder();
  cpSync(join(fixtures, 'data'), join(cwd, 'data'), { recursive: true });
  const run = await runAlmanac(['build', '--now', now, '--json'], { cwd });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  const expected = JSON.parse(readFileSync(join(fixtures, 'expected.json'), 'utf8')) as object;
  const { catalogue, withheld, floating = 0 } = JSON.parse(run.stdout) as Record<string, unknown>;
  const site = readTree(join(cwd, 'dist'));
  const { events } = JSON.parse(site.get('api/v1/events.json')?.toString() ?? '') as { events: EventRecord[] };
  const cancelled = [
    ...(site.get('api/v1/events.ics')?.toString() ?? '').matchAll(/UID:(.*)\r\n(?:(?!END).*\r\n)*STATUS/g),
  ];
  expect({ catalogue, withheld, floating, events, cancelled: cancelled.map(([, id]) => id) }).toEqual(expected);
});

test('the summary counts floating times', async () => {
  const cwd = tempFolder();
  cpSync(join(fixtures, 'data'), join(cwd, 'data'), { recursive: true });
  const run = await runAlmanac(['build', '--now', now], { cwd });
  expect(run.stdout).toContain('\n  1 event published by date alone (a clock time without a zone)\n');
});

test('of a floating time the date is published and the clock time is not', async () => {
  const [event] = await eventsOf({ 'a.ics': calendar('DTSTART:20270410T100000') });
  expect(event).toMatchObject({ date: '2027-04-10', time_known: false, precision: 'day', zone: null });
});

test('a repeating event is expanded up to two years past now, from the date that is not over', async () => {
  const events = await eventsOf({
    'a.ics': calendar('DTSTART;VALUE=DATE:20200101', 'RRULE:FREQ=MONTHLY;BYMONTHDAY=1'),
  });
  expect(events).toHaveLength(24);
  expect([events[0]?.date, events.at(-1)?.date]).toEqual(['2026-12-01', '2028-11-01']);
  expect(events[0]?.id).toBe('chess-games/a/one-2026-12-01');
  const yearly = async (start: string): Promise<number> =>
    (await eventsOf({ 'a.ics': calendar(`DTSTART:${start}`, 'RRULE:FREQ=YEARLY') })).length;
  expect([await yearly('20201120T235959Z'), await yearly('20201121T000000Z')]).toEqual([3, 2]);
});

test.each([
  ['a count', ['DTSTART:20270105T100000Z', 'RRULE:FREQ=DAILY;COUNT=3'], ['05T10:00', '06T10:00', '07T10:00']],
  [
    'an end in UTC',
    ['DTSTART;TZID=America/New_York:20270105T200000', 'RRULE:FREQ=DAILY;UNTIL=20270107T005959Z'],
    ['06T01:00'],
  ],
  [
    'an end that counts',
    ['DTSTART;TZID=America/New_York:20270105T200000', 'RRULE:FREQ=DAILY;UNTIL=20270107T010000Z'],
    ['06T01:00', '07T01:00'],
  ],
  ['an end that is a date', ['DTSTART:20270105T200000Z', 'RRULE:FREQ=DAILY;UNTIL=20270106'], ['05T20:00', '06T20:00']],
  ['no midnight after it', ['DTSTART:20270105T000000Z', 'RRULE:FREQ=DAILY;UNTIL=20270106'], ['05T00:00', '06T00:00']],
  [
    'an end by the clock of the start',
    ['DTSTART;TZID=America/New_York:20270105T200000', 'RRULE:FREQ=DAILY;UNTIL=20270106T200000'],
    ['06T01:00', '07T01:00'],
  ],
  [
    'added dates',
    ['DTSTART:20270105T100000Z', 'RDATE:20270108T110000Z,20270107T100000Z'],
    ['05T10:00', '07T10:00', '08T11:00'],
  ],
  ['added periods', ['DTSTART:20270105T100000Z', 'RDATE;VALUE=PERIOD:20270108T110000Z/PT1H'], ['05T10:00', '08T11:00']],
  [
    'excluded times',
    ['DTSTART:20270105T100000Z', 'RRULE:FREQ=DAILY;COUNT=3', 'EXDATE:20270106T100000Z'],
    ['05T10:00', '07T10:00'],
  ],
  [
    'excluded in another zone',
    ['DTSTART;TZID=Europe/Berlin:20270105T110000', 'RRULE:FREQ=DAILY;COUNT=2', 'EXDATE:20270106T100000Z'],
    ['05T10:00'],
  ],
  [
    'excluded days',
    ['DTSTART:20270105T100000Z', 'RRULE:FREQ=DAILY;COUNT=3', 'EXDATE;VALUE=DATE:20270106,20270107'],
    ['05T10:00'],
  ],
  [
    'a start outside its rule',
    ['DTSTART:20270105T100000Z', 'RRULE:FREQ=WEEKLY;BYDAY=WE;COUNT=3'],
    ['05T10:00', '06T10:00', '13T10:00'],
  ],
  ['that alone', ['DTSTART:20270105T100000Z', 'RRULE:FREQ=WEEKLY;BYDAY=WE;COUNT=1'], ['05T10:00']],
  [
    'a rule in small letters',
    ['DTSTART:20270105T100000Z', 'rrule:freq=daily;byday=tu,we;until=20270106t100000z'],
    ['05T10:00', '06T10:00'],
  ],
  [
    'a rule of what is excluded',
    ['DTSTART:20270105T100000Z', 'RRULE:FREQ=DAILY;COUNT=5', 'EXRULE:FREQ=DAILY;INTERVAL=2;COUNT=2'],
    ['06T10:00', '08T10:00', '09T10:00'],
  ],
  [
    'a rule with a part of its own program, and a semicolon at its end',
    ['DTSTART:20270105T100000Z', 'RRULE:FREQ=DAILY;X-COLOUR=1;COUNT=2;'],
    ['05T10:00', '06T10:00'],
  ],
  [
    'two rules',
    ['DTSTART:20270105T100000Z', 'RRULE:FREQ=DAILY;COUNT=2', 'RRULE:FREQ=WEEKLY;COUNT=2'],
    ['05T10:00', '06T10:00', '12T10:00'],
  ],
  ['a date that few years have', ['DTSTART;VALUE=DATE:20240229', 'RRULE:FREQ=YEARLY'], ['29T00:00']],
  ['several a day', ['DTSTART:20270105T100000Z', 'RRULE:FREQ=HOURLY;INTERVAL=6;COUNT=2'], ['05T10:00', '05T16:00']],
  ['a leap second', ['DTSTART:20270105T100060Z'], ['05T10:00']],
  ['leap seconds', ['DTSTART:20270105T100060Z', 'RRULE:FREQ=DAILY;BYSECOND=60;COUNT=2'], ['05T10:00', '06T10:00']],
])('%s', async (_, lines, expected) => {
  const events = await eventsOf({ 'a.ics': calendar(...lines) });
  expect(events.map(({ starts_at }) => starts_at.slice(8, 16))).toEqual(expected);
});

test('a wall time is kept across a change of the clocks', async () => {
  const events = await eventsOf({
    'a.ics': calendar('DTSTART;TZID=Europe/Berlin:20270327T100000', 'RRULE:FREQ=DAILY;COUNT=2'),
  });
  expect(events.map(({ starts_at }) => starts_at)).toEqual(['2027-03-27T09:00:00.000Z', '2027-03-28T08:00:00.000Z']);
});

test.each([
  ['first of the two hours that clocks show twice', '20271105T013000', '20271107T061000Z', '2027-11-07T05:30'],
  ['last before the hour that they skip', '20270312T023000', '20270314T071000Z', '2027-03-13T07:30'],
])('an end in UTC is kept where clocks are changed: the %s', async (_, start, until, last) => {
  const lines = [`DTSTART;TZID=America/New_York:${start}`, `RRULE:FREQ=DAILY;UNTIL=${until}`];
  const events = await eventsOf({ 'a.ics': calendar(...lines) });
  expect(events.at(-1)?.starts_at.slice(0, 16)).toBe(last);
});

test('a moved occurrence keeps its id, a cancelled one goes, and several on a day differ by their time', async () => {
  const series = ['DTSTART:20270105T100000Z', 'RRULE:FREQ=HOURLY;INTERVAL=12;COUNT=4'];
  const moved = [
    'BEGIN:VEVENT',
    'UID:one',
    'RECURRENCE-ID:20270105T220000Z',
    'DTSTART:20270109T090000Z',
    'SUMMARY:Moved',
    'END:VEVENT',
  ];
  const gone = [
    'BEGIN:VEVENT',
    'UID:one',
    'RECURRENCE-ID:20270106T100000Z',
    'DTSTART:20270106T100000Z',
    'STATUS:CANCELLED',
    'END:VEVENT',
  ];
  const events = await eventsOf({ 'a.ics': wrap([...vevent(series), ...moved, ...gone]) });
  expect(events.map(({ id, title, starts_at }) => [id.slice(14), title, starts_at.slice(8, 16)])).toEqual([
    ['one-2027-01-05', 'Match', '05T10:00'],
    ['one-2027-01-06t2200', 'Match', '06T22:00'],
    ['one-2027-01-05t2200', 'Moved', '09T09:00'],
  ]);
});

test('of two replacements of one occurrence the one with the higher sequence counts, else the later one', async () => {
  const replaced = async (...sequences: number[]): Promise<string[]> => {
    const replacements = sequences.flatMap((sequence, index) =>
      vevent(['RECURRENCE-ID:20270105T100000Z', `SEQUENCE:${sequence}`, `DTSTART:2027020${index + 1}T100000Z`]),
    );
    const series = vevent(['DTSTART:20270105T100000Z', 'RRULE:FREQ=DAILY;COUNT=2']);
    return (await eventsOf({ 'a.ics': wrap([...series, ...replacements]) })).map(({ date }) => date);
  };
  expect(await replaced(3, 2)).toEqual(['2027-01-06', '2027-02-01']);
  expect(await replaced(2, 3)).toEqual(['2027-01-06', '2027-02-02']);
  expect(await replaced(0, 0)).toEqual(['2027-01-06', '2027-02-02']);
});

test('what replaces an occurrence stands on its own where the series is not in the calendar', async () => {
  const [event] = await eventsOf({ 'a.ics': calendar('RECURRENCE-ID:20270105T100000Z', 'DTSTART:20270106T100000Z') });
  expect(event?.id).toBe('chess-games/a/one-2027-01-05');
});

test('of replacements alone on one date the earliest has no time in its id, whichever comes first', async () => {
  const at = (time: string): string[] => vevent([`RECURRENCE-ID:20270105T${time}Z`, `DTSTART:20270106T${time}Z`]);
  const idsOf = async (...times: string[]): Promise<string[]> =>
    (await eventsOf({ 'a.ics': wrap(times.flatMap(at)) })).map(({ id }) => id.slice('chess-games/a/'.length));
  const ids = ['one-2027-01-05', 'one-2027-01-05t1800', 'one-2027-01-05t180030'];
  expect(await idsOf('090000', '180000', '180030')).toEqual(ids);
  expect(await idsOf('180030', '180000', '090000')).toEqual(ids);
});

test.each([
  [
    'a date of its own zone, though the replacement writes UTC',
    ['DTSTART;TZID=America/New_York:20270101T210000', 'RRULE:FREQ=WEEKLY'],
    ['RECURRENCE-ID:20270116T020000Z', 'DTSTART;TZID=America/New_York:20270520T210000'],
    'one-2027-01-15',
  ],
  [
    'the later of two a day',
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
  [
    'an added time in UTC',
    ['DTSTART;TZID=America/New_York:20270101T210000', 'RDATE:20270116T020000Z'],
    ['RECURRENCE-ID:20270116T020000Z', 'DTSTART;TZID=America/New_York:20270520T210000'],
    'one-2027-01-15',
  ],
  [
    'a whole day',
    ['DTSTART;TZID=Europe/Berlin:20270101T090000', 'RRULE:FREQ=DAILY;BYHOUR=9,18;COUNT=40'],
    ['RECURRENCE-ID;VALUE=DATE:20270115', 'DTSTART;TZID=Europe/Berlin:20270520T180000'],
    'one-2027-01-15',
  ],
])('a moved occurrence keeps its id when the date it was meant for is over: %s', async (_, series, moved, id) => {
  const replacement = ['BEGIN:VEVENT', 'UID:one', 'SUMMARY:Moved', ...moved, 'END:VEVENT'];
  const files = { 'a.ics': wrap([...vevent(series), ...replacement]) };
  const alone = { 'a.ics': wrap(replacement) };
  const idIn = async (sources: Files, at: string): Promise<string | undefined> =>
    (await eventsOf(sources, at)).find(({ title }) => title === 'Moved')?.id.slice('chess-games/a/'.length);
  expect([await idIn(files, now), await idIn(files, '2027-04-10T00:00:00Z')]).toEqual([id, id]);
  expect(await idIn(alone, now)).toBe(id.slice(0, 'one-2027-01-15'.length));
});

test.each([
  ['an excluded one', ['EXDATE:20270105T090000Z'], ['05t1800', '06', '06t1800']],
  ['an added one', ['RDATE:20270105T080000Z'], ['05t0800', '05', '05t1800', '06', '06t1800']],
  ['an end', ['EXDATE;VALUE=DATE:20270106'], ['05', '05t1800']],
])('%s of several a day changes the id of no other', async (_, lines, ids) => {
  const series = ['DTSTART:20270105T090000Z', 'RRULE:FREQ=DAILY;BYHOUR=9,18;COUNT=4', ...lines];
  const events = await eventsOf({ 'a.ics': calendar(...series) });
  expect(events.map(({ id }) => id.slice('chess-games/a/one-2027-01-'.length))).toEqual(ids);
});

test('an event that does not repeat keeps its id when something replaces it', async () => {
  const replacement = [
    'BEGIN:VEVENT',
    'UID:one',
    'RECURRENCE-ID:20270105T100000Z',
    'DTSTART:20270107T100000Z',
    'END:VEVENT',
  ];
  const files = { 'a.ics': wrap([...vevent(['DTSTART:20270105T100000Z']), ...replacement]) };
  expect((await eventsOf(files)).map(({ id, date }) => [id, date])).toEqual([['chess-games/a/one', '2027-01-07']]);
});

test.each([
  ['America/New_York', '20270314T023000', '2027-03-14T07:30'],
  ['Pacific/Auckland', '20270926T023000', '2027-09-25T14:30'],
  ['Pacific/Chatham', '20270926T031500', '2027-09-25T14:30'],
  ['Home', '20270314T023000', '2027-03-14T07:30'],
])('a time that clocks skip has the offset from before: %s', async (zone, wall, instant) => {
  const [event] = await eventsOf({ 'a.ics': wrap([...home, ...vevent([`DTSTART;TZID=${zone}:${wall}`])]) });
  expect(event?.starts_at.slice(0, 16)).toBe(instant);
});

test.each([
  ['before a change', '20271031T120000', '2027-10-31T16:00'],
  ['after one', '20271107T120000', '2027-11-07T17:00'],
  ['shown twice', '20271107T013000', '2027-11-07T05:30'],
  ['just after those', '20271107T020000', '2027-11-07T07:00'],
])('a zone that only the calendar describes, with a rule that has ended: %s', async (_, wall, instant) => {
  const [event] = await eventsOf({ 'a.ics': wrap([...home, ...vevent([`DTSTART;TZID=Home:${wall}`])]) });
  expect(event?.starts_at.slice(0, 16)).toBe(instant);
});

test('the last change of a rule that has ended counts, though east of Greenwich clocks show more than its UTC', async () => {
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
  const [event] = await eventsOf({ 'a.ics': wrap([...zone, ...vevent(['DTSTART;TZID=Home:20271101T120000'])]) });
  expect(event?.starts_at.slice(0, 16)).toBe('2027-11-01T11:00');
});

test('a zone that only the calendar describes may be ahead by seconds, too', async () => {
  const zone = ['BEGIN:VTIMEZONE', 'TZID:Home', 'BEGIN:STANDARD', 'DTSTART:19000101T000000', 'TZOFFSETTO:+001932'];
  const described = [...zone, 'END:STANDARD', 'END:VTIMEZONE'];
  const [event] = await eventsOf({ 'a.ics': wrap([...described, ...vevent(['DTSTART;TZID=Home:20270105T100000'])]) });
  expect(event).toMatchObject({ starts_at: '2027-01-05T09:40:28.000Z', precision: 'second' });
});

/** New York, under a name that nobody knows. */
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

test.each([
  ['a name of the database', 'Asia/Tokyo', 'Asia/Tokyo'],
  ['a prefix', '/freeassociation.sourceforge.net/Asia/Tokyo', 'Asia/Tokyo'],
  ['three parts', '/mozilla.org/20050126_1/America/Argentina/Salta', 'America/Argentina/Salta'],
  ['a name of Windows', 'Tokyo Standard Time', 'Asia/Tokyo'],
  ['UTC', 'UTC', 'UTC'],
])('a TZID: %s', async (_, tzid, zone) => {
  const [event] = await eventsOf({ 'a.ics': calendar(`DTSTART;TZID=${tzid}:20270105T100000`) });
  expect(event).toMatchObject({ zone, date: '2027-01-05', time_known: true });
});

test('the location that libical writes names the zone of a TZID that nobody knows', async () => {
  const zone = ['BEGIN:VTIMEZONE', 'TZID:Custom', 'X-LIC-LOCATION:Asia/Tokyo', 'END:VTIMEZONE'];
  const [event] = await eventsOf({ 'a.ics': wrap([...zone, ...vevent(['DTSTART;TZID=Custom:20270105T100000'])]) });
  expect(event).toMatchObject({ zone: 'Asia/Tokyo', starts_at: '2027-01-05T01:00:00.000Z' });
});

test('ends of lines may be LF or CRLF, lines may be folded anywhere, even inside a name, and empty lines are passed over', async () => {
  const text = calendar('DTSTART:20270105T100000Z');
  const folded = text.replace('SUMMARY', 'SUM\n MARY').replace('20270105T1', '20270105\n\tT1');
  const [plain] = await eventsOf({ 'a.ics': text });
  const spaced = text.replaceAll(/^(BEGIN|END):.*/gm, '$& ');
  for (const other of [folded, folded.replaceAll('\n', '\r\n'), `\ufeff${text}\n\n`, spaced]) {
    expect(await eventsOf({ 'a.ics': other })).toEqual([plain]);
  }
});

test('the name of a subject comes from the JSON beside it, else from the calendar, else from the file', async () => {
  const named = calendar('DTSTART:20270105T100000Z').replace(
    'VERSION:2.0',
    'VERSION:2.0\nX-WR-CALNAME: Chess\\, mostly ',
  );
  const nameOf = async (files: Files): Promise<string | undefined> => (await eventsOf(files))[0]?.subject.name;
  expect(await nameOf({ 'a.ics': calendar('DTSTART:20270105T100000Z') })).toBe('a');
  expect(await nameOf({ 'a.ics': named })).toBe('Chess, mostly');
  for (const name of ['NAME:', 'name;ALTREP="https://example.org":']) {
    expect(await nameOf({ 'a.ics': named.replace('X-WR-CALNAME:', name) })).toBe('Chess, mostly');
  }
  expect(await nameOf({ 'a.ics': named, 'a.json': '{ "name": "Club" }' })).toBe('Club');
});

test('a UID that is long, or that only differs from another by what a slug leaves out, has a hash in its id', async () => {
  const events = (uids: string[]): string =>
    wrap(
      uids.flatMap((uid) => ['BEGIN:VEVENT', `UID:${uid}`, 'SUMMARY:Match', 'DTSTART:20270105T100000Z', 'END:VEVENT']),
    );
  const ids = async (...uids: string[]): Promise<string[]> =>
    (await eventsOf({ 'a.ics': events(uids) })).map(({ id }) => id.slice('chess-games/a/'.length));
  const long = 'x'.repeat(70);
  expect(await ids(long)).toEqual([expect.stringMatching(/^x{64}-[0-9a-f]{8}$/)]);
  expect(await ids('x'.repeat(64))).toEqual(['x'.repeat(64)]);
  expect(await ids(`${'x'.repeat(63)}-y`)).toEqual([expect.stringMatching(/^x{63}-[0-9a-f]{8}$/)]);
  expect(await ids('a@b', 'A@B')).toEqual([
    expect.stringMatching(/^a-b-[0-9a-f]{8}$/),
    expect.stringMatching(/^a-b-[0-9a-f]{8}$/),
  ]);
  expect((await ids('a@b', 'A@B')).toSorted()).toEqual((await ids('A@B', 'a@b')).toSorted());
  expect(await ids('你好')).toEqual([expect.stringMatching(/^[0-9a-f]{8}$/)]);
});

test('a year that is out of range is told where the event starts', () => {
  const text = calendar('SUMMARY:Far away', 'DTSTART;VALUE=DATE:30000101');
  const genre = { id: 'chess-games', name: 'Chess', category: 'games' };
  const { findings } = readCalendar(text, { stem: 'a', genre, now: 0, name: null, url: null });
  expect(findings).toMatchObject([{ problem: { code: 'year-out-of-range' }, offset: text.indexOf('DTSTART') }]);
});

test('of one event twice the one with the higher sequence counts', async () => {
  const twice = wrap([
    ...vevent(['DTSTART:20270106T100000Z', 'SEQUENCE:2']),
    ...vevent(['DTSTART:20270105T100000Z', 'SEQUENCE:1']),
  ]);
  expect((await eventsOf({ 'a.ics': twice })).map(({ date }) => date)).toEqual(['2027-01-06']);
});

test('an event that stands there twice alike is one', async () => {
  const one = vevent(['DTSTART:20270105T100000Z']);
  expect(await eventsOf({ 'a.ics': wrap([...one, ...one]) })).toHaveLength(1);
});

test.each(['', 'UID:', 'UID: '])('events whose UID is %j are told apart by their titles and starts', async (uid) => {
  const event = (title: string, start: string): string[] =>
    ['BEGIN:VEVENT', uid, `SUMMARY:${title}`, `DTSTART:${start}`, 'END:VEVENT'].filter((line) => line !== '');
  const [first, second] = ['20270105T100000Z', '20270106T100000Z'] as const;
  const lines = [event('Match', first), event('Match', second), event('Dinner', first)].flat();
  const found = await eventsOf({ 'a.ics': wrap(lines) });
  expect(found.map(({ id, date }) => [id.slice('chess-games/a/'.length), date])).toEqual([
    ['dinner-2027-01-05t10-00-00-000z', '2027-01-05'],
    ['match-2027-01-05t10-00-00-000z', '2027-01-05'],
    ['match-2027-01-06t10-00-00-000z', '2027-01-06'],
  ]);
});

test('of an address of an event, only one that is https is published', async () => {
  const urlOf = async (url: string): Promise<string | null | undefined> =>
    (await eventsOf({ 'a.ics': calendar('DTSTART:20270105T100000Z', `URL:${url}`) }))[0]?.url;
  expect(await urlOf('https://example.org/match')).toBe('https://example.org/match');
  for (const other of ['http://example.org/match', 'message:%3Ca@b%3E', '']) expect(await urlOf(other)).toBeNull();
});

test('a title is one line, as long as a title may be; an event without one has the name of its subject', async () => {
  const titled = (title: string): string => wrap(vevent(['DTSTART:20270105T100000Z'], title));
  const titleOf = async (title: string): Promise<string | undefined> =>
    (await eventsOf({ 'a.ics': titled(title) }))[0]?.title;
  expect(await titleOf(' Two\\n  lines\\, really ')).toBe('Two lines, really');
  expect(await titleOf('🦉'.repeat(201))).toBe(`${'🦉'.repeat(199)}…`);
  expect(await titleOf('🦉'.repeat(200))).toBe('🦉'.repeat(200));
  expect(await titleOf(`${'x'.repeat(198)} and more`)).toBe(`${'x'.repeat(198)}…`);
  expect(await titleOf('')).toBe('a');
});

type Files = Record<string, string>;

/** Builds the files of one genre folder, in this process, and returns what is upcoming. */
async function eventsOf(files: Files, at = now): Promise<EventRecord[]> {
  const folder = tempFolder();
  const data = writeTree(join(folder, 'data'), {
    'service.json': { name: 'Dates', license: 'Free, no key.', base_url: 'https://example.org' },
    'games/category.json': { name: 'Games' },
    'games/chess/genre.json': { name: 'Chess' },
    ...Object.fromEntries(Object.entries(files).map(([name, content]) => [`games/chess/${name}`, content])),
  });
  const out = join(folder, 'dist');
  const common = { baseUrl: null, generator: 'almanac/test', dryRun: false, assets: [] };
  await build({ data, displayPath: (path) => path, now: Date.parse(at), out, ...common });
  const text = readFileSync(join(out, 'api/v1/events.json'), 'utf8');
  return (JSON.parse(text) as { events: EventRecord[] }).events;
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
