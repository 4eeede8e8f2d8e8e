import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { violations } from '../setup/axe.ts';
import { chromiumPath, launchBrowser, openPage, screenshot, serveSite, type Reader } from '../setup/browser.ts';
import { now, searchCatalogue } from './search-catalogue.ts';

describe.skipIf(chromiumPath === null)('searching', async () => {
  const browser = await launchBrowser();
  const site = await serveSite(searchCatalogue, now);

  async function open(path = '', reader: Partial<Reader> = {}) {
    site.asked.length = 0;
    return openPage(browser, site.url + path, { now, timers: true, ...reader });
  }

  async function type(page: Page, text: string): Promise<void> {
    await page.locator('#q').fill(text);
    await page.getByText(`“${text}”`).first().waitFor();
  }

  const focused = async (page: Page) =>
    page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent?.trim());

  test('fetches the index once the field has the focus, and marks what was found', async () => {
    const { page, complaints } = await open();
    expect(site.asked).not.toContain('assets/search.json');
    await page.locator('#q').focus();
    await type(page, 'heron');
    expect(await page.locator('.hit h2 mark').first().innerText()).toBe('Heron');
    await type(page, 'artemis');
    expect(await page.locator('.hit .w').innerText()).toBe('Q3 2027');
    expect(site.asked.filter((path) => path === 'assets/search.json')).toHaveLength(1);
    expect(complaints).toEqual([]);
  });

  test('shows how a sentence was understood, and each part can be removed', async () => {
    const { page } = await open();
    await type(page, 'sports in march 2027');
    expect(await page.locator('.reading button').allInnerTexts()).toEqual(['Sports ×', 'March 2027 ×']);
    expect(await page.locator('.found h2').allInnerTexts()).toContain('Friday, 5 March 2027');
    expect(new URL(page.url()).searchParams.get('q')).toBe('sports in march 2027');
    await page.getByRole('button', { name: 'Remove “Sports”' }).click();
    await page.getByText('“march 2027”').waitFor();
    expect(await page.locator('#q').inputValue()).toBe('march 2027');
    await type(page, 'eclipse near new york');
    expect(await page.getByRole('status').filter({ hasText: 'york' }).innerText()).toContain('Without “new york”');
  });

  test('Enter opens the first hit, even before the answer is there, and back returns to the results', async () => {
    const { page } = await open();
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
    const { page } = await open();
    await type(page, 'moon');
    await page.locator('#q').focus();
    const reached: (string | null | undefined)[] = [];
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'Escape']) {
      await page.keyboard.press(key);
      reached.push(await focused(page));
    }
    expect(reached).toEqual(['Moon Phases', 'Full Moon', 'Full Moon', 'Full Moon', 'q']);
    await page.keyboard.press('Escape');
    expect(await page.locator('main').isVisible()).toBe(true);
    expect(new URL(page.url()).search).toBe('');
  });

  test('the skip link leads to the results while they are shown', async () => {
    const { page } = await open();
    const target = async () => page.locator('.skip').evaluate((link) => (link as HTMLAnchorElement).hash);
    const before = await target();
    await type(page, 'moon');
    expect(await target()).toBe('#found');
    await page.locator('#q').press('Escape');
    expect(await target()).toBe(before);
  });

  test('more results come at the end, where the focus goes, and are still there after a visit', async () => {
    const { page } = await open();
    await type(page, '2027');
    const rows = page.locator('.found > ol .e');
    const before = await rows.count();
    await page.getByRole('button', { name: /^Show \d+ more$/ }).click();
    await page.waitForFunction((count) => document.querySelectorAll('.found > ol .e').length > count, before);
    expect(await focused(page)).toBe((await rows.nth(before).locator('.t').textContent())?.trim());
    const after = await rows.count();
    await rows.nth(before).locator('.t').click();
    await page.waitForURL('**/genre/**');
    await page.goBack();
    await rows.nth(after - 1).waitFor();
  });

  test.each([
    ['light', 1200],
    ['dark', 390],
  ] as const)('axe reports no problem in %s at %i pixels', async (colorScheme, width) => {
    const { page } = await open('', { colorScheme, viewport: { width, height: 900 } });
    for (const query of ['sports in march 2027', 'eclipse near new york', 'beyonders']) {
      await type(page, query);
      expect(await violations(page), query).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      await screenshot(page, `search-${query.split(' ')[0] ?? ''}-${colorScheme}`);
    }
  });

  test('an index that fails to load is reported, and asked for again', async () => {
    const { page } = await open();
    site.broken.add('assets/search.json');
    await page.locator('#q').fill('moon');
    await page.getByText('The search could not be loaded.').waitFor();
    site.broken.clear();
    await type(page, 'moon');
  });
});
