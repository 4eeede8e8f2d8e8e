import { beforeAll, describe, expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Answerer, type Answer } from '../../src/pages/search/answer.ts';
import { rangeOfPeriod } from '../../src/pages/search/dates.ts';
import { fold, initialsOf, isNear, markedParts } from '../../src/pages/search/fold.ts';
import type { SearchFile } from '../../src/pages/search/index-file.ts';
import { readDates } from '../../src/pages/search/read-dates.ts';
import type { Language } from '../../src/catalogue/model.ts';
import { root } from '../docs/pages.ts';
import { isStarter } from '../docs/preview.ts';
import { lastingFolder, readTree, writeTree, type Tree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';
import { now, searchCatalogue } from './search-catalogue.ts';
import { queries } from './search-queries.ts';

const today = now.slice(0, 'yyyy-mm-dd'.length);
const dayOf = (instant: number): string => new Date(instant).toISOString().slice(0, 'yyyy-mm-dd'.length);
const tags: Readonly<Record<Language, string>> = { en: 'en-US', de: 'de-DE', es: 'es-ES', fr: 'fr-FR', ja: 'ja-JP' };

async function indexOf(data: Tree): Promise<{ readonly text: Buffer; readonly file: SearchFile }> {
  const cwd = lastingFolder();
  writeTree(`${cwd}/data`, data);
  const run = await runAlmanac(['build', '--base-url', 'https://example.org', '--now', now, '--quiet'], { cwd });
  expect(run.code, run.stderr).toBe(0);
  const text = readFileSync(join(cwd, 'dist/assets/search.json'));
  return { text, file: JSON.parse(String(text)) as SearchFile };
}

const limits = { subjects: 20, events: 40 };

function ask(file: SearchFile, text: string, language: Language = 'en', at = now): Answer {
  const reader = { language, tag: tags[language], today: at.slice(0, today.length), now: Date.parse(at), dayOf };
  return new Answerer(file, reader).answer({ text, limits, ...reader });
}

/** Returns an answer as the table of queries writes it. */
function written({ chips, pages, subjects, events, dropped }: Answer): string[] {
  const hits = [
    ...subjects.map(({ subject }) => subject.name),
    ...events.map(({ date, event }) => `${date} ${event.title}`),
  ];
  return [
    chips.map(({ name, range }) => name ?? `${range?.from}..${range?.until}`).join(', '),
    pages.map(({ path, count }) => (count === null ? path : `${path} ${count}`)).join(', '),
    hits.slice(0, 3).join('; '),
    dropped.join(' '),
  ];
}

describe('search', () => {
  let file: SearchFile;
  beforeAll(async () => {
    ({ file } = await indexOf(searchCatalogue));
  });

  const rows = queries.map(([language, query, chips, pages, hits, dropped = '']) => {
    return [language, query, chips, pages, hits, dropped] as const;
  });
  test.each(rows)('%s: %s', (language, query, chips, pages, hits, dropped) => {
    expect(written(ask(file, query, language))).toEqual([chips, pages, hits, dropped]);
  });

  test('an empty query finds nothing', () => {
    expect(ask(file, '  ?')).toMatchObject({ subjects: [], events: [], total: 0 });
  });

  test('a long query is cut to twelve words and a hundred characters before it is read', () => {
    const many = Array.from({ length: 5000 }, (_, n) => `word${n}`).join(' ');
    expect(ask(file, `artemis ${many}`)).toEqual(ask(file, `artemis ${many.split(' ').slice(0, 11).join(' ')}`));
    expect(ask(file, 'x'.repeat(32_000)).words).toEqual(['x'.repeat(100)]);
  });

  test('names are suggested only if more than half of a word is the same', () => {
    expect(ask(file, 'beyonders').suggestions).toEqual(['Beyoncé']);
    expect(ask(file, 'taylor swift').suggestions).toEqual([]);
    expect(ask(file, 'nfl week 13').suggestions).toEqual([]);
  });

  test('an event of a past instant is not found', () => {
    const { subjects } = ask(file, 'apidays', 'en', '2027-01-01T00:00:00Z');
    expect(subjects.map(({ subject, events }) => [subject.name, events.length])).toEqual([['Apidays Paris', 0]]);
  });

  test('a chip leads to the query without it', () => {
    const withoutOf = (query: string) => ask(file, query).chips.map(({ without }) => without);
    expect(withoutOf('sports in march 2027')).toEqual(['march 2027', 'sports']);
    expect(withoutOf('eclipse near new york')).toEqual(['new york']);
    expect(withoutOf('this weekend')).toEqual(['']);
  });

  test('an announcement has its period', () => {
    expect(ask(file, 'ubuntu').subjects[0]?.events.map(({ period }) => period)).toEqual([null, '2027-H1']);
    expect(ask(file, 'q3 2027').events.map(({ event }) => event.period)).toEqual([null, '2027-Q3']);
  });

  test('more results than the limit are counted', () => {
    const reader = { language: 'en', tag: 'en', today, now: Date.parse(now), dayOf } as const;
    const few = { ...reader, limits: { subjects: 2, events: 3 } };
    const answerer = new Answerer(file, reader);
    const [sports, march] = ['sports', 'march 2027'].map((text) => answerer.answer({ ...few, text }));
    expect([sports?.subjects.length, sports?.more]).toEqual([2, 6]);
    expect([march?.events.length, march?.more]).toEqual([3, 4]);
  });
});

describe.skipIf(!isStarter)('search in the starter catalogue', () => {
  let file: SearchFile;
  let size = 0;
  beforeAll(async () => {
    const { text, file: read } = await indexOf(Object.fromEntries(readTree(join(root, 'data'))));
    file = read;
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
    ['eol', /end of/i],
  ])('%s finds what a person means', (query, name) => {
    const { subject, events } = ask(file, query).subjects[0] ?? { subject: { name: '' }, events: [] };
    expect([subject.name, ...events.map(({ title }) => title)].join()).toMatch(name);
  });

  test.each([
    ['f1', 'genre/formula-one-sports/'],
    ['formula 1', 'genre/formula-one-sports/'],
    ['moon phases', 'genre/moon-phases-space/'],
    ['sports in march 2027', '?in=sports&on=2027-03'],
    ['dieses wochenende', '?on=weekend'],
  ])('the first hit of %s is the page %s', (query, path) => {
    expect(ask(file, query).pages[0]?.path).toBe(path);
  });

  test('august 2027 finds the events of that month by day', () => {
    const { events, total } = ask(file, 'august 2027');
    expect(total).toBeGreaterThan(10);
    const dates = events.map(({ date }) => date);
    expect(dates).toEqual(dates.toSorted());
    for (const date of dates) expect(date).toMatch(/^2027-08/);
  });
});

test.each([
  ['2027', '2027-01-01', '2027-12-31'],
  ['2027-H2', '2027-07-01', '2027-12-31'],
  ['2027-Q1', '2027-01-01', '2027-03-31'],
  ['2028-02', '2028-02-01', '2028-02-29'],
])('the period %s begins on %s and ends on %s', (period, from, until) => {
  expect(rangeOfPeriod(period)).toEqual({ from, until });
});

test.each([
  ['8/2/2027', 'en-US', '2027-08-02'],
  ['8/2/2027', 'en-GB', '2027-02-08'],
  ['24/7/2027', 'en-US', '2027-07-24'],
  ['02.08.2027', 'en-US', '2027-08-02'],
  ['2.8.', 'de-DE', '2027-08-02'],
  ['2027/8/2', 'ja-JP', '2027-08-02'],
  ['friday, 5 march 2027', 'en-US', '2027-03-05'],
  ['saturday', 'en-US', '2026-11-28'],
  ['monday', 'en-US', '2026-11-23'],
  ['next monday', 'en-US', '2026-11-30'],
  ['29 february', 'en-US', ''],
])('%s in %s is %s', (query, tag, date) => {
  const [first] = readDates(query, { today, tag, languages: ['en', 'de'] });
  expect(first?.range ?? null).toEqual(date === '' ? null : { from: date, until: date });
});

test.each(['may', 'sun', 'week', 'node 22.1.0', '3.14', '24/7', 'mars'])('%s is no date', (query) => {
  expect(readDates(query, { today, tag: 'en-US', languages: ['en'] })).toEqual([]);
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
