import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

const now = '2026-11-20T12:17:00Z';
const large = 5_000_000;
const events = (count: number, event: (index: number) => string): string =>
  `{"name":"S","events":[${Array.from({ length: count }, (_, index) => event(index)).join(',')}]}`;
const listedOnly = ['too-large-to-explain'];
const listedAndMore = [...Array.from({ length: 1000 }, () => 'same'), 'more-problems'];

interface Bomb {
  readonly what: string;
  /** `s.json` where not named. */
  readonly file?: string;
  readonly text: () => string;
  readonly codes: readonly string[];
}

/** Files made to cost more than their size: each ends in problems, in less than 512 MB and 30 seconds. */
const bombs: readonly Bomb[] = [
  { what: 'white space', text: () => ' '.repeat(large), codes: listedOnly },
  { what: 'brackets', text: () => '['.repeat(large * 3), codes: listedOnly },
  { what: 'objects in objects', text: () => '{"a":'.repeat(large / 2), codes: listedOnly },
  { what: 'one key over and over', text: () => `{${'"name":"a",'.repeat(large / 10)}"events":[]}`, codes: listedOnly },
  { what: 'brackets, fewer', text: () => '['.repeat(large / 2), codes: ['nested-too-deep'] },
  { what: 'empty events', text: () => events(large / 5, () => '{}'), codes: [] },
  { what: 'numbers for events', text: () => events(large / 4, () => '1'), codes: listedAndMore },
  {
    what: 'dates that are none',
    text: () => events(20_000, (n) => `{"title":"${n}","starts":"x"}`),
    codes: listedAndMore,
  },
  { what: 'one title', text: () => events(20_000, () => '{"title":"a","starts":"2027"}'), codes: listedAndMore },
  { what: 'keys', text: () => `{"name":"a","events":[],${unknownKeys()}}`, codes: listedAndMore },
  {
    what: 'an address that stands in each event',
    text: () => `{"name":"S","url":"https://e.org/${'a'.repeat(3_000_000)}","events":[]}`,
    codes: ['bad-url'],
  },
  {
    what: 'zones that are none',
    text: () => events(50_000, (n) => `{"title":"${n}","starts":"2027-01-01T10","zone":"Zone/${n}"}`),
    codes: listedAndMore,
  },
  { what: 'added dates', file: 's.ics', text: () => calendar(dates('RDATE', 60_000)), codes: ['too-many-occurrences'] },
  {
    what: 'excluded dates',
    file: 's.ics',
    text: () => calendar(dates('EXDATE', 900_000)),
    codes: ['recurrence-too-long'],
  },
  {
    what: 'onsets of a zone',
    file: 's.ics',
    text: () => calendar('X:1', dates('RDATE', 300_000)),
    codes: ['recurrence-too-long'],
  },
  {
    what: 'events in a zone of many onsets',
    file: 's.ics',
    text: () => calendar(inZone(90_000), `RDATE:${'21000101T000000,'.repeat(260_000)}21000101T000000`),
    codes: ['event-without-start'],
  },
  {
    what: 'times of days that never come',
    file: 's.ics',
    text: () => calendar(`RRULE:FREQ=DAILY;${everySecond()};BYMONTH=2;BYMONTHDAY=30\r\n`.repeat(30_000)),
    codes: ['recurrence-too-long'],
  },
  {
    what: 'lines that are none',
    file: 's.ics',
    text: () => calendar('x\r\n'.repeat(large * 0.8)),
    codes: listedAndMore,
  },
  {
    what: 'rules that are none',
    file: 's.ics',
    text: () => calendar('RRULE:x\r\n'.repeat(large / 4)),
    codes: listedAndMore,
  },
  { what: 'events', file: 's.ics', text: () => calendar(moreEvents(190_000)), codes: ['too-many-events'] },
  { what: 'columns', file: 't.csv', text: () => `subject,title,starts${',title'.repeat(150_000)}\n`, codes: [] },
  { what: 'cells', file: 't.csv', text: () => `${header}${','.repeat(large * 3)}\n`, codes: ['bad-table'] },
  { what: 'short rows', file: 't.csv', text: () => header + 'a\n'.repeat(large / 2), codes: ['bad-table'] },
  { what: 'rows', file: 't.csv', text: () => header + 's,t,2027-01-01\n'.repeat(large / 5), codes: ['bad-table'] },
  { what: 'names in one', file: 't.csv', text: () => header + names(60_000), codes: listedAndMore },
  {
    what: 'an open quotation mark',
    file: 't.csv',
    text: () => `${header}"${'x'.repeat(large * 3)}`,
    codes: ['bad-table'],
  },
];

