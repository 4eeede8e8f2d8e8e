import * as fc from 'fast-check';
import { readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { languages } from '../../src/catalogue/model.ts';
import { issueForm } from '../../src/source/issue.ts';
import { insertEvent } from '../../src/source/json/syntax.ts';
import { readTree, tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac, type Run } from '../setup/run-almanac.ts';

const clubText = `{
  "name": "Chess club",
  "events": [
    { "title": "Open day", "starts": "2027-05-08" }
  ]
}
`;

function catalogue(club: string = clubText): string {
  return writeTree(tempFolder(), {
    'data/service.json': { name: 'Almanac', license: 'None', base_url: 'https://example.org' },
    'data/sports/category.json': { name: 'Sports' },
    'data/sports/chess/genre.json': { name: 'Chess' },
    'data/sports/chess/club.json': club,
  });
}

async function add(cwd: string, ...args: string[]): Promise<Run> {
  return runAlmanac(['add', ...args], { cwd });
}

interface Found {
  readonly code: string;
  readonly file: string | null;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

const readClub = (cwd: string): string => readFileSync(join(cwd, 'data/sports/chess/club.json'), 'utf8');

describe('almanac add', () => {
  test('adds an event at the end of its subject and changes nothing else', async () => {
    const cwd = catalogue();
    const run = await add(cwd, 'sports/chess/club', 'Final', '2027-05-09T19:30', '--zone', 'Europe/Berlin');
    expect(run).toMatchObject({ code: 0, stdout: 'Wrote data/sports/chess/club.json\n', stderr: '' });
    const added = '{ "title": "Final", "starts": "2027-05-09T19:30", "zone": "Europe/Berlin" }';
    expect(readClub(cwd)).toBe(clubText.replace('05-08" }', `05-08" },\n    ${added}`));
  });

  test.each([
    ['one line', '{"name":"Club","events":[]}\n', '{"name":"Club","events":[{"title":"A","starts":"2027"}]}\n'],
    [
      'several lines for each event, and tabs',
      '{\n\t"name": "Club",\n\t"events": [\n\t\t{\n\t\t\t"title": "B",\n\t\t\t"starts": "2028"\n\t\t}\n\t]\n}\n',
      '{\n\t"name": "Club",\n\t"events": [\n\t\t{\n\t\t\t"title": "B",\n\t\t\t"starts": "2028"\n\t\t},\n\t\t{\n\t\t\t"title": "A",\n\t\t\t"starts": "2027"\n\t\t}\n\t]\n}\n',
    ],
    [
      'CRLF',
      '{\r\n  "name": "Club",\r\n  "events": [\r\n    { "title": "B", "starts": "2028" }\r\n  ]\r\n}\r\n',
      '{\r\n  "name": "Club",\r\n  "events": [\r\n    { "title": "B", "starts": "2028" },\r\n    { "title": "A", "starts": "2027" }\r\n  ]\r\n}\r\n',
    ],
  ])('keeps the formatting of a file with %s', async (_, before, after) => {
    const cwd = catalogue(before);
    expect(await add(cwd, 'sports/chess/club', 'A', '2027')).toMatchObject({ code: 0, stderr: '' });
    expect(readClub(cwd)).toBe(after);
  });

  test('creates a subject, its genre and its category if asked', async () => {
    const cwd = catalogue();
    const run = await add(cwd, 'arts/board-games/essen', 'Fair', '2027-10', '--create');
    expect(run).toMatchObject({ code: 0, stderr: '' });
    const files = readTree(join(cwd, 'data/arts'));
    expect(
      Object.fromEntries(Array.from(files, ([path, text]) => [path, JSON.parse(String(text)) as unknown])),
    ).toEqual({
      'category.json': { name: 'Arts' },
      'board-games/genre.json': { name: 'Board games' },
      'board-games/essen.json': { name: 'Essen', events: [{ title: 'Fair', starts: '2027-10' }] },
    });
    expect(await runAlmanac(['check'], { cwd })).toMatchObject({ code: 0 });
  });

  test.each<[string, string, number, string]>([
    ['no arguments', '', 2, 'usage'],
    ['no title', 'sports/chess/club', 2, 'usage'],
    ['no start', 'sports/chess/club Final', 2, 'usage'],
    ['half a subject', 'club Final 2027', 2, 'usage'],
    ['a path in the subject', 'sports/chess/../club Final 2027', 2, 'usage'],
    ['a subject that is not a valid id', 'sports/chess/Club Final 2027', 1, 'bad-name'],
    ['an unknown genre', 'sports/ches/club Final 2027', 1, 'folder-missing: did you mean "sports/chess"?'],
    ['an unknown subject', 'sports/chess/clubs Final 2027', 1, 'folder-missing: did you mean "club"?'],
    ['an id that is already used', 'sports/chess/club Open-day 2027', 1, 'duplicate-id 5:16'],
    ['a wrong date', 'sports/chess/club Final 2027-02-30', 1, 'no-such-date 5:35'],
  ])('refuses %s and writes nothing', async (_, args, code, found) => {
    const cwd = catalogue();
    const before = readTree(cwd);
    const run = await add(cwd, '--json', ...args.split(' ').filter((arg) => arg !== ''));
    const { problems } = JSON.parse(run.stdout) as { problems: readonly Found[] };
    const [hint = ''] = /did you mean .*\?/.exec(problems[0]?.message ?? '') ?? [];
    const shown = problems.map((one) => one.code + (one.file === null ? '' : ` ${one.line}:${one.column}`));
    expect([run.code, shown.join() + (hint === '' ? '' : `: ${hint}`)]).toEqual([code, found]);
    expect(readTree(cwd)).toEqual(before);
  });

  test('refuses a subject that a calendar or a remote source defines', async () => {
    const cwd = catalogue();
    rmSync(join(cwd, 'data/sports/chess/club.json'));
    writeFileSync(join(cwd, 'data/sports/chess/club.ics'), 'BEGIN:VCALENDAR\nEND:VCALENDAR\n');
    const run = await add(cwd, 'sports/chess/club', 'Final', '2027', '--create');
    expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('data/sports/chess/club.ics') as string });
  });

  test.each([
    ['sports', 'sports/chess/club'],
    ['sports/chess', 'sports/chess/club'],
    ['sports/chess/club.json', 'sports/chess/club'],
  ])('refuses a data folder in which %s is a symbolic link, and writes nothing', async (link, subject) => {
    const cwd = catalogue();
    const outside = join(tempFolder(), 'outside');
    renameSync(join(cwd, 'data', link), outside);
    symlinkSync(outside, join(cwd, 'data', link));
    const before = [readTree(dirname(outside)), readTree(cwd)];
    const run = await add(cwd, subject, 'Final', '2027', '--create');
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(new RegExp(`^data/${link}:1:1: found a symbolic link`));
    expect([readTree(dirname(outside)), readTree(cwd)]).toEqual(before);
  });

  test('loses no event if many are added at once', async () => {
    const cwd = catalogue();
    const titles = Array.from({ length: 20 }, (_, index) => `Round ${index}`);
    const runs = await Promise.all(titles.map(async (title) => add(cwd, 'sports/chess/club', title, '2027')));
    expect(runs.filter(({ code }) => code !== 0)).toEqual([]);
    const { events } = JSON.parse(readClub(cwd)) as { events: { title: string }[] };
    expect(events.map(({ title }) => title).toSorted()).toEqual(['Open day', ...titles].toSorted());
    expect([...readTree(join(cwd, 'data')).keys()]).toHaveLength(4);
  });

  test('--json - reads the event from stdin, with any of its fields', async () => {
    const event = { title: 'Final', starts: '2027-05-09', tags: ['open-air'], organizer: { name: 'Club' } };
    const cwd = catalogue(clubText.replace('"starts": "2027-05-08" }', '"starts": "2027-05-08", "tags": ["a"] }'));
    const before = readClub(cwd);
    const input = JSON.stringify({ subject: 'sports/chess/club', ...event });
    const run = await runAlmanac(['add', '--json', '-'], { cwd, input });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    const text = readClub(cwd);
    expect(JSON.parse(run.stdout)).toEqual({ ok: true, files: [{ path: 'data/sports/chess/club.json', text }] });
    const added = '{ "title": "Final", "starts": "2027-05-09", "tags": ["open-air"], "organizer": { "name": "Club" } }';
    expect(text).toBe(before.replace('["a"] }', `["a"] },\n    ${added}`));
    const other = await runAlmanac(['add', 'sports/chess/new', '--json', '--create', '-'], {
      cwd,
      input: JSON.stringify({ name: 'New club', title: 'Start', starts: '2027' }),
    });
    expect(other).toMatchObject({ code: 0 });
    expect(readFileSync(join(cwd, 'data/sports/chess/new.json'), 'utf8')).toContain('"name": "New club"');
  });

  test.each([
    ['nothing', '', 2, 'usage'],
    ['a list', '[]', 2, 'usage'],
    ['no subject', '{"title":"A","starts":"2027"}', 2, 'usage'],
    ['an unknown key', '{"subject":"sports/chess/club","title":"A","starts":"2027","loc":"B"}', 1, 'unknown-key'],
  ])('--json - reports %s in one document', async (_, input, exit, code) => {
    const cwd = catalogue();
    const run = await runAlmanac(['add', '--json', '-'], { cwd, input });
    expect(run).toMatchObject({ code: exit, stderr: '' });
    expect(JSON.parse(run.stdout)).toMatchObject({ ok: false, problems: [{ code }] });
    expect(readClub(cwd)).toBe(clubText);
  });

  test('what it writes has the same events as before, and the new one', () => {
    const text = fc.string({ minLength: 1 });
    const event = fc.record(
      { title: text, starts: text, tags: fc.array(text), organizer: fc.record({ name: text }) },
      { requiredKeys: ['title'] },
    );
    const subject = fc.record({ name: text, aliases: fc.array(text), events: fc.array(event) });
    const indent = fc.constantFrom(undefined, 1, 2, '\t');
    fc.assert(
      fc.property(subject, event, indent, (before, added, space) => {
        const written = insertEvent(`${JSON.stringify(before, null, space)}\n`, added);
        expect(JSON.parse(written)).toEqual({ ...before, events: [...before.events, added] });
        expect(written.endsWith('}\n')).toBe(true);
      }),
    );
  });
});

