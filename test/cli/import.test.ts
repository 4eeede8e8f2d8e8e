import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readTree, tempFolder, writeTree } from '../setup/folders.ts';
import { writeImport } from '../../src/source/import.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

const calendars = join(import.meta.dirname, '../fixtures/calendars/data/community');
const now = ['--now', '2026-11-20T00:00:00Z'];

test('converts a calendar to a valid subject file with the same events', async () => {
  for (const path of ['sports/rowing-club.ics', 'work/works-council.ics', 'tables/venues.csv']) {
    const cwd = tempFolder();
    const names = {
      'service.json': { name: 'S', license: 'L', base_url: 'https://example.org' },
      'c/category.json': { name: 'C' },
    };
    for (const folder of ['read', 'owned']) writeTree(join(cwd, folder), { ...names, 'c/g/genre.json': { name: 'G' } });
    const name = path.split('/')[1] ?? '';
    cpSync(join(calendars, path), join(cwd, 'read/c/g', name));
    const run = await runAlmanac(['import', join(cwd, 'read/c/g', name), '--into', 'owned/c/g', ...now], { cwd });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    for (const folder of ['read', 'owned']) {
      const built = await runAlmanac(['build', '--data', folder, '--out', `${folder}-site`, ...now], { cwd });
      expect(built).toMatchObject({ code: 0, stderr: '' });
    }
    const [read, owned] = ['read', 'owned'].map((folder) => eventsIn(join(cwd, `${folder}-site`)));
    expect(owned).toEqual(read);
    expect(owned?.length).toBeGreaterThan(1);
  }
});

test('a dry run prints the files that it would write, and writes nothing', async () => {
  const cwd = tempFolder();
  writeFileSync(
    join(cwd, 'Dates of 2027.csv'),
    'subject,title,starts,cancelled\nCafé,"Quiz, part 1",2027-01-02,TRUE\nClub,Match,2027-02,\n',
  );
  const run = await runAlmanac(['import', 'Dates of 2027.csv', '--into', 'data/c/g', '--dry-run', ...now], { cwd });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout).toBe(`Would write data/c/g/cafe.json: 1 event
{
  "name": "Café",
  "events": [
    { "title": "Quiz, part 1", "starts": "2027-01-02", "cancelled": true }
  ]
}
Would write data/c/g/club.json: 1 event
{
  "name": "Club",
  "events": [
    { "title": "Match", "starts": "2027-02" }
  ]
}
`);
  expect(existsSync(join(cwd, 'data'))).toBe(false);
});

test('reports at most a thousand problems of a table, each with its line', async () => {
  const cwd = tempFolder();
  const rows = Array.from({ length: 1500 }, (_, index) => `Club,Match ${index},soon,`);
  writeFileSync(
    join(cwd, 'a.csv'),
    ['subject,title,starts,url', ...rows, 'Club,Last,2027-01-02,ftp://x', ''].join('\n'),
  );
  const run = await runAlmanac(['import', 'a.csv', '--json', ...now], { cwd });
  const { problems } = JSON.parse(run.stdout) as { problems: { code: string; line: number }[] };
  expect(problems).toHaveLength(1001);
  expect(problems[0]).toMatchObject({ code: 'more-problems', line: 1 });
  const lines = problems.map(({ line }) => line);
  expect(lines).toEqual(lines.toSorted((a, b) => a - b));
});

test('writes nothing if it would replace a file', async () => {
  const cwd = tempFolder();
  writeTree(cwd, { 'a.csv': 'subject,title,starts\nA,One,2027-01-02\nB,Two,2027-01-02\n', 'b.json': 'mine' });
  const run = await runAlmanac(['import', 'a.csv', '--json', ...now], { cwd });
  expect(run.code).toBe(1);
  const message = expect.stringContaining('found an existing file "b.json"') as string;
  expect(JSON.parse(run.stdout)).toMatchObject({ ok: false, problems: [{ code: 'import-exists', message }] });
  expect([...readTree(cwd).keys()]).toEqual(['a.csv', 'b.json']);
  expect(readFileSync(join(cwd, 'b.json'), 'utf8')).toBe('mine');
});

