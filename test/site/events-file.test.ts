import { hash } from 'node:crypto';
import { closeSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openEvents, readLines } from '../../src/site/events-file.ts';
import { openSite } from '../../src/site/site.ts';
import { tempFolder } from '../setup/folders.ts';
import { serveFolder } from '../setup/serve-folder.ts';

/** Lines of all lengths, so that some of them lie across the ends of the blocks that are read. */
const genres = new Map(
  ['drama-tv', 'drama', 'moon-space'].map((genre, at) => [
    genre,
    Array.from(
      { length: 600 },
      (_, n) => `{"id":"${genre}/show/e${n}","title":"${'x'.repeat((n * 37 * (at + 1)) % 5000)}"}`,
    ),
  ]),
);
const text = [...genres.values()].flat().join('\n') + '\n';

test('the lines of each genre are found in a file of many blocks, in a folder and on a host', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'events.ndjson'), text);
  expect(text.length).toBeGreaterThan(4 * 1024 ** 2);
  for (const at of [folder, await serveFolder(folder)]) {
    const listed = { bytes: text.length, sha256: hash('sha256', text) };
    const events = await openEvents(openSite(at, '.'), 'events.ndjson', listed, 0);
    expect([...events.genres.keys()]).toEqual([...genres.keys()]);
    for (const [genre, lines] of genres) expect(readLines(events, genre)).toEqual(lines);
    closeSync(events.file);
  }
});
