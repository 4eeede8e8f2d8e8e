import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emptyGenre } from '../setup/build-site.ts';
import { tempFolder, writeTree } from '../setup/folders.ts';
import { spawnAlmanac } from '../setup/run-almanac.ts';

const now = '2026-11-20T12:17:00Z';
const large = 5_000_000;
const events = (count: number, event: (index: number) => string): string =>
  `{"name":"S","events":[${Array.from({ length: count }, (_, index) => event(index)).join(',')}]}`;
const tooLarge = ['too-large-to-explain'];
/** A thousand problems, and one that reports that there are more. */
const tooMany = 'a thousand problems';

/**
 * @param codes the codes of the problems, in order; an empty list allows any
 * @param columns how to read a table
 */
function bomb(
  what: string,
  file: string,
  codes: readonly string[] | typeof tooMany,
  text: () => string,
  columns?: object,
) {
  return { what, file, codes, text, columns };
}

const mapping = { columns: { title: 'title', starts: 'starts' }, subject: 'S', ignore: 'others' };

/** Files that are designed to cost more than their size suggests. */
const bombs = [
  bomb('white space', 's.json', tooLarge, () => ' '.repeat(large)),
  bomb('brackets', 's.json', tooLarge, () => '['.repeat(large * 3)),
  bomb('objects in objects', 's.json', tooLarge, () => '{"a":'.repeat(large / 2)),
  bomb(
    'one key many times',
    's.json',
    tooLarge,
    () => `{${'"name":"a",'.repeat(large / 10)}"events":[]}`,
  ),
  bomb('empty events', 's.json', [], () => events(large / 5, () => '{}')),
  bomb('numbers for events', 's.json', tooMany, () => events(large / 4, () => '1')),
  bomb('invalid dates', 's.json', tooMany, () =>
    events(20_000, (n) => `{"title":"${n}","starts":"x"}`),
  ),
  bomb('keys', 's.json', tooMany, () => `{"name":"a","events":[],${unknownKeys()}}`),
  bomb('unknown zones', 's.json', tooMany, () =>
    events(50_000, (n) => `{"title":"${n}","starts":"2027-01-01T10","zone":"Zone/${n}"}`),
  ),
  bomb('added dates', 's.ics', ['too-many-occurrences'], () => calendar(dates('RDATE', 60_000))),
  bomb('excluded dates', 's.ics', ['recurrence-too-long'], () =>
    calendar(dates('EXDATE', 900_000)),
  ),
  bomb('transitions of a zone', 's.ics', ['recurrence-too-long'], () =>
    calendar('X:1', dates('RDATE', 300_000)),
  ),
  bomb(
    'events in a zone with many transitions',
    's.ics',
    ['recurrence-too-long', 'events-left-out', 'unknown-zone'],
    () => calendar(inZone(90_000), `RDATE:${'21000101T000000,'.repeat(260_000)}21000101T000000`),
  ),
  bomb('times on days that never occur', 's.ics', ['recurrence-too-long'], () =>
    calendar(`RRULE:FREQ=DAILY;${everySecond()};BYMONTH=2;BYMONTHDAY=30\r\n`.repeat(30_000)),
  ),
  bomb('continuation lines', 's.ics', ['bad-calendar-value'], () =>
    calendar('x\r\n'.repeat(large * 0.8)),
  ),
  bomb('parameters', 's.ics', ['bad-calendar-value'], () =>
    calendar(`URL${';X=1'.repeat(large * 0.75)}:x`),
  ),
  bomb('parameters of dates', 's.ics', ['recurrence-too-long'], () =>
    calendar(`EXDATE${';X=1'.repeat(2000)}:20270101T000000Z\r\n`.repeat(1800)),
  ),
  bomb('an escaped name', 's.ics', ['event-without-start', 'events-left-out'], () =>
    calendar(inZone(1), '').replace(
      'BEGIN:VEVENT',
      `X-WR-CALNAME:${'\\n'.repeat(large * 1.2)}\r\n$&`,
    ),
  ),
  bomb('invalid rules', 's.ics', tooMany, () => calendar('RRULE:x\r\n'.repeat(large / 4))),
  bomb('events', 's.ics', ['too-many-events'], () => calendar(moreEvents(190_000))),
  bomb('columns', 't.csv', [], () => `subject,title,starts${',title'.repeat(150_000)}\n`),
  bomb('cells', 't.csv', ['bad-table'], () => `${header}${','.repeat(large * 3)}\n`),
  bomb('short rows', 't.csv', ['bad-table'], () => header + 'a\n'.repeat(large / 2)),
  bomb('rows', 't.csv', ['bad-table'], () => header + 's,t,2027-01-01\n'.repeat(large / 5)),
  bomb('names with the same id', 't.csv', tooMany, () => header + names(60_000)),
  bomb(
    'rows of which every second is left out',
    't.csv',
    ['no-such-date', 'skipped-rows', 'no-such-date', 'no-such-date'],
    () =>
      `title,starts\n${Array.from({ length: 100_000 }, (_, n) => `t${n},2027-0${1 + (n % 2)}-31\n`).join('')}`,
    { ...mapping, skip: true },
  ),
  bomb(
    'rows left out for one id',
    't.csv',
    ['duplicate-id', 'skipped-rows', 'duplicate-id', 'duplicate-id'],
    () =>
      `title,starts,url\n${Array.from({ length: 100_000 }, (_, n) => `t,2027-01-31,https://e.org/${n}\n`).join('')}`,
    { ...mapping, columns: { ...mapping.columns, url: 'url' }, skip: true },
  ),
  bomb(
    'columns and rows',
    't.csv',
    [],
    () => `title,starts${',x'.repeat(400_000)}\n${'t,2027-01-01\n'.repeat(100_000)}`,
    { ...mapping, skip: true },
  ),
  bomb(
    'objects that have few of the columns',
    't.json',
    [],
    () =>
      `[{${Array.from({ length: 500 }, (_, n) => `"k${n}":1`).join()}}${',{}'.repeat(100_000)}]`,
    mapping,
  ),
  bomb(
    'objects in objects of a list',
    't.json',
    ['nested-too-deep'],
    () => '[{"a":'.repeat(large / 2),
    mapping,
  ),
  bomb(
    'an open quotation mark',
    't.csv',
    ['bad-table'],
    () => `${header}"${'x'.repeat(large * 3)}`,
  ),
];

