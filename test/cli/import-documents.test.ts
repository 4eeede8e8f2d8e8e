import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

const rows = join(import.meta.dirname, '../fixtures/rows');
const data = {
  'data/service.json': {
    name: 'S',
    license: 'L',
    base_url: 'https://e.org',
    zone: 'Europe/Berlin',
  },
  'data/c/category.json': { name: 'C' },
  'data/c/g/genre.json': { name: 'G' },
};

/** Imports a file or folder into an empty catalogue. */
async function importInto(cwd: string, path: string, ...more: string[]) {
  const args = ['import', path, '--into', 'c/g', '--now', '2026-11-20T12:00:00Z', ...more];
  const run = await runAlmanac(args, { cwd });
  const mapping = (name: string): unknown =>
    JSON.parse(readFileSync(join(cwd, `data/c/g/${name}.columns.json`), 'utf8'));
  return { ...run, mapping };
}

test('a folder of pages is copied with a mapping that takes its start, not the day of its page', async () => {
  const cwd = writeTree(tempFolder(), data);
  const { code, stdout, mapping } = await importInto(
    cwd,
    join(rows, '08-hugo-folder/content/events'),
  );
  expect({ code, stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(
      '"date" is not that of the event, whose day is "start"',
    ) as string,
  });
  expect(mapping('events')).toMatchObject({
    columns: { start: 'starts', end: 'ends', title: 'title', location: 'location' },
    ignore: ['date', 'lastmod'],
  });
  const built = await runAlmanac(['build', '--now', '2026-11-20T12:00:00Z'], { cwd });
  expect(built.code).toBe(0);
  const document = readFileSync(join(cwd, 'dist/api/v1/events.json'), 'utf8');
  const { events } = JSON.parse(document) as { events: { id: string; starts_local: string }[] };
  expect(events.map((event) => [event.id, event.starts_local])).toEqual([
    ['g-c/events/winter-feast', '2027-01-16T20:00'],
    ['g-c/events/spring-run', '2027-04-18T10:00'],
  ]);
});

test('importing a folder again replaces its files and keeps its mapping', async () => {
  const cwd = writeTree(tempFolder(), {
    ...data,
    'events/a.md': '---\ntitle: A\ndate: 2027-01-01\n---\n',
    'events/b.md': '---\ntitle: B\ndate: 2027-01-02\n---\n',
  });
  expect(await importInto(cwd, 'events')).toMatchObject({ code: 0 });
  writeFileSync(
    join(cwd, 'data/c/g/events.columns.json'),
    '{"columns":{"title":"title","date":"starts"}}',
  );
  rmSync(join(cwd, 'events/b.md'));
  const again = await importInto(cwd, 'events');
  expect(again.code).toBe(0);
  expect(again.stdout).toBe(
    'Replaced data/c/g/events: 1 event\n' +
      '  title  title   A\n' +
      '  date   starts  2027-01-01 → Fri 1 Jan 2027\n',
  );
  expect(existsSync(join(cwd, 'data/c/g/events/b.md'))).toBe(false);
  expect(again.mapping('events')).toEqual({ columns: { title: 'title', date: 'starts' } });
});

test('a second download of a table is asked about, and replaces it or stands beside it', async () => {
  const table = 'title,date\nQuiz,2027-03-05\nRun,2027-03-06\n';
  const cwd = writeTree(tempFolder(), {
    ...data,
    'dates.csv': table,
    'dates (2).csv': `${table}Walk,2027-03-07\n`,
  });
  const listed = (): string[] => readdirSync(join(cwd, 'data/c/g')).toSorted();
  const first = ['dates.columns.json', 'dates.csv', 'genre.json'];
  expect(await importInto(cwd, 'dates.csv')).toMatchObject({ code: 0 });

  // The question writes nothing.
  const asked = await importInto(cwd, 'dates (2).csv', '--json');
  expect(asked.code).toBe(1);
  expect(JSON.parse(asked.stdout)).toMatchObject({ problems: [{ code: 'import-twice' }] });
  expect(asked.stdout).toContain('--replace dates');
  expect(listed()).toEqual(first);

  // Each of the two options that it names decides.
  expect(await importInto(cwd, 'dates (2).csv', '--replace', 'dates')).toMatchObject({ code: 0 });
  expect(listed()).toEqual(first);
  expect(readFileSync(join(cwd, 'data/c/g/dates.csv'), 'utf8')).toContain('Walk');
  expect(await importInto(cwd, 'dates (2).csv', '--beside')).toMatchObject({ code: 0 });
  expect(listed()).toEqual(['dates-2.columns.json', 'dates-2.csv', ...first]);
});