test('refuses a subject whose file would be genre.json', async () => {
  const cwd = tempFolder();
  const table = 'subject,title,starts\nClub,Match,2027-01-01\nGenre,Match,2027-01-01\n';
  writeTree(cwd, { 'dates.csv': table, 'there/genre.json': { name: 'G' } });
  for (const into of ['new', 'there']) {
    const run = await runAlmanac(['import', 'dates.csv', '--into', into, '--json', ...now], { cwd });
    const { problems } = JSON.parse(run.stdout) as { problems: unknown[] };
    expect(problems).toEqual([
      expect.objectContaining({ code: 'import-misnamed', file: 'dates.csv', line: 3, column: 1 }),
    ]);
  }
  expect([...readTree(cwd).keys()].toSorted()).toEqual(['dates.csv', 'there/genre.json']);
});

test('refuses subjects whose files Windows could not hold, each with its line', async () => {
  const calendar = 'BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nSUMMARY:E\nDTSTART:20270101\nEND:VEVENT\nEND:VCALENDAR\n';
  const cwd = writeTree(tempFolder(), {
    'table.csv': 'subject,title,starts\nA,E,2027-01-01\nCOM1,E,2027-01-01\nCon,E,2027-01-01\n',
    'nul.ics': calendar,
  });
  const problemsOf = async (file: string): Promise<unknown> => {
    const run = await runAlmanac(['import', file, '--into', 'owned', '--json', ...now], { cwd });
    expect(run.code).toBe(1);
    const { problems } = JSON.parse(run.stdout) as { problems: { code: string; line: number; message: string }[] };
    return problems.map(({ code, line, message }) => [code, line, /"(.*?)"/.exec(message)?.[1]]);
  };
  expect(await problemsOf('table.csv')).toEqual([
    ['bad-name', 3, 'com1'],
    ['bad-name', 4, 'con'],
  ]);
  expect(await problemsOf('nul.ics')).toEqual([['bad-name', 1, 'nul.json']]);
  expect(existsSync(join(cwd, 'owned'))).toBe(false);
});

test('refuses a calendar whose file would become genre.json, and proposes to rename it', async () => {
  const cwd = tempFolder();
  const event = ['BEGIN:VEVENT', 'UID:a', 'SUMMARY:Match', 'DTSTART:20270105T100000Z', 'END:VEVENT'];
  const calendar = ['BEGIN:VCALENDAR', 'X-WR-CALNAME:Club', ...event, 'END:VCALENDAR', ''].join('\r\n');
  writeTree(cwd, { 'genre.ics': calendar, 'club.ics': calendar });
  const refused = await runAlmanac(['import', 'genre.ics', ...now], { cwd });
  expect(refused.code).toBe(1);
  expect(refused.stdout + refused.stderr).toContain('found the subject "Club", but its file would be genre.json');
  expect(refused.stdout + refused.stderr).toContain('or the file (calendar)');
  expect(await runAlmanac(['import', 'club.ics', ...now], { cwd })).toMatchObject({ code: 0 });
});

const club = calendarNamed('Club');
function calendarNamed(name: string, ...lines: string[]): string {
  const event = ['BEGIN:VEVENT', 'UID:a', 'SUMMARY:Match', 'DTSTART:20270105T100000Z', ...lines, 'END:VEVENT'];
  return ['BEGIN:VCALENDAR', `X-WR-CALNAME:${name}`, ...event, 'END:VCALENDAR', ''].join('\r\n');
}

