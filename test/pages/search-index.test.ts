import { expect, test } from 'vitest';
import { SearchBuilder, searchIndexText, type GenreInSearch } from '../../src/pages/search/index-file.ts';

/** A genre with one subject and one event that stands for `upcoming` of them. */
function genre(id: string, upcoming: number): GenreInSearch {
  return {
    id,
    name: id,
    category: 'tv',
    upcoming,
    subjects: [['one', 'One', [], [['Opening', 'opening', 2, '']]]],
  };
}

function indexOf(...genres: readonly GenreInSearch[]) {
  const builder = new SearchBuilder();
  for (const one of genres) builder.add(one);
  return { kept: builder.genres, text: searchIndexText(builder.genres, [{ id: 'tv', name: 'TV' }], []) };
}

const [first, second] = [genre('a', 60_000), genre('b', 60_000)];

test('the index of more than a hundred thousand events has none, and none are kept for it, in any order', () => {
  expect(JSON.parse(indexOf(first).text)).toMatchObject({
    isPartial: false,
    subjects: [['', 'One', 0, [], [0, 2, 0]]],
  });
  const { kept, text } = indexOf(first, second, genre('c', 1));
  expect(indexOf(genre('c', 1), second, first).text).toBe(text);
  expect(JSON.parse(text)).toMatchObject({
    isPartial: true,
    titles: [],
    subjects: [0, 1, 2].map((number) => ['', 'One', number, [], []]),
  });
  expect(kept.flatMap(({ subjects }) => subjects.flatMap(([, , , events]) => events))).toEqual([]);
});

test('starts are differences, and announcements have their period', () => {
  const hall = '["Hall","Street 1, Rome","IT"]';
  const events = [
    ['Opening', 'opening', 8, hall],
    ['Opening', 'opening', 10, hall],
    ['Finale', 'finale', 12, ''],
    ['Return', 'return', '2028-Q1', ''],
  ] as const;
  const genres: GenreInSearch[] = [{ ...genre('a', 3), subjects: [['one', 'One', [], events]] }];
  expect(JSON.parse(searchIndexText(genres, [{ id: 'tv', name: 'TV' }], []))).toMatchObject({
    places: [['Hall', 'Street 1, Rome', 'IT']],
    subjects: [['', 'One', 0, [], [0, 8, 1, 0, 2, 1, 1, 2, 0, 2, '2028-Q1', 0]]],
  });
});
