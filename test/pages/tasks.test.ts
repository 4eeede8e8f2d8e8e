import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { chromiumPath, launchBrowser, openPage, serveSite, type Reader } from '../setup/browser.ts';
import { readTree } from '../setup/folders.ts';
import { savedBy } from './list.ts';

/* What readers come for, and with how many actions they get it. Typing a text, with Enter at its end, is one action. */

const now = '2026-11-23T18:00:00Z';
const subject = 'genre/science-fiction-and-fantasy-tv/ahsoka/';

/** A page whose actions are counted. */
class Task {
  readonly page: Page;
  actions = 0;

  constructor(page: Page) {
    this.page = page;
  }

  async click(role: 'link' | 'button', name: string | RegExp, within = 'body'): Promise<void> {
    this.actions++;
    await this.page.locator(within).getByRole(role, { name }).first().click();
  }

  async type(text: string): Promise<void> {
    this.actions++;
    await this.page.locator('#q').fill(text);
    await this.page.locator('#q').press('Enter');
  }
}

describe.skipIf(chromiumPath === null)('tasks', async () => {
  const browser = await launchBrowser();
  const site = await serveSite(Object.fromEntries(readTree('data')), now);

  async function start(path = '', reader: Partial<Reader> = {}): Promise<Task> {
    const options = { now, timers: true, timezoneId: 'America/New_York', ...reader };
    const { page } = await openPage(browser, site.url + path, options);
    await page.locator('#synced:not(:empty)').waitFor({ state: 'attached' });
    return new Task(page);
  }

  test('the next total solar eclipse takes two actions', async () => {
    const task = await start();
    task.actions++;
    await task.page.locator('#q').fill('next total solar eclipse');
    await task.click('link', /^Total solar eclipse/, '#found');
    await task.page.locator('.card h2', { hasText: '2 August 2027' }).waitFor();
    expect(task.actions).toBe(2);
  });

  test('this weekend takes one action, also by typing, and on a phone', async () => {
    const task = await start('', { viewport: { width: 390, height: 844 } });
    await task.click('link', /^Weekend/);
    await task.page.locator('main h1', { hasText: 'Weekend' }).waitFor();
    expect(task.actions).toBe(1);
    const typed = await start();
    await typed.type('this weekend');
    await typed.page.locator('main h1', { hasText: 'Weekend' }).waitFor();
    expect(typed.actions).toBe(1);
  });

  test('one date is in a calendar after two actions on the page of its subject, also on an iPhone', async () => {
    const task = await start(subject);
    await task.click('button', /Add this date/);
    const text = await savedBy(task.page, async () => task.click('link', /^Apple/));
    expect(text.match(/BEGIN:VEVENT/g)).toHaveLength(1);
    expect(text).toMatch(/\r\nUID:science-fiction-and-fantasy-tv\/ahsoka\/[^@]+@/);
    expect(task.actions).toBe(2);
  });

  test.each(['', 'genre/formula-one-sports/', subject])('a phone subscribes to /%s after two actions', async (path) => {
    const task = await start(path, { viewport: { width: 390, height: 844 } });
    await task.click('button', /^Subscribe/);
    const links = await task.page
      .locator('#subscribe a')
      .evaluateAll((all) => all.filter((one) => one.checkVisibility()).map((one) => (one as HTMLAnchorElement).href));
    const name = path === '' ? 'Almanac' : path === subject ? 'Ahsoka' : 'Formula One';
    expect(links[0]).toMatch(/^webcal:.*\.ics$/);
    expect(new URL(links[2] ?? '').searchParams.get('name')).toBe(name);
    // The second action leaves the browser.
    expect(task.actions + 1).toBe(2);
    await task.page.keyboard.press('Escape');
    expect(await task.page.locator('#subscribe').isVisible()).toBe(false);
  });

  test('the menus of a subject work without a script, one at a time', async () => {
    const { page } = await openPage(browser, site.url + subject, { now, javaScriptEnabled: false });
    await page.getByRole('button', { name: /Add this date/ }).click();
    expect(await page.locator('#add').isVisible()).toBe(true);
    await page.getByRole('button', { name: /^Subscribe/ }).click();
    expect(await page.locator('#add').isVisible()).toBe(false);
    expect(await page.locator('#subscribe').isVisible()).toBe(true);
  });

  test('all 13 events in London take one action, by typing or by a link in a row', async () => {
    const typed = await start();
    typed.actions++;
    await typed.page.locator('#q').fill('london');
    const linked = await start('category/tech/');
    await linked.click('link', /^London$/, '#list');
    for (const { page, actions } of [typed, linked]) {
      await page.locator('.found .e .d').nth(12).waitFor();
      expect(await page.locator('.found .e .d').count()).toBe(13);
      expect(await page.locator('[data-more]').count()).toBe(0);
      expect(actions).toBe(1);
    }
  });

  test('a choice is shared by its address, after one action', async () => {
    const task = await start('category/sports/');
    await task.click('link', /^Weekend/);
    const heading = task.page.locator('main h1', { hasText: 'Sports · Weekend' });
    await heading.waitFor();
    const other = await start(task.page.url().replace(site.url, ''));
    await other.page.locator('main h1', { hasText: 'Sports · Weekend' }).waitFor();
    expect(await other.page.locator('main h1').innerText()).toBe(await heading.innerText());
    expect(task.actions).toBe(1);
  });

  test('two genres are in one list, with a subscription for each, after five actions', async () => {
    const task = await start('genre/moon-phases-space/');
    await task.click('button', /^Follow/, 'main .title');
    await task.type('meteor showers');
    await task.page.waitForURL('**/genre/meteor-showers-space/');
    await task.click('button', /^Follow/, 'main .title');
    await task.click('link', /^(☆ )?Following/, '.bar');
    await task.page.locator('#calendars li').nth(1).waitFor();
    const links = await task.page
      .locator('#calendars a[href^="webcal:"]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href')?.replace(/.*genre\//, '')));
    expect(new Set(links)).toEqual(new Set(['meteor-showers-space/events.ics', 'moon-phases-space/events.ics']));
    expect(task.actions + 1).toBe(5);
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
    const scripts = ['assets/app.js', 'assets/words.js'].reduce((sum, file) => sum + sizeOf(file), 0);
    const others = ['assets/style.css', 'assets/icon.svg', 'api/v1/index.json'].reduce(
      (sum, file) => sum + sizeOf(file),
      0,
    );
    expect(sizeOf('assets/style.css')).toBeLessThan(6000);
    expect(scripts).toBeLessThan(18_000);
    expect(page + scripts + others).toBeLessThan(path.includes('/') ? 40_000 : 31_000);
  });

  test('a row has at most 350 bytes on average', () => {
    const pages = [...readTree(join(site.folder, 'genre'))].filter(([path]) => path.endsWith('.html'));
    const rows = pages.flatMap(([, text]) => String(text).match(/<li\s+class="e[ "].*?<\/li>/gs) ?? []);
    expect(rows.length).toBeGreaterThan(2000);
    expect(rows.join('').length / rows.length).toBeLessThanOrEqual(350);
  });

  test.each([
    { width: 390, height: 844, top: 170, rows: 6 },
    { width: 1280, height: 800, top: 200, rows: 14 },
  ])('content comes before chrome at $width pixels', async ({ width, height, top, rows }) => {
    for (const path of listPages) {
      const { page } = await start(path, { viewport: { width, height } });
      const boxes = await page
        .locator('#list .e')
        .evaluateAll((all) =>
          all.filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect().toJSON() as DOMRect),
        );
      expect(boxes[0]?.top, path).toBeLessThanOrEqual(top);
      expect(boxes.filter(({ bottom }) => bottom <= height).length, path).toBeGreaterThanOrEqual(rows);
    }
  });

  test('home has at most 120 stops of the tab key, and its rows no buttons', async () => {
    const { page } = await start();
    const stops = await page
      .locator('a[href], button, input, select, summary')
      .evaluateAll((all) => all.filter((one) => one.checkVisibility()).length);
    expect(stops).toBeLessThanOrEqual(120);
    expect(await page.locator('.list .e button').count()).toBe(0);
  });
});
