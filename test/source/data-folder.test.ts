import { expect, test } from 'vitest';
import { openData } from '../../src/source/data-folder.ts';
import { tempFolder, writeTree } from '../setup/folders.ts';

test('more problems of one genre than a call has room for are all told', async () => {
  const data = writeTree(tempFolder(), { 'service.json': { name: 'Test', license: 'Free' } });
  const folder = openData({ data, nameOf: (path) => path, now: 0, limit: 1 });
  const problem = { code: 'data-missing', place: null, folder: data } as const;
  folder.note({ problems: Array.from({ length: 200_000 }, () => problem), suspects: [] });
  expect(await folder.problems()).toHaveLength(200_000);
  const suspect = { path: 'service.json', findings: [] };
  folder.note({ problems: [], suspects: Array.from({ length: 200_000 }, () => suspect) });
  expect(folder.isFine()).toBe(false);
});
