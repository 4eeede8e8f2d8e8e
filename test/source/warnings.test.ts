import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { emptyGenre } from '../setup/build-site.ts';
import { tempFolder, writeTree, type Tree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

/*
 * Warnings about valid data that is probably a mistake.
 */
const now = '2026-11-20T12:17:00Z';
const catalogue = {
  ...emptyGenre('data/tv/drama'),
};

interface Reported {
  readonly code: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** Runs `check` and `build`, which must agree. Returns the warnings as `code path:line:column message`. */
async function warningsOf(files: Tree): Promise<string[]> {
  const named = Object.entries(files).map(([name, content]) => [`data/tv/drama/${name}`, content]);
  const cwd = writeTree(tempFolder(), { ...catalogue, ...Object.fromEntries(named) });
  const run = async (...args: string[]) => runAlmanac([...args, '--now', now], { cwd });
  const [check, build] = [await run('check', '--json'), await run('build', '--json')];
  const { problems, warnings = [] } = JSON.parse(check.stdout) as { problems: unknown; warnings?: Reported[] };
  expect({ code: check.code, problems }).toEqual({ code: 0, problems: [] });
  expect((JSON.parse(build.stdout) as { warnings?: Reported[] }).warnings ?? []).toEqual(warnings);
  const lines = warnings.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`);
  for (const command of ['check', 'build']) {
    const { code, stderr } = await run(command);
    expect([code, stderr]).toEqual([0, lines.map((line) => `warning: ${line}\n`).join('')]);
    expect(await run(command, '--quiet')).toMatchObject({ code: 0, stderr: '' });
    const out = command === 'build' ? ['--out', 'strict'] : [];
    const strict = await run(command, '--strict', '--json', ...out);
    const failed = { code: 1, stdout: { ok: false, problems: warnings } };
    const whole = { code: 0, stdout: { ok: true } };
    expect({ ...strict, stdout: JSON.parse(strict.stdout) }).toMatchObject(warnings.length > 0 ? failed : whole);
  }
  expect(readdirSync(cwd).includes('strict')).toBe(warnings.length === 0);
  return warnings.map(
    ({ code, file, line, column }) => `${code} ${file.slice('data/tv/drama/'.length)}:${line}:${column}`,
  );
}

const subject = (...starts: string[]): object => {
  return { name: 'S', events: starts.map((start, index) => ({ title: `Event ${index}`, starts: start })) };
};
const calendar = (...lines: string[]): string => {
  const events = lines.map((line, index) => `BEGIN:VEVENT\nUID:${index}\nSUMMARY:E\n${line}\nEND:VEVENT\n`);
  return `BEGIN:VCALENDAR\n${events.join('')}END:VCALENDAR\n`;
};

test('warns about a file whose events have all passed, in each format', async () => {
  expect(
    await warningsOf({
      'a.json': subject('2026-01-01', '2025-01-01T20:00Z'),
      'b.ics': calendar('DTSTART:20260101T200000Z', 'DTSTART:20200101T200000Z\nRRULE:FREQ=DAILY;COUNT=3'),
      'c.csv': 'subject,title,starts\nX,E,2026-01-01\nY,E,2026-01-02\n',
    }),
  ).toEqual(['all-past a.json:1:1', 'all-past b.ics:1:1', 'all-past c.csv:1:1']);
});

test('does not warn about a file with an upcoming, a cancelled or an announced event, or without events', async () => {
  const cancelled = { title: 'C', starts: '2027-01-01', cancelled: true };
  expect(
    await warningsOf({
      'a.json': subject('2026-01-01', '2026-11-20'),
      'b.json': subject('2026-01-01', '2027-03'),
      'c.json': { name: 'C', events: [{ title: 'Past', starts: '2026-01-01' }, cancelled] },
      'd.json': { name: 'D', events: [] },
      'e.ics': calendar('DTSTART:20200101T200000Z\nRRULE:FREQ=MONTHLY'),
      'f.ics': calendar('DTSTART:20300101T200000Z\nRRULE:FREQ=MONTHLY'),
      'g.csv': 'subject,title,starts\nX,E,2026-01-01\nY,E,2027-01-02\n',
    }),
  ).toEqual([]);
});

test('warns once per file about events more than five years ahead, at the first such start', async () => {
  const escaped =
    '{ "name": "S", "events": [\n  { "title": "Not \\"starts\\": 1", "starts": "2027-01-01", "extra": { "starts": "8 pm" } },\n';
  expect(
    await warningsOf({
      'a.json': `${escaped}  { "starts" : "2207-05-08", "title": "T" }, { "title": "U", "starts": "2208-01-01" }\n] }\n`,
      'b.ics': calendar('DTSTART:20270101T200000Z', 'DTSTART:22070101T200000Z'),
      'c.csv': 'subject,title,starts\nX,E,2027-01-01\nY,E,2207-01-02\nX,F,2207-01-02\n',
      'd.json': subject('2031-11-20', '2031-11-20T12:17Z'),
      'e.json': subject('2031-11-20T12:17:01Z'),
    }),
  ).toEqual(['far-ahead a.json:3:16', 'far-ahead b.ics:10:1', 'far-ahead c.csv:3:5', 'far-ahead e.json:1:51']);
});

test('does not warn about a start far ahead that others lead up to, or that says far_ahead', async () => {
  const halley = { title: 'Perihelion', starts: '2061-07-28', far_ahead: true };
  expect(
    await warningsOf({
      'a.json': subject(
        '2061-01-01',
        '2029-01-01',
        '2033-12-31',
        '2038-12-31',
        '2043-12-31',
        '2048-12',
        '2053',
        '2058-01-01',
      ),
      'b.json': { name: 'B', events: [halley] },
      'c.json': subject('2029-01-01', '2034-01-02'),
      'd.csv': 'subject,title,starts,far_ahead\nD,Perihelion,2061-07-28,yes\n',
    }),
  ).toEqual(['far-ahead c.json:1:93']);
});

test('warns about one start that is over for years while the others are ahead, and names the year that it may mean', async () => {
  const files = {
    'a.json': subject('2027-01-10', '2017-03-18', '2027-06-01'),
    'b.csv': 'subject,title,starts\nX,E,2027-09-01\nX,F,2026-11-01\nX,G,2025-04-01\nX,H,2027-05-01\n',
  };
  expect(await warningsOf(files)).toEqual(['year-behind a.json:1:93', 'year-behind b.csv:4:5']);
  const cwd = writeTree(tempFolder(), { ...catalogue, 'data/tv/drama/a.json': files['a.json'] });
  const { stderr } = await runAlmanac(['check', '--now', now], { cwd });
  expect(stderr).toContain('starts "2017-03-18" is years before the other events of this subject; did you mean 2027?');
});

test('does not warn about a past that is a history, recent, or that no other year would put among the others', async () => {
  expect(
    await warningsOf({
      'a.json': subject('2017-03-18', '2018-03-18', '2027-01-10', '2027-06-01'),
      'b.json': subject('2025-12-01', '2027-01-10', '2027-06-01'),
      'c.json': subject('2017-03-18', '2027-06-01'),
      'd.json': subject('2017-03-18', '2027-06-01', '2027-07-01'),
      'e.json': subject('2017-03-18', '2026-10-01', '2027-03-01'),
    }),
  ).toEqual([]);
});

test('prints the first three of many equal problems, the number of the others, and what ends all of them', async () => {
  const clocks = Array.from(
    { length: 62 },
    (_, index) => `2027-01-${10 + (index % 20)}T${10 + Math.floor(index / 20)}:00`,
  );
  const empty = Array.from({ length: 7 }, () => 'X,,2027-01-01\n');
  const cwd = writeTree(tempFolder(), {
    ...catalogue,
    'data/tv/drama/a.json': subject(...clocks),
    'data/tv/drama/b.csv': `subject,title,starts\n${empty.join('')}`,
  });
  const { stdout } = await runAlmanac(['check', '--now', now], { cwd });
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.replace(/(?<=: found (?:the|an)).*/, '…')),
  ).toEqual([
    ...Array.from(
      { length: 3 },
      () => expect.stringMatching(/^data\/tv\/drama\/a\.json:1:\d+: found the…$/) as unknown,
    ),
    ...['2', '3', '4'].map((line) => `data/tv/drama/b.csv:${line}:3: found an…`),
    '59 more: found clock times without a zone; "zone" in service.json, genre.json or their file gives all of them one',
    '4 more: found an…',
    '69 problems in 2 files',
  ]);
  const json = await runAlmanac(['check', '--json', '--now', now], { cwd });
  expect((JSON.parse(json.stdout) as { problems: unknown[] }).problems).toHaveLength(69);
});

test('warns about an announcement whose period is over, unless it is cancelled', async () => {
  const cancelled = { title: 'C', starts: '2026-Q1', cancelled: true };
  expect(
    await warningsOf({
      'a.json': subject('2026-11', '2026-10', '2026-H1'),
      'b.json': { name: 'B', events: [cancelled] },
      'c.csv': 'subject,title,starts\nX,E,2026\nX,F,2025\n',
      'd.json': subject('2207-Q1'),
    }),
  ).toEqual(['announcement-past a.json:1:90', 'announcement-past c.csv:3:5', 'far-ahead d.json:1:51']);
});

test('warns about a remote source that was never fetched', async () => {
  const source = { source: 'https://feeds.example.org/club.ics', format: 'ics' };
  expect(await warningsOf({ 'club.source.json': source })).toEqual(['source-not-fetched club.source.json:1:1']);
});

test('prints the first three of many warnings of one kind', async () => {
  const files = Array.from({ length: 8 }, (_, index) => [`data/tv/drama/s${index}.json`, subject('2026-01-01')]);
  const cwd = writeTree(tempFolder(), { ...catalogue, ...Object.fromEntries(files) });
  const { stderr } = await runAlmanac(['check', '--now', now], { cwd });
  const lines = stderr.trimEnd().split('\n');
  expect(lines).toHaveLength(4);
  expect(lines.at(-1)).toBe('warning: 5 more of the kind all-past; --json lists all');
  const { stdout } = await runAlmanac(['check', '--now', now, '--json'], { cwd });
  expect((JSON.parse(stdout) as { warnings: unknown[] }).warnings).toHaveLength(8);
});

test('check --json lists the warnings next to the problems', async () => {
  const subject = { name: 'A', events: [{ title: 'Old', starts: '2020-01-02' }] };
  const cwd = writeTree(tempFolder(), {
    ...catalogue,
    'data/tv/drama/a.json': subject,
    'data/tv/drama/b.json': { name: 'B', events: [{ title: 'One', starts: '2027-13-45' }] },
  });
  const { code, stdout } = await runAlmanac(['check', '--json', '--now', now], { cwd });
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    ok: false,
    problems: [{ code: 'bad-starts', file: 'data/tv/drama/b.json' }],
    warnings: [{ file: 'data/tv/drama/a.json' }],
  });
});
