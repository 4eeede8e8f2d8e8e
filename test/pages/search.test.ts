import { beforeAll, describe, expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { readDates } from '../../src/pages/search/dates.ts';
import { fold, initialsOf, isNear, markedParts } from '../../src/pages/search/fold.ts';
import type { SearchFile } from '../../src/pages/search/index-file.ts';
import { Searcher, type SearchReply } from '../../src/pages/search/searcher.ts';
import { tables } from '../../src/pages/words/tables.ts';
import { root } from '../docs/pages.ts';
import { isStarter, now } from '../docs/preview.ts';
import { lastingFolder, readTree, writeTree, type Tree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

const today = '2026-11-22';
const dayOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10);

async function indexOf(data: Tree): Promise<{ readonly text: Buffer; readonly file: SearchFile }> {
  const cwd = lastingFolder();
  writeTree(`${cwd}/data`, data);
  const run = await runAlmanac(['build', '--base-url', 'https://example.org', '--now', now, '--quiet'], { cwd });
  expect(run.code, run.stderr).toBe(0);
  const text = readFileSync(join(cwd, 'dist/assets/search.json'));
  return { text, file: JSON.parse(String(text)) as SearchFile };
}

function ask(searcher: Searcher, query: string): SearchReply {
  const { range, rest } = readDates(query, today, [['en', tables.en]]);
  return searcher.search({ words: rest, range, now: Date.parse(now), dayOf });
}

const named = {
  'service.json': { name: 'Names', license: 'Free' },
  'music/category.json': { name: 'Music' },
  'music/pop/genre.json': { name: 'Pop' },
  'music/pop/beyonce.json': { name: 'Beyoncé', events: [{ title: 'Tour opens in Köln', starts: '2027-05-02' }] },
  'music/pop/other.json': { name: 'Bayonne festival', events: [{ title: 'Opening', starts: '2027-05-01' }] },
  'tech/category.json': { name: 'Technology' },
  'tech/conferences/genre.json': { name: 'Conferences' },
  'tech/conferences/apidays.json': { name: 'Apidays', events: [{ title: 'Apidays Paris', starts: '2026-12-01' }] },
  'tech/runtimes/genre.json': { name: 'Runtimes' },
  'tech/runtimes/node-js.json': {
    name: 'Node.js',
    events: [{ title: 'Node.js 22 reaches end of life', starts: '2027-04-30' }],
  },
  'holidays/category.json': { name: 'Holidays' },
  'holidays/science/genre.json': { name: 'Science' },
  'holidays/science/pi-day.json': { name: 'Pi Day', events: [{ title: 'Pi Day', starts: '2027-03-14' }] },
};

describe('search', () => {
  let searcher: Searcher;
  beforeAll(async () => {
    searcher = new Searcher((await indexOf(named)).file);
  });

  test.each([
    ['beyonce', 'Beyoncé'],
    ['BEYONCÉ', 'Beyoncé'],
    ['beyonce koln', 'Beyoncé'],
    ['koln beyonce', 'Beyoncé'],
    ['beyocne', 'Beyoncé'],
    ['bey', 'Beyoncé'],
    ['pi day', 'Pi Day'],
    ['nodejs', 'Node.js'],
    ['node.js', 'Node.js'],
    ['eol', 'Node.js'],
    ['april 2027', 'Node.js'],
    ['2027-03-14', 'Pi Day'],
    ['14 march', 'Pi Day'],
    ['pop may 2027', 'Bayonne festival'],
  ])('%s finds %s first', (query, name) => {
    expect(ask(searcher, query).hits[0]?.subject.name).toBe(name);
  });

  test('what is not there has suggestions', () => {
    const { hits, suggestions } = ask(searcher, 'beyonders');
    expect(hits).toEqual([]);
    expect(suggestions).toContain('Beyoncé');
    expect(ask(searcher, '   ')).toMatchObject({ hits: [], total: 0 });
  });

  test('an event of a past instant is not found', () => {
    const later = searcher.search({ words: 'apidays', range: null, now: Date.parse('2027-01-01'), dayOf });
    expect(later.hits.map(({ events }) => events.length)).toEqual([0]);
  });
});

describe.skipIf(!isStarter)('search in the starter catalogue', () => {
  let searcher: Searcher;
  let size = 0;
  beforeAll(async () => {
    const { text, file } = await indexOf(Object.fromEntries(readTree(join(root, 'data'))));
    searcher = new Searcher(file);
    size = gzipSync(text).length;
  });

  test('its index takes at most 40 kB', () => {
    expect(size).toBeLessThan(40_000);
  });

  test.each([
    ['sao paulo', /São Paulo/],
    ['eclpise', /eclipse/i],
    ['superbowl', /Super Bowl/],
    ['super bowl', /Super Bowl/],
    ['champions-league', /Champions League/],
  ])('%s finds what a person means', (query, name) => {
    const { subject, events } = ask(searcher, query).hits[0] ?? { subject: { name: '' }, events: [] };
    expect([subject.name, ...events.map(({ title }) => title)].join()).toMatch(name);
  });

  test('f1 finds Formula One, and eol the end of something', () => {
    expect(ask(searcher, 'f1').hits[0]?.genre.name).toBe('Formula One');
    const { hits } = ask(searcher, 'eol');
    expect(hits[0]?.events.map(({ title }) => title.toLowerCase()).join()).toContain('end of');
  });

  test('august 2027 finds the events of that month, soonest first', () => {
    const { hits, total } = ask(searcher, 'august 2027');
    expect(total).toBeGreaterThan(10);
    const starts = hits.map(({ events }) => events[0]?.startsAt ?? 0);
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    for (const { events } of hits) for (const { startsAt } of events) expect(dayOf(startsAt)).toMatch(/^2027-08/);
    expect(ask(searcher, 'next weekend').total).toBeGreaterThan(0);
    expect(ask(searcher, 'eclipse 2027-08-02').hits.map(({ subject }) => subject.name)).toContain(
      'Total solar eclipses',
    );
  });
});

test.each([
  ['august 2027', '2027-08-01', '2027-08-31', ''],
  ['2027-08', '2027-08-01', '2027-08-31', ''],
  ['2027-08-02 eclipse', '2027-08-02', '2027-08-02', 'eclipse'],
  ['2 August', '2027-08-02', '2027-08-02', ''],
  ['december', '2026-12-01', '2026-12-31', ''],
  ['next weekend', '2026-11-28', '2026-11-29', ''],
  ['games this week', '2026-11-22', '2026-11-22', 'games'],
  ['2027年8月', '2027-08-01', '2027-08-31', ''],
  ['heute', '2026-11-22', '2026-11-22', ''],
])('%s are dates', (query, from, until, rest) => {
  expect(
    readDates(query, today, [
      ['en', tables.en],
      ['de', tables.de],
    ]),
  ).toEqual({ range: { from, until }, rest });
});

test.each(['may', 'sun', '2027', '2027-13', 'week'])('%s is no date', (query) => {
  expect(readDates(query, today, [['en', tables.en]])).toEqual({ range: null, rest: query });
});

test('texts are compared without marks, case and punctuation', () => {
  expect(fold('São Paulo’s  “Grand-Prix”')).toBe('sao paulos grand prix');
  expect(fold('Łódź Straße')).toBe('lodz strasse');
  expect(initialsOf(['end', 'of', 'life'])).toBe('eol');
  expect(initialsOf(['formula', 'one'])).toBe('f1');
});

test.each([
  ['eclpise', 'eclipse', true],
  ['eclips', 'eclipse', true],
  ['eeclipse', 'eclipse', true],
  ['eklipse', 'eclipse', true],
  ['eklpise', 'eclipse', false],
  ['ecl', 'eclipse', false],
])('%s is near %s: %j', (typed, word, isSo) => {
  expect(isNear(typed, word, false)).toBe(isSo);
});

test('what was searched is marked, without marks and with a typing error', () => {
  const marks = (text: string, query: string) =>
    markedParts(text, query)
      .filter(({ isMarked }) => isMarked)
      .map((part) => part.text);
  expect(marks('São Paulo Grand Prix', 'sao pa')).toEqual(['São', 'Paulo']);
  expect(marks('Total solar eclipse', 'eclpise')).toEqual(['eclipse']);
});
