import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { problemLine, type ProblemError } from '../../src/problem/problem.ts';
import { addEvent } from '../../src/source/add.ts';
import { acquireLock } from '../../src/system/lock.ts';
import { tempFolder, writeTree } from '../setup/folders.ts';

test('gives up, with the code data-busy, while another almanac changes the data folder', async () => {
  const text = '{"name":"Club","events":[]}';
  const data = writeTree(tempFolder(), {
    'sports/category.json': { name: 'Sports' },
    'sports/chess/genre.json': { name: 'Chess' },
    'sports/chess/club.json': text,
  });
  const lock = acquireLock(join(data, '.edit.lock'));
  const event = { title: 'Final', starts: '2027' };
  const added = { category: 'sports', genre: 'chess', subject: 'club', event, create: 'nothing', patience: 0 } as const;
  const { problems } = await addEvent(data, (path) => `data/${path}`, added).then(
    () => ({ problems: [] }),
    (error: ProblemError) => error,
  );
  expect(problems.map(problemLine)).toEqual([
    `another almanac (process ${process.pid}) keeps changing files in "data/"; nothing was added; wait until it has ` +
      'ended and run this again',
  ]);
  expect(readFileSync(join(data, 'sports/chess/club.json'), 'utf8')).toBe(text);
  if ('release' in lock) lock.release();
  expect(existsSync(join(data, '.edit.lock'))).toBe(false);
});
