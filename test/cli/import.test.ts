import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readTree, tempFolder, writeTree } from '../setup/folders.ts';
import { writeImport } from '../../src/source/import/import.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

const calendars = join(import.meta.dirname, '../fixtures/calendars/data/community');
const now = ['--now', '2026-11-20T00:00:00Z'];
const convert = ['--convert', '--into', 'c/g'];

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
    const file = join(cwd, 'read/c/g', name);
    const run = await runAlmanac(['import', file, '--data', 'owned', ...convert, ...now], { cwd });
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
  const run = await runAlmanac(
    ['import', 'Dates of 2027.csv', '--convert', '--into', 'data/c/g', '--dry-run', ...now],
    { cwd },
  );
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
  const run = await runAlmanac(['import', 'a.csv', ...convert, '--json', ...now], { cwd });
  const { problems } = JSON.parse(run.stdout) as { problems: { code: string; line: number }[] };
  expect(problems).toHaveLength(1001);
  expect(problems[0]).toMatchObject({ code: 'more-problems', line: 1 });
  const lines = problems.map(({ line }) => line);
  expect(lines).toEqual(lines.toSorted((a, b) => a - b));
});

test('writes nothing if it would replace a file', async () => {
  const cwd = tempFolder();
  writeTree(cwd, { 'a.csv': 'subject,title,starts\nA,One,2027-01-02\nB,Two,2027-01-02\n', 'data/c/g/b.json': 'mine' });
  const run = await runAlmanac(['import', 'a.csv', ...convert, '--json', ...now], { cwd });
  expect(run.code).toBe(1);
  const message = expect.stringContaining('found an existing file "data/c/g/b.json"') as string;
  expect(JSON.parse(run.stdout)).toMatchObject({ ok: false, problems: [{ code: 'import-exists', message }] });
  expect([...readTree(cwd).keys()]).toEqual(['a.csv', 'data/c/g/b.json']);
  expect(readFileSync(join(cwd, 'data/c/g/b.json'), 'utf8')).toBe('mine');
});

test('refuses a subject whose file would be genre.json', async () => {
  const cwd = tempFolder();
  const table = 'subject,title,starts\nClub,Match,2027-01-01\nGenre,Match,2027-01-01\n';
  writeTree(cwd, { 'dates.csv': table, 'data/c/there/genre.json': { name: 'G' } });
  for (const into of ['c/new', 'c/there']) {
    const run = await runAlmanac(['import', 'dates.csv', '--convert', '--into', into, '--json', ...now], { cwd });
    const { problems } = JSON.parse(run.stdout) as { problems: unknown[] };
    expect(problems).toEqual([
      expect.objectContaining({ code: 'import-misnamed', file: 'dates.csv', line: 3, column: 1 }),
    ]);
  }
  expect([...readTree(cwd).keys()].toSorted()).toEqual(['data/c/there/genre.json', 'dates.csv']);
});

test('refuses subjects whose files Windows could not hold, each with its line', async () => {
  const calendar = 'BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nSUMMARY:E\nDTSTART:20270101\nEND:VEVENT\nEND:VCALENDAR\n';
  const cwd = writeTree(tempFolder(), {
    'table.csv': 'subject,title,starts\nA,E,2027-01-01\nCOM1,E,2027-01-01\nCon,E,2027-01-01\n',
    'nul.ics': calendar,
  });
  const problemsOf = async (file: string): Promise<unknown> => {
    const run = await runAlmanac(['import', file, ...convert, '--json', ...now], { cwd });
    expect(run.code).toBe(1);
    const { problems } = JSON.parse(run.stdout) as { problems: { code: string; line: number; message: string }[] };
    return problems.map(({ code, line, message }) => [code, line, /"(.*?)"/.exec(message)?.[1]]);
  };
  expect(await problemsOf('table.csv')).toEqual([
    ['bad-name', 3, 'com1'],
    ['bad-name', 4, 'con'],
  ]);
  expect(await problemsOf('nul.ics')).toEqual([['bad-name', 1, 'nul.json']]);
  expect(existsSync(join(cwd, 'data'))).toBe(false);
});

