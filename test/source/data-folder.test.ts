import { expect, test } from 'vitest';
import { openData } from '../../src/source/data.ts';
import { emptyGenre } from '../setup/build-site.ts';
import { tempFolder, writeTree } from '../setup/folders.ts';

test('reports a subject that is in two files together with all other problems of these files', async () => {
  const data = writeTree(tempFolder(), {
    ...emptyGenre('games/chess'),
    'games/chess/a.json': { name: 'A', events: [] },
    'games/chess/a.source.json': { source: 'https://example.org/a.ics', format: 'ical' },
    'games/chess/b.json': { name: 'B', events: [{ title: 'Match', starts: '2027-02-29' }] },
    'games/chess/c.ics': 'BEGIN:VCALENDAR\n',
    'games/chess/t.csv': 'subject,title,starts\nB,Match,2027-01-01\nC,Match,2027-01-01\nD,Match,2027-02-30\n',
    'games/chess/u.csv': 'subject,title,starts\nD,Match,2027-01-01\n',
  });
  const displayPath = (path: string): string => path.replace('games/chess/', '');
  const { genres, readGenre, found } = openData({ data, displayPath, now: 0 });
  for (const genre of genres) await readGenre(genre);
  expect(found().problems.map(({ code, place }) => `${place?.file}:${place?.line} ${code}`)).toEqual([
    'a.source.json:1 subject-twice',
    'a.source.json:1 bad-value',
    'b.json:1 no-such-date',
    'c.ics:2 calendar-nesting',
    't.csv:2 subject-twice',
    't.csv:3 subject-twice',
    't.csv:4 no-such-date',
    'u.csv:2 subject-twice',
  ]);
});
