import { expect, test } from 'vitest';
import { tempFolder, writeTree } from '../setup/folders.ts';
import { runMeasured } from './run-measured.ts';

const now = '2026-11-20T12:17:00Z';
const large = 5_000_000;
const events = (count: number, event: (index: number) => string): string =>
  `{"name":"S","events":[${Array.from({ length: count }, (_, index) => event(index)).join(',')}]}`;
const tooLarge = ['too-large-to-explain'];
/** A thousand problems, and one that reports that there are more. */
const tooMany = 'a thousand problems';

interface Bomb {
  readonly what: string;
  /** Default: s.json. */
  readonly file?: string;
  readonly text: () => string;
  /** How to read a table. */
  readonly columns?: object;
  /** The codes of the problems, in order. An empty list allows any. */
  readonly codes: readonly string[] | typeof tooMany;
}

const mapping = { columns: { title: 'title', starts: 'starts' }, subject: 'S', ignore: 'others' };

/** Files that are designed to cost more than their size suggests. */
const bombs: readonly Bomb[] = [
  { what: 'white space', text: () => ' '.repeat(large), codes: tooLarge },
  { what: 'brackets', text: () => '['.repeat(large * 3), codes: tooLarge },
  { what: 'objects in objects', text: () => '{"a":'.repeat(large / 2), codes: tooLarge },
  { what: 'one key many times', text: () => `{${'"name":"a",'.repeat(large / 10)}"events":[]}`, codes: tooLarge },
  { what: 'brackets, fewer', text: () => '['.repeat(large / 2), codes: ['nested-too-deep'] },
  { what: 'empty events', text: () => events(large / 5, () => '{}'), codes: [] },
  { what: 'numbers for events', text: () => events(large / 4, () => '1'), codes: tooMany },
  {
    what: 'invalid dates',
    text: () => events(20_000, (n) => `{"title":"${n}","starts":"x"}`),
    codes: tooMany,
  },
  { what: 'one title', text: () => events(20_000, () => '{"title":"a","starts":"2027"}'), codes: tooMany },
  { what: 'keys', text: () => `{"name":"a","events":[],${unknownKeys()}}`, codes: tooMany },
  {
    what: 'a long address',
    text: () => `{"name":"S","url":"https://e.org/${'a'.repeat(3_000_000)}","events":[]}`,
    codes: ['bad-value'],
  },
  {
    what: 'unknown zones',
    text: () => events(50_000, (n) => `{"title":"${n}","starts":"2027-01-01T10","zone":"Zone/${n}"}`),
    codes: tooMany,
  },
  { what: 'added dates', file: 's.ics', text: () => calendar(dates('RDATE', 60_000)), codes: ['too-many-occurrences'] },
  {
    what: 'excluded dates',
    file: 's.ics',
    text: () => calendar(dates('EXDATE', 900_000)),
    codes: ['recurrence-too-long'],
  },
  {
    what: 'transitions of a zone',
    file: 's.ics',
    text: () => calendar('X:1', dates('RDATE', 300_000)),
    codes: ['recurrence-too-long'],
  },
  {
    what: 'events in a zone with many transitions',
    file: 's.ics',
    text: () => calendar(inZone(90_000), `RDATE:${'21000101T000000,'.repeat(260_000)}21000101T000000`),
    codes: ['event-without-start'],
  },
  {
    what: 'times on days that never occur',
    file: 's.ics',
    text: () => calendar(`RRULE:FREQ=DAILY;${everySecond()};BYMONTH=2;BYMONTHDAY=30\r\n`.repeat(30_000)),
    codes: ['recurrence-too-long'],
  },
  {
    what: 'continuation lines',
    file: 's.ics',
    text: () => calendar('x\r\n'.repeat(large * 0.8)),
    codes: ['bad-calendar-value'],
  },
  {
    what: 'parameters',
    file: 's.ics',
    text: () => calendar(`URL${';X=1'.repeat(large * 0.75)}:x`),
    codes: ['bad-calendar-value'],
  },
  {
    what: 'parameters of dates',
    file: 's.ics',
    text: () => calendar(`EXDATE${';X=1'.repeat(2000)}:20270101T000000Z\r\n`.repeat(1800)),
    codes: ['recurrence-too-long'],
  },
  {
    what: 'an escaped name',
    file: 's.ics',
    text: () => calendar(inZone(1), '').replace('BEGIN:VEVENT', `X-WR-CALNAME:${'\\n'.repeat(large * 1.2)}\r\n$&`),
    codes: ['event-without-start'],
  },
  {
    what: 'an escaped UID',
    file: 's.ics',
    text: () => calendar('RDATE:x').replace('UID:1', `UID:${'\\,'.repeat(large * 1.2)}`),
    codes: ['bad-calendar-value'],
  },
  {
    what: 'invalid rules',
    file: 's.ics',
    text: () => calendar('RRULE:x\r\n'.repeat(large / 4)),
    codes: tooMany,
  },
  { what: 'events', file: 's.ics', text: () => calendar(moreEvents(190_000)), codes: ['too-many-events'] },
  { what: 'columns', file: 't.csv', text: () => `subject,title,starts${',title'.repeat(150_000)}\n`, codes: [] },
  { what: 'cells', file: 't.csv', text: () => `${header}${','.repeat(large * 3)}\n`, codes: ['bad-table'] },
  { what: 'short rows', file: 't.csv', text: () => header + 'a\n'.repeat(large / 2), codes: ['bad-table'] },
  { what: 'rows', file: 't.csv', text: () => header + 's,t,2027-01-01\n'.repeat(large / 5), codes: ['bad-table'] },
  { what: 'names with the same id', file: 't.csv', text: () => header + names(60_000), codes: tooMany },
  {
    what: 'rows of which every second is left out',
    file: 't.csv',
    text: () =>
      `title,starts\n${Array.from({ length: 240_000 }, (_, n) => `t${n},2027-0${1 + (n % 2)}-31\n`).join('')}`,
    columns: { ...mapping, skip: true },
    codes: ['no-such-date', 'skipped-rows', 'no-such-date', 'no-such-date'],
  },
  {
    what: 'rows left out for one id',
    file: 't.csv',
    text: () =>
      `title,starts,url\n${Array.from({ length: 240_000 }, (_, n) => `t,2027-01-31,https://e.org/${n}\n`).join('')}`,
    columns: { ...mapping, columns: { ...mapping.columns, url: 'url' }, skip: true },
    codes: ['duplicate-id', 'skipped-rows', 'duplicate-id', 'duplicate-id'],
  },
  {
    what: 'columns and rows',
    file: 't.csv',
    text: () => `title,starts${',x'.repeat(400_000)}\n${'t,2027-01-01\n'.repeat(240_000)}`,
    columns: { ...mapping, skip: true },
    codes: [],
  },
  {
    what: 'objects that have few of the columns',
    file: 't.json',
    text: () => `[{${Array.from({ length: 500 }, (_, n) => `"k${n}":1`).join()}}${',{}'.repeat(240_000)}]`,
    columns: mapping,
    codes: [],
  },
  {
    what: 'objects in objects of a list',
    file: 't.json',
    text: () => '[{"a":'.repeat(large / 2),
    columns: mapping,
    codes: ['nested-too-deep'],
  },
  {
    what: 'an open quotation mark',
    file: 't.csv',
    text: () => `${header}"${'x'.repeat(large * 3)}`,
    codes: ['bad-table'],
  },
];