test('refuses a calendar whose file would become genre.json, and proposes to rename it', async () => {
  const cwd = tempFolder();
  const event = ['BEGIN:VEVENT', 'UID:a', 'SUMMARY:Match', 'DTSTART:20270105T100000Z', 'END:VEVENT'];
  const calendar = ['BEGIN:VCALENDAR', 'X-WR-CALNAME:Club', ...event, 'END:VCALENDAR', ''].join('\r\n');
  writeTree(cwd, { 'genre.ics': calendar, 'club.ics': calendar });
  const refused = await runAlmanac(['import', 'genre.ics', ...convert, ...now], { cwd });
  expect(refused.code).toBe(1);
  expect(refused.stdout + refused.stderr).toContain('found the subject "Club", but its file would be genre.json');
  expect(refused.stdout + refused.stderr).toContain('or the file (calendar)');
  expect(await runAlmanac(['import', 'club.ics', ...convert, ...now], { cwd })).toMatchObject({ code: 0 });
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
])('converts the calendar %s with the options %j to %s.json', async (file, options, id) => {
  const cwd = writeTree(tempFolder(), { [file]: club });
  const run = await runAlmanac(['import', file, ...convert, ...options, ...now], { cwd });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect([...readTree(join(cwd, 'data/c/g')).keys()]).toEqual([`${id}.json`]);
  const { name } = JSON.parse(readFileSync(join(cwd, `data/c/g/${id}.json`), 'utf8')) as { name: string };
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
    'found --column for own.ics; expected a table (.csv or .json)',
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
  const run = await runAlmanac(['import', file, ...convert, ...options, ...now], { cwd });
  expect([run.code, run.stderr]).toEqual([code, expect.stringContaining(message)]);
  expect([...readTree(cwd).keys()]).toEqual([file]);
});

test('maps and ignores columns of a table, and takes the subject from --name', async () => {
  const cwd = writeTree(tempFolder(), { 'a.csv': 'What;a=b;Notes\nQuiz;2027-01-02 19:30Z;x\n' });
  const columns = ['--column', 'What=title', '--column', 'a=b=starts', '--column', 'Notes='];
  const run = await runAlmanac(['import', 'a.csv', '--convert', '--dry-run', '--name', 'Club', ...columns, ...now], {
    cwd,
  });
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
  const cwd = writeTree(tempFolder(), { 'a.csv': 'subject,title,starts\nA,One,2027-01-02\n', 'data/c': 'a file' });
  const run = await runAlmanac(['import', 'a.csv', ...convert, '--json', ...now], { cwd });
  expect(JSON.parse(run.stdout)).toMatchObject({ ok: false, problems: [{ code: 'import-failed' }] });
});

test('leaves no file behind if one of them cannot be written', () => {
  const into = writeTree(tempFolder(), { 'b.json': 'mine' });
  const files = ['a.json', 'b.json', 'c.json'].map((name) => ({ name, content: '{}\n' }));
  expect(() => writeImport(files, into)).toThrow('EEXIST');
  expect([...readTree(into)]).toEqual([['b.json', Buffer.from('mine')]]);
});

test('writes nothing for a table with only a header', async () => {
  const cwd = writeTree(tempFolder(), { 'a.csv': 'subject,title,starts\n' });
  const run = await runAlmanac(['import', 'a.csv', ...convert, ...now], { cwd });
  expect(run).toEqual({ code: 0, signal: null, stdout: 'Found no event; nothing to write\n', stderr: '' });
});

test('accepts an extension in capitals', async () => {
  const cwd = writeTree(tempFolder(), { 'A.CSV': 'subject,title,starts\nA,One,2027-01-02\n' });
  const run = await runAlmanac(['import', 'A.CSV', ...convert, ...now], { cwd });
  const stdout =
    'Wrote data/c/g/a.json: 1 event\ndata/c/g has no genre.json; add one with a "name" before the next build\n';
  expect(run).toEqual({ code: 0, signal: null, stdout, stderr: '' });
  expect([...readTree(cwd).keys()]).toEqual(['A.CSV', 'data/c/g/a.json']);
});

