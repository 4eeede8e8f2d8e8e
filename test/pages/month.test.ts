import { describe, expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { localeOf } from '../../src/pages/locale.ts';
import { chromiumPath, openPage, serveSite } from '../setup/browser.ts';
import { buildSite, dataOf, type Events } from '../setup/build-site.ts';

const now = '2026-11-20T12:00:00Z';
const hour = 3600_000;

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
  expect(text).toMatch(
    /<li class="c1"> ?<a href="..\/..\/genre\/drama-tv\/show\/#premiere" dir="auto">Premiere, show<\/a/,
  );
  expect(text).toMatch(/abbr="Monday">Mon<\/th>/);
  expect(text).toMatch(/←<\/span> Dec<\/a>.*Apr <span class="arrow"/);
  expect(text).toMatch(/data-in="film"\s*>\s*<bdi>film<\/bdi>\s*<span class="count">1</);
  expect(text).toContain('Q1 2027, date to be announced');
});

test('a month between the first and the last day of an event has it', async () => {
  const show = { Show: { starts: '2027-01-31', ends: '2027-03-01' } };
  const site = await buildSite(
    { 'art/shows/gallery': show, 'art/shows/hall': { Talk: '2027-02-02' } },
    now,
  );
  const text = readFileSync(join(site, 'month/2027-02/index.html'), 'utf8').replace(/\s+/g, ' ');
  expect(text).toContain('February 2: 2 events');
  expect(text).toMatch(/All month.*gallery/);
});

/** Events of two categories near midnight, all through three months. */
const dense: Events = Object.fromEntries(
  [0, 1].map((n) => [
    `${n === 0 ? 'film' : 'sports'}/genre-${n}/subject-${n}`,
    Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => {
        const at = Date.parse('2027-02-20T01:00Z') + (index * 6 + n) * hour;
        const isDate = index % 9 === 0;
        return [
          `Event ${index}`,
          new Date(at).toISOString().slice(0, isDate ? 10 : 16) + (isDate ? '' : 'Z'),
        ];
      }),
    ),
  ]),
);

describe.skipIf(chromiumPath === null)('a month in a browser', async () => {
  const site = await serveSite(dataOf(dense, { base_url: undefined }), now);

  async function open(query: string, reader: object = {}): Promise<Page> {
    const options = { now, timers: true, timezoneId: 'America/Los_Angeles', ...reader };
    const page = await openPage(`${site.url}month/2027-03/${query}`, options);
    await page.locator('.agenda .open').waitFor();
    return page;
  }

  const countsOf = async (page: Page) =>
    page.locator('.large td').evaluateAll((all) =>
      all.flatMap((one) => {
        const label = one.querySelector('a')?.getAttribute('aria-label') ?? '';
        const day = one.getAttribute('data-day');
        if (day === null) return [];
        const rows = document.querySelectorAll(`#d${day} .e:not(.run)`).length;
        return [[day, Number(/: (\d+)/.exec(label)?.[1] ?? 0), rows]];
      }),
    );

  test.each(['America/Los_Angeles', 'Pacific/Kiritimati', 'UTC'])(
    'each day opens exactly the events that it counts in %s',
    async (timezoneId) => {
      const days = await countsOf(await open('', { timezoneId }));
      expect(days).toHaveLength(31);
      expect(days.filter(([, count, rows]) => count !== rows)).toEqual([]);
    },
  );

  test('the chip of a category opens exactly the events that it counts, in the title and the heading', async () => {
    const page = await open('');
    const chip = page.locator('[data-in=sports]');
    const count = Number(await chip.locator('.count').innerText());
    expect(count).toBeGreaterThan(80);
    await chip.click();
    await page.waitForURL('**/?in=sports');
    await page.locator('.agenda .open').waitFor();
    expect(await page.locator('.list .e:not(.run)').count()).toBe(count);
    expect(await page.locator('h1 .count').innerText()).toBe(String(count));
    expect(await page.title()).toContain(`: ${count} events`);
  });

  test('a day opens its agenda, and a title its event', async () => {
    const page = await open('');
    expect(await page.locator('.agenda section:visible').getAttribute('id')).toBe('d2027-03-01');
    await page.locator('td[data-day="2027-03-09"] > a').click();
    await page.locator('#d2027-03-09.open').waitFor();
    expect(await page.locator('.agenda section:visible').count()).toBe(1);
    await page.locator('td[data-day="2027-03-09"] li a').first().click();
    await page.waitForURL('**/genre/**/#event-*');
  });
});