test.each([
  [
    'a day beside a start time with a day of its own',
    '- title: A\n  date: 2027-01-02\n  startTime: 2027-01-01T19:00:00Z\n',
    'unclear-start',
  ],
  [
    'a page day that is another day than the start, where some rows have only it',
    '- {title: A, start: 2027-01-02, date: 2026-12-01}\n- {title: B, date: 2026-12-02}\n',
    'unclear-days',
  ],
  ['a title that is only a label', '- code: A\n  date: 2027-01-02\n  tags: [x]\n', 'unclear-title'],
  ['an empty list', '# nothing yet\n', 'bad-rows'],
  [
    'several lists',
    'a:\n- {title: A, date: 2027-01-02}\nb:\n- {title: B, date: 2027-01-02}\nc:\n- {name: C}\n',
    'bad-rows',
  ],
])('what only a person knows is asked: %s', async (_, text, code) => {
  const cwd = writeTree(tempFolder(), { ...data, 'events.yml': text });
  const { code: exit, stdout } = await importInto(cwd, 'events.yml', '--json');
  expect(exit).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ problems: [{ code }] });
  expect(existsSync(join(cwd, 'data/c/g/events.yaml'))).toBe(false);
});

test.each([
  [
    'a list under a key',
    'updated: 1\nevents:\n- {title: A, date: 2027-01-02}\n',
    { rows: 'events' },
  ],
  [
    'lists under all keys',
    '2027:\n- {title: A, date: 2027-01-02}\n2026:\n- {title: B, date: 2026-12-01}\n',
    { rows: '*' },
  ],
  [
    'lists under years and months, whose days have the year of their key',
    '2027:\n  march:\n  - {title: A, date: March 4}\n  may:\n  - {title: B, date: May 5}\n2028:\n  june:\n  - {title: C, date: June 6}\n',
    { rows: '*.*', columns: { date: 'starts' } },
  ],
  [
    'rows that have their day under one of two keys',
    '- {title: A, start_date: 2027-01-02}\n- {title: B, date: 2027-01-03}\n',
    { columns: { start_date: 'starts', date: 'starts' } },
  ],
  [
    'starts as maps, and zones of rows',
    '- {title: A, start: {dateTime: "2027-01-02T19:30", timeZone: Asia/Tokyo}, end: {dateTime: "2027-01-02T21:00"}}\n- {title: B, start: {date: 2027-01-03}, end: {date: 2027-01-04}}\n',
    {
      columns: {
        'start.dateTime': 'starts',
        'start.date': 'starts',
        'end.dateTime': 'ends',
        'start.timeZone': 'zone',
      },
      ignore: ['end.date'],
    },
  ],
  [
    'maps under keys',
    'a: {title: A, date: 2027-01-02}\nb: {title: B, date: 2027-01-03}\n',
    { rows: '{id}' },
  ],
  [
    'the list in each entry of a list, with the title of the entry',
    '- title: A\n  confs:\n  - {date: 2027-01-02}\n  - {date: 2027-02-02}\n- title: B\n  confs:\n  - {date: 2027-03-02}\n',
    { rows: '*.confs', columns: { date: 'starts', '{^title}': 'title' } },
  ],
  [
    'sessions of days, with the day of the day',
    'days:\n- date: 2027-01-02\n  sessions:\n  - {title: A, start: "9:00", end: "10:00"}\n  - {title: B, start: "10:00"}\n',
    {
      rows: 'days.sessions',
      columns: { '{^date}': 'starts', start: 'time', end: 'end_time', title: 'title' },
    },
  ],
  [
    'days, not the names of their tracks',
    '- {date: 2027-01-02, label: Day 1, tracks: [{title: A}, {title: B}]}\n- {date: 2027-01-03, what: Day 2}\n',
    { columns: { date: 'starts', what: 'title' } },
  ],
  [
    'what the map around the list says',
    'name: Choir\nplace: Chapel\ndates:\n- {date: 2027-01-02}\n- {date: 2027-02-02}\n',
    { rows: 'dates', columns: { '{^name}': 'title', '{^place}': 'location' } },
  ],
  [
    'a zone of deadlines',
    '- {title: A, start: 2027-01-02, deadline: 2026-12-01, timezone: UTC-12}\n',
    { ignore: ['deadline', 'timezone'] },
  ],
  [
    'the page day of a list',
    '- {title: A, startDate: 2027-01-02, date: 2026-12-01, lastmod: 2026-12-02}\n',
    { ignore: ['date', 'lastmod'] },
  ],
])('what a list says by itself is guessed: %s', async (_, text, expected) => {
  const cwd = writeTree(tempFolder(), { ...data, 'events.yml': text });
  const { code, mapping } = await importInto(cwd, 'events.yml');
  expect(code).toBe(0);
  expect(mapping('events')).toMatchObject(expected);
});