test('reports problems with their line, and an unknown extension as wrong usage', async () => {
  const cwd = writeTree(tempFolder(), { 'a.csv': 'subject,title,starts\nA,One,someday\n', 'a.txt': '' });
  const bad = await runAlmanac(['import', 'a.csv', ...convert], { cwd });
  expect(bad).toMatchObject({ code: 1, stdout: '' });
  expect(bad.stderr).toContain('a.csv:2:7: found starts "someday"');
  mkdirSync(join(cwd, 'folder.ics'));
  for (const missing of ['none.ics', 'folder.ics', 'a.csv/none.ics']) {
    const run = await runAlmanac(['import', missing, ...convert, '--json'], { cwd });
    expect(run.code).toBe(1);
    expect(JSON.parse(run.stdout)).toMatchObject({ problems: [{ code: 'import-missing' }] });
  }
  expect(await runAlmanac(['import', 'a.txt', ...convert], { cwd })).toMatchObject({ code: 2 });
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
  symlinkSync(outside, join(cwd, 'data/linked'));
  for (const into of ['data/tv/linked', 'tv/linked', 'linked/deeper']) {
    const run = await runAlmanac(['import', 'x.csv', '--convert', '--into', into, ...now], { cwd });
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(/^data\/(tv\/)?linked:1:1: found a symbolic link "linked"/);
  }
  expect([...readTree(outside)]).toEqual([]);
});

test('reads an issue and a table from a link, but not from a pipe, a device or a very large file', async () => {
  const cwd = writeTree(tempFolder(), { 'x.csv': 'subject,title,starts\nA,b,2027-01-01\n', 'large.md': '' });
  symlinkSync(join(cwd, 'x.csv'), join(cwd, 'link.csv'));
  symlinkSync('/dev/zero', join(cwd, 'endless.md'));
  execFileSync('mkfifo', [join(cwd, 'pipe.md')]);
  truncateSync(join(cwd, 'large.md'), 3 * 1024 ** 3);
  expect(await runAlmanac(['import', 'link.csv', ...convert, ...now], { cwd })).toMatchObject({ code: 0 });
  for (const [file, reason] of [
    ['pipe.md', 'it is a pipe or a device, and not a regular file'],
    ['endless.md', 'it is a pipe or a device, and not a regular file'],
    ['large.md', 'it has 3,221,225,472 bytes, and at most 1,048,576 are read'],
  ] as const) {
    const run = await runAlmanac(['import', '--issue', file], { cwd });
    expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining(reason) as string });
  }
});

const german =
  'Datum;Beginn;Haus;St\u00fcck;Abgesagt;Notiz\r\n30.01.2027;19:30;Stadttheater;Faust;FALSCH;x\r\n6.2.27;;Oper;Tosca;WAHR;\r\n';
const berlin = {
  'data/service.json': { name: 'S', license: 'L', base_url: 'https://example.org', zone: 'Europe/Berlin' },
  'data/c/category.json': { name: 'C' },
  'data/c/g/genre.json': { name: 'G' },
};

test('copies a table byte for byte, with the mapping that it guesses, and says what it guessed', async () => {
  const cwd = writeTree(tempFolder(), berlin);
  const bytes = Buffer.from(`\ufeff${german}`, 'utf16le');
  writeFileSync(join(cwd, 'Spielplan 2027.csv'), bytes);
  const run = await runAlmanac(['import', 'Spielplan 2027.csv', '--into', 'data/c/g/', ...now], { cwd });
  expect(run).toEqual({
    code: 0,
    signal: null,
    stderr: '',
    stdout: `Wrote data/c/g/spielplan-2027.csv: 2 events
Wrote data/c/g/spielplan-2027.columns.json
Guessed:
  Datum is starts
  Beginn is time
  Haus is location
  St\u00fcck is title
  Abgesagt is cancelled
  dates are d.m.y
  the subject of every row is Spielplan 2027
  ignored: Notiz
Correct what is wrong in the mapping, then run almanac check
`,
  });
  expect(readFileSync(join(cwd, 'data/c/g/spielplan-2027.csv'))).toEqual(bytes);
  expect(await runAlmanac(['check', ...now], { cwd })).toMatchObject({ code: 0, stderr: '' });
});

