import fc from 'fast-check';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A data folder: the text of each file by path, or `base64:` and bytes. Files that cannot exist are left out. */
export type SourceTree = Readonly<Record<string, string>>;

/** Texts that try to escape from their context: a terminal, HTML, a calendar, a header, JSON or a path. */
export const hostileTexts: readonly string[] = [
  '\u001b[31mred\u001b]0;title\u0007',
  '\u009b31mred',
  '\u0085next\u2028line',
  '\u202egnp.exe',
  'a\r\nBEGIN:VEVENT\r\nSUMMARY:b',
  'a\nX-Injected: yes',
  '<script>alert(1)</script>',
  '</script><img src=x onerror=alert(1)>',
  '"\'><svg/onload=alert(1)>&amp;',
  '{{constructor}} ${7*7} %s %n',
  '\ud800',
  '\ufeffmark',
  '\u0000',
  '__proto__',
  ' outer ',
  '',
  'é'.repeat(199),
  '😀'.repeat(201),
  ',;:\\n\\',
  '=HYPERLINK("https://example.org")',
];

const hostile = fc.constantFrom(...hostileTexts);
const mostly = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 60, arbitrary: usual }, { weight: 1, arbitrary: odd });

const goodName = fc.constantFrom('tv', 'film', 'drama', 'a', 'b-c', 'a-b', '2027', 'x'.repeat(64));
const name = mostly(goodName, fc.oneof(hostile, fc.constantFrom('TV', 'a--b', '-a', '.a', '..', 'x'.repeat(65), 'é')));
/** Texts of source files. Most of them are valid. */
export const sourceText = mostly(
  fc.oneof(fc.string({ minLength: 1, maxLength: 12 }), fc.constantFrom('Season 3', 'Über', '😀 party', 'אבג <b>&')),
  fc.oneof(hostile, fc.string({ unit: 'binary', maxLength: 260 })),
);

const zone = mostly(
  fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Africa/Cairo', 'Pacific/Kiritimati', 'Asia/Kathmandu'),
  fc.oneof(hostile, fc.constantFrom('utc', 'Europe/Belin', 'EST5EDT', '/', 'Etc/GMT+12')),
);
const two = (min: number, max: number): fc.Arbitrary<string> =>
  fc.integer({ min, max }).map((value) => String(value).padStart(2, '0'));
const date = fc
  .tuple(fc.integer({ min: 2024, max: 2032 }), two(1, 12), two(1, 28))
  .map(([year, month, day]) => `${year}-${month}-${day}`);
const clock = fc
  .tuple(two(0, 23), two(0, 59), two(0, 59), fc.constantFrom(2, 5, 8))
  .map(([hours, minutes, seconds, length]) => `T${`${hours}:${minutes}:${seconds}`.slice(0, length)}`);
const oddStarts = fc.oneof(
  hostile,
  fc.constantFrom('2027-02-29', '0000-01-01', '9999-12-31', '2027-03-28T02:30', '2027-10-31T02:30', '2027-3-4', 'soon'),
  fc
    .tuple(fc.integer({ min: 1890, max: 3010 }), two(0, 13), two(0, 32), two(0, 25), two(0, 61))
    .chain(([year, month, day, hours, minutes]) => {
      const clock = fc.constantFrom(`T${hours}`, `T${hours}:${minutes}`, `T${hours}:30:${minutes}`, ` ${hours}`);
      const offset = fc.constantFrom('', 'Z', `+${hours}:${minutes}`, `-${hours}:${minutes}`);
      const time = fc.tuple(clock, offset).map((parts) => parts.join(''));
      return fc.oneof(
        fc.constantFrom(`${year}`, `${year}-${month}`, `${year}-Q${Number(month) % 6}`),
        fc.oneof(fc.constant(''), time).map((rest) => `${year}-${month}-${day}${rest}`),
      );
    }),
);
const when = fc.oneof(
  fc.record({ starts: mostly(date, oddStarts) }),
  fc.record({ starts: mostly(date, oddStarts), zone }),
  fc.record({ starts: fc.tuple(date, clock).map((parts) => parts.join('')), zone }),
  fc.record({ starts: fc.tuple(date, clock, fc.constantFrom('Z', '+05:30', '-11:00')).map((parts) => parts.join('')) }),
  fc.record({ starts: fc.constantFrom('2027', '2027-Q3', '2027-11') }),
);

export const sourceUrl = mostly(
  fc.constantFrom('https://example.org/a?b=c#d', 'https://example.org/"<>'),
  fc.oneof(
    hostile.map((tail) => `https://example.org/${tail}`),
    fc.constantFrom('http://example.org', 'https://', 'javascript:alert(1)', 'https://a b'),
  ),
);
const id = mostly(fc.constantFrom('one', 'two', 'three'), hostile);
const odd = fc.jsonValue({ maxDepth: 2 });

