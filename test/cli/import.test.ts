import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EventsDocument } from '../../src/api/documents.ts';
import { buildSite, emptyGenre } from '../setup/build-site.ts';
import { readTree, tempFolder, writeTree } from '../setup/folders.ts';
import { writeImport } from '../../src/source/import/import.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

const now = ['--now', '2026-11-20T00:00:00Z'];
const into = ['--into', 'c/g'];

test('a dry run prints the files that it would write, and writes nothing', async () => {
  const cwd = writeTree(tempFolder(), { 'Dates of 2027.csv': 'Verein,title,starts\nClub,Match,2027-02\n' });
  const run = await runAlmanac(['import', 'Dates of 2027.csv', ...into, '--dry-run', ...now], { cwd });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout).toBe(`Would write data/c/g/dates-of-2027.csv: 1 event
Would write data/c/g/dates-of-2027.columns.json
{
  "columns": {
    "Verein": "subject"
  }
}
`);
  expect(existsSync(join(cwd, 'data'))).toBe(false);
});

test('refuses a calendar whose file Windows could not hold, or would be genre.json', async () => {
  // The problem bad-name.
  for (const [file, options, message] of [
    ['nul.ics', [], 'found the name "nul.ics"'],
    ['genre.ics', [], 'found the name "genre.ics"'],
    ['club.ics', ['--name', 'Genre'], 'found the name "genre.ics"'],
  ] as const) {
    const cwd = writeTree(tempFolder(), { [file]: calendarNamed('Club') });
    const run = await runAlmanac(['import', file, ...into, ...options, ...now], { cwd });
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining(message)]);
    expect(existsSync(join(cwd, 'data'))).toBe(false);
  }
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
])('copies the calendar %s with the options %j to %s.ics', async (file, options, id) => {
  const cwd = writeTree(tempFolder(), { [file]: club });
  const run = await runAlmanac(['import', file, ...into, ...options, ...now], { cwd });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  const names = [`${id}.ics`, ...(options.length > 0 ? [`${id}.json`] : [])];
  expect([...readTree(join(cwd, 'data/c/g')).keys()]).toEqual(names);
});

test.each([
  ['no id', 'Клуб.ics', [], 1, 'found the subject "Клуб"'],
  ['an invalid name', 'own.ics', ['--name', ' '], 1, 'name'],
  ['--column for a calendar', 'own.ics', ['--column', 'Date=starts'], 2, 'found --column for own.ics'],
  ['a column without a target', 'own.csv', ['--column', 'Date'], 2, 'found --column "Date"'],
])('refuses an import with %s', async (_, file, options, code, message) => {
  const cwd = writeTree(tempFolder(), { [file]: file === 'Клуб.ics' ? calendarNamed('Клуб') : club });
  const run = await runAlmanac(['import', file, ...into, ...options, ...now], { cwd });
  expect([run.code, run.stderr]).toEqual([code, expect.stringContaining(message)]);
  expect([...readTree(cwd).keys()]).toEqual([file]);
});

test('maps and ignores columns of a table, and takes the subject from --name', async () => {
  const cwd = writeTree(tempFolder(), { 'a.csv': 'What;a=b;Notes\nQuiz;2027-01-02 19:30Z;x\n' });
  const columns = ['--column', 'What=title', '--column', 'a=b=starts', '--column', 'Notes='];
  const run = await runAlmanac(['import', 'a.csv', ...into, '--json', '--name', 'Club', ...columns, ...now], { cwd });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(run.stdout)).toMatchObject({
    files: [{ events: 1 }, {}],
    mapping: { columns: { What: 'title', 'a=b': 'starts' }, subject: 'Club', ignore: ['Notes'] },
  });
});

