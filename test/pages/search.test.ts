import { beforeAll, describe, expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Answerer, type Answer } from '../../src/pages/search/answer.ts';
import {
  SearchBuilder,
  searchIndexText,
  type GenreInSearch,
  type SearchFile,
} from '../../src/pages/search/index-file.ts';
import { fold, initialsOf, isNear } from '../../src/pages/search/text.ts';
import { rangeOfPeriod } from '../../src/pages/search/ranges.ts';
import { readTimes } from '../../src/pages/search/times.ts';
import { searchWords } from '../../src/pages/search/words.ts';
import type { Language } from '../../src/catalogue/model.ts';
import { root } from '../docs/pages.ts';
import { isStarter } from '../docs/preview.ts';
import { buildTree, dataOf } from '../setup/build-site.ts';
import { readTree, type Tree } from '../setup/folders.ts';
import { catalogueIn } from './catalogue.ts';

/** Returns the rows of a text whose columns are separated by bars. */
function linesOf(file: string): string[][] {
  const lines = readFileSync(join(root, 'test/fixtures', file), 'utf8').split('\n');
  return lines.filter((line) => /^[^#]/.test(line)).map((line) => line.split(/ \| ?/));
}

/** What people type, the address of what they mean, and the language if it is not English. */
const queries = linesOf('search-queries.txt') as [
  query: string,
  path: string,
  language?: Language,
][];
const monday = '2026-11-23T12:00:00Z';
const tuesday = '2026-11-24T12:00:00Z';

const readers: Readonly<Record<Language, { readonly tag: string; readonly zone: string }>> = {
  en: { tag: 'en-US', zone: 'America/New_York' },
  de: { tag: 'de-DE', zone: 'Europe/Berlin' },
  es: { tag: 'es-ES', zone: 'Europe/Madrid' },
  fr: { tag: 'fr-FR', zone: 'Europe/Paris' },
  ja: { tag: 'ja-JP', zone: 'Asia/Tokyo' },
};

async function indexOf(
  data: Tree,
  now: string,
): Promise<{ readonly text: Buffer; readonly file: SearchFile }> {
  const text = readFileSync(join(await buildTree(data, now), 'assets/search.json'));
  return { text, file: JSON.parse(String(text)) as SearchFile };
}

/** Returns what a reader of English pages is answered. */
function asker(
  file: SearchFile,
  now: string,
): (text: string, language?: Language, limit?: number) => Answer {
  const answerers = new Map<Language, Answerer>();
  return (text, language = 'en', limit = 20) => {
    const { tag, zone } = readers[language];
    const answerer =
      answerers.get(language) ??
      new Answerer(file, { language: 'en', languages: [tag], tag, zone, isAtPlace: false });
    answerers.set(language, answerer);
    return answerer.answer({ text, now: Date.parse(now), limit });
  };
}

const namesOf = ({ hits }: Answer): string[] => hits.map(({ name }) => name);

describe.skipIf(!isStarter)('search in the starter catalogue', () => {
  let ask: ReturnType<typeof asker>;
  let size = 0;
  beforeAll(async () => {
    const { text, file } = await indexOf(Object.fromEntries(readTree(join(root, 'data'))), tuesday);
    ask = asker(file, tuesday);
    size = gzipSync(text).length;
  });

  test('the first hit of a query is what it means', () => {
    const found = queries.map(([query, address, language]) => {
      const [hit] = ask(query, language).hits;
      const anchor = address.includes('#') ? `#${hit?.events[0]?.id}` : '';
      return [query, (hit?.path ?? '') + anchor];
    });
    expect(found).toEqual(queries.map(([query, path]) => [query, path]));
  });

  test('everything at a place is found', () => {
    const { hits, total } = ask('london');
    expect(total).toBe(13);
    expect(hits.flatMap(({ events }) => events)).toHaveLength(13);
    expect(ask('twickenham').total).toBe(3);
    const starts = hits.map(({ events: [first] }) => first?.startsAt ?? 0);
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
  });

  test('a name before a place, and the soonest of equals', () => {
    expect(namesOf(ask('easter')).slice(0, 3)).toEqual([
      'Easter',
      'Easter Island',
      'Orthodox Easter',
    ]);
    const starts = ask('nfl december').hits.map(({ events }) => events[0]?.startsAt ?? 0);
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
  });

  test('a word that finds nothing is struck, and no word beside it', () => {
    const struckOf = (query: string) => ask(query).struck;
    expect(struckOf('wimbledon tickets')).toEqual(['tickets']);
    expect(struckOf('wimbledon final')).toEqual(['final']);
    expect(struckOf('munich conferences february')).toEqual(['february']);
    expect(struckOf('gta 6')).toEqual([]);
    expect(struckOf('liverpool home games')).toEqual(['home', 'games']);
    expect(struckOf('broncos home games december')).toEqual(['home', 'games']);
    expect(struckOf('sports and music tomorrow')).toEqual(['music']);
  });

  test.each([
    ['easter monday 2028', 'monday', '2028-04-16'],
    ['thanksgiving thursday 2027', 'thursday', '2027-11-25'],
    ['easter march 2028', 'march', '2028-04-16'],
    ['full moon saturday march 2027', 'saturday', '2027-03-22'],
    ['ostern montag 2028', 'montag', '2028-04-16', 'de'],
    ['lunes de pascua 2028', 'lunes', '2028-04-16', 'es'],
    ['lundi de pâques 2028', 'lundi', '2028-04-16', 'fr'],
    ['クリスマス 月曜日 2028年', '月曜日', '2028-12-25', 'ja'],
  ] as const)('"%s" without %s is on %s', (query, struck, date, language: Language = 'en') => {
    const answer = ask(query, language);
    expect(answer.struck).toEqual([struck]);
    expect(new Date(answer.hits[0]?.events[0]?.startsAt ?? 0).toISOString()).toContain(date);
  });

  test('a query that finds nothing has the nearest names and what is next', () => {
    const { hits, nearest, next } = ask('boxing day');
    expect(hits).toEqual([]);
    expect(nearest.map(({ name }) => name).slice(0, 2)).toEqual(['Labor Day', 'Canada Day']);
    expect([nearest.length, next.length]).toEqual([3, 3]);
    const starts = next.map(({ events: [first] }) => first?.startsAt ?? 0);
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    expect(starts[0]).toBeGreaterThan(Date.parse(tuesday) - 2 * 24 * 3600_000);
    expect(ask('easter').nearest).toEqual([]);
  });

  test('its index takes at most 40 kB', () => {
    expect(size).toBeLessThan(40_000);
  });
});

describe('search', () => {
  let file: SearchFile;
  let ask: ReturnType<typeof asker>;
  beforeAll(async () => {
    ({ file } = await indexOf(catalogueIn('search-catalogue.txt'), monday));
    ask = asker(file, monday);
  });

  test('an empty query finds nothing', () => {
    expect(ask('  ?')).toMatchObject({ hits: [], total: 0 });
  });

  test('a long query is cut to twelve words and a hundred characters before it is read', () => {
    const many = Array.from({ length: 5000 }, (_, n) => `word${n}`).join(' ');
    expect(ask(`artemis ${many}`)).toEqual(
      ask(`artemis ${many.split(' ').slice(0, 11).join(' ')}`),
    );
    expect(ask(`${'x'.repeat(100)} artemis`)).toEqual(ask('x'.repeat(100)));
  });

  test('a name is found when its events are over, a place is not', () => {
    const later = asker(file, '2027-01-01T00:00:00Z');
    expect(later('apidays').hits.map(({ name, events }) => [name, events.length])).toEqual([
      ['Apidays Paris', 0],
    ]);
    expect(later('cnit').hits).toEqual([]);
  });

  test('an announcement has its period', () => {
    expect(ask('ubuntu').hits[0]?.events.map(({ period }) => period)).toEqual([null, '2027-H1']);
    expect(ask('missions 2027').hits[0]?.events.map(({ period }) => period)).toEqual(['2027-Q3']);
  });

  test('an event found by its own words leads to itself', () => {
    const [hit] = ask('köln').hits;
    expect([hit?.path, hit?.events.map(({ id }) => id)]).toEqual([
      'genre/pop-music/beyonce/',
      ['tour-opens-in-koln'],
    ]);
  });

  test('a weekday that is a part of a name keeps its year', async () => {
    const easter = { 'Easter Monday': '2028-04-17', 'Easter Sunday': '2028-04-16' };
    const tree = dataOf({ 'feasts/christian/easter': { 'Easter 2027': '2027-03-28', ...easter } });
    const { hits } = asker((await indexOf(tree, monday)).file, monday)('easter monday 2028');
    expect(hits.map(({ events }) => events.map(({ id }) => id))).toEqual([['easter-monday']]);
  });

  test('more results than the limit are counted', () => {
    const { hits, more } = ask('sports', 'en', 2);
    expect([hits.length, more]).toEqual([3, 6]);
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

/** Returns the first time in a query on a Monday. */
function timeIn(query: string, tag: string, languages: readonly string[]) {
  const tokens = query.split(' ').map((raw) => ({ raw, folded: fold(raw) }));
  const words = languages.flatMap((language) => searchWords[language] ?? []);
  const isWord = (word: string): boolean => word === 'match';
  return readTimes(tokens, {
    today: monday.slice(0, 10),
    tag,
    languages,
    words,
    isWord,
  })[0]?.range;
}

test.each(linesOf('search-times.txt'))(
  '%s in %s is %s',
  (...[query = '', tag = '', from, until = from]) => {
    expect(timeIn(query, tag, ['en', 'de', 'ja'])).toEqual(from && { from, until });
  },
);

test('texts are compared without marks, case and punctuation', () => {
  expect(fold('São Paulo’s  “Grand-Prix”')).toBe('sao paulos grand prix');
  expect(fold('Łódź Straße')).toBe('lodz strasse');
  expect(initialsOf(['end', 'of', 'life'])).toBe('eol');
  expect(initialsOf(['formula', 'one'])).toBe('f1');
});

test.each([
  ['eclpise', 'eclipse', true],
  ['eclise', 'eclipse', true],
  ['eeclipse', 'eclipse', true],
  ['eklipse', 'eclipse', true],
  ['hannukah', 'hanukkah', true],
  ['hanuka', 'hanukkah', true],
  ['dieses', 'dieses wochenende', false],
  ['eklpise', 'eclipse', false],
  ['ecl', 'eclipse', false],
  ['match', 'march', false],
  ['spacex', 'space', false],
  ['apple', 'alpe', false],
  ['moon', 'noon', false],
])('%s is near %s: %j', (typed, word, isSo) => {
  expect(isNear(typed, word)).toBe(isSo);
});

/** A genre with one subject and one event that stands for `upcoming` of them. */
function genre(id: string, upcoming: number): GenreInSearch {
  return {
    id,
    name: id,
    category: 'tv',
    upcoming,
    subjects: [['one', 'One', [], [['Opening', 'opening', 2, '', false, 0, null]]]],
  };
}

const context = { categories: [{ id: 'tv', name: 'TV' }], service: { zone: null, pastDays: 180 } };

function fileOf(...genres: readonly GenreInSearch[]) {
  const builder = new SearchBuilder();
  for (const one of genres) builder.add(one);
  return {
    kept: builder.genres,
    text: searchIndexText(builder.genres, context, []),
  };
}

const [first, second] = [genre('a', 60_000), genre('b', 60_000)];

test('the index of more than a hundred thousand events has none, and none are kept for it, in any order', () => {
  expect(JSON.parse(fileOf(first).text)).toMatchObject({
    isPartial: false,
    subjects: [['', 'One', 0, [], [0, 2, 0]]],
  });
  const { kept, text } = fileOf(first, second, genre('c', 1));
  expect(fileOf(genre('c', 1), second, first).text).toBe(text);
  expect(JSON.parse(text)).toMatchObject({
    isPartial: true,
    titles: [],
    subjects: [0, 1, 2].map((number) => ['', 'One', number, [], []]),
  });
  expect(kept.flatMap(({ subjects }) => subjects.flatMap(([, , , events]) => events))).toEqual([]);
});

test('a postponed event says so', async () => {
  const tree = dataOf({
    'stage/theatre/hall': {
      Faust: { starts: '2026-12-06', status: 'postponed', location: { name: 'Hall' } },
      Egmont: { starts: '2026-12-07', status: 'postponed' },
      Tell: '2026-12-08',
    },
  });
  const { file } = await indexOf(tree, monday);
  const [hit] = asker(file, monday)('hall').hits;
  const events = hit?.events.map(({ title, isPostponed, at }) => [title, isPostponed, at]);
  expect(events).toEqual([
    ['Faust', true, ['Hall']],
    ['Egmont', true, []],
    ['Tell', false, []],
  ]);
});

test('a day has what runs on it, after what begins', async () => {
  const { file } = await indexOf(
    dataOf({
      'town/fairs/market': { Market: { starts: '2026-11-23', ends: '2026-12-22' } },
      'town/fairs/flea': { Flea: { starts: '2026-12-10' } },
      'town/fairs/congress': {
        Congress: { starts: '2026-12-09T10:00Z', ends: '2026-12-11T16:00Z' },
      },
    }),
    monday,
  );
  const hitsOf = (text: string): string[] =>
    asker(file, monday)(text).hits.map(({ path }) => path.split('/')[2] ?? path);
  expect(hitsOf('2026-12-10')).toEqual(['?on=2026-12-10', 'flea', 'market', 'congress']);
  expect(hitsOf('2026-12-20')).toEqual(['?on=2026-12-20', 'market']);
  expect(hitsOf('market 2026-12-20')).toEqual(['market']);
  expect(hitsOf('2026-12-23')).toEqual([]);
  expect(asker(file, monday)('market').hits[0]?.events).toMatchObject([{ days: 29 }]);
});

test('starts are differences, and announcements have their period', () => {
  const hall = '["Hall","Street 1, Rome","IT"]';
  const events = [
    ['Opening', 'opening', 8, hall, false, 0, null],
    ['Opening', 'opening', 10, hall, false, 0, 3],
    ['Finale', 'finale', 12, '', false, 0, null],
    ['Return', 'return', '2028-Q1', '', false, 0, null],
  ] as const;
  const genres: GenreInSearch[] = [{ ...genre('a', 3), subjects: [['one', 'One', [], events]] }];
  expect(JSON.parse(searchIndexText(genres, context, []))).toMatchObject({
    places: [['Hall', 'Street 1, Rome', 'IT']],
    subjects: [['', 'One', 0, [], [0, 8, 1, 0, 2, 1, 1, 2, 0, 2, '2028-Q1', 0], [], [[1, 3]]]],
  });
});
