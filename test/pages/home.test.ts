import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { chromiumPath, launchBrowser, openPage, screenshot, serveSite, type Reader } from '../setup/browser.ts';
import { catalogue, hostile, now, stages } from './catalogue.ts';
import { headings, rowOf, titles } from './list.ts';

describe.skipIf(chromiumPath === null)('the pages', async () => {
  const browser = await launchBrowser();
  const site = await serveSite(catalogue, now);
  const aliased = await serveSite(stages, now);

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
    expect(await rowOf(page, 'World premiere')).toMatch(/^11:00 UTC /);
    expect(await rowOf(page, 'Doors open')).toMatch(/^17 h UTC /);
    expect(await rowOf(page, 'General release')).toMatch(/^all day /);
    expect(await page.locator('noscript').innerText()).toContain('December 2026');
    expect(complaints).toEqual([]);
    await screenshot(page, 'home-no-script');
  });

  test('show the days and times of the reader', async () => {
    const { page, complaints } = await open();
    expect(await headings(page)).toEqual(expect.arrayContaining(['Today 20 November 1', 'Tuesday 1 December 2']));
    expect(await rowOf(page, 'World premiere')).toMatch(/^12:00 /);
    expect(await rowOf(page, 'Doors open')).toMatch(/^18 h /);
    expect(await page.locator('#zone').innerText()).toBe('Clock times are in Europe/Berlin.');
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
    await phone.page.locator('#settings summary').click();
    await links.click();
    await phone.page.waitForURL('**/changes/');
  });

  test('a day of the heat map opens as many events as it counts, and the back button undoes it', async () => {
    const { page } = await open();
    const cell = page.locator('[data-day="2027-05-05"]');
    expect(await cell.getAttribute('aria-label')).toBe('Wednesday, 5 May 2027: 1 event');
    await cell.click();
    await page.locator('section[data-key="2027-05-05"]').waitFor();
    expect(await page.locator('.list .e').count()).toBe(1);
    expect(new URL(page.url()).search).toBe('?on=2027-05-05');
    expect(site.asked).toContain('month/2027-05/index.html');
    await page.goBack();
    await page.locator('section[data-key="2026-12-01"]').waitFor();
  });

  test('chips count and show the days of the reader', async () => {
    const { page } = await open();
    expect(await page.locator('.chips a').allInnerTexts()).toEqual([
      'Upcoming',
      'Today 1',
      'Tomorrow 0',
      'This week 1',
      'Weekend 0',
    ]);
    await page.getByRole('link', { name: 'Tomorrow' }).click();
    expect(await page.locator('.list').innerText()).toBe('Nothing is listed then.');
    await page.locator('#day').fill('2026-12-02');
    expect(await titles(page)).toEqual(['Quiet Picture Doors open']);
    expect((await open('today/')).page.url()).toContain('/today/');
  });

  test('the card of the next event and the note of what is left out do not follow a chosen day', async () => {
    const { page } = await open('?day=2027-05-05');
    await page.locator('section[data-key="2027-05-05"]').waitFor();
    await page.clock.runFor(2000);
    expect(await page.locator('#next .what').innerText()).toContain('Static fire');
    const note = page.getByText('The first 100 of');
    expect(await note.isVisible()).toBe(false);
    await page.getByRole('link', { name: 'Upcoming' }).click();
    expect(await note.isVisible()).toBe(true);
  });

  test('a month grid counts the days of the reader, as its list does', async () => {
    const { page } = await open('month/2026-12/', { timezoneId: 'Pacific/Kiritimati' });
    const days = page.locator('td > a');
    await expect
      .poll(async () => days.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label'))))
      .toEqual(['1 December: 1 event', '2 December: 1 event', '3 December: 1 event', '24 December: 4 events']);
    expect(await headings(page)).toEqual([
      'Tuesday 1 December 1',
      'Wednesday 2 December 1',
      'Thursday 3 December 1',
      'Thursday 24 December 4',
    ]);
  });

  test('the year counts the days of the reader, and a day of its heat map opens on the home page', async () => {
    const { page, complaints } = await openPage(browser, `${site.url}year/`, { now, timezoneId: 'Pacific/Kiritimati' });
    const december = page.locator('table[data-month="2026-12"] td > a');
    await page.locator('table[data-month="2026-12"] [data-day="2026-12-03"] a').waitFor();
    expect(await december.evaluateAll((all) => all.map((one) => one.getAttribute('href')))).toEqual(
      ['01', '02', '03', '24'].map((day) => `../month/2026-12/#d2026-12-${day}`),
    );
    await page.locator('.heat [data-day="2026-12-24"]').click();
    await page.waitForURL('**/?on=2026-12-24');
    await page.locator('section[data-key="2026-12-24"]').waitFor();
    expect(complaints).toEqual([]);
  });

  test('arrow keys move in the heat map, which is one stop of the tab key', async () => {
    const { page } = await open();
    await page.locator('.heat [tabindex="0"]').focus();
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowUp']) await page.keyboard.press(key);
    expect(await page.evaluate(() => (document.activeElement as HTMLElement).dataset['day'])).toBe('2026-11-27');
    expect(await page.locator('.heat [tabindex="0"]').count()).toBe(1);
  });

  test('choices are remembered: countdowns, zone, theme', async () => {
    const { page } = await open();
    await page.locator('.menu summary').click();
    await page.getByLabel('Countdowns').uncheck();
    await page.getByLabel('Colours').selectOption('dark');
    expect(await page.locator('#next .count').innerText()).toBe('');
    await page.reload();
    await page.locator('#synced').getByText('updated').waitFor();
    expect(await page.locator('#next .count').innerText()).toBe('');
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    await page.locator('.menu summary').click();
    await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
    await page.getByText('Clock times are in Asia/Tokyo.').waitFor();
    expect(await rowOf(page, 'World premiere')).toMatch(/^20:00 /);
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

  test('an unknown address offers the nearest names', async () => {
    const { page } = await openPage(browser, `${site.url}genre/launches-space/herom/`, { now });
    await page.locator('#nearest').getByText('Heron').waitFor();
  });

  test('what is followed is kept, listed, and saved as one calendar', async () => {
    const { page } = await open('genre/launches-space/heron/');
    await page.getByRole('button', { name: 'Follow Heron' }).click();
    expect(await page.locator('#followed').innerText()).toBe('1');
    await page.goto(`${site.url}following/`);
    await page.locator('.list .e', { hasText: 'Heron Static fire' }).waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as a calendar' }).click();
    const stream = await (await saved).createReadStream();
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    const text = String(Buffer.concat(chunks));
    expect(text.match(/BEGIN:VEVENT/g)).toHaveLength(2);
    expect(text).toMatch(/^BEGIN:VCALENDAR\r\n[^]*END:VCALENDAR\r\n$/);
    await page.goto(`${site.url}following/#g/premieres-film=Premieres`);
    await page.reload();
    await page.getByRole('button', { name: 'Follow all' }).click();
    await page.locator('.list .e', { hasText: 'World premiere' }).waitFor();
  });

  test('what is followed names its subjects, is listed once, may be gone, and can be unfollowed', async () => {
    const names = {
      's/premieres-film/quiet-picture': 'Quiet Picture',
      'g/premieres-film': 'Premieres',
      's/launches-space/heron': 'Heron',
      's/launches-space/gone': 'Gone',
    };
    const { origin, pathname } = new URL(site.url);
    const value = JSON.stringify({ follows: { [pathname]: names } });
    const storageState = { cookies: [], origins: [{ origin, localStorage: [{ name: 'almanac', value }] }] };
    const { page } = await open('following/', { storageState });
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
    await row.getByRole('button', { name: 'Follow Heron', pressed: true }).click();
    expect(await page.locator('#followed').innerText()).toBe('3');
  });

  test('an event of what is followed is shown once, alone or among the events of its minute', async () => {
    const events = ['a', 'b', 'c'].map((title) => ({ title, starts: '2027-01-01T06:00Z' }));
    const other = { name: 'Capsule', events: [{ title: 'd', starts: '2027-01-01T06:00Z' }] };
    const { url } = await serveSite(
      { ...catalogue, 'space/passes/station.json': { name: 'Station', events }, 'space/passes/capsule.json': other },
      now,
    );
    const follows = { 'g/passes-space': 'Passes', 's/passes-space/capsule': 'Capsule' };
    const { origin, pathname } = new URL(url);
    const value = JSON.stringify({ follows: { [pathname]: follows } });
    const storageState = { cookies: [], origins: [{ origin, localStorage: [{ name: 'almanac', value }] }] };
    const { page } = await open('following/', { storageState }, url);
    await page.locator('.list .run').waitFor();
    const shown = await page.locator('.list a.t').evaluateAll((links) => links.map((link) => link.textContent));
    expect(shown).toEqual(['Capsule d', 'Station a', 'Station b', 'Station c']);
  });

  test('offer the language of the browser, and switch to it', async () => {
    const { page, complaints } = await openPage(browser, site.url, { now, locale: 'de-DE' });
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await page.getByRole('link', { name: 'Liste', exact: true }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    await page.locator('.list h2', { hasText: 'Heute' }).waitFor();
    expect(complaints).toEqual([]);
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
      expect(await page.locator('img, body svg[onload], main script, main i > *, main u').count()).toBe(0);
      expect(await page.title()).not.toBe('pwned');
      expect(await page.locator('h1 bdi').innerText()).toBe('"Titles" <u>');
      expect(complaints).toEqual([]);
    }
  });

  test('say the local time of an event where it differs', async () => {
    const { page } = await open('genre/premieres-film/');
    const when = page.locator('.e', { hasText: 'World premiere' }).locator('.w');
    await when.hover();
    expect(await when.getAttribute('title')).toMatch(/20:00.*Tokyo/);
    const kolkata = await open('', { timezoneId: 'Asia/Kolkata' }, aliased.url);
    const own = kolkata.page.locator('.e', { hasText: 'Doors open' }).locator('.w');
    await own.hover();
    expect(await own.getAttribute('title')).toBe('');
  });
});

async function focusedText(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.textContent ?? '');
}
