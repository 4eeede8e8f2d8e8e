import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
    'maps under keys',
    'a: {title: A, date: 2027-01-02}\nb: {title: B, date: 2027-01-03}\n',
    { rows: '{id}' },
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
