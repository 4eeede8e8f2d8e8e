import * as fc from 'fast-check';
import { readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { languages } from '../../src/catalogue/model.ts';
import { issueForm } from '../../src/authoring/issue.ts';
import { insertEvent } from '../../src/readers/schema/json-syntax.ts';
import { acquireLock } from '../../src/system/lock.ts';
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

const readClub = (cwd: string): string =>
  readFileSync(join(cwd, 'data/sports/chess/club.json'), 'utf8');

describe('almanac add', () => {
  test.each([
    ['sports', 'sports/chess/club'],
    ['sports/chess', 'sports/chess/club'],
    ['sports/chess/club.json', 'sports/chess/club'],
  ])(
    'refuses a data folder in which %s is a symbolic link, and writes nothing',
    async (link, subject) => {
      const cwd = catalogue();
      const outside = join(tempFolder(), 'outside');
      renameSync(join(cwd, 'data', link), outside);
      symlinkSync(outside, join(cwd, 'data', link));
      const before = [readTree(dirname(outside)), readTree(cwd)];
      const run = await add(cwd, subject, 'Final', '2027', '--create');
      expect(run).toMatchObject({ code: 1, stdout: '' });
      expect(run.stderr).toMatch(new RegExp(`^data/${link}:1:1: found a symbolic link`));
      expect([readTree(dirname(outside)), readTree(cwd)]).toEqual(before);
    },
  );

  test('gives up, with the code data-busy, while another almanac changes the data folder', async () => {
    const cwd = catalogue();
    const lock = acquireLock(join(cwd, 'data/.edit.lock'));
    const run = await add(cwd, 'sports/chess/club', 'Final', '2027', '--json');
    expect(JSON.parse(run.stdout)).toMatchObject({ problems: [{ code: 'data-busy' }] });
    expect(readClub(cwd)).toBe(clubText);
    if ('release' in lock) lock.release();
    expect(await add(cwd, 'sports/chess/club', 'Final', '2027')).toMatchObject({ code: 0 });
  });

  test('loses no event if many are added at once', async () => {
    const cwd = catalogue();
    const titles = Array.from({ length: 20 }, (_, index) => `Round ${index}`);
    const runs = await Promise.all(
      titles.map(async (title) => add(cwd, 'sports/chess/club', title, '2027')),
    );
    expect(runs.filter(({ code }) => code !== 0)).toEqual([]);
    const { events } = JSON.parse(readClub(cwd)) as { events: { title: string }[] };
    expect(events.map(({ title }) => title).toSorted()).toEqual(['Open day', ...titles].toSorted());
    expect([...readTree(join(cwd, 'data')).keys()]).toHaveLength(4);
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
      'data/service.json': {
        name: 'A',
        license: 'None',
        base_url: 'https://example.org',
        zone: 'Europe/Berlin',
      },
    });

  async function importIssue(cwd: string, body: string, ...args: string[]): Promise<Run> {
    writeFileSync(join(cwd, 'body.md'), body);
    const run = await runAlmanac(['import', '--issue', 'body.md', ...args], { cwd });
    rmSync(join(cwd, 'body.md'));
    return run;
  }

  test.each(languages)('reads the form in the language %s', async (language) => {
    const labels = Array.from(issueForm(language).matchAll(/ label: (".*")$/gm), ([, text = '']) =>
      JSON.parse(text),
    );
    const answers = Object.values(filled).map((answer, index) => [labels[index], answer]);
    expect(labels).toHaveLength(Object.keys(filled).length);
    expect(await importIssue(zonedCatalogue(), form(Object.fromEntries(answers)))).toMatchObject({
      code: 0,
      stderr: '',
    });
  });

  test('refuses control characters', async () => {
    const cwd = zonedCatalogue();
    const run = await importIssue(cwd, form({ ...filled, Title: 'a\u0007b' }), '--json');
    expect(JSON.parse(run.stdout)).toMatchObject({ problems: [{ code: 'control-character' }] });
    expect([...readTree(cwd).keys()]).toHaveLength(4);
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