const event = fc
  .tuple(
    fc.record({ title: sourceText }),
    when,
    fc.record({ url: sourceUrl, id, cancelled: mostly<unknown>(fc.boolean(), odd) }, { requiredKeys: [] }),
    mostly<object>(fc.constant({}), fc.dictionary(fc.string(), odd, { maxKeys: 1 })),
  )
  .map((parts) => Object.assign({}, ...parts) as object);
const events = fc.array(mostly<unknown>(event, odd), { maxLength: 4 });

/** Generates subject files. Most of them are valid. */
export const sourceSubject = fc.record(
  { name: sourceText, url: sourceUrl, events: mostly<unknown>(events, odd) },
  { requiredKeys: ['name', 'events'] },
);
const named = fc.record({ name: sourceText });
const service = fc.record({
  name: sourceText,
  license: sourceText,
  base_url: fc.constantFrom('https://example.org', 'https://example.org/a/'),
});

/** Generates a JSON file of a value. The file may be damaged. */
const file = (value: fc.Arbitrary<unknown>): fc.Arbitrary<string> =>
  mostly(
    value.map((document) => JSON.stringify(document)),
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.uint8Array({ maxLength: 40 }).map((bytes) => `base64:${Buffer.from(bytes).toString('base64')}`),
      value.map((document) => `\ufeff${JSON.stringify(document, null, 2)}`),
      value.map((document) => JSON.stringify(document).replace('{', '{"name":"twice",')),
      fc.tuple(value, fc.nat()).map(([document, cut]) => {
        const whole = JSON.stringify(document);
        return whole.slice(0, cut % (whole.length + 1));
      }),
      fc.integer({ min: 1, max: 5000 }).map((depth) => '['.repeat(depth)),
    ),
  );

/** Generates lines of calendars. Most of them are valid. */
const property = mostly(
  fc.oneof(
    sourceText.map((title) => `SUMMARY:${title}`),
    fc
      .tuple(date, clock)
      .map(([day, time]) => `DTSTART:${day.replaceAll('-', '')}${`${time}:00:00`.replaceAll(':', '').slice(0, 7)}Z`),
    date.map((day) => `DTSTART;VALUE=DATE:${day.replaceAll('-', '')}`),
    fc.tuple(date, zone).map(([day, name]) => `DTSTART;TZID=${name}:${day.replaceAll('-', '')}T200000`),
    fc.constantFrom('RRULE:FREQ=WEEKLY;COUNT=5', 'RRULE:FREQ=DAILY', 'STATUS:CANCELLED', 'URL:https://example.org/x'),
    fc.constantFrom(
      'EXDATE:20270101T200000Z',
      'RDATE:20270101T200000Z',
      'DURATION:PT1H',
      'RECURRENCE-ID:20270101T200000Z',
    ),
    sourceText.map((uid) => `UID:${uid}`),
  ),
  fc.oneof(
    hostile,
    fc.constantFrom('RRULE:FREQ=NEVER', 'RRULE:FREQ=YEARLY;BYMONTHDAY=31;BYMONTH=2', 'RRULE:FREQ=DAILY;COUNT=99999999'),
    fc.constantFrom('BEGIN:VEVENT', 'END:VEVENT', 'BEGIN:VTIMEZONE', 'DTSTART:99999999T999999', ' folded', 'X;A="b:c'),
    fc.string({ unit: 'binary', maxLength: 30 }),
  ),
);
const vevent = fc.tuple(fc.nat({ max: 9 }), date, fc.array(property, { maxLength: 4 })).map(([uid, day, lines]) => {
  const start = lines.some((line) => line.startsWith('DTSTART'))
    ? []
    : [`DTSTART;VALUE=DATE:${day.replaceAll('-', '')}`];
  const own = lines.some((line) => line.startsWith('UID')) ? [] : [`UID:${uid}@example.org`];
  return ['BEGIN:VEVENT', ...own, ...start, ...new Set(lines), 'END:VEVENT'];
});
const headerLine = (property: string, value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  mostly(
    value.map((written) => `${property}:${written}`),
    fc
      .tuple(value, fc.constantFrom(';FOO:', ';LANGUAGE:', ';LANGUAGE=:', ';A="b:', ';=:', ':'))
      .map(([written, between]) => property + between + written),
  );
const vtimezone = fc
  .tuple(
    headerLine('TZID', zone),
    headerLine('X-LIC-LOCATION', zone),
    headerLine('TZOFFSETTO', fc.constantFrom('+0100', '-0330', '+13', 'x')),
    headerLine('DTSTART', fc.constantFrom('20200101T000000', '16011028T030000')),
    headerLine('RRULE', fc.constantFrom('FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10', 'FREQ=YEARLY', 'FREQ=DAILY', 'UNTIL=1')),
  )
  .map(([tzid, location, offset, start, rule]) => {
    const standard = ['BEGIN:STANDARD', start, rule, offset, 'END:STANDARD'];
    return ['BEGIN:VTIMEZONE', tzid, location, ...standard, 'END:VTIMEZONE'];
  });
const calendarHeader = fc
  .tuple(
    fc.array(fc.oneof(headerLine('NAME', sourceText), headerLine('X-WR-CALNAME', sourceText)), { maxLength: 2 }),
    fc.array(vtimezone, { maxLength: 1 }),
  )
  .map(([names, zones]) => [...names, ...zones.flat()]);
const calendar = fc
  .tuple(
    calendarHeader,
    fc.array(vevent, { maxLength: 3 }),
    mostly(fc.constant('\r\n'), fc.constantFrom('\n', '\r', '\r\n\r\n')),
  )
  .map(([header, all, end]) =>
    ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//x//y//EN', ...header, ...all.flat(), 'END:VCALENDAR', ''].join(end),
  );

const cell = (value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  mostly(
    value.map((written) => `"${written.replaceAll('"', '""')}"`),
    fc.oneof(value, hostile),
  );
const row = fc
  .tuple(
    cell(sourceText),
    cell(sourceText),
    cell(mostly(date, oddStarts)),
    cell(mostly(zone, hostile)),
    cell(mostly(sourceUrl, hostile)),
  )
  .map((cells) => cells.join(','));
const table = fc
  .tuple(
    mostly(
      fc.constant('subject,title,starts,zone,url'),
      fc.constantFrom('', 'subject,title', 'a,b,c', 'subject,subject,title,starts'),
    ),
    fc.array(row, { maxLength: 4 }),
    fc.constantFrom('\n', '\r\n'),
  )
  .map(([header, rows, end]) => [header, ...rows, ''].join(end));

const damaged = (whole: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  mostly(
    whole,
    fc.oneof(
      fc.tuple(whole, fc.nat()).map(([content, cut]) => content.slice(0, cut % (content.length + 1))),
      fc.uint8Array({ maxLength: 40 }).map((bytes) => `base64:${Buffer.from(bytes).toString('base64')}`),
      hostile,
    ),
  );
const subjectFile = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.constant('.json'), file(sourceSubject)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('.ics'), damaged(calendar)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('.csv'), damaged(table)) },
);

