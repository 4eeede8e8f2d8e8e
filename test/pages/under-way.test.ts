import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { violations } from '../setup/axe.ts';
import { buildSite, dataOf, type Events } from '../setup/build-site.ts';
import { chromiumPath, openPage, serveSite } from '../setup/browser.ts';
import { lastingFolder } from '../setup/folders.ts';
import { headings, plainText, titles } from './list.ts';

const now = '2026-11-20T12:17:00Z';

/** Subjects whose shows have begun. The lower the number of a show, the sooner it is over. */
function shows(path: string, count: number): Events {
  const day = (n: number): string =>
    new Date(Date.parse('2026-12-01') + n * 86_400_000).toISOString().slice(0, 10);
  const show = (n: number): [string, object] => [
    `Show ${n}`,
    { starts: '2026-11-01', ends: day(n % 1000) },
  ];
  const subject = (first: number): [string, Events[string]] => [
    `${path}/hall-${first}`,
    Object.fromEntries(
      Array.from({ length: Math.min(100, count - first) }, (_, n) => show(first + n)),
    ),
  ];
  return Object.fromEntries(
    Array.from({ length: Math.ceil(count / 100) }, (_, n) => subject(n * 100)),
  );
}

const many = {
  ...shows('art/paintings', 9_000),
  ...shows('art/photos', 601),
  ...shows('film/festivals', 379),
  ...shows('film/premieres', 20),
  'film/premieres/hall-new': { 'Premiere of the year': '2027-03-04' },
  'film/reruns/cinema': { Classic: '2027-02-03' },
};

/** A page of a site whose events under way are read. */
function readPage(site: string, path: string) {
  const text = readFileSync(join(site, path, 'index.html'), 'utf8');
  const [, list = ''] = /<section class="day now">([^]*?)<\/section>/.exec(text) ?? [];
  const [, rest = ''] = /<div class="rest"[^>]*>([^]*?)<\/div>/.exec(text) ?? [];
  return {
    text,
    count: /<span class="count">([\d,]+)</.exec(list)?.[1] ?? null,
    rows: [...list.matchAll(/<li\s+class="e[ "].*?\s(?:id|href)="([^"]+)"/gs)].map(
      ([, address = '']) => address,
    ),
    rest: plainText(rest),
    /** The pages that have the rest, with the numbers in the links. */
    links: [...rest.matchAll(/<a[^>]* href="([^"]+)"[^>]*>([^]*?)<\/a\s*>/g)].map(
      ([, href = '', name = '']) => ({
        path: join(path, href),
        count: /[\d,]+/.exec(name.replace(/<[^>]+>/g, ''))?.[0],
      }),
    ),
  };
}

describe('10,000 events under way', async () => {
  const site = await buildSite(many, now, { cwd: lastingFolder(), source: lastingFolder() });
  const at = (path: string) => readPage(site, path);

  test('leave the home page small: it lists the 20 that are over first, and counts all', () => {
    const { text, count, rows } = at('');
    expect(gzipSync(text).length).toBeLessThan(60_000);
    expect(text.length).toBeLessThan(100_000);
    expect(rows).toHaveLength(20);
    expect(new Set(rows.map((id) => +id.replace(/^.*-/, '') % 1000))).toEqual(new Set([0, 1]));
    expect(count).toBe('10,000');
  });

  test('can all be reached: every link leads to as many events as it says', () => {
    const home = at('');
    expect(home.rest).toMatch(/All 10,000 events on now art 9,601 film 399$/);
    expect(home.links.map(({ path }) => path)).toEqual(['category/art/', 'category/film/']);
    for (const { path, count } of home.links) {
      const category = at(path);
      expect([category.count, category.rows.length]).toEqual([count, 20]);
      for (const ofGenre of category.links) expect(at(ofGenre.path).count).toBe(ofGenre.count);
    }
    expect(at('category/art').links.map(({ path }) => path)).toEqual([
      'genre/paintings-art/',
      'genre/photos-art/',
    ]);
    // A genre without any has no link.
    expect(at('category/film').links.map(({ path }) => path)).toEqual([
      'genre/festivals-film/',
      'genre/premieres-film/',
    ]);
  });

  test('are listed on pages of the genre, 500 on each, in the order in which they are over', () => {
    const all = Array.from({ length: 18 }, (_, n) =>
      at(n === 0 ? 'genre/paintings-art' : `genre/paintings-art/page/${n + 1}`),
    );
    expect(all.map(({ rows, count }) => [rows.length, count])).toEqual(
      all.map(() => [500, '9,000']),
    );
    const numbers = all.flatMap(({ rows }) => rows.map((id) => +id.replace(/^.*-/, '') % 1000));
    for (const { text } of all) expect(gzipSync(text).length).toBeLessThan(45_000);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(new Set(all.flatMap(({ rows }) => rows)).size).toBe(9_000);
    expect(readFileSync(join(site, 'sitemap.xml'), 'utf8')).toContain(
      '/genre/paintings-art/page/18/</loc>',
    );
    expect(at('genre/paintings-art/page/18').text).toContain('genre/paintings-art/page/18/" />');
    expect([at('genre/premieres-film').count, at('genre/reruns-film').count]).toEqual(['20', null]);
    // What is coming follows what is on now, on the same page.
    expect(at('genre/premieres-film').text).toMatch(/class="day now"[^]*Premiere of the year/);
  });
});