test.each([
  ['the day on which a page was published', '- {title: A, pubDate: 2026-12-01}\n'],
  ['a month that has its day elsewhere', '- {title: A, day: 4, month: March, year: 2027}\n'],
])('what is no day of an event is not guessed: %s', async (_, text) => {
  const cwd = writeTree(tempFolder(), { ...data, 'events.yml': text });
  const { code, stdout } = await importInto(cwd, 'events.yml', '--json');
  expect({ code, stdout: JSON.parse(stdout) as unknown }).toMatchObject({
    code: 1,
    stdout: {
      problems: [{ code: expect.stringMatching(/^(?:unclear-start|no-dates)$/) as string }],
    },
  });
});

test('what a list is not is said: rows of several lists, and lists in the rows', async () => {
  const cwd = writeTree(tempFolder(), {
    ...data,
    'a.yml': 'next:\n- {title: A, date: 2027-01-02}\npast:\n- {title: B, date: 2026-12-01}\n',
    'b.yml': '- {title: A, date: 2027-01-02, slots: [{name: X}, {name: Y}]}\n',
  });
  const two = await importInto(cwd, 'a.yml');
  expect(two.stdout).toContain('whether all lists have events (next: 1, past: 1)');
  const inner = await importInto(cwd, 'b.yml');
  expect(inner.stdout).toContain(
    'the entries of "slots" are no columns; "rows": "slots" makes each of them a row',
  );
  expect(inner.mapping('b')).not.toHaveProperty('ignore');
});

test('the theme of a folder of pages is known by its keys', async () => {
  const cwd = writeTree(tempFolder(), {
    ...data,
    'event/_index.md': '---\ntitle: Talks\n---\n',
    'event/talk/index.md':
      '---\ntitle: Talk\nevent: Conference\nlocation: Hall\naddress: {city: Bern}\nall_day: true\n' +
      'date: 2027-06-05T00:00:00Z\ndate_end: 2027-06-06T00:00:00Z\npublishDate: 2026-01-01\n---\n',
  });
  const { code, mapping } = await importInto(cwd, 'event');
  expect(code).toBe(0);
  expect(mapping('event')).toEqual({ preset: 'hugoblox' });
  expect(await eventsOf(cwd)).toMatchObject([
    {
      id: 'g-c/event/talk',
      date: '2027-06-05',
      end_date: '2027-06-06',
      location: { name: 'Hall', address: 'Bern' },
    },
  ]);
});

