import * as fc from 'fast-check';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { build, type BuildOptions } from '../src/build.ts';
import { openLiveSite, type LiveSite } from '../src/live-site.ts';
import { ProblemError } from '../src/problem.ts';
import { checkInventory } from './setup/check-inventory.ts';
import { readTree, tempFolder, writeTree } from './setup/folders.ts';
import { seed } from './setup/seed.ts';

/*
 * What `serve --watch` does after a change: the plain way to say what it must make of any data is a whole build of them.
 */
const start = Date.parse('2026-11-20T12:17:00Z');
const hour = 3_600_000;
const subjects = ['tv/drama/one', 'tv/drama/two', 'tv/comedy/one', 'film/drama/three', 'film/short/four'];

function catalogue(): Record<string, unknown> {
  const tree: Record<string, unknown> = {
    'service.json': { name: 'Live', license: 'Free', base_url: 'https://e.org' },
  };
  for (const path of [...subjects, 'empty/genre/none']) {
    const [category = '', genre = ''] = path.split('/');
    tree[`${category}/category.json`] = { name: category };
    tree[`${category}/${genre}/genre.json`] = { name: genre };
  }
  for (const path of subjects) tree[`${path}.json`] = subject([0, 5, 30]);
  tree['film/short/table.csv'] = 'subject,title,starts\nTable,Row,2027-01-01\n';
  tree['tv/comedy/shows.json'] = { name: 'Shows' };
  tree['tv/comedy/shows.ics'] = calendar(4);
  return tree;
}

/** A subject with an event so many hours after the start, each. */
function subject(hours: readonly number[]): object {
  const at = (count: number): string => `${new Date(start + (count + 1) * hour).toISOString().slice(0, 16)}Z`;
  const events = hours.map((count, index) => ({ title: `Event ${count}`, starts: at(count), id: `e${index}` }));
  return { name: 'Subject', events: [...events, { title: 'Announced', starts: '2027' }] };
}

function calendar(day: number, ...more: readonly string[]): string {
  const event = ['BEGIN:VEVENT', 'UID:a@b', `DTSTART;VALUE=DATE:2027010${day}`, 'SUMMARY:Show', ...more, 'END:VEVENT'];
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//x//y//EN', ...event, 'END:VCALENDAR', ''].join('\r\n');
}

interface Setting {
  readonly cwd: string;
  readonly site: LiveSite;
  now: number;
}

function open(): Setting {
  const cwd = tempFolder();
  writeTree(join(cwd, 'data'), catalogue());
  const site = openLiveSite();
  onTestFinished(site.close);
  return { cwd, site, now: start };
}

function optionsIn({ cwd, now }: Setting, out = 'dist'): BuildOptions {
  const rest = { nameOf: (path: string) => path, baseUrl: null, generator: 'almanac/0.0.0', dryRun: false };
  return { ...rest, data: join(cwd, 'data'), out: join(cwd, out), now };
}

/** Brings the site up to date and holds it to a whole build of the same data at the same time. */
async function expectUpdated(setting: Setting, changed: readonly string[] | null): Promise<void> {
  await setting.site.update(optionsIn(setting), changed && new Set(changed));
  const site = readTree(join(setting.cwd, 'dist'));
  checkInventory(site);
  await build(optionsIn(setting, 'whole'));
  expect(site).toEqual(readTree(join(setting.cwd, 'whole')));
}

type Change = (cwd: string) => string[];

const write =
  (path: string, content: unknown): Change =>
  (cwd) => {
    const isNew = statSync(join(cwd, 'data', dirname(path)), { throwIfNoEntry: false }) === undefined;
    mkdirSync(join(cwd, 'data', dirname(path)), { recursive: true });
    writeFileSync(join(cwd, 'data', path), typeof content === 'string' ? content : JSON.stringify(content));
    return isNew ? [dirname(path), path] : [path];
  };
const remove =
  (path: string): Change =>
  (cwd) => {
    rmSync(join(cwd, 'data', path), { recursive: true, force: true });
    return [path];
  };