test('copies a list of objects, and finds where in the document it is', async () => {
  const matches = [
    { day: '2027-06-11', team1: 'Reds', team2: 'Blues', ground: { name: 'Big City' } },
    { day: '2027-06-12', team1: 'Greens', team2: 'Blacks', ground: { name: 'Small City' } },
  ];
  const cwd = writeTree(tempFolder(), { ...berlin, 'Cup.json': { season: 2027, data: { matches } } });
  const run = await runAlmanac(['import', 'Cup.json', '--into', 'c/g', ...now], { cwd });
  expect(run).toEqual({
    code: 0,
    signal: null,
    stderr: '',
    stdout: `Wrote data/c/g/cup.json: 2 events
Wrote data/c/g/cup.columns.json
Guessed:
  the rows are in data.matches
  day is starts
  ground.name is location
  the title is {team1} v {team2}
  the subject of every row is Cup
Correct what is wrong in the mapping, then run almanac check
`,
  });
  expect(await runAlmanac(['check', ...now], { cwd })).toMatchObject({ code: 0, stderr: '' });
  const bad = await runAlmanac(['import', 'data/service.json', '--into', 'c/g', ...now], { cwd });
  expect([bad.code, bad.stderr]).toEqual([1, expect.stringContaining('found an object as the document; expected')]);
});

test('says what is unclear about a table, and warns about what the next check will report', async () => {
  const cwd = writeTree(tempFolder(), {
    ...berlin,
    'a.csv': 'Home,Away,Date,Time\nOwls,Hawks,01/05/2027,7:30 PM\nBears,Owls,02/06/2027,at dusk\n',
  });
  const run = await runAlmanac(['import', 'a.csv', '--into', 'c/g', '--json', ...now], { cwd });
  const { mapping, unclear, warnings, files } = JSON.parse(run.stdout) as Record<string, object[]>;
  expect(mapping).toEqual({ columns: { Date: 'starts' }, title: '{Home} v {Away}', subject: 'A', ignore: ['Time'] });
  expect(unclear).toEqual(['the order of dates: 01/05/2027 is 2027-05-01 with "d/m/y", or 2027-01-05 with "m/d/y"']);
  expect(warnings).toMatchObject([{ code: 'unclear-dates', file: 'data/c/g/a.csv', line: 2 }]);
  expect(files).toMatchObject([{ path: 'data/c/g/a.csv', events: 2 }, { path: 'data/c/g/a.columns.json' }]);
  const check = await runAlmanac(['check', ...now], { cwd });
  expect([check.code, check.stdout]).toEqual([1, expect.stringContaining('data/c/g/a.csv:2:12: found dates such as')]);
});

test('copies a table of ours, and a table with a mapping next to it, without a guess', async () => {
  const cwd = writeTree(tempFolder(), {
    ...berlin,
    'ours.csv': 'subject,title,starts,time\nClub,One,2027-01-01,19:30\n',
    'theirs.csv': 'Wer,title,Wann\nVerein,One,1.2.2027\n',
    'theirs.columns.json': { columns: { Wer: 'subject', Wann: 'starts' }, dates: 'd.m.y' },
  });
  for (const name of ['ours.csv', 'theirs.csv']) {
    expect(await runAlmanac(['import', name, '--into', 'c/g', ...now], { cwd })).toMatchObject({ code: 0, stderr: '' });
  }
  expect([...readTree(join(cwd, 'data/c/g')).keys()]).toEqual([
    'genre.json',
    'ours.csv',
    'theirs.columns.json',
    'theirs.csv',
  ]);
  const mapping = readFileSync(join(cwd, 'data/c/g/theirs.columns.json'), 'utf8');
  expect(JSON.parse(mapping)).toEqual({ columns: { Wer: 'subject', Wann: 'starts' }, dates: 'd.m.y' });
  expect(await runAlmanac(['check', ...now], { cwd })).toMatchObject({ code: 0, stderr: '' });
});