const header = 'subject,title,starts\n';

/** Returns rows with different names that all have the id `a-b`. */
function names(count: number): string {
  return Array.from({ length: count }, (_, index) => `a${'-'.repeat(1 + (index % 150))}b,t,2027-01-01\n`).join('');
}

/** Returns a calendar of one event with these lines. With `zone`, the event is in a zone with that line. */
function calendar(lines: string, zone?: string): string {
  const start = zone === undefined ? 'DTSTART:20261121T000000Z' : 'DTSTART;TZID=Home:20261121T000000';
  const standard = ['BEGIN:STANDARD', 'DTSTART:20200101T000000', 'TZOFFSETTO:+0100', zone ?? '', 'END:STANDARD'];
  const described = ['BEGIN:VTIMEZONE', 'TZID:Home', ...standard, 'END:VTIMEZONE'];
  const event = ['BEGIN:VEVENT', 'UID:1', 'SUMMARY:s', start, lines, 'END:VEVENT'];
  return ['BEGIN:VCALENDAR', ...(zone === undefined ? [] : described), ...event, 'END:VCALENDAR', ''].join('\r\n');
}

/** Returns the parts of a rule that select every second of a day. */
function everySecond(): string {
  const upTo = (count: number): string => Array.from({ length: count }, (_, n) => n).join();
  return `BYHOUR=${upTo(24)};BYMINUTE=${upTo(60)};BYSECOND=${upTo(60)}`;
}