const header = 'subject,title,starts\n';

/** Names that are different, all with the id `a-b`. */
function names(count: number): string {
  return Array.from({ length: count }, (_, index) => `a${'-'.repeat(1 + (index % 150))}b,t,2027-01-01\n`).join('');
}

/** A calendar of one event with these lines; `zone` stands in a zone of its own, which the event names. */
function calendar(lines: string, zone?: string): string {
  const start = zone === undefined ? 'DTSTART:20261121T000000Z' : 'DTSTART;TZID=Home:20261121T000000';
  const standard = ['BEGIN:STANDARD', 'DTSTART:20200101T000000', 'TZOFFSETTO:+0100', zone ?? '', 'END:STANDARD'];
  const described = ['BEGIN:VTIMEZONE', 'TZID:Home', ...standard, 'END:VTIMEZONE'];
  const event = ['BEGIN:VEVENT', 'UID:1', 'SUMMARY:s', start, lines, 'END:VEVENT'];
  return ['BEGIN:VCALENDAR', ...(zone === undefined ? [] : described), ...event, 'END:VCALENDAR', ''].join('\r\n');
}

/** A line that lists as many times, a second apart. */
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

/** Events in the zone of {@link calendar}, and one without a start. */
function inZone(count: number): string {
  const event = (index: number): string =>
    `END:VEVENT\r\nBEGIN:VEVENT\r\nUID:u${index}\r\nSUMMARY:s\r\nDTSTART;TZID=Home:20270101T120000\r\n`;
  const last = 'END:VEVENT\r\nBEGIN:VEVENT\r\nUID:x\r\nSUMMARY:s\r\n';
  return Array.from({ length: count }, (_, index) => event(index)).join('') + last;
}

function unknownKeys(): string {
  return Array.from({ length: 100_000 }, (_, index) => `"k${index}":1`).join(',');
}

/** What is held to the bound is what a file needs: where there is room, Node 24 takes a fourth more before it collects. */
const roomForObjects = '--max-old-space-size=320';

const measuring = `import { writeFileSync } from 'node:fs';
process.on('exit', () => writeFileSync('peak', String(process.resourceUsage().maxRSS)));`;

test.each(bombs)(
  'a large file of $what is told of in bounds',
  async ({ text, codes, file = 's.json' }) => {
    const cwd = writeTree(tempFolder(), {
      'data/service.json': { name: 'S', license: 'L' },
      'data/tv/category.json': { name: 'T' },
      'data/tv/drama/genre.json': { name: 'D' },
      [`data/tv/drama/${file}`]: text(),
    });
    const node = [roomForObjects, '--import', `data:text/javascript,${encodeURIComponent(measuring)}`];
    const { code, stdout, stderr } = await runAlmanac(['check', '--now', now, '--json'], {
      cwd,
      node,
      killAfter: 30_000,
    });
    expect([code, stderr]).toEqual([1, '']);
    const { problems } = JSON.parse(stdout) as { problems: { code: string }[] };
    const found = problems.map((problem) => problem.code);
    if (codes === listedAndMore) expect([found.length, found.includes('more-problems')]).toEqual([1001, true]);
    else if (codes.length > 0) expect(found).toEqual(codes);
    expect(Number(readFileSync(join(cwd, 'peak'), 'utf8')) / 1000).toBeLessThan(512);
  },
  60_000,
);

test('two tables of the same subjects are told apart in bounds', async () => {
  const table = header + Array.from({ length: 20_000 }, (_, n) => `s${n},t,2027-01-01\n`).join('');
  const cwd = writeTree(tempFolder(), {
    'data/service.json': { name: 'S', license: 'L' },
    'data/tv/category.json': { name: 'T' },
    'data/tv/drama/genre.json': { name: 'D' },
    'data/tv/drama/a.csv': table,
    'data/tv/drama/b.csv': table,
  });
  const run = await runAlmanac(['check', '--now', now, '--json'], { cwd, killAfter: 30_000 });
  expect(run).toMatchObject({ code: 1, stderr: '' });
  const { problems } = JSON.parse(run.stdout) as { problems: { code: string; line: number }[] };
  expect([problems.length, problems[0]?.code, problems[1]?.line]).toEqual([1001, 'more-problems', 2]);
}, 60_000);
