import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { lastingFolder, tempFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';
import { serveByHandler } from '../setup/serve-folder.ts';

const now = '2026-11-20T12:00:00Z';
const cwd = lastingFolder();

beforeAll(async () => {
  writeTree(cwd, {
    'data/service.json': { name: 'S', license: 'Free.', base_url: 'https://example.org' },
    'data/fairs/category.json': { name: 'Fairs' },
    'data/fairs/books/genre.json': { name: 'Books', zone: 'UTC' },
    'data/fairs/books/fair.json': {
      name: 'Fair',
      events: [
        { title: 'Under way', starts: '2026-11-18', ends: '2026-11-21' },
        { title: 'Short', starts: '2026-11-20T11:00', ends: '14:00' },
        { title: 'Begins', starts: '2026-11-20T13:00', ends: '15:00' },
        { title: 'Announced', starts: '2027-Q2' },
      ],
    },
    'data/fairs/food/genre.json': { name: 'Food' },
    'data/fairs/food/market.json': { name: 'Market', events: [{ title: 'Announced', starts: '2027-H1' }] },
  });
  expect(await runAlmanac(['build', '--now', now], { cwd })).toMatchObject({ code: 0, stderr: '' });
});

/** Copies the site, changes a document (or adds a changed copy of `from`) and its entry in the manifest, and verifies it. */
async function verifyForged(path: string, change: (text: string) => string, from = path): Promise<string> {
  const copy = tempFolder();
  cpSync(join(cwd, 'dist'), join(copy, 'dist'), { recursive: true });
  const file = join(copy, 'dist', path);
  const text = change(readFileSync(join(copy, 'dist', from), 'utf8'));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  const manifestPath = join(copy, 'dist/files.json');
  const manifest = JSON.parse(readFileSync(manifestPath, 'utf8')) as { files: Record<string, object> };
  manifest.files[path] = { bytes: Buffer.byteLength(text), sha256: createHash('sha256').update(text).digest('hex') };
  writeFileSync(manifestPath, `${JSON.stringify(manifest)}\n`);
  const { code, stderr } = await runAlmanac(['verify', 'dist'], { cwd: copy });
  expect(code).toBe(1);
  return stderr;
}

test('accepts a site with events under way and announcements, also from a host some hours later', async () => {
  expect(await runAlmanac(['verify', 'dist'], { cwd })).toMatchObject({ code: 0, stderr: '' });
  for (const later of ['2026-11-20T13:30:00Z', '2026-11-20T14:30:00Z', '2026-12-01T00:00:00Z']) {
    const address = await serveByHandler(join(cwd, 'dist'), () => Date.parse(later));
    const run = await runAlmanac(['verify', address, '--now', later], { cwd });
    expect([later, run.code, run.stderr]).toEqual([later, 0, '']);
  }
});

test.each<[string, string, (text: string) => string, string]>([
  ['a lower total', 'api/v1/now.json', (text) => text.replace('"total":2', '"total":1'), 'the number of records'],
  ['another limit', 'api/v1/announced.json', (text) => text.replace('"limit":200', '"limit":20'), 'limit'],
  ['a changed record', 'api/v1/now.json', (text) => text.replace('Short', 'Tall'), 'merged from genres'],
  [
    'a missing end',
    'api/v1/genre/books-fairs/now.json',
    (text) => text.replace(/"over_at":"[^"]+"/, '"over_at":null'),
    'over',
  ],
  [
    'other filters',
    'api/v1/category/fairs/now.json',
    (text) => text.replace('"category":"fairs"}', '"category":null}'),
    'filters',
  ],
  [
    'another genre',
    'api/v1/genre/food-fairs/announced.json',
    (text) => text.replace('"genre":"food-fairs","cat', '"genre":"books-fairs","cat'),
    'genre and category',
  ],
])('reports %s', async (_, path, change, problem) => {
  expect(await verifyForged(path, change)).toContain(problem);
});

test('reports a list of a genre that does not exist', async () => {
  const rename = (text: string): string => text.replaceAll('food-fairs', 'drink-fairs');
  const found = await verifyForged('api/v1/genre/drink-fairs/now.json', rename, 'api/v1/genre/food-fairs/now.json');
  expect(found).toMatch(/drink-fairs\/now\.json.*files\.json/);
});
