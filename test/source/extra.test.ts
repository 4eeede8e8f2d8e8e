import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTable } from '../setup/readers.ts';
import { openData } from '../../src/source/data.ts';
import { explain } from '../../src/source/explain.ts';
import { emptyGenre } from '../setup/build-site.ts';
import { tempFolder, writeTree } from '../setup/folders.ts';

test('the own fields of service, genre, subject and event are merged key by key, and published as written', async () => {
  const data = writeTree(tempFolder(), {
    ...emptyGenre(
      'c/g',
      { extra: { seats: 1, source: 'service' } },
      { extra: { seats: 2, free: true } },
    ),
    'c/g/a.json': {
      name: 'A',
      extra: { seats: 3, halls: ['A', 2, false] },
      events: [
        { title: 'One', starts: '2027', extra: { seats: 4.5 } },
        { title: 'Two', starts: '2027-02-03' },
      ],
    },
    'c/g/b.csv': 'subject,title,starts\nB,Three,2027-03-04\n',
  });
  const folder = openData({ data, displayPath: (path) => path, now: 0 });
  const contents = await Promise.all(folder.genres.map((genre) => folder.readGenre(genre)));
  const events = contents.flatMap(({ announced, upcoming }) => [...announced, ...upcoming]);
  expect(events.map(({ title, extra }) => [title, extra])).toEqual([
    ['One', { seats: 4.5, source: 'service', free: true, halls: ['A', 2, false] }],
    ['Two', { seats: 3, source: 'service', free: true, halls: ['A', 2, false] }],
    ['Three', { seats: 2, source: 'service', free: true }],
  ]);
});

test('a column of a table gives an own field, by its name or by a mapping', () => {
  const row = (cells: string): string =>
    `subject,title,starts,extra.price_eur,Barrierefrei,Saal\nB,Three,2027-03-04,${cells}\n`;
  const ours = ['subject', 'title', 'starts', 'extra.price_eur'];
  const names = Object.fromEntries(ours.map((name) => [name, name]));
  const mapping = { columns: { ...names, Barrierefrei: 'extra.wheelchair', Saal: 'extra.hall' } };
  const genre = { id: 'g-c', name: 'G', category: 'c' };
  const read = (cells: string) => {
    const { subjects, findings } = readTable(row(cells), {
      stem: 't',
      genre,
      now: 0,
      name: null,
      url: null,
      mapping,
    });
    const found = findings.map(({ problem }) => problem.code);
    return found.length > 0 ? found : subjects[0]?.upcoming.map(({ extra }) => extra);
  };
  expect(read('12.5,TRUE,007')).toEqual([{ price_eur: 12.5, wheelchair: true, hall: '007' }]);
  expect(read('12.50,FALSE,')).toEqual([{ price_eur: 12.5, wheelchair: false }]);
  expect(read('1e3,yes,')).toEqual([{ price_eur: '1e3', wheelchair: 'yes' }]);
  expect(read(',,')).toEqual([null]);
  expect(read(`,,${'x'.repeat(501)}`)).toEqual(['bad-extra']);
});

/** Returns the codes of the problems of an event with own fields, given as JSON. */
function codesOf(extra: string, more = '{}'): string[] {
  const event = `{ "title": "T", "starts": "2027", "extra": ${extra} }`;
  const text = `{ "name": "N", "extra": ${more}, "events": [${event}] }`;
  return explain(text, 'subject', { file: 'a.json' }).map(
    ({ code, place }) => `${code}:${place?.column}`,
  );
}

test('own fields keep their limits (bad-extra)', () => {
  const simple = fc.oneof(
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.string(),
  );
  const value = fc.oneof(simple, fc.array(simple, { maxLength: 20 }));
  const key = fc.stringMatching(/^[a-z][a-z0-9_]{0,31}$/);
  fc.assert(
    fc.property(fc.dictionary(key, value, { maxKeys: 20 }), (extra) => {
      expect(codesOf(JSON.stringify(extra))).toEqual([]);
    }),
  );
  const keys = (count: number, start = 'k'): string =>
    JSON.stringify(
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`${start}${n}`, n])),
    );
  expect([codesOf(keys(20)), codesOf(keys(12), keys(8, 'x'))]).toEqual([[], []]);
  expect([codesOf(keys(21)).length, codesOf(keys(13), keys(8, 'x')).length]).toEqual([1, 1]);
  for (const bad of '{"A":1} {"__proto__":1} {"a":null} {"a":{}} {"a":[[]]} {"a":1e999} [] "a"'.split(
    ' ',
  )) {
    expect([bad, codesOf(bad).map((code) => code.split(':')[0])]).toEqual([bad, ['bad-extra']]);
  }
  const long = (count: number): string => JSON.stringify({ a: '😀'.repeat(count) });
  expect([codesOf(long(500)).length, codesOf(long(501)).length]).toEqual([0, 1]);
  const list = (count: number): string =>
    JSON.stringify({ a: Array.from({ length: count }, () => 'x') });
  expect([codesOf(list(20)).length, codesOf(list(21)).length]).toEqual([0, 1]);
});
