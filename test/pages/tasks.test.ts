import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { chromiumPath, launchBrowser, openPage, serveSite, type Reader } from '../setup/browser.ts';
import { readTree } from '../setup/folders.ts';

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

  async open(summary: string): Promise<void> {
    this.actions++;
    await this.page.locator('summary', { hasText: summary }).first().click();
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
    await task.click('link', 'Total solar eclipses', '#found');
    await task.page.locator('#next .when', { hasText: '2 August 2027' }).waitFor();
    expect(task.actions).toBe(2);
  });

  test('this weekend takes one action, also by typing, and on a phone', async () => {
    for (const viewport of [
      { width: 1280, height: 900 },
      { width: 390, height: 844 },
    ]) {
      const task = await start('', { viewport });
      await task.click('link', /^Weekend/);
      await task.page.locator('main h1', { hasText: 'This weekend' }).waitFor();
      expect(task.actions).toBe(1);
    }
    const typed = await start();
    await typed.type('this weekend');
    await typed.page.locator('main h1', { hasText: 'This weekend' }).waitFor();
    expect(typed.actions).toBe(1);
  });

  test('sports this weekend takes two actions', async () => {
    const task = await start();
    await task.click('link', /^Weekend/);
    await task.page.locator('main h1', { hasText: 'This weekend' }).waitFor();
    await task.click('link', /^Sports/, '.rail');
    await task.page.locator('main h1', { hasText: 'Sports this weekend' }).waitFor();
    expect(task.actions).toBe(2);
  });

  test('sports in march 2027 takes one action', async () => {
    const task = await start();
    await task.type('sports in march 2027');
    await task.page.locator('main h1', { hasText: 'Sports in March 2027' }).waitFor();
    expect(task.actions).toBe(1);
  });

  test('a show is in the calendar of its reader after three actions', async () => {
    const task = await start();
    await task.type('ahsoka');
    await task.page.waitForURL(`**/${subject}`);
    await task.open('Add to a calendar');
    const [download] = await Promise.all([task.page.waitForEvent('download'), task.click('button', /^All dates/)]);
    expect(download.suggestedFilename()).toMatch(/\.ics$/);
    expect(task.actions).toBe(3);
  });

  test('the calendar of a subject is subscribed after two actions', async () => {
    const task = await start(subject);
    await task.open('Subscribe');
    const link = task.page.locator('.menu').getByRole('link', { name: 'Calendar', exact: true });
    await link.waitFor();
    // The second action leaves the browser.
    expect(await link.getAttribute('href')).toMatch(/^webcal:.*\/ahsoka\.ics$/);
    expect(task.actions + 1).toBe(2);
  });

  test('what changed takes one action', async () => {
    const task = await start(subject);
    await task.click('link', 'Changes', '.bar');
    await task.page.locator('main h1', { hasText: 'Changes' }).waitFor();
    expect(task.actions).toBe(1);
  });

  test('the address of an event takes one action', async () => {
    const task = await start(subject);
    await task.click('link', /^Link to /, '.list');
    expect(new URL(task.page.url()).hash).toMatch(/^#./);
    expect(await task.page.locator('.e:target').count()).toBe(1);
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

  test('the time zone is seen without an action', async () => {
    const task = await start();
    expect(await task.page.locator('#settings summary').innerText()).toContain('New York');
    expect(await task.page.locator('#zone').innerText()).toBe('Clock times are in America/New York.');
    expect(task.actions).toBe(0);
  });
});
