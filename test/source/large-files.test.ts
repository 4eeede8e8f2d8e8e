import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

const large = 5_000_000;
const events = (count: number, event: (index: number) => string): string =>
  `{"name":"S","events":[${Array.from({ length: count }, (_, index) => event(index)).join(',')}]}`;
const listedOnly = ['too-large-to-explain'];
const listedAndMore = [...Array.from({ length: 1000 }, () => 'same'), 'more-problems'];

/** Files made to cost more than their size: each ends in problems, in less than 512 MB. */
const bombs: readonly { readonly what: string; readonly text: () => string; readonly codes: readonly string[] }[] = [
  { what: 'white space', text: () => ' '.repeat(large), codes: listedOnly },
  { what: 'brackets', text: () => '['.repeat(large * 3), codes: listedOnly },
  { what: 'objects in objects', text: () => '{"a":'.repeat(large / 2), codes: listedOnly },
  { what: 'one key over and over', text: () => `{${'"name":"a",'.repeat(large / 10)}"events":[]}`, codes: listedOnly },
  { what: 'brackets, fewer', text: () => '['.repeat(large / 2), codes: ['nested-too-deep'] },
  { what: 'empty events', text: () => events(large / 5, () => '{}'), codes: [] },
  { what: 'numbers for events', text: () => events(large / 4, () => '1'), codes: listedAndMore },
  {
    what: 'dates that are none',
    text: () => events(20_000, (n) => `{"title":"${n}","starts":"x"}`),
    codes: listedAndMore,
  },
  { what: 'one title', text: () => events(20_000, () => '{"title":"a","starts":"2027"}'), codes: listedAndMore },
  { what: 'keys', text: () => `{"name":"a","events":[],${unknownKeys()}}`, codes: listedAndMore },
];

function unknownKeys(): string {
  return Array.from({ length: 100_000 }, (_, index) => `"k${index}":1`).join(',');
}

const measuring = `import { writeFileSync } from 'node:fs';
process.on('exit', () => writeFileSync('peak', String(process.resourceUsage().maxRSS)));`;

test.each(bombs)('a large file of $what is told of in bounds', async ({ text, codes }) => {
  const cwd = writeTree(tempFolder(), {
    'data/service.json': { name: 'S', license: 'L' },
    'data/tv/category.json': { name: 'T' },
    'data/tv/drama/genre.json': { name: 'D' },
    'data/tv/drama/s.json': text(),
  });
  const node = ['--import', `data:text/javascript,${encodeURIComponent(measuring)}`];
  const { code, stdout, stderr } = await runAlmanac(['check', '--json'], { cwd, node });
  expect([code, stderr]).toEqual([1, '']);
  const { problems } = JSON.parse(stdout) as { problems: { code: string }[] };
  const found = problems.map((problem) => problem.code);
  if (codes === listedAndMore) expect([found.length, found.includes('more-problems')]).toEqual([1001, true]);
  else if (codes.length > 0) expect(found).toEqual(codes);
  expect(Number(readFileSync(join(cwd, 'peak'), 'utf8')) / 1000).toBeLessThan(512);
});
