import { describe, expect, test } from 'vitest';
import { chromiumPath, launchBrowser, openPage, screenshot, serveSite, type Reader } from '../setup/browser.ts';
import { buildSite } from '../setup/build-site.ts';
import { lastingFolder, readTree } from '../setup/folders.ts';
import { followerOf } from './every-page.ts';
import { headings, savedBy } from './list.ts';

const now = '2026-11-23T18:00:00Z';

describe.skipIf(chromiumPath === null)('what and when', async () => {
  const browser = await launchBrowser();
  const site = await serveSite(Object.fromEntries(readTree('data')), now);

  async function open(query = '', reader: Partial<Reader> = {}) {
    const opened = await openPage(browser, site.url + query, { now, timezoneId: 'America/New_York', ...reader });
    await opened.page.locator('#synced').getByText('updated').waitFor();
    return opened;
  }

  test('this weekend takes one action, sports this weekend takes two', async () => {
    const { page, complaints } = await open();
    await page.getByRole('link', { name: 'Weekend' }).click();
    await page.locator('main h1', { hasText: 'Weekend' }).waitFor();
    expect(await headings(page)).toEqual([
      expect.stringMatching(/^Saturday 28 November /),
      expect.stringMatching(/^Sunday 29 November /),
    ]);
    await page.locator('.rail').getByRole('link', { name: 'Sports' }).click();
    await page.locator('main h1', { hasText: 'Sports · Weekend' }).waitFor();
    expect(new URL(page.url()).search).toBe('?in=sports&on=weekend');
    const count = (await page.locator('main h1 .count').innerText()).trim();
    expect(await page.title()).toBe(`Sports · Weekend · ${count} – Almanac`);
    expect(await page.locator('#status').textContent()).toBe(`Sports · Weekend · ${count}`);
    expect(await page.locator('.list .e:not(.run)').count()).toBe(Number(count));
    expect(await page.locator('.list .e:not([data-g^="sports/"])').count()).toBe(0);
    expect(complaints).toEqual([]);
    await screenshot(page, 'sports-this-weekend');
    await page.goBack();
    await page.locator('main h1', { hasText: 'Weekend' }).waitFor();
    await page.goBack();
    await page.locator('#list section').nth(4).waitFor();
    expect(await page.title()).toBe('What is coming up – Almanac');
  });

  test('an address with a category and no days leads to its page, and so does the chip of all days', async () => {
    const { page } = await open('?in=sports');
    await page.waitForURL('**/category/sports/');
    await page.goto(`${site.url}?in=sports/formula-one-sports&on=2027-03`);
    await page.locator('main h1', { hasText: 'Formula One · March 2027' }).waitFor();
    expect(await page.locator('#subscribe a').first().getAttribute('href')).toMatch(
      /^webcal:.*\/genre\/formula-one-sports\/events\.ics$/,
    );
    await page.getByRole('link', { name: 'Upcoming' }).click();
    await page.waitForURL('**/genre/formula-one-sports/');
  });

  test('every chip and every category opens exactly the events that it counts', async () => {
    const { page } = await open('?on=week');
    await page.locator('html.shown').waitFor();
    const links = page.locator('.strip a:not([aria-current]):has(.count:not(:empty))');
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
    const { page } = await open();
    const before = await page.locator('.list .e').count();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page
      .locator('.list .e')
      .nth(before + 50)
      .waitFor({ state: 'attached' });
  });

  test('a page that was built weeks ago shows what is coming', async () => {
    const { page } = await open('', { now: '2026-12-20T12:00:00Z' });
    await page.locator('.list section[data-key^="2026-12-2"]').first().waitFor();
    expect(await page.locator('.list .e').count()).toBeGreaterThanOrEqual(30);
    expect(await page.locator('.empty').count()).toBe(0);
  });

  test('what is chosen is saved as a calendar, without a request', async () => {
    const { page } = await open('?on=weekend');
    await page.locator('.list .e').first().waitFor();
    site.asked.length = 0;
    const all = await savedBy(page, async () => page.getByRole('button', { name: 'Save .ics' }).click());
    expect(all.match(/BEGIN:VEVENT/g)).toHaveLength(await page.locator('.list .e:not(.run)').count());
    expect(site.asked).toEqual([]);
  });
});

describe.skipIf(chromiumPath === null)('what a reader follows', async () => {
  const browser = await launchBrowser();
  const service = { name: 'Almanac', license: 'Free to use, no key.' };
  const folders = { cwd: lastingFolder(), source: lastingFolder(), service };
  const before = { 'film/premieres/quiet-picture': { Release: '2026-12-01', Gala: '2027-03-30' } };
  const previous = await buildSite(before, '2026-11-19T12:00:00Z', folders);
  const site = await serveSite(
    {
      'service.json': service,
      'film/category.json': { name: 'Film' },
      'film/premieres/genre.json': { name: 'Premieres' },
      'film/premieres/quiet-picture.json': {
        name: 'Quiet Picture',
        events: [
          { title: 'Release', starts: '2026-12-15' },
          { title: 'Gala', starts: '2027-03-30' },
          { title: 'Encore', starts: '2028-01-05' },
        ],
      },
    },
    now,
    previous,
  );

  test('every page counts what changed since the last visit, and the list begins with it', async () => {
    const since = '2026-11-20T00:00:00Z';
    const follower = followerOf(site, { 'g/premieres-film': 'Premieres' }, { since, visited: since });
    const reader = { now, timers: true, ...follower };
    const { page, complaints } = await openPage(browser, `${site.url}genre/premieres-film/`, reader);
    await page.locator('#unseen').getByText('● 2 changes').waitFor();
    await page.locator('#unseen').click();
    await page
      .locator('#since h2')
      .getByText(/^Since you were here on Friday,? 20 November 2026$/)
      .waitFor();
    const changes = await page.locator('#since li').allInnerTexts();
    expect(changes.map((text) => text.replace(/\s+/g, ' ')).toSorted()).toEqual([
      'Added Quiet Picture Encore 5 January 2028',
      'Moved Quiet Picture Release 1 December 2026 → 15 December 2026',
    ]);
    expect(await page.locator('#since s').innerText()).toBe('1 December 2026');
    expect(await headings(page)).toEqual([
      'Tuesday 15 December 1',
      'Tuesday 30 March 2027 1',
      'Wednesday 5 January 2028 1',
    ]);
    expect(await page.locator('#calendars a').first().getAttribute('href')).toMatch(
      /^webcal:.*\/genre\/premieres-film\/events\.ics$/,
    );
    await page.goto(site.url);
    await page.locator('#synced').getByText('updated').waitFor();
    expect(await page.locator('#unseen').isVisible()).toBe(false);
    expect(complaints).toEqual([]);
  });
});