test.each([
  ['club_c_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef@group.calendar.google.com.ics', [], 'club'],
  ['Клуб.ics', [], 'club'],
  ['own.ics', [], 'own'],
  ['own.ics', ['--name', 'Chess & Co'], 'chess-co'],
])('imports the calendar %s with the options %j as %s.json', async (file, options, id) => {
  const cwd = writeTree(tempFolder(), { [file]: club });
  const run = await runAlmanac(['import', file, '--into', 'out', ...options, ...now], { cwd });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect([...readTree(join(cwd, 'out')).keys()]).toEqual([`${id}.json`]);
  const { name } = JSON.parse(readFileSync(join(cwd, `out/${id}.json`), 'utf8')) as { name: string };
  expect(name).toBe(options[1] ?? 'Club');
});

test.each([
  ['no id', 'Клуб.ics', calendarNamed('Клуб'), [], 1, 'found the subject "Клуб"'],
  ['an invalid name', 'own.ics', club, ['--name', ' '], 1, 'name'],
  [
    '--column for a calendar',
    'own.ics',
    club,
    ['--column', 'Date=starts'],
    2,
    'found --column for own.ics; expected a table (.csv)',
  ],
  [
    'a column without a target',
    'own.csv',
    '',
    ['--column', 'Date'],
    2,
    'found --column "Date"; expected two columns, such as Date=starts',
  ],
  [
    'a column that is mapped twice',
    'own.csv',
    '',
    ['--column', 'Subject=subject', '--column', 'Subject=title'],
    2,
    'found --column "Subject=title"; expected the column Subject once',
  ],
])('refuses an import with %s', async (_, file, text, options, code, message) => {
  const cwd = writeTree(tempFolder(), { [file]: text });
  const run = await runAlmanac(['import', file, ...options, ...now], { cwd });
  expect([run.code, run.stderr]).toEqual([code, expect.stringContaining(message)]);
  expect([...readTree(cwd).keys()]).toEqual([file]);
});

test('maps and ignores columns of a table, and takes the subject from --name', async () => {
  const cwd = writeTree(tempFolder(), { 'a.csv': 'What;a=b;Notes\nQuiz;2027-01-02 19:30Z;x\n' });
  const columns = ['--column', 'What=title', '--column', 'a=b=starts', '--column', 'Notes='];
  const run = await runAlmanac(['import', 'a.csv', '--dry-run', '--name', 'Club', ...columns, ...now], { cwd });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout).toContain('club.json: 1 event');
  expect(run.stdout).toContain('{ "title": "Quiz", "starts": "2027-01-02T19:30Z" }');
});

test('leaves out the events that a calendar marks as private, and counts them', async () => {
  const cwd = writeTree(tempFolder(), { 'club.ics': calendarNamed('Club', 'CLASS:PRIVATE') });
  const run = await runAlmanac(['import', 'club.ics', '--dry-run', ...now], { cwd });
  expect(run.stdout).toContain('Left out 1 upcoming event marked as private (CLASS)\n');
  const json = await runAlmanac(['import', 'club.ics', '--dry-run', '--json', ...now], { cwd });
  expect(JSON.parse(json.stdout)).toMatchObject({ private: 1 });
});

test('reports a folder that is not writable', async () => {
  const cwd = writeTree(tempFolder(), { 'a.csv': 'subject,title,starts\nA,One,2027-01-02\n', taken: 'a file' });
  const run = await runAlmanac(['import', 'a.csv', '--into', 'taken', '--json', ...now], { cwd });
  expect(JSON.parse(run.stdout)).toMatchObject({ ok: false, problems: [{ code: 'import-failed' }] });
});

test('leaves no file behind if one of them cannot be written', () => {
  const into = writeTree(tempFolder(), { 'b.json': 'mine' });
  const files = ['a.json', 'b.json', 'c.json'].map((name) => ({ name, events: 0, text: '{}\n' }));
  expect(() => writeImport(files, into)).toThrow('EEXIST');
  expect([...readTree(into)]).toEqual([['b.json', Buffer.from('mine')]]);
});

test('writes nothing for a table with only a header', async () => {
  const cwd = writeTree(tempFolder(), { 'a.csv': 'subject,title,starts\n' });
  const run = await runAlmanac(['import', 'a.csv', ...now], { cwd });
  expect(run).toEqual({ code: 0, signal: null, stdout: 'Found no event; nothing to write\n', stderr: '' });
});