const edit = fc
  .tuple(fc.constantFrom(...subjects), fc.array(fc.integer({ min: -40, max: 300 }), { maxLength: 5 }))
  .map(([path, hours]) => write(`${path}.json`, subject([...new Set(hours)])));
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 6, arbitrary: edit },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 9 }).map((day) => write('tv/comedy/shows.ics', calendar(day))) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      write('tv/comedy/shows.json', { name: 'Other shows' }),
      write('film/short/table.csv', 'subject,title,starts\nTable,Row,2027-01-02\nOther,Row,2027-01-03\n'),
      write('film/short/five.json', subject([7])),
      remove('film/short/five.json'),
      write('tv/drama/genre.json', { name: 'Renamed' }),
      write('tv/news/genre.json', { name: 'News' }),
      remove('tv/news'),
      write('README.md', 'passed over'),
      write('tv/.draft.json', '{'),
    ),
  },
);
const step = fc.record({ changes: fc.array(change, { maxLength: 3 }), hours: fc.constantFrom(0, 0, 0, 1, 7) });

test('after any changes the site is the one that a whole build makes', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      const setting = open();
      await expectUpdated(setting, null);
      for (const { changes, hours } of steps) {
        setting.now += hours * hour;
        await expectUpdated(
          setting,
          changes.flatMap((apply) => apply(setting.cwd)),
        );
      }
      await setting.site.close();
      expect(readdirSync(setting.cwd).toSorted()).toEqual(['data', 'dist', 'whole']);
    }),
    { numRuns: 12, seed },
  );
});

/** The list of a genre of which no file changes, as the file system knows it. */
function identity(cwd: string): number {
  return statSync(join(cwd, 'dist/api/v1/genre/short-film/events.json')).mtimeMs;
}

describe('an edited subject file', () => {
  test('touches no other genre, and the site is swapped as a whole', async () => {
    const setting = open();
    await expectUpdated(setting, null);
    const [list, folder] = [identity(setting.cwd), statSync(join(setting.cwd, 'dist')).ino];
    await expectUpdated(setting, write('tv/drama/one.json', subject([2]))(setting.cwd));
    expect(identity(setting.cwd)).toBe(list);
    expect(statSync(join(setting.cwd, 'dist')).ino).not.toBe(folder);
    // The two folders take turns: no third one was made.
    await expectUpdated(setting, write('tv/drama/one.json', subject([3]))(setting.cwd));
    expect(statSync(join(setting.cwd, 'dist')).ino).toBe(folder);
  });

  test('that is bad leaves the site as it was, and one that is mended is published', async () => {
    const setting = open();
    await expectUpdated(setting, null);
    const before = readTree(join(setting.cwd, 'dist'));
    const changed = new Set(write('tv/drama/one.json', '{')(setting.cwd));
    await expect(setting.site.update(optionsIn(setting), changed)).rejects.toBeInstanceOf(ProblemError);
    expect(readTree(join(setting.cwd, 'dist'))).toEqual(before);
    await expectUpdated(setting, write('tv/drama/one.json', subject([9]))(setting.cwd));
  });

  test('of which a link has taken the place is read by nobody', async () => {
    const setting = open();
    await expectUpdated(setting, null);
    const before = readTree(join(setting.cwd, 'dist'));
    writeTree(setting.cwd, { 'elsewhere.json': subject([2]) });
    const path = join(setting.cwd, 'data/tv/drama/one.json');
    rmSync(path);
    symlinkSync(join(setting.cwd, 'elsewhere.json'), path);
    const updated = setting.site.update(optionsIn(setting), new Set(['tv/drama/one.json']));
    await expect(updated).rejects.toMatchObject({ problems: [{ code: 'symbolic-link' }] });
    expect(readTree(join(setting.cwd, 'dist'))).toEqual(before);
  });

  test('leaves a catalogue as old as the copies of its remote sources', async () => {
    const setting = open();
    const source = { source: 'https://e.org/a.csv', format: 'csv' };
    const known = { etag: null, last_modified: null, sha256: null, failure: null, good_at: '2026-11-20T00:00:00.000Z' };
    const sources = { 'tv/drama/far.source.json': { ...known, url: source.source } };
    writeTree(join(setting.cwd, 'data'), {
      'tv/drama/far.source.json': source,
      '.cache/tv/drama/far.csv': 'subject,title,starts\nFar,Row,2027-01-01\n',
      '.cache/sync.json': { last_sync: known.good_at, last_run: known.good_at, sources },
    });
    await expectUpdated(setting, null);
    setting.now += hour;
    await expectUpdated(setting, write('tv/drama/one.json', subject([100]))(setting.cwd));
  });

  test('on another day than the last build: what repeats reaches a day further, in genres without a change too', async () => {
    const setting = open();
    write('tv/comedy/shows.ics', calendar(4, 'RRULE:FREQ=DAILY'))(setting.cwd);
    await expectUpdated(setting, null);
    setting.now = Date.parse('2026-11-20T23:59:59Z');
    await expectUpdated(setting, write('tv/drama/one.json', subject([100]))(setting.cwd));
    setting.now += 1000;
    await expectUpdated(setting, write('tv/drama/one.json', subject([101]))(setting.cwd));
  });

  test('takes a whole build where another has replaced the site, or has been at its twin', async () => {
    const setting = open();
    const [site, twin] = ['dist', '.dist.almanac-next'].map((name) => join(setting.cwd, name)) as [string, string];
    await expectUpdated(setting, null);
    write('tv/drama/two.json', subject([50]))(setting.cwd);
    await build(optionsIn(setting));
    await expectUpdated(setting, write('tv/drama/one.json', subject([4]))(setting.cwd));
    rmSync(twin, { recursive: true });
    await expectUpdated(setting, write('tv/drama/one.json', subject([5]))(setting.cwd));
    rmSync(twin, { recursive: true });
    cpSync(site, twin, { recursive: true });
    writeFileSync(join(twin, 'api/v1/genre/short-film/events.json'), '{}');
    await expectUpdated(setting, write('tv/drama/one.json', subject([6]))(setting.cwd));
  });

  test('leaves a site whose files the next build can keep', async () => {
    const setting = open();
    await expectUpdated(setting, null);
    await expectUpdated(setting, write('tv/drama/one.json', subject([2]))(setting.cwd));
    await setting.site.close();
    const inventory = readFileSync(join(setting.cwd, 'dist/files.json'), 'utf8');
    const { isUnchanged } = await build(optionsIn(setting));
    expect(isUnchanged).toBe(true);
    expect(readFileSync(join(setting.cwd, 'dist/files.json'), 'utf8')).toBe(inventory);
  });

  test('does not vouch for what somebody else has written into the site meanwhile', async () => {
    const setting = open();
    await expectUpdated(setting, null);
    const list = join(setting.cwd, 'dist/api/v1/genre/short-film/events.json');
    const published = readFileSync(list, 'utf8');
    const { atimeMs, mtimeMs } = statSync(list);
    writeFileSync(list, published.replace('Event', 'Tneve'));
    utimesSync(list, atimeMs / 1000, mtimeMs / 1000);
    await setting.site.close();
    await build(optionsIn(setting));
    expect(readFileSync(list, 'utf8')).toBe(published);
  });
});