describe('almanac import --issue', () => {
  const form = (fields: Readonly<Record<string, string>>): string =>
    Object.entries(fields)
      .map(([label, answer]) => `### ${label}\r\n\r\n${answer}\r\n\r\n`)
      .join('');
  const filled = {
    Title: 'Chess final',
    When: '9 May 2027, 19:30',
    Where: '_No response_',
    Link: '',
    Genre: 'Chess',
    'Anything else': '_No response_',
  };

  const zonedCatalogue = (): string =>
    writeTree(catalogue(), {
      'data/service.json': { name: 'A', license: 'None', base_url: 'https://example.org', zone: 'Europe/Berlin' },
    });

  async function importIssue(cwd: string, body: string, ...args: string[]): Promise<Run> {
    writeFileSync(join(cwd, 'body.md'), body);
    const run = await runAlmanac(['import', '--issue', 'body.md', ...args], { cwd });
    rmSync(join(cwd, 'body.md'));
    return run;
  }

  const written = (cwd: string): unknown =>
    JSON.parse(readFileSync(join(cwd, 'data/sports/chess/chess-final.json'), 'utf8')) as unknown;

  test('adds the event of a filled-in form to a new subject', async () => {
    const cwd = zonedCatalogue();
    const given = { Where: 'Town hall', Link: 'https://example.org/final', 'Anything else': 'Free.\n\nBring a board.' };
    const run = await importIssue(cwd, `Thanks!\n\n${form({ ...filled, ...given })}`);
    expect(run).toMatchObject({ code: 0, stdout: 'Wrote data/sports/chess/chess-final.json\n', stderr: '' });
    const event = { title: 'Chess final', starts: '2027-05-09T19:30', location: 'Town hall' };
    const more = { url: 'https://example.org/final', description: 'Free.\n\nBring a board.' };
    expect(written(cwd)).toEqual({ name: 'Chess final', events: [{ ...event, ...more }] });
  });

  test.each(['将棋の大会', 'A title of more than sixty-four characters, which is longer than any id may be'])(
    'gives an id to %s, whose letters give none',
    async (Title) => {
      const cwd = zonedCatalogue();
      const run = await importIssue(cwd, form({ ...filled, Title }));
      expect(run).toMatchObject({ code: 0, stderr: '' });
      expect(await runAlmanac(['check', '--now', '2026-11-20T12:17:00Z'], { cwd })).toMatchObject({ code: 0 });
    },
  );

  test.each([
    ['9. Mai 2027, 19:30 - 22 Uhr', { starts: '2027-05-09T19:30', ends: '22:00' }],
    ['5-8 May 2027', { starts: '2027-05-05', ends: '2027-05-08' }],
    ['13/05/2027', { starts: '2027-05-13' }],
    ['May 2027', { starts: '2027-05' }],
    ['2027-Q3', { starts: '2027-Q3' }],
  ])('reads %s as tables do', async (When, moments) => {
    const cwd = zonedCatalogue();
    expect(await importIssue(cwd, form({ ...filled, When }))).toMatchObject({ code: 0, stderr: '' });
    expect(written(cwd)).toMatchObject({ events: [{ title: 'Chess final', ...moments }] });
  });

  test('keeps a time in the description if the catalogue has no zone', async () => {
    const cwd = catalogue();
    const When = '9 May 2027, 19:30 - 22:00';
    const run = await importIssue(cwd, form({ ...filled, When, 'Anything else': 'Free.' }));
    expect(run).toMatchObject({ code: 0, stderr: '' });
    const event = { title: 'Chess final', starts: '2027-05-09', description: '19:30–22:00\n\nFree.' };
    expect(written(cwd)).toMatchObject({ events: [event] });
  });

  test.each(languages)('reads the form in the language %s', async (language) => {
    const labels = Array.from(issueForm(language).matchAll(/ label: (".*")$/gm), ([, text = '']) => JSON.parse(text));
    const answers = Object.values(filled).map((answer, index) => [labels[index], answer]);
    expect(labels).toHaveLength(Object.keys(filled).length);
    expect(await importIssue(zonedCatalogue(), form(Object.fromEntries(answers)))).toMatchObject({
      code: 0,
      stderr: '',
    });
  });

  test('--dry-run shows what it would write, and writes nothing', async () => {
    const cwd = zonedCatalogue();
    const run = await importIssue(cwd, form({ ...filled, Title: 'Club' }), '--dry-run');
    expect(run).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Would write .*club\.json\n\{/) as string });
    expect(readClub(cwd)).toBe(clubText);
  });

  test.each<[string, string, string]>([
    ['not a filled-in form', 'Please add my event.', 'bad-issue: found no "Title"'],
    [
      'a form with a heading twice',
      form(filled) + form({ Titel: 'Other' }),
      'bad-issue: found the heading "Titel" twice',
    ],
    ['a form with an unknown genre', form({ ...filled, Genre: '../../etc' }), 'bad-issue: found the genre "../../etc"'],
    [
      'a form with control characters',
      form({ ...filled, Title: 'a\u0007b' }),
      'control-character: found the control character U+0007',
    ],
    [
      'a form with an invalid date',
      form({ ...filled, When: 'next Friday' }),
      'bad-issue: found the date "next Friday"',
    ],
    [
      'a form with a date of two readings',
      form({ ...filled, When: '05/09/2027' }),
      'bad-issue: found the date "05/09/2027", which has two',
    ],
    ['a form without https', form({ ...filled, Link: 'javascript:x' }), 'bad-value: found url "javascript:x"'],
  ])('refuses a body that is %s and writes nothing', async (_, body, message) => {
    const cwd = zonedCatalogue();
    const before = readTree(cwd);
    const run = await importIssue(cwd, body, '--json');
    const { problems } = JSON.parse(run.stdout) as { problems: readonly Found[] };
    const shown = problems.map(
      (one) => `${one.code}: ${one.message.replace(/^cannot read the issue: |^.*?(?=found)/, '')}`,
    );
    expect([run.code, shown]).toEqual([1, [expect.stringContaining(message)]]);
    expect(readTree(cwd)).toEqual(before);
  });

  test.each(['../../etc/passwd', '/etc/passwd', 'C:\\x', 'a/../b', 'AC/DC', 'St. Pauli ...'])(
    'never takes the title %s for a path',
    async (Title) => {
      const cwd = zonedCatalogue();
      const { stdout } = await importIssue(cwd, form({ ...filled, Title }));
      expect(stdout).toMatch(/^Wrote data\/sports\/chess\/[a-z0-9-]+\.json\n$/);
    },
  );
});