test('a subject called page does not hide the pages of its genre', async () => {
  const site = await buildSite(
    { ...shows('art/photos', 501), 'art/photos/page': { Walk: '2027-01-03' } },
    now,
  );
  expect(readPage(site, 'genre/photos-art/page').text).toContain('Walk');
  expect(readPage(site, 'genre/photos-art/page/2').text).toContain('Walk');
  expect(readPage(site, 'genre/photos-art/page/2').rows).toHaveLength(1);
});

test('a home page without other pages says how many it leaves out, and links to the list that has more', async () => {
  const site = await buildSite(shows('art/photos', 30), now, { service: { pages: 'home' } });
  const { rest, links, rows } = readPage(site, '');
  expect(rows).toHaveLength(20);
  expect(rest).toMatch(/The first 20 of 30\. JSON$/);
  expect(links.map(({ path }) => path)).toEqual(['api/v1/now.json']);
  expect(existsSync(join(site, 'genre'))).toBe(false);
});

describe.skipIf(chromiumPath === null)('events under way', async () => {
  const events = {
    ...shows('art/photos', 30),
    ...shows('art/paintings', 15),
    ...shows('film/festivals', 5),
    'film/premieres/cinema': {
      Matinee: { starts: '2026-11-20T12:30Z', ends: '2026-11-20T16:00Z' },
      Gala: '2026-11-28',
    },
  };
  const site = await serveSite(dataOf(events, { base_url: undefined }), now);
  const open = async (path: string, reader = {}) => {
    const page = await openPage(site.url + path, { now, ...reader });
    await page.locator('#synced').getByText('updated').waitFor();
    return page;
  };
  const order = async (path: string) =>
    titles(await openPage(site.url + path, { now, javaScriptEnabled: false }));

  test.each([
    ['', 'On now 50', 'All 50 events on now art 45 film 5'],
    ['category/art/', 'On now 45', 'All 45 events on now paintings 15 photos 30'],
  ])('keep their heading, order and links on the page "%s"', async (path, heading, rest) => {
    const page = await open(path, { timers: true });
    expect((await headings(page))[0]).toBe(heading);
    expect((await page.locator('.now + .rest').innerText()).replace(/\s+/g, ' ')).toBe(rest);
    expect(await page.locator('.now .e').count()).toBe(20);
    expect((await titles(page)).slice(0, 20)).toEqual((await order(path)).slice(0, 20));
    expect(await page.locator('.now .w').first().innerText()).toMatch(
      path === '' ? /^until 1 Dec$/ : /^1 Nov\s+until 1 Dec$/,
    );
    expect(await violations(page)).toEqual([]);
  });

  test('are joined by what begins, and those that are over leave', async () => {
    const page = await open('', { now: '2026-11-20T12:29:00Z' });
    expect((await headings(page))[0]).toBe('On now 50');
    await page.clock.runFor('00:02:00');
    // Nothing moves under the reader's finger.
    expect((await headings(page))[0]).toBe('On now 50');
    const later = await open('', { now: '2026-11-20T12:31:00Z' });
    expect((await headings(later))[0]).toBe('On now 51');
    expect((await titles(later))[0]).toBe('cinema Matinee');
    // By then, the 20 that the page lists are over, and others are not.
    const last = await open('', { now: '2027-01-15T12:00:00Z' });
    expect((await headings(last))[0]).toBe('On now 30');
    expect(await last.locator('.now .e').count()).toBe(0);
    expect(await last.locator('.now + .rest').isVisible()).toBe(true);
  });

  test('are counted again when the page is', async () => {
    const page = await open('');
    const file = join(site.folder, 'index.html');
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, before.replace('data-more="30"', 'data-more="33"'));
    await page.clock.runFor('06:01:00');
    await page.locator('.now h2', { hasText: '53' }).waitFor();
    expect(await page.locator('.now + .rest').count()).toBe(1);
    writeFileSync(file, before);
  });

  test('have no links to the rest among the events of a chosen day', async () => {
    const page = await open('?on=2026-11-28');
    await page.locator('section[data-key="2026-11-28"]').waitFor();
    expect(await headings(page)).toEqual([expect.stringContaining('28 November')]);
    expect(await page.locator('.rest').isVisible()).toBe(false);
    await page.getByRole('link', { name: 'Upcoming' }).click();
    expect((await headings(page))[0]).toBe('On now 50');
    expect(await page.locator('.now + .rest').isVisible()).toBe(true);
  });
});