function dates(property: string, count: number): string {
  const first = Date.UTC(2026, 10, 21);
  const at = (index: number): string => new Date(first + index * 1000).toISOString().replace(/[-:]|\.\d+/g, '');
  return `${property}:${Array.from({ length: count }, (_, index) => at(index)).join(',')}`;
}

function moreEvents(count: number): string {
  const event = (index: number): string =>
    `END:VEVENT\r\nBEGIN:VEVENT\r\nUID:u${index}\r\nSUMMARY:s\r\nDTSTART:20261121T000000Z\r\n`;
  return Array.from({ length: count }, (_, index) => event(index)).join('');
}

/** Returns events in the zone of {@link calendar}, and one without a start. */
function inZone(count: number): string {
  const event = (index: number): string =>
    `END:VEVENT\r\nBEGIN:VEVENT\r\nUID:u${index}\r\nSUMMARY:s\r\nDTSTART;TZID=Home:20270101T120000\r\n`;
  const last = 'END:VEVENT\r\nBEGIN:VEVENT\r\nUID:x\r\nSUMMARY:s\r\n';
  return Array.from({ length: count }, (_, index) => event(index)).join('') + last;
}

function unknownKeys(): string {
  return Array.from({ length: 100_000 }, (_, index) => `"k${index}":1`).join(',');
}

/** With a larger heap, Node collects garbage later, and the peak does not show how much a file needs. */
const node = ['--max-old-space-size=320'];

const folder = {
  'data/service.json': { name: 'S', license: 'L', base_url: 'https://example.org' },
  'data/tv/category.json': { name: 'T' },
  'data/tv/drama/genre.json': { name: 'D' },
};

async function checkInBounds(files: Record<string, unknown>): Promise<{ code: string; line: number }[]> {
  const cwd = writeTree(tempFolder(), { ...folder, ...files });
  const run = await runMeasured(cwd, ['check', '--strict', '--now', now, '--json'], node);
  expect([run.code, run.stderr]).toEqual([1, '']);
  expect(run.megabytes).toBeLessThan(512);
  expect(run.cpu).toBeLessThan(30);
  return (JSON.parse(run.stdout) as { problems: { code: string; line: number }[] }).problems;
}

test.each(bombs)('reports a large file of $what within 512 MB and 30 s of processor time', async (bomb) => {
  const { text, codes, columns, file = 's.json' } = bomb;
  const files = { [file]: text(), ...(columns && { 't.columns.json': columns }) };
  const inGenre = Object.fromEntries(
    Object.entries(files).map(([name, content]) => [`data/tv/drama/${name}`, content]),
  );
  const found = (await checkInBounds(inGenre)).map(({ code }) => code);
  if (codes === tooMany) expect([found.length, found.includes('more-problems')]).toEqual([1001, true]);
  else if (codes.length > 0) expect(found).toEqual(codes);
});

test('reports two tables with the same subjects within the same bounds', async () => {
  const table = header + Array.from({ length: 20_000 }, (_, n) => `s${n},t,2027-01-01\n`).join('');
  const problems = await checkInBounds({ 'data/tv/drama/a.csv': table, 'data/tv/drama/b.csv': table });
  expect([problems.length, problems[0]?.code, problems[1]?.line]).toEqual([1001, 'more-problems', 2]);
});
