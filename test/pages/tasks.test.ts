import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { chromiumPath, openPage, screenshot, serveSite, type Reader } from '../setup/browser.ts';
import { readTree } from '../setup/folders.ts';
import { headings, savedBy } from './list.ts';

/* What readers come for, and with how many actions they get it. Typing a text, with Enter at its end, is one action. */

const now = '2026-11-23T18:00:00Z';
const phone = { width: 390, height: 844 };
const subject = 'genre/science-fiction-and-fantasy-tv/ahsoka/';

describe.skipIf(chromiumPath === null)('tasks', async () => {
  const site = await serveSite(Object.fromEntries(readTree('data')), now);

  async function open(path = '', reader: Partial<Reader> = {}) {
    const options = { now, timers: true, timezoneId: 'America/New_York', ...reader };
    const page = await openPage(site.url + path, options);
    await page.locator('#synced:not(:empty)').waitFor({ state: 'attached' });
    return page;
  }

  const click = async (
    page: Page,
    role: 'link' | 'button',
    name: string | RegExp,
    within = 'body',
  ) => page.locator(within).getByRole(role, { name }).first().click();

  async function type(page: Page, text: string): Promise<void> {
    await page.locator('#q').fill(text);
    await page.locator('#q').press('Enter');
  }

  const headed = async (page: Page, hasText: string) =>
    page.locator('main h1', { hasText }).waitFor();

  test('sports this weekend take two actions, and the way back leads through both', async () => {
    const page = await open();
    await page.getByRole('link', { name: 'Weekend' }).click();
    await headed(page, 'Weekend');
    expect(await headings(page)).toEqual([
      expect.stringMatching(/^Saturday 28 November /),
      expect.stringMatching(/^Sunday 29 November /),
    ]);
    await page.locator('.rail').getByRole('link', { name: 'Sports' }).click();
    await headed(page, 'Sports · Weekend');
    expect(new URL(page.url()).search).toBe('?in=sports&on=weekend');
    const count = (await page.locator('main h1 .count').innerText()).trim();
    expect(await page.title()).toBe(`Sports · Weekend · ${count} – Almanac`);
    expect(await page.locator('#status').textContent()).toBe(`Sports · Weekend · ${count}`);
    expect(await page.locator('.list .e:not(.run)').count()).toBe(Number(count));
    expect(await page.locator('.list .e:not([data-g^="sports/"])').count()).toBe(0);
    await screenshot(page, 'sports-this-weekend');
    await page.goBack();
    await headed(page, 'Weekend');
    await page.goBack();
    await page.locator('#list section').nth(4).waitFor();
    expect(await page.title()).toBe('What is coming up – Almanac');
  });

  test('an address with a category and no days leads to its page, and so does the chip of all days; others keep it', async () => {
    const page = await open('?in=sports');
    await page.waitForURL('**/category/sports/');
    await page.goto(`${site.url}?in=sports/formula-one-sports&on=2027-03`);
    await headed(page, 'Formula One · March 2027');
    expect(await page.locator('#subscribe a').first().getAttribute('href')).toMatch(
      /^webcal:.*\/genre\/formula-one-sports\/events\.ics$/,
    );
    await page.getByRole('link', { name: 'Upcoming' }).click();
    await page.waitForURL('**/genre/formula-one-sports/');
    await page.goto(`${site.url}category/sports/`);
    await click(page, 'link', /^Weekend/);
    await page.waitForURL('**/?in=sports&on=weekend');
  });

  test('every chip and every category opens exactly the events that it counts', async () => {
    const page = await open('?on=week');
    await page.locator('html.shown').waitFor();
    const links = page.locator('.strip a:not([aria-current]):has(.count:not(:empty)):visible');
    const wrong: string[] = [];
    for (let index = 0; index < (await links.count()); index++) {
      const link = links.nth(index);
      const text = (await link.innerText()).replace(/\s+/g, ' ');
      const count = Number(/[\d,]+$/.exec(text)?.[0].replace(',', ''));
      await link.click();
      await page.locator('html.shown').waitFor();
      const heading = Number((await page.locator('main h1 .count').innerText()).replace(',', ''));
      const rows = await page.locator('.list .e:not(.run)').count();
      if (heading !== count || rows !== count) wrong.push(`${text}: ${heading}, ${rows}`);
      await page.goBack();
      await page.locator('html.shown').waitFor();
    }
    expect(wrong).toEqual([]);
  });

  test('the list goes on where the page ends', async () => {
    const page = await open();
    const before = await page.locator('.list .e').count();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page
      .locator('.list .e')
      .nth(before + 50)
      .waitFor({ state: 'attached' });
  });

  test('a page that was built weeks ago shows what is coming', async () => {
    const page = await open('', { now: '2026-12-20T12:00:00Z' });
    await page.locator('.list section[data-key^="2026-12-2"]').first().waitFor();
    expect(await page.locator('.list .e').count()).toBeGreaterThanOrEqual(30);
    expect(await page.locator('.empty').count()).toBe(0);
  });

  test('what is chosen is saved as a calendar, without a request', async () => {
    const page = await open('?on=weekend');
    await page.locator('.list .e').first().waitFor();
    site.asked.length = 0;
    const all = await savedBy(page, async () =>
      page.getByRole('button', { name: 'Save .ics' }).click(),
    );
    expect(all.match(/BEGIN:VEVENT/g)).toHaveLength(
      await page.locator('.list .e:not(.run)').count(),
    );
    expect(site.asked).toEqual([]);
  });

  test('one date is in a calendar after two actions on the page of its subject, also on an iPhone', async () => {
    const page = await open(subject);
    await click(page, 'button', /Add this date/);
    const text = await savedBy(page, async () => click(page, 'link', /^Apple/));
    expect(text.match(/BEGIN:VEVENT/g)).toHaveLength(1);
    expect(text).toMatch(/\r\nUID:science-fiction-and-fantasy-tv\/ahsoka\/[^@]+@/);
  });

  test.each([
    ['', 'Almanac'],
    ['genre/formula-one-sports/', 'Formula One'],
    [subject, 'Ahsoka'],
  ])(
    'a phone subscribes to /%s after two actions, the second outside the browser',
    async (path, name) => {
      const page = await open(path, { viewport: phone });
      await click(page, 'button', /^Subscribe/);
      const links = await page
        .locator('#subscribe a')
        .evaluateAll((all) =>
          all.filter((one) => one.checkVisibility()).map((one) => (one as HTMLAnchorElement).href),
        );
      expect(links[0]).toMatch(/^webcal:.*\.ics$/);
      expect(new URL(links[2] ?? '').searchParams.get('name')).toBe(name);
      await page.keyboard.press('Escape');
      expect(await page.locator('#subscribe').isVisible()).toBe(false);
    },
  );

  test('the menus of a subject work without a script, one at a time', async () => {
    const page = await openPage(site.url + subject, { now, javaScriptEnabled: false });
    await page.getByRole('button', { name: /Add this date/ }).click();
    expect(await page.locator('#add').isVisible()).toBe(true);
    await page.getByRole('button', { name: /^Subscribe/ }).click();
    expect(await page.locator('#add').isVisible()).toBe(false);
    expect(await page.locator('#subscribe').isVisible()).toBe(true);
  });

  test('two genres are in one list, with a subscription for each, after five actions', async () => {
    const page = await open('genre/moon-phases-space/');
    await click(page, 'button', /^Follow/, 'main .title');
    await type(page, 'meteor showers');
    await page.waitForURL('**/genre/meteor-showers-space/');
    await click(page, 'button', /^Follow/, 'main .title');
    await click(page, 'link', /^(☆ )?Following/, '.bar');
    await page.locator('#calendars li').nth(1).waitFor();
    const links = await page
      .locator('#calendars a[href^="webcal:"]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href')?.replace(/.*genre\//, '')));
    expect(new Set(links)).toEqual(
      new Set(['meteor-showers-space/events.ics', 'moon-phases-space/events.ics']),
    );
  });

  const listPages = [
    '',
    '?on=weekend',
    '?on=week',
    'category/sports/',
    'category/space/',
    'genre/formula-one-sports/',
    'genre/moon-phases-space/',
    'country/de/',
    'tag/conference/',
    'collection/night-sky/',
  ];

  test.each(listPages)('what /%s downloads at first is small', (path) => {
    const sizeOf = (file: string): number => gzipSync(readFileSync(join(site.folder, file))).length;
    const page = sizeOf(`${path.split('?')[0]}index.html`);
    const scripts = ['assets/app.js', 'assets/words.js'].reduce(
      (sum, file) => sum + sizeOf(file),
      0,
    );
    const others = ['assets/style.css', 'assets/icon.svg', 'api/v1/index.json'].reduce(
      (sum, file) => sum + sizeOf(file),
      0,
    );
    expect(sizeOf('assets/style.css')).toBeLessThan(6000);
    expect(scripts).toBeLessThan(18_000);
    expect(page + scripts + others).toBeLessThan(path.includes('/') ? 40_000 : 34_000);
  });

  test('a row has at most 350 bytes on average', () => {
    const pages = [...readTree(join(site.folder, 'genre'))].filter(([path]) =>
      path.endsWith('.html'),
    );
    const rows = pages.flatMap(
      ([, text]) => String(text).match(/<li\s+class="e[ "].*?<\/li>/gs) ?? [],
    );
    expect(rows.length).toBeGreaterThan(2000);
    expect(rows.join('').length / rows.length).toBeLessThanOrEqual(350);
  });

  test.each([
    { width: 390, height: 844, top: 170, rows: 6 },
    { width: 1280, height: 800, top: 200, rows: 14 },
  ])('content comes before chrome at $width pixels', async ({ width, height, top, rows }) => {
    for (const path of listPages) {
      const page = await open(path, { viewport: { width, height } });
      const boxes = await page
        .locator('#list .e')
        .evaluateAll((all) =>
          all
            .filter((one) => one.checkVisibility())
            .map((one) => one.getBoundingClientRect().toJSON() as DOMRect),
        );
      expect(boxes[0]?.top, path).toBeLessThanOrEqual(top);
      expect(boxes.filter(({ bottom }) => bottom <= height).length, path).toBeGreaterThanOrEqual(
        rows,
      );
    }
  });

  test('home has at most 120 stops of the tab key, and its rows no buttons', async () => {
    const page = await open();
    const stops = await page
      .locator('a[href], button, input, select, summary')
      .evaluateAll((all) => all.filter((one) => one.checkVisibility()).length);
    expect(stops).toBeLessThanOrEqual(120);
    expect(await page.locator('.list .e button').count()).toBe(0);
  });
});
