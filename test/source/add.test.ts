import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addEvent } from '../../src/source/add.ts';
import { acquireLock } from '../../src/system/lock.ts';
import { tempFolder, writeTree } from '../setup/folders.ts';

test('gives up, with the code data-busy, while another almanac changes the data folder', () => {
  const text = '{"name":"Club","events":[]}';
  const data = writeTree(tempFolder(), {
    'sports/category.json': { name: 'Sports' },
    'sports/chess/genre.json': { name: 'Chess' },
    'sports/chess/club.json': text,
  });
  const lock = acquireLock(join(data, '.edit.lock'));
  const event = { title: 'Final', starts: '2027' };
  const added = { category: 'sports', genre: 'chess', subject: 'club', event, create: 'nothing' } as const;
  expect(() => addEvent(data, (path) => `data/${path}`, added)).toThrow(
    `another almanac (process ${process.pid}) is changing files in "data/"; nothing was added; run this again`,
  );
  expect(readFileSync(join(data, 'sports/chess/club.json'), 'utf8')).toBe(text);
  if ('release' in lock) lock.release();
  expect(existsSync(join(data, '.edit.lock'))).toBe(false);
});
