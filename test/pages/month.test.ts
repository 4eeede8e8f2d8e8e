import { describe, expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { titlesByDay } from '../../src/pages/month-table.ts';
import { localeOf } from '../../src/pages/locale.ts';
import { chromiumPath, launchBrowser, openPage, serveSite } from '../setup/browser.ts';
import { buildSite, dataOf, type Events } from '../setup/build-site.ts';

const now = '2026-11-20T12:00:00Z';
const hour = 3600_000;

test('the titles of a day: three, with the events of a subject as one', () => {
  const event = (subject: string, time = '') => ({ day: '2027-03-01', subject, colour: 'c1', time, label: subject });
  const titles = titlesByDay(['a', 'b', 'a', 'c', 'd', 'b', 'a'].map((subject) => event(subject, '09:00')));
  expect(titles.get('2027-03-01')?.map(({ label, count, time }) => [label, count, time])).toEqual([
    ['a', 3, ''],
    ['b', 2, ''],
    ['c', 1, '09:00'],
  ]);
});

test('a week begins with the day of the language, and has its weekend', () => {
  const weekOf = (lang: string) => [localeOf(lang).firstDay, ...localeOf(lang).weekend];
  expect(['en-US', 'de', 'ja', 'ar-EG'].map(weekOf)).toEqual([
    [6, 5, 6],
    [0, 5, 6],
    [6, 5, 6],
    [5, 4, 5],
  ]);
});

test('the page of a month names its days, its categories and the months around it', async () => {
  const site = await buildSite(
    {
      'tv/drama/show': { Premiere: '2027-03-01', Finale: '2027-03-01', Rerun: '2027-04-02' },
      'film/new/night': { Night: '2027-03-02T20:00Z' },
      'film/new/day': { Day: '2026-12-24' },
      'film/new/far': { Announced: '2027-Q1' },
    },
    now,
    { service: { lang: 'en-GB' } },
  );
  const text = readFileSync(join(site, 'month/2027-03/index.html'), 'utf8').replace(/\s+/g, ' ');
  expect(text).toContain('aria-label="1 March: 2 events"');
  expect(text).toMatch(/<li class="c1"> <span dir="auto">show<\/span> ×2 <\/li>/);
  expect(text).toMatch(/<time>20:00<\/time><span dir="auto">Night/);
  expect(text).toMatch(/abbr="Monday">Mon<\/th>/);
  expect(text).toMatch(/←<\/span> Dec 2026<\/a>.*Apr <span class="arrow"/);
  expect(text).toMatch(/data-in="film" ><bdi>film<\/bdi><span class="count">1</);
  expect(text).toContain('Q1 2027, date to come');
});

/** Events of two categories near midnight, all through three months: more than a page holds in one of them. */
const dense: Events = Object.fromEntries(
  [0, 1, 2, 3].map((n) => [
    `${n % 2 === 0 ? 'film' : 'sports'}/genre-${n}/subject-${n}`,
    Object.fromEntries(
      Array.from({ length: 270 }, (_, index) => {
        const at = Date.parse('2027-02-24T01:00Z') + (index * 4 + n) * hour;
        const isDate = index % 9 === 0;
        return [`Event ${index}`, new Date(at).toISOString().slice(0, isDate ? 10 : 16) + (isDate ? '' : 'Z')];
      }),
    ),
  ]),
);

describe.skipIf(chromiumPath === null)('a month in a browser', async () => {
  const browser = await launchBrowser();
  const site = await serveSite(dataOf(dense, { base_url: undefined }), now);

  const daysOf = async (page: Page) =>
    page.locator('.large td > a').evaluateAll((all) =>
      all.map((one) => ({
        href: (one as HTMLAnchorElement).href,
        count: Number(/: (\d+)/.exec(one.getAttribute('aria-label') ?? '')?.[1]),
      })),
    );
  /** The number of events below the heading that an address names. */
  const listed = async (page: Page, href: string) => page.locator(`${new URL(href).hash} .e:not(.run)`).count();

  test.each(['America/Los_Angeles', 'Pacific/Kiritimati', 'UTC'])(
    'each day opens exactly the events that it counts in %s, on any page of the month',
    async (timezoneId) => {
      const { page, complaints } = await openPage(browser, `${site.url}month/2027-03/`, { now, timezoneId });
      const grid = page.locator('.large[data-shown]');
      await grid.waitFor();
      const days = await daysOf(page);
      expect(days).toHaveLength(31);
      expect(new Set(days.map(({ href }) => href.split('#')[0])).size).toBeGreaterThan(1);
      for (const address of new Set(days.map(({ href }) => href.split('#')[0] ?? ''))) {
        await page.goto(address);
        await grid.waitFor();
        expect(await daysOf(page)).toEqual(days);
        for (const { href, count } of days.filter((day) => day.href.startsWith(`${address}#`)))
          expect(await listed(page, href), href).toBe(count);
      }
      expect(complaints).toEqual([]);
    },
  );

  test('the chip of a category opens exactly the events that it counts', async () => {
    const { page } = await openPage(browser, `${site.url}month/2027-03/`, { now, timezoneId: 'America/Los_Angeles' });
    await page.locator('.large[data-shown]').waitFor();
    const chip = page.locator('[data-in=sports]');
    const count = Number((await chip.locator('.count').innerText()).replace(',', ''));
    expect(count).toBeGreaterThan(200);
    await chip.click();
    await page.waitForURL('**/?in=sports');
    await page.locator('.large[data-shown]').waitFor();
    expect(await chip.getAttribute('aria-current')).toBe('true');
    expect(await page.locator('.list .e:not(.run)').count()).toBe(count);
    const ofDays = (await daysOf(page)).reduce((sum, day) => sum + day.count, 0);
    expect(ofDays).toBe(count);
  });
});