test('a cancelled event goes from calendars once it is over, without any change', async () => {
  const setting = open();
  const cancelled = { title: 'Off', starts: '2026-11-20T14:00Z', cancelled: true };
  write('empty/genre/none.json', { name: 'None', events: [cancelled] })(setting.cwd);
  await expectUpdated(setting, null);
  setting.now += 3 * hour;
  await expectUpdated(setting, []);
});

test.each(['film/short', 'film'])('a folder that is gone goes from the site: %s', async (folder) => {
  const setting = open();
  await expectUpdated(setting, null);
  await expectUpdated(setting, remove(folder)(setting.cwd));
});

test('data that are gone are told, and the site stays', async () => {
  const setting = open();
  await expectUpdated(setting, null);
  const before = readTree(join(setting.cwd, 'dist'));
  rmSync(join(setting.cwd, 'data'), { recursive: true });
  const updated = setting.site.update(optionsIn(setting), new Set(['']));
  await expect(updated).rejects.toMatchObject({ problems: [{ code: 'data-missing' }] });
  expect(readTree(join(setting.cwd, 'dist'))).toEqual(before);
});

test('a site that is closed while it is built leaves nothing beside it', async () => {
  const setting = open();
  const updated = setting.site.update(optionsIn(setting), null);
  await setting.site.close();
  expect(readdirSync(setting.cwd).toSorted()).toEqual(['data', 'dist']);
  await updated;
  expect(readdirSync(setting.cwd).toSorted()).toEqual(['data', 'dist']);
});