test('leaves out the events that a calendar marks as private, and counts them', async () => {
  const cwd = writeTree(tempFolder(), { 'club.ics': calendarNamed('Club', 'CLASS:PRIVATE') });
  const run = await runAlmanac(['import', 'club.ics', ...into, '--dry-run', ...now], { cwd });
  expect(run.stdout).toContain('Left out 1 upcoming event marked as private (CLASS)\n');
  const json = await runAlmanac(['import', 'club.ics', ...into, '--dry-run', '--json', ...now], { cwd });
  expect(JSON.parse(json.stdout)).toMatchObject({ private: 1 });
});

test('reports a folder that is not writable', async () => {
  const cwd = writeTree(tempFolder(), { 'a.csv': 'subject,title,starts\nA,One,2027-01-02\n', 'data/c': 'a file' });
  const run = await runAlmanac(['import', 'a.csv', ...into, '--json', ...now], { cwd });
  expect(JSON.parse(run.stdout)).toMatchObject({ ok: false, problems: [{ code: 'import-failed' }] });
});

test('leaves no file behind if one of them cannot be written', () => {
  const into = writeTree(tempFolder(), { 'b.json': 'mine' });
  const files = ['a.json', 'b.json', 'c.json'].map((name) => ({ name, content: '{}\n' }));
  expect(() => writeImport({ files: files.map((one) => ({ ...one, events: null })) }, into)).toThrow('EEXIST');
  expect([...readTree(into)]).toEqual([['b.json', Buffer.from('mine')]]);
});

test('reports a missing file, and an unknown extension or not exactly one of FILE and --issue as wrong usage', async () => {
  const cwd = writeTree(tempFolder(), { 'a.doc': '', 'a.csv': '', 'a.xlsx': 'PK' });
  mkdirSync(join(cwd, 'folder.ics'));
  for (const missing of ['none.ics', 'folder.ics', 'a.csv/none.ics']) {
    const run = await runAlmanac(['import', missing, ...into, '--json'], { cwd });
    expect(run.code).toBe(1);
    expect(JSON.parse(run.stdout)).toMatchObject({ problems: [{ code: 'import-missing' }] });
  }
  for (const args of [[], ['a.csv', '--issue', 'body.md']]) {
    expect(await runAlmanac(['import', ...args], { cwd })).toMatchObject({ code: 2, stdout: '' });
  }
  const spreadsheet = await runAlmanac(['import', 'a.xlsx', ...into], { cwd });
  expect([spreadsheet.code, spreadsheet.stderr]).toEqual([2, expect.stringContaining('save the sheet as CSV')]);
  expect(await runAlmanac(['import', 'a.doc', ...into], { cwd })).toMatchObject({ code: 2 });
  expect([...readTree(cwd).keys()]).toEqual(['a.csv', 'a.doc', 'a.xlsx']);
});