const genre = fc.tuple(
  fc.dictionary(name, subjectFile, { maxKeys: 3 }),
  mostly<object>(
    file(named).map((content) => ({ 'genre.json': content })),
    fc.constant({}),
  ),
);
const category = fc.tuple(
  fc.dictionary(name, genre, { maxKeys: 2 }),
  mostly<object>(
    file(named).map((content) => ({ 'category.json': content })),
    fc.constant({}),
  ),
);
const stray = fc.dictionary(
  fc
    .array(fc.oneof(goodName, hostile, fc.constantFrom('README.md', 'notes.txt', '.git')), {
      minLength: 1,
      maxLength: 4,
    })
    .map((parts) => parts.join('/')),
  fc.string(),
  { maxKeys: 1 },
);

/** Generates data folders. About half of them are valid. */
export const sourceTree: fc.Arbitrary<SourceTree> = fc
  .tuple(
    fc.dictionary(name, category, { maxKeys: 2 }),
    mostly<object>(
      file(service).map((content) => ({ 'service.json': content })),
      fc.constant({}),
    ),
    fc.oneof({ weight: 15, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: stray }),
  )
  .map(([categories, top, strays]) => ({ ...flatten(categories), ...top, ...strays }));

type Genre = typeof genre extends fc.Arbitrary<infer G> ? G : never;
type Category = typeof category extends fc.Arbitrary<infer C> ? C : never;

function flatten(categories: Readonly<Record<string, Category>>): Record<string, string> {
  const tree: Record<string, string> = {};
  const put = (folder: string, files: object): void => {
    for (const [name, content] of Object.entries(files)) tree[`${folder}/${name}`] = String(content);
  };
  const putGenre = (folder: string, [subjects, own]: Genre): void => {
    put(folder, own);
    for (const [name, [extension, content]] of Object.entries(subjects))
      tree[`${folder}/${name}${extension}`] = content;
  };
  for (const [name, [genres, own]] of Object.entries(categories)) {
    put(name, own);
    for (const [inner, genre] of Object.entries(genres)) putGenre(`${name}/${inner}`, genre);
  }
  return tree;
}

/** Writes a tree, except files outside the folder and files that the file system refuses. */
export function writeSources(folder: string, tree: SourceTree): void {
  mkdirSync(folder, { recursive: true });
  for (const [path, content] of Object.entries(tree)) {
    const target = join(folder, path);
    if (!target.startsWith(join(folder, '/'))) continue;
    try {
      mkdirSync(dirname(target), { recursive: true });
      const [, base64] = /^base64:(.*)$/s.exec(content) ?? [];
      writeFileSync(target, base64 === undefined ? content : Buffer.from(base64, 'base64'));
    } catch {
      // The name contains NUL or is too long, or a file is in place of a folder.
    }
  }
}