test('accepts an extension in capitals', async () => {
  const cwd = writeTree(tempFolder(), { 'A.CSV': 'subject,title,starts\nA,One,2027-01-02\n' });
  const run = await runAlmanac(['import', 'A.CSV', ...now], { cwd });
  const stdout = 'Wrote a.json: 1 event\n. has no genre.json; add one with a "name" before the next build\n';
  expect(run).toEqual({ code: 0, signal: null, stdout, stderr: '' });
  expect([...readTree(cwd).keys()]).toEqual(['A.CSV', 'a.json']);
});

test('reports problems with their line, and an unknown extension as wrong usage', async () => {
  const cwd = writeTree(tempFolder(), { 'a.csv': 'subject,title,starts\nA,One,someday\n', 'a.txt': '' });
  const bad = await runAlmanac(['import', 'a.csv'], { cwd });
  expect(bad).toMatchObject({ code: 1, stdout: '' });
  expect(bad.stderr).toContain('a.csv:2:7: found starts "someday"');
  mkdirSync(join(cwd, 'folder.ics'));
  for (const missing of ['none.ics', 'folder.ics', 'a.csv/none.ics']) {
    const run = await runAlmanac(['import', missing, '--json'], { cwd });
    expect(run.code).toBe(1);
    expect(JSON.parse(run.stdout)).toMatchObject({ problems: [{ code: 'import-missing' }] });
  }
  expect(await runAlmanac(['import', 'a.txt'], { cwd })).toMatchObject({ code: 2 });
  expect([...readTree(cwd).keys()]).toEqual(['a.csv', 'a.txt']);
});

function eventsIn(site: string): { id: string }[] {
  const { events } = JSON.parse(readFileSync(join(site, 'api/v1/events.json'), 'utf8')) as { events: { id: string }[] };
  // An id in a JSON file has at most 64 characters, one from a UID may have more.
  return events.map((event) => ({ ...event, id: event.id.length > 70 ? 'long' : event.id }));
}

test('writes nothing through a folder of the data folder that is a symbolic link', async () => {
  const cwd = writeTree(tempFolder(), { 'x.csv': 'subject,title,starts\nA,b,2027-01-01\n' });
  const outside = tempFolder();
  mkdirSync(join(cwd, 'data/tv'), { recursive: true });
  symlinkSync(outside, join(cwd, 'data/tv/linked'));
  for (const into of ['data/tv/linked', 'data/tv/linked/deeper']) {
    const run = await runAlmanac(['import', 'x.csv', '--into', into, ...now], { cwd });
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(/^data\/tv\/linked:1:1: found a symbolic link "linked"/);
  }
  expect([...readTree(outside)]).toEqual([]);
});

test('reads an issue and a table from a link, but not from a pipe, a device or a very large file', async () => {
  const cwd = writeTree(tempFolder(), { 'x.csv': 'subject,title,starts\nA,b,2027-01-01\n', 'large.md': '' });
  symlinkSync(join(cwd, 'x.csv'), join(cwd, 'link.csv'));
  symlinkSync('/dev/zero', join(cwd, 'endless.md'));
  execFileSync('mkfifo', [join(cwd, 'pipe.md')]);
  truncateSync(join(cwd, 'large.md'), 3 * 1024 ** 3);
  expect(await runAlmanac(['import', 'link.csv', '--into', 'data', ...now], { cwd })).toMatchObject({ code: 0 });
  for (const [file, reason] of [
    ['pipe.md', 'it is a pipe or a device, and not a regular file'],
    ['endless.md', 'it is a pipe or a device, and not a regular file'],
    ['large.md', 'it has 3,221,225,472 bytes, and at most 1,048,576 are read'],
  ] as const) {
    const run = await runAlmanac(['import', '--issue', file], { cwd });
    expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining(reason) as string });
  }
});
