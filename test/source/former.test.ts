import { expect, test } from 'vitest';
import { findFormerIds } from '../../src/source/former.ts';

test('a former id of a category gives its genres only ids that no genre has or claims', () => {
  const genreOf = (folder: string, formerly: readonly string[] = []) => {
    const [category = '', name = ''] = folder.split('/');
    return { id: `${name}-${category}`, category, folder, formerly, path: `${folder}/genre.json` };
  };
  const former = findFormerIds(
    { data: 'data', displayPath: (path) => path, report: ({ code }) => expect.fail(code) },
    {
      categories: [{ id: 'new', formerly: ['b-c'], path: 'new/category.json' }],
      genres: [
        genreOf('c/a-b'),
        genreOf('new/a'),
        genreOf('new/d'),
        genreOf('new/e'),
        genreOf('c/f', ['d-b-c']),
      ],
    },
  );
  expect([...former.categories]).toEqual([['b-c', 'new']]);
  expect(Array.from(former.genres, ([old, { id }]) => [old, id])).toEqual([
    ['d-b-c', 'f-c'],
    ['e-b-c', 'e-new'],
  ]);
});
