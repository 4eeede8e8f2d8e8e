import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { violations } from '../setup/axe.ts';
import { chromiumPath, openPage, serveSite, type Reader } from '../setup/browser.ts';
import { catalogueIn } from './catalogue.ts';

/** A Monday. */
const now = '2026-11-23T12:00:00Z';

describe.skipIf(chromiumPath === null)('searching', async () => {
  const site = await serveSite(catalogueIn('search-catalogue.txt'), now);

  async function open(path = '', reader: Partial<Reader> = {}) {
    site.asked.length = 0;
    return openPage(site.url + path, { now, timers: true, ...reader });
  }

  async function type(page: Page, text: string): Promise<void> {
    await page.locator('#q').fill(text);
    await page.getByText(`“${text}”`).first().waitFor();
  }

  const focused = async (page: Page) =>
    page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent?.trim());

  test('fetches the index once the field has the focus', async () => {
    const page = await open();
    expect(site.asked).not.toContain('assets/search.json');
    await page.locator('#q').focus();
    await type(page, 'heron');
    expect(await page.locator('.found b').first().innerText()).toBe('Heron');
    await type(page, 'artemis');
    expect(await page.locator('.found .w').innerText()).toBe('Q3 2027');
    expect(site.asked.filter((path) => path === 'assets/search.json')).toHaveLength(1);
  });

  test('shows words that find nothing struck', async () => {
    const page = await open();
    await type(page, 'super bowl tickets');
    const status = page.getByRole('status').filter({ hasText: 'tickets' });
    expect(await status.locator('s').innerText()).toBe('tickets');
    expect(await status.innerText()).toContain('Without “tickets”:');
    expect(await page.locator('.found [data-hit]').first().innerText()).toContain('Super Bowl');
    expect(await violations(page)).toEqual([]);
  });

  test('names what is written alike and what is next where nothing is found, also at a wrong address', async () => {
    const page = await open();
    await type(page, 'zzheron');
    const headings = page.locator('#found h2');
    expect(await headings.allInnerTexts()).toEqual(['Similar names', 'What is coming up']);
    expect(await page.locator('#found .found').first().locator('.t').count()).toBeGreaterThan(0);
    expect(await violations(page)).toEqual([]);
    const lost = await open('genre/birds/herron-xyz/', { complaints: /status of 404/ });
    await lost.locator('#nearest .t', { hasText: 'Heron' }).first().waitFor();
    expect(await lost.locator('#nearest .t').count()).toBeLessThanOrEqual(9);
    expect(await violations(lost)).toEqual([]);
  });

  test('says that it is loading until the index is there', async () => {
    const page = await open();
    let release = (): void => {};
    const waiting = new Promise<void>((done) => {
      release = done;
    });
    await page.context().route('**/assets/search.json', async (route) => {
      await waiting;
      await route.continue();
    });
    await page.locator('#q').fill('heron');
    await page.getByRole('status').filter({ hasText: 'Loading' }).waitFor();
    release();
    await page.getByText('“heron”').first().waitFor();
  });

  test('Enter opens the first hit, even before the answer is there, and back returns to the results', async () => {
    const page = await open();
    await page.locator('#q').fill('sports in march 2027');
    await page.locator('#q').press('Enter');
    await page.waitForURL('**/?in=sports&on=2027-03');
    await page.goBack();
    await page.getByText('“sports in march 2027”').waitFor();
    expect(await page.locator('#q').inputValue()).toBe('sports in march 2027');
    await page.locator('#q').fill('zzzz');
    await page.locator('#q').press('Enter');
    await page.getByText('“zzzz”').waitFor();
    expect(await focused(page)).toBe('q');
  });

  test('arrow keys go from hit to hit and back, and Escape closes the results', async () => {
    const page = await open();
    await type(page, 'moon');
    await page.locator('#q').focus();
    const reached: (string | null | undefined)[] = [];
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'Escape']) {
      await page.keyboard.press(key);
      reached.push(await focused(page));
    }
    expect(reached).toEqual([
      'Full Moon',
      'Full Moon of December',
      'New Moon',
      'Full Moon of December',
      'q',
    ]);
    await page.keyboard.press('Escape');
    expect(await page.locator('main').isVisible()).toBe(true);
    await page.waitForURL(site.url);
  });

  test('the skip link leads to the results while they are shown', async () => {
    const page = await open();
    const target = async () =>
      page.locator('.skip').evaluate((link) => (link as HTMLAnchorElement).hash);
    const before = await target();
    await type(page, 'moon');
    expect(await target()).toBe('#found');
    await page.locator('#q').press('Escape');
    expect(await target()).toBe(before);
  });

  test('more results come at the end, where the focus goes, and are still there after a visit', async () => {
    const page = await open();
    await type(page, '2027');
    const rows = page.locator('.found .e');
    const before = await rows.count();
    await page.getByRole('button', { name: /^Show \d+ more$/ }).click();
    await page.waitForFunction(
      (count) => document.querySelectorAll('.found .e').length > count,
      before,
    );
    expect(await focused(page)).toBe((await rows.nth(before).locator('.t').textContent())?.trim());
    const after = await rows.count();
    await rows.nth(before).locator('.t').click();
    await page.waitForURL('**/genre/**');
    await page.goBack();
    await rows.nth(after - 1).waitFor();
  });

  test('an index that fails to load is reported, and asked for again', async () => {
    const page = await open('', { complaints: /status of 500/ });
    site.broken.add('assets/search.json');
    await page.locator('#q').fill('moon');
    await page.getByText('The search could not be loaded.').waitFor();
    site.broken.clear();
    await type(page, 'moon');
  });
});