test('posts whose days are only in the names of their files are read', async () => {
  const cwd = writeTree(tempFolder(), {
    ...data,
    '_posts/2027-03-04-quiz.md': '---\nlayout: post\ntitle: Quiz\n---\n',
    '_posts/2027-03-05-walk.markdown': '---\ntitle: Walk\n---\n',
  });
  const { code, mapping } = await importInto(cwd, '_posts');
  expect(code).toBe(0);
  expect(mapping('posts')).toMatchObject({ columns: { '{file.date}': 'starts', title: 'title' } });
  expect(await eventsOf(cwd)).toMatchObject([{ date: '2027-03-04' }, { date: '2027-03-05' }]);
});

test('a day that stands in for one that is not known is not published', async () => {
  const cwd = writeTree(tempFolder(), {
    ...data,
    'a.yml':
      '- {title: A, date: 2027-03-04, date_tbd: true}\n- {title: B, date: 2027-12-31, date_precision: year}\n' +
      '- {title: C, date: 2027-03-06, date_tbd: false}\n',
    'b.yml': '- {title: A, date: 2027-03-04T00:00:00Z}\n',
  });
  const { stdout } = await importInto(cwd, 'b.yml');
  expect(stdout).toContain('whether "date" has days: all its times are midnight in UTC');
  rmSync(join(cwd, 'data/c/g/b.yaml'));
  rmSync(join(cwd, 'data/c/g/b.columns.json'));
  expect(await importInto(cwd, 'a.yml')).toMatchObject({
    stderr: expect.stringContaining('a.yaml:1:20: found the day "2027-03-04 (TBD)"') as string,
  });
  expect(await eventsOf(cwd)).toMatchObject([{ title: 'C' }]);
  const announced = readFileSync(join(cwd, 'dist/api/v1/announced.json'), 'utf8');
  expect(JSON.parse(announced)).toMatchObject({
    announced: [{ title: 'B', window: { from: '2027-01-01', until: '2027-12-31' } }],
  });
});

test('a folder without an event says what its files are', async () => {
  const cwd = writeTree(tempFolder(), {
    ...data,
    'events/a.md': '---\ntitle: A\ndate: 2027-01-01\ndraft: true\n---\n',
    'events/_index.md': '---\ntitle: Events\n---\n',
  });
  const { code, stderr } = await importInto(cwd, 'events');
  expect(code).toBe(1);
  expect(stderr).toContain('found a folder without a page for an event (lists: 1, drafts: 1)');
});

test.each([
  ['the file', 'real/a.yml', '_data/a.yml', 'yaml'],
  ['a folder above it', 'real', '_data', 'yaml'],
  ['a folder of pages', 'real', '_data', 'entries'],
  ['a page in it', 'real/a.md', '_data/b.md', 'entries'],
])('a source of the repository is no link: %s', async (_, target, link, format) => {
  const file = format === 'yaml' ? '_data/a.yml' : '_data';
  const cwd = writeTree(tempFolder(), {
    ...data,
    'real/a.yml': '- {title: A, starts: 2027-01-02}\n',
    'real/a.md': '---\ntitle: A\nstarts: 2027-01-02\n---\n',
    'data/c/g/club.source.json': { name: 'Club', file, format },
  });
  if (link !== '_data') mkdirSync(join(cwd, '_data'));
  symlinkSync(join(cwd, target), join(cwd, link));
  const args = ['build', '--now', '2026-11-20T12:00:00Z'];
  const refused = await runAlmanac(args, { cwd });
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stderr).toContain('symbolic link');
  expect(existsSync(join(cwd, 'dist'))).toBe(false);
});

/** Builds a catalogue, and returns its events. */
async function eventsOf(cwd: string): Promise<object[]> {
  const built = await runAlmanac(['build', '--now', '2026-11-20T12:00:00Z'], { cwd });
  expect(built).toMatchObject({ code: 0 });
  const text = readFileSync(join(cwd, 'dist/api/v1/events.json'), 'utf8');
  return (JSON.parse(text) as { events: object[] }).events;
}