test('copies a calendar, with a file for the name that it is given', async () => {
  const cwd = writeTree(tempFolder(), { ...berlin, 'Verein.ics': club });
  const args = ['--into', 'c/g', '--name', 'Chess & Co', ...now];
  const run = await runAlmanac(['import', 'Verein.ics', ...args], { cwd });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout).toBe('Wrote data/c/g/chess-co.ics: 1 event\nWrote data/c/g/chess-co.json\n');
  expect(await runAlmanac(['check', ...now], { cwd })).toMatchObject({ code: 0, stderr: '' });
});

test('a conversion uses the zone of the genre, and the mapping next to the table', async () => {
  const cwd = writeTree(tempFolder(), {
    ...berlin,
    'a.csv': 'Datum,Wer,Was\n30.1.2027 19:30,Club,One\n',
    'a.columns.json': { columns: { Datum: 'starts', Wer: 'subject', Was: 'title' }, dates: 'd.m.y' },
  });
  expect(await runAlmanac(['import', 'a.csv', ...convert, ...now], { cwd })).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(readFileSync(join(cwd, 'data/c/g/club.json'), 'utf8'))).toEqual({
    name: 'Club',
    events: [{ title: 'One', starts: '2027-01-30T19:30' }],
  });
  expect(await runAlmanac(['check', ...now], { cwd })).toMatchObject({ code: 0, stderr: '' });
});

test('refuses a table without dates, and a place outside the genres of the data folder', async () => {
  const cwd = writeTree(tempFolder(), { ...berlin, 'a.csv': 'Name,Colour\nOne,red\n', 'b.csv': german });
  const refused = await runAlmanac(['import', 'a.csv', '--into', 'c/g', ...now], { cwd });
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('found no column "starts"') as string });
  for (const into of ['data', 'c', 'c/g/h', '../c/g', '/c/g', 'data/../../x/y', '.']) {
    const run = await runAlmanac(['import', 'b.csv', '--into', into, ...now], { cwd });
    expect([into, run.code, run.stderr]).toEqual([into, 2, expect.stringContaining('expected {category}/{genre}')]);
  }
  const without = await runAlmanac(['import', 'b.csv', ...now], { cwd });
  expect(without).toMatchObject({ code: 2, stderr: expect.stringContaining('found no --into') as string });
  expect([...readTree(cwd).keys()].filter((path) => path.endsWith('.csv'))).toEqual(['a.csv', 'b.csv']);
});

test('a path counts from the data folder, in each of its forms', async () => {
  for (const into of ['c/g', 'data/c/g', './data/c/g/', 'data\\c\\g']) {
    const cwd = writeTree(tempFolder(), { ...berlin, 'b.csv': german });
    expect(await runAlmanac(['import', 'b.csv', '--into', into, ...now], { cwd })).toMatchObject({ code: 0 });
    expect(existsSync(join(cwd, 'data/c/g/b.csv'))).toBe(true);
  }
  const cwd = writeTree(tempFolder(), { ...berlin, 'b.csv': german });
  const absolute = ['import', 'b.csv', '--into', join(cwd, 'data/c/g'), ...now];
  expect(await runAlmanac(absolute, { cwd })).toMatchObject({ code: 0 });
  for (const path of ['c/g/club', 'data/c/g/club.json', 'data/c/g/club']) {
    const run = await runAlmanac(['add', path, `Event of ${path.length}`, '2027-01-30T19:30', '--create'], { cwd });
    expect(run).toMatchObject({ code: 0, stderr: '' });
  }
  expect(await runAlmanac(['check', ...now], { cwd })).toMatchObject({ code: 0, stderr: '' });
});