const header = 'subject,title,starts\n';

/** Returns rows with different names that all have the id `a-b`. */
function names(count: number): string {
  return Array.from(
    { length: count },
    (_, index) => `a${'-'.repeat(1 + (index % 150))}b,t,2027-01-01\n`,
  ).join('');
}

/**
 * Returns a calendar of one event with these lines. With `zone`, the event is in a zone with that
 * line.
 */
function calendar(lines: string, zone?: string): string {
  const start =
    zone === undefined ? 'DTSTART:20261121T000000Z' : 'DTSTART;TZID=Home:20261121T000000';
  const standard = [
    'BEGIN:STANDARD',
    'DTSTART:20200101T000000',
    'TZOFFSETTO:+0100',
    zone ?? '',
    'END:STANDARD',
  ];
  const described = ['BEGIN:VTIMEZONE', 'TZID:Home', ...standard, 'END:VTIMEZONE'];
  const event = ['BEGIN:VEVENT', 'UID:1', 'SUMMARY:s', start, lines, 'END:VEVENT'];
  return [
    'BEGIN:VCALENDAR',
    ...(zone === undefined ? [] : described),
    ...event,
    'END:VCALENDAR',
    '',
  ].join('\r\n');
}

/** Returns the parts of a rule that select every second of a day. */
function everySecond(): string {
  const upTo = (count: number): string => Array.from({ length: count }, (_, n) => n).join();
  return `BYHOUR=${upTo(24)};BYMINUTE=${upTo(60)};BYSECOND=${upTo(60)}`;
}

function dates(property: string, count: number): string {
  const first = Date.UTC(2026, 10, 21);
  const at = (index: number): string =>
    new Date(first + index * 1000).toISOString().replace(/[-:]|\.\d+/g, '');
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

/**
 * Writes the memory and the processor time of the process, which does not depend on the load of the
 * machine.
 */
const preload = `import { writeFileSync } from 'node:fs';
process.on('exit', () => writeFileSync('usage', JSON.stringify(process.resourceUsage())));`;
/**
 * With a larger heap, Node collects garbage later, and the peak does not show how much a file
 * needs.
 */
const node = [
  '--max-old-space-size=320',
  '--import',
  `data:text/javascript,${encodeURIComponent(preload)}`,
];

async function checkInBounds(
  files: Record<string, unknown>,
): Promise<{ code: string; line: number }[]> {
  const cwd = writeTree(tempFolder(), { ...emptyGenre('data/tv/drama'), ...files });
  const run = await spawnAlmanac(['check', '--strict', '--now', now, '--json'], { cwd, node });
  expect([run.code, run.stderr]).toEqual([1, '']);
  const usage = JSON.parse(readFileSync(join(cwd, 'usage'), 'utf8')) as NodeJS.ResourceUsage;
  expect(usage.maxRSS / 1000).toBeLessThan(512);
  expect((usage.userCPUTime + usage.systemCPUTime) / 1e6).toBeLessThan(30);
  return (JSON.parse(run.stdout) as { problems: { code: string; line: number }[] }).problems;
}

test.each(bombs)(
  'reports a large file of $what within 512 MB and 30 s of processor time',
  async ({ text, codes, columns, file }) => {
    const files = { [file]: text(), ...(columns && { 't.columns.json': columns }) };
    const inGenre = Object.fromEntries(
      Object.entries(files).map(([name, content]) => [`data/tv/drama/${name}`, content]),
    );
    const found = (await checkInBounds(inGenre)).map(({ code }) => code);
    if (codes === tooMany)
      expect([found.length, found.includes('more-problems')]).toEqual([1001, true]);
    else if (codes.length > 0) expect(found).toEqual(codes);
  },
);

test('reports two tables with the same subjects within the same bounds', async () => {
  const table = header + Array.from({ length: 20_000 }, (_, n) => `s${n},t,2027-01-01\n`).join('');
  const problems = await checkInBounds({
    'data/tv/drama/a.csv': table,
    'data/tv/drama/b.csv': table,
  });
  expect([problems.length, problems[0]?.code, problems[1]?.line]).toEqual([
    1001,
    'more-problems',
    2,
  ]);
});
