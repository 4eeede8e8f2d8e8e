import { expect, test } from 'vitest';
import { SearchBuilder, searchIndexText, type GenreInSearch } from '../../src/pages/search/index-file.ts';

/** A genre with one subject and one event that stands for `upcoming` of them. */
function genre(id: string, upcoming: number): GenreInSearch {
  return {
    id,
    name: id,
    category: 'tv',
    upcoming,
    subjects: [['one', 'One', [], [['Opening', 'opening', 2, '']], []]],
  };
}

function indexOf(...genres: readonly GenreInSearch[]) {
  const builder = new SearchBuilder();
  for (const one of genres) builder.add(one);
  return { kept: builder.genres, text: searchIndexText(builder.genres, [{ id: 'tv', name: 'TV' }], []) };
}

const [first, second] = [genre('a', 60_000), genre('b', 60_000)];

test('the index has the events of up to a hundred thousand', () => {
  expect(JSON.parse(indexOf(first).text)).toMatchObject({
    isPartial: false,
    subjects: [['', 'One', 0, [], [0, 2]]],
  });
});

test('a larger index has no events, and none are kept for it, in any order', () => {
  const { kept, text } = indexOf(first, second, genre('c', 1));
  expect(indexOf(genre('c', 1), second, first).text).toBe(text);
  expect(JSON.parse(text)).toMatchObject({
    isPartial: true,
    titles: [],
    subjects: [0, 1, 2].map((number) => ['', 'One', number]),
  });
  expect(kept.flatMap(({ subjects }) => subjects.flatMap(([, , , events]) => events))).toEqual([]);
});

test('events of one place share its number, and have one each if their places differ', () => {
  const textOf = (...places: readonly string[]) => {
    const events = places.map((place, n) => ['Opening', 'opening', 2 * n, place] as const);
    const genres: GenreInSearch[] = [{ ...genre('a', 2), subjects: [['one', 'One', [], events, []]] }];
    return JSON.parse(searchIndexText(genres, [{ id: 'tv', name: 'TV' }], [])) as object;
  };
  const rows = (places: number | readonly number[]) => [['', 'One', 0, [], [0, 0, 0, 2], [], places]];
  const hall = '["Hall","Street 1, Rome","IT"]';
  expect(textOf(hall, hall)).toMatchObject({ places: [['Hall', 'Street 1, Rome', 'IT']], subjects: rows(1) });
  expect(textOf('', hall)).toMatchObject({ subjects: rows([0, 1]) });
});