test('writes nothing through a folder of the data folder that is a symbolic link', async () => {
  const cwd = writeTree(tempFolder(), { 'x.csv': 'subject,title,starts\nA,b,2027-01-01\n' });
  const outside = tempFolder();
  mkdirSync(join(cwd, 'data/tv'), { recursive: true });
  symlinkSync(outside, join(cwd, 'data/tv/linked'));
  symlinkSync(outside, join(cwd, 'data/linked'));
  for (const path of ['data/tv/linked', 'tv/linked', 'linked/deeper']) {
    const run = await runAlmanac(['import', 'x.csv', '--into', path, ...now], { cwd });
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
  expect(await runAlmanac(['import', 'link.csv', ...into, ...now], { cwd })).toMatchObject({ code: 0 });
  for (const [file, reason] of [
    ['pipe.md', 'it is a pipe or a device, and not a regular file'],
    ['endless.md', 'it is a pipe or a device, and not a regular file'],
    ['large.md', 'it has 3,221,225,472 bytes, and at most 1,048,576 are read'],
  ] as const) {
    const run = await runAlmanac(['import', '--issue', file], { cwd });
    expect(run).toMatchObject({ code: 1, stderr: `cannot read the issue: ${file}: ${reason}\n` });
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
${readFileSync(join(cwd, 'data/c/g/spielplan-2027.columns.json'), 'utf8')}Correct what is wrong in the mapping, then run almanac check
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
${readFileSync(join(cwd, 'data/c/g/cup.columns.json'), 'utf8')}Correct what is wrong in the mapping, then run almanac check
`,
  });
  expect(await runAlmanac(['check', ...now], { cwd })).toMatchObject({ code: 0, stderr: '' });
  const bad = await runAlmanac(['import', 'data/service.json', '--into', 'c/g', ...now], { cwd });
  expect([bad.code, bad.stderr]).toEqual([1, expect.stringContaining('found an object as the document; expected')]);
});

test('says what is unclear about a table, and warns about what the next check will report', async () => {
  const cwd = writeTree(tempFolder(), {
    ...berlin,
    'a.csv': 'Home,Away,Date,Time\nOwls,Hawks,01/05/2027,7:30 PM\nBears,Owls,02/06/2027,\n',
  });
  const run = await runAlmanac(['import', 'a.csv', '--into', 'c/g', '--json', ...now], { cwd });
  const { mapping, unclear, warnings, files } = JSON.parse(run.stdout) as Record<string, object[]>;
  expect(mapping).toEqual({ columns: { Date: 'starts' }, title: '{Home} v {Away}', subject: 'A' });
  expect(unclear).toMatchObject([expect.stringContaining('the problems above')]);
  expect(warnings).toMatchObject([{ code: 'unclear-dates', file: 'data/c/g/a.csv', line: 2 }]);
  expect(files).toMatchObject([{ path: 'data/c/g/a.csv', events: 2 }, { path: 'data/c/g/a.columns.json' }]);
  const check = await runAlmanac(['check', ...now], { cwd });
  expect([check.code, check.stdout]).toEqual([1, expect.stringContaining('data/c/g/a.csv:2:12: found dates such as')]);
});

test('copies a table of ours with an extension in capitals, and a table with a mapping next to it, without a guess', async () => {
  const columns = { Wer: 'subject', Wann: 'starts' };
  const theirs = { columns, dates: 'd.m.y', formerly: { verein: ['old-club'] } };
  const cwd = writeTree(tempFolder(), {
    ...berlin,
    'OURS.CSV': 'subject,title,starts,time\nClub,One,2027-01-01,19:30\n',
    'theirs.csv': 'Wer,title,Wann\nVerein,One,1.2.2027\n',
    'theirs.columns.json': theirs,
  });
  for (const name of ['OURS.CSV', 'theirs.csv']) {
    expect(await runAlmanac(['import', name, '--into', 'c/g', ...now], { cwd })).toMatchObject({ code: 0, stderr: '' });
  }
  expect([...readTree(join(cwd, 'data/c/g')).keys()]).toEqual([
    'genre.json',
    'ours.csv',
    'theirs.columns.json',
    'theirs.csv',
  ]);
  const mapping = readFileSync(join(cwd, 'data/c/g/theirs.columns.json'), 'utf8');
  expect(JSON.parse(mapping)).toEqual(theirs);
  expect(await runAlmanac(['check', ...now], { cwd })).toMatchObject({ code: 0, stderr: '' });
});

test('replaces a calendar that is imported again, and keeps the file for its name', async () => {
  const cwd = writeTree(tempFolder(), { ...berlin, 'chess.ics': club });
  const metadata = '{ "name": "Chess", "url": "https://example.org/" }\n';
  writeTree(cwd, { 'data/c/g/chess.ics': 'an earlier export', 'data/c/g/chess.json': metadata });
  const run = await runAlmanac(['import', 'chess.ics', ...into, '--name', 'Chess', ...now], { cwd });
  expect(run).toMatchObject({ code: 0, stdout: 'Replaced data/c/g/chess.ics: 1 event\n', stderr: '' });
  expect(readFileSync(join(cwd, 'data/c/g/chess.ics'), 'utf8')).toBe(club);
  expect(readFileSync(join(cwd, 'data/c/g/chess.json'), 'utf8')).toBe(metadata);
});

test('refuses a list of objects whose file would replace a subject', async () => {
  const cwd = writeTree(tempFolder(), { ...berlin, 'club.json': [{ title: 'One', starts: '2027-01-02' }] });
  writeTree(cwd, { 'data/c/g/club.json': 'mine' });
  const run = await runAlmanac(['import', 'club.json', ...into, '--json', ...now], { cwd });
  expect(run.code).toBe(1);
  expect(JSON.parse(run.stdout)).toMatchObject({ ok: false, problems: [{ code: 'import-exists' }] });
  expect(readFileSync(join(cwd, 'data/c/g/club.json'), 'utf8')).toBe('mine');
});

test('refuses a table without dates, and a place outside the genres of the data folder', async () => {
  const cwd = writeTree(tempFolder(), { ...berlin, 'a.csv': 'Name,Colour\nOne,red\n', 'b.csv': german });
  const refused = await runAlmanac(['import', 'a.csv', '--into', 'c/g', ...now], { cwd });
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('found no column of dates') as string });
  for (const place of ['data', 'c', 'c/g/h', '../c/g', '/c/g', 'data/../../x/y', '.']) {
    const run = await runAlmanac(['import', 'b.csv', '--into', place, ...now], { cwd });
    expect([place, run.code, run.stderr]).toEqual([place, 2, expect.stringContaining('expected CATEGORY/GENRE')]);
  }
  const without = await runAlmanac(['import', 'b.csv', ...now], { cwd });
  expect(without).toMatchObject({ code: 2, stderr: expect.stringContaining('found no --into') as string });
  expect([...readTree(cwd).keys()].filter((path) => path.endsWith('.csv'))).toEqual(['a.csv', 'b.csv']);
});

test('a path counts from the data folder, in each of its forms', async () => {
  for (const place of ['c/g', 'data/c/g', './data/c/g/', 'data\\c\\g']) {
    const cwd = writeTree(tempFolder(), { ...berlin, 'b.csv': german });
    expect(await runAlmanac(['import', 'b.csv', '--into', place, ...now], { cwd })).toMatchObject({ code: 0 });
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

const weekly = 'Datum;Was;Notiz\n30.01.2027;Lesung;x\n';

test('the same import again replaces the table and keeps the mapping', async () => {
  const cwd = writeTree(tempFolder(), { ...berlin, 'Programm.tsv': weekly });
  expect(await runAlmanac(['import', 'Programm.tsv', ...into, ...now], { cwd })).toMatchObject({ code: 0 });
  const mapping = { columns: { Datum: 'starts', Was: 'title' }, dates: 'd.m.y', subject: 'Club', ignore: ['Notiz'] };
  writeTree(cwd, { 'data/c/g/programm.columns.json': mapping, 'Programm.tsv': weekly.replace('30', '31') });
  const again = await runAlmanac(['import', 'Programm.tsv', ...into, ...now], { cwd });
  expect(again).toMatchObject({ code: 0, stdout: 'Replaced data/c/g/programm.csv: 1 event\n', stderr: '' });
  expect(readFileSync(join(cwd, 'data/c/g/programm.csv'), 'utf8')).toContain('31.01.2027');
  expect(JSON.parse(readFileSync(join(cwd, 'data/c/g/programm.columns.json'), 'utf8'))).toEqual(mapping);
  // A new column is a warning.
  writeTree(cwd, { 'Programm.tsv': 'Datum;Was;Notiz;Eintritt\n01.02.2027;Lesung;x;5\n' });
  const wider = await runAlmanac(['import', 'Programm.tsv', ...into, ...now], { cwd });
  expect(wider).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('found unknown columns: "Eintritt"') as string,
  });
  // A table that its mapping does not read replaces nothing.
  writeTree(cwd, { 'Programm.tsv': 'Tag;Was\n01.03.2027;Lesung\n' });
  const renamed = await runAlmanac(['import', 'Programm.tsv', ...into, ...now], { cwd });
  expect(renamed).toMatchObject({ code: 1, stderr: expect.stringContaining('found no column "Datum"') as string });
  expect(readFileSync(join(cwd, 'data/c/g/programm.csv'), 'utf8')).toContain('01.02.2027');
});

test.each([
  ['Shw=subject', 'found no column "Shw"; the first line names "Show", "Title", "Date"; '],
  ['Show=subjekt', 'found Show "subjekt"; expected one of subject, '],
])('refuses --column %s, and writes nothing', async (column, message) => {
  const cwd = writeTree(tempFolder(), { ...berlin, 'shows.csv': 'Show,Title,Date\nA,Pilot,2027-02-01\n' });
  const run = await runAlmanac(['import', 'shows.csv', ...into, '--column', column, ...now], { cwd });
  expect(run).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(message) as string });
  expect(existsSync(join(cwd, 'data/c/g/shows.csv'))).toBe(false);
});

test("imports almanac's own events.csv with the same dates, times and places", async () => {
  const zone = 'Europe/Vienna';
  const own = {
    Day: '2027-01-02',
    Fair: { starts: '2027-02-03', ends: '2027-02-05' },
    Concert: { starts: '2027-03-04T20:00', ends: '2027-03-05T01:00', zone, location: { name: 'Hall', country: 'AT' } },
    Finale: { starts: '2027-03-05T20:00', zone },
    Launch: { starts: '2027-03-06T20:00Z', ends: '2027-03-06T21:30Z' },
    Landing: { starts: '2027-03-07T20:00:30Z' },
  };
  const recordsIn = (site: string) => {
    const { events } = JSON.parse(readFileSync(join(site, 'api/v1/events.json'), 'utf8')) as EventsDocument;
    return events.map(({ title, starts_at, ends_at, date, end_date, zone: of, precision, location }) => {
      return { title, starts_at, ends_at, date, end_date, zone: of, precision, location };
    });
  };
  const site = await buildSite({ 'c/g/club': own }, '2026-11-20T00:00:00Z');
  const cwd = tempFolder();
  writeTree(join(cwd, 'data'), emptyGenre('c/g'));
  const run = await runAlmanac(['import', join(site, 'api/v1/events.csv'), ...into, ...now], { cwd });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(await runAlmanac(['build', ...now], { cwd })).toMatchObject({ code: 0, stderr: '' });
  expect(recordsIn(join(cwd, 'dist'))).toEqual(recordsIn(site));
});

test('writes --zone into the mapping of a table, and refuses it for a calendar or if it is unknown', async () => {
  const cwd = writeTree(tempFolder(), { ...berlin, 'a.csv': 'title,starts\nOne,2027-01-02T20:00\n', 'club.ics': club });
  const zone = (name: string, file = 'a.csv') => runAlmanac(['import', file, ...into, '--zone', name, ...now], { cwd });
  expect(await zone('Asia/Tokyo')).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(readFileSync(join(cwd, 'data/c/g/a.columns.json'), 'utf8'))).toMatchObject({ zone: 'Asia/Tokyo' });
  expect(await zone('MEZ')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('found the zone "MEZ"') as string,
  });
  expect(await zone('UTC', 'club.ics')).toMatchObject({ code: 2, stderr: expect.stringContaining('--zone') as string });
});

test('reads a calendar that is not UTF-8 as Windows-1252, with a warning', async () => {
  const cwd = writeTree(tempFolder(), berlin);
  writeFileSync(join(cwd, 'club.ics'), Buffer.from(calendarNamed('Caf\xe9'), 'latin1'));
  const run = await runAlmanac(['import', 'club.ics', ...into, ...now], { cwd });
  expect([run.code, run.stderr]).toEqual([0, expect.stringContaining('read them as Windows-1252')]);
  const check = await runAlmanac(['check', ...now], { cwd });
  expect(check).toMatchObject({ code: 0, stderr: expect.stringContaining('read them as Windows-1252') as string });
});