const containers = {
  'a.json': (start: string, time: string) =>
    `[{"title":"Quiz","starts":"${start}","time":"${time}"}]`,
  'a.csv': (start: string, time: string) => `title,starts,time\nQuiz,${start},${time}\n`,
  'a.yaml': (start: string, time: string) =>
    `- title: Quiz\n  starts: ${start}\n  time: "${time}"\n`,
  'a.toml': (start: string, time: string) =>
    `[[rows]]\ntitle = "Quiz"\nstarts = ${start}\ntime = "${time}"\n`,
  'a/quiz.md': (start: string, time: string) =>
    `---\ntitle: Quiz\nstarts: ${start}\ntime: "${time}"\n---\n`,
};

test.each(Object.entries(containers))(
  'a start with a time beside another time is a contradiction, and midnight is a day: %s',
  async (file, textOf) => {
    const read = async (start: string, time: string) => {
      const mapping = { subject: 'Club', columns: keysOf('title', 'starts', 'time') };
      const cwd = writeTree(tempFolder(), {
        ...data,
        [`data/c/g/${file}`]: textOf(start, time),
        'data/c/g/a.columns.json': mapping,
      });
      const args = ['build', '--now', '2026-11-20T12:00:00Z', '--json'];
      const { stdout } = await runAlmanac(args, { cwd });
      const { problems } = JSON.parse(stdout) as { problems?: { code: string }[] };
      if (problems !== undefined) return problems.map(({ code }) => code);
      const [event] = await eventsOf(cwd);
      const { date, starts_local: local } = event as Record<'date' | 'starts_local', string | null>;
      return (local ?? date)?.replace(/(?<=T..:..):00$/, '');
    };
    expect(await read('2027-03-04T18:00:00Z', '19:30')).toEqual(['two-times']);
    expect(await read('2027-03-04T20:30:00', '19:30')).toEqual(['two-times']);
    expect(await read('2027-03-04T19:30:00+01:00', '7:30 pm')).toBe('2027-03-04T19:30');
    expect(await read('2027-03-04T00:00:00.000Z', '19:30')).toBe('2027-03-04T19:30');
    expect(await read('2027-03-04T00:00:00Z', '')).toBe('2027-03-04');
  },
);

function keysOf(...names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, name]));
}

test.each([
  [
    '- {title: A, start_utc: 2027-01-02 19:30}\n',
    'whether "start_utc" is in Asia/Tokyo, and not in utc',
  ],
  [
    '- {title: A, date: "2027-01-02T15:00:00Z"}\n- {title: B, date: "2027-07-02T15:00:00Z"}\n',
    'whether "date" has days: all its times are midnight in Asia/Tokyo',
  ],
  ['- {title: A, date: 2027-01-02, recurring: weekly}\n', '"recurring" is not published'],
])('what may mean something else than it says is unclear: %s', async (text, doubt) => {
  const cwd = writeTree(tempFolder(), { ...data, 'events.yml': text });
  const { stdout } = await importInto(cwd, 'events.yml', '--zone', 'Asia/Tokyo');
  expect(stdout).toContain(doubt);
});

test('what a page says comes before the day in its name, with its time', async () => {
  const page = '---\ntitle: A\ndate: 2027-03-04 19:30:00 +0100\n---\n';
  const cwd = writeTree(tempFolder(), { ...data, '_events/2027-03-04-a.md': page });
  const { mapping } = await importInto(cwd, '_events');
  expect(mapping('events')).toEqual({
    columns: { date: 'starts', title: 'title' },
    subject: 'Events',
  });
});

test('the day in the name of a page may be that of the page, and can be ignored', async () => {
  const posts = {
    '_posts/2026-12-01-party.md': '---\ntitle: Party\nevent_date: 2027-03-04\n---\n',
    '_posts/2026-12-08-news.md': '---\ntitle: News\n---\n',
  };
  const cwd = writeTree(tempFolder(), { ...data, ...posts });
  const asked = await importInto(cwd, '_posts');
  expect(asked.stderr).toContain('--column "{file.date}="');
  const { stdout, mapping } = await importInto(cwd, '_posts', '--column', '{file.date}=');
  expect(stdout).toContain('posts: 1 event');
  expect(mapping('posts')).toMatchObject({ columns: { event_date: 'starts' } });
});
