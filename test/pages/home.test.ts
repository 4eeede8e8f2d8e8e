import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { chromiumPath, launchBrowser, openPage, screenshot, serveSite, type Reader } from '../setup/browser.ts';
import { catalogue, hostile, now } from './catalogue.ts';
import { followerOf } from './every-page.ts';
import { headings, rowOf, savedBy, titles } from './list.ts';

describe.skipIf(chromiumPath === null)('the pages', async () => {
  const browser = await launchBrowser();
  const site = await serveSite(catalogue, now);

  async function open(path = '', reader: Partial<Reader> = {}, at = site.url) {
    site.asked.length = 0;
    const opened = await openPage(browser, at + path, { now, ...reader });
    // The script has said whose clock it goes by.
    if (reader.javaScriptEnabled !== false) await opened.page.locator('#synced').getByText('updated').waitFor();
    return opened;
  }

  test('show real events without JavaScript, soonest first', async () => {
    const { page, complaints } = await open('', { javaScriptEnabled: false });
    expect((await titles(page)).slice(0, 4)).toEqual([
      'Heron Static fire',
      'Quiet Picture General release',
      'Quiet Picture World premiere',
      'Quiet Picture Doors open',
    ]);
    expect(await rowOf(page, 'World premiere')).toMatch(/^20:00 Tokyo /);
    expect(await rowOf(page, 'Doors open')).toMatch(/^18 h Berlin /);
    expect(await rowOf(page, 'General release')).toMatch(/^all day /);
    expect(await page.locator('.monthlinks').innerText()).toContain('December 2026');
    expect(await page.getByRole('link', { name: 'Weekend' }).getAttribute('href')).toBe('month/');
    expect(complaints).toEqual([]);
    await screenshot(page, 'home-no-script');
  });

  test('show the days and times of the reader', async () => {
    const { page, complaints } = await open();
    expect(await headings(page)).toEqual(expect.arrayContaining(['Today 20 November 1', 'Tuesday 1 December 2']));
    expect(await rowOf(page, 'World premiere')).toMatch(/^12:00 /);
    expect(await rowOf(page, 'Doors open')).toMatch(/^18 h /);
    expect(await page.locator('#zone').innerText()).toBe('Clock times are in Berlin (Europe).');
    expect(complaints).toEqual([]);
    expect(site.asked.filter((path) => path.endsWith('search.json'))).toEqual([]);
  });

  test('the bar leads to the changes, on a phone the menu', async () => {
    const { page } = await open();
    await page.locator('.bar').getByRole('link', { name: 'Changes' }).click();
    await page.waitForURL('**/changes/');
    expect(await page.locator('.views [aria-current]').innerText()).toBe('Changes');
    const phone = await open('', { viewport: { width: 390, height: 800 } });
    const links = phone.page.locator('.bar').getByRole('link', { name: 'Changes' });
    expect(await links.count()).toBe(0);
    await phone.page.getByRole('button', { name: 'Menu' }).click();
    await links.click();
    await phone.page.waitForURL('**/changes/');
  });

  test('chips count and show the days of the reader', async () => {
    const { page } = await open();
    expect(await page.locator('.chips a').allInnerTexts()).toEqual([
      'Upcoming',
      'Today 1',
      'Tomorrow 0',
      'Weekend 0',
      'This week 1',
    ]);
    await page.getByRole('link', { name: 'Tomorrow' }).click();
    expect(await page.locator('.list').innerText()).toBe('No events on these days.');
    await page.locator('#day').fill('2026-12-02');
    await page.waitForURL('**/?on=2026-12-02');
    await page.locator('section[data-key="2026-12-02"]').waitFor();
    expect(await titles(page)).toEqual(['Quiet Picture Doors open']);
  });

  test('slash goes to search; j and k go from event to event', async () => {
    const { page } = await open();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    expect(await focusedText(page)).toContain('General release');
    await page.keyboard.press('k');
    expect(await focusedText(page)).toContain('Static fire');
    await page.keyboard.press('/');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('q');
  });

  test('the skip link leads to the first event within eight stops', async () => {
    const { page } = await open();
    await page.keyboard.press('Tab');
    expect(await focusedText(page)).toContain('Skip to the events');
    await page.keyboard.press('Enter');
    for (let stop = 0; stop < 6 && !(await focusedText(page)).includes('Static fire'); stop++)
      await page.keyboard.press('Tab');
    expect(await focusedText(page)).toContain('Static fire');
  });

  test('what is followed is kept, listed, and saved as one calendar', async () => {
    const { page } = await open('genre/launches-space/heron/');
    await page.getByRole('button', { name: 'Follow Heron' }).click();
    expect(await page.locator('#followed').innerText()).toBe('1');
    await page.goto(`${site.url}following/`);
    await page.locator('.list .e', { hasText: 'Heron Static fire' }).waitFor();
    const text = await savedBy(page, async () => page.getByRole('button', { name: 'Save as a calendar' }).click());
    expect(text.match(/BEGIN:VEVENT/g)).toHaveLength(2);
    expect(text).toMatch(/^BEGIN:VCALENDAR\r\n[^]*END:VCALENDAR\r\n$/);
  });

  test('what is followed names its subjects, is listed once, may be gone, and can be unfollowed', async () => {
    const names = {
      's/premieres-film/quiet-picture': 'Quiet Picture',
      'g/premieres-film': 'Premieres',
      's/launches-space/heron': 'Heron',
      's/launches-space/gone': 'Gone',
    };
    const { page } = await open('following/', followerOf(site, names));
    await page.locator('.list .e', { hasText: 'World premiere' }).waitFor();
    expect(await titles(page)).toEqual([
      'Heron Static fire',
      'Quiet Picture General release',
      'Quiet Picture World premiere',
      'Quiet Picture Doors open',
      'Heron maiden flight',
    ]);
    expect(await page.locator('.notice').count()).toBe(0);
    const row = page.locator('.list .e', { hasText: 'Static fire' });
    expect(await row.locator('a.t').getAttribute('href')).toBe(`${site.url}genre/launches-space/heron/#static-fire`);
    await page.getByRole('button', { name: 'Stop following Heron' }).click();
    expect(await page.locator('#followed').innerText()).toBe('3');
  });

  test('an event of what is followed is shown once, alone or among the events of its minute', async () => {
    const events = ['a', 'b', 'c'].map((title) => ({ title, starts: '2027-01-01T06:00Z' }));
    const other = { name: 'Capsule', events: [{ title: 'd', starts: '2027-01-01T06:00Z' }] };
    const busy = await serveSite(
      { ...catalogue, 'space/passes/station.json': { name: 'Station', events }, 'space/passes/capsule.json': other },
      now,
    );
    const follows = { 'g/passes-space': 'Passes', 's/passes-space/capsule': 'Capsule' };
    const { page } = await open('following/', followerOf(busy, follows), busy.url);
    await page.locator('.list .run').waitFor();
    const shown = await page.locator('.list a.t').evaluateAll((links) => links.map((link) => link.textContent));
    expect(shown).toEqual(['Capsule d', 'Station a', 'Station b', 'Station c']);
  });

  test('show hostile names and titles as text', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const { page, complaints } = await open('genre/titles-tricks/', { javaScriptEnabled });
      const shown = (await titles(page)).filter((title) => title.startsWith('<svg'));
      expect(shown.sort()).toEqual(
        Object.values(hostile)
          .map((title) => `<svg onload=alert(1)> ${title}`)
          .sort(),
      );
      expect(await page.locator('img, body svg[onload], main script, main i > :not(data), main u').count()).toBe(0);
      expect(await page.title()).not.toBe('pwned');
      expect(await page.locator('h1 bdi').innerText()).toBe('"Titles" <u>');
      expect(complaints).toEqual([]);
    }
  });
});

async function focusedText(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.textContent ?? '');
}
