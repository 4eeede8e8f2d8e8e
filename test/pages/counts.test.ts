import type { Page } from 'playwright-core';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { catalogueIn, now as benchNow, sizes } from '../bench/catalogue.ts';
import { chromiumPath, launchBrowser, openPage, serveSite } from '../setup/browser.ts';
import { lastingFolder, readTree, type Tree } from '../setup/folders.ts';

/** A count of the page, and what a click on it opened. */
interface Opened {
  readonly what: string;
  readonly count: number;
  readonly rows: number;
  readonly heading: number;
}

/** The list shows so many events of chosen days before "Show more". */
const mostShown = 500;

const quarterOfDay = 6 * 3600_000;

/** 7,000 events of two genres, some 18 a day, of which every third has only a date. */
function twoGenres(): Tree {
  const tree: Record<string, unknown> = { 'service.json': { name: 'Two genres', license: 'Free to use, no key.' } };
  for (const [category, genre] of [
    ['tv', 'shows'],
    ['games', 'matches'],
  ]) {
    tree[`${category}/category.json`] = { name: category };
    tree[`${category}/${genre}/genre.json`] = { name: genre };
    for (let subject = 0; subject < 50; subject++)
      tree[`${category}/${genre}/s${subject}.json`] = { name: `${genre} ${subject}`, events: eventsOf(subject) };
  }
  return tree;
}

function eventsOf(subject: number): object[] {
  return Array.from({ length: 70 }, (_, n) => {
    const instant = Date.parse('2026-11-20T18:30:00Z') + (n * 21 + (subject % 19)) * quarterOfDay;
    const text = new Date(instant).toISOString();
    return { title: `Part ${n}`, starts: n % 3 === 0 ? text.slice(0, 10) : `${text.slice(0, 16)}Z` };
  });
}

const catalogues = [
  {
    name: 'the starter catalogue',
    now: '2026-11-23T18:00:00Z',
    zone: 'America/New_York',
    every: 4,
    data: () => Object.fromEntries(readTree('data')),
  },
  {
    name: '7,000 events in two genres',
    now: '2026-11-20T12:00:00Z',
    zone: 'Asia/Kathmandu',
    every: 9,
    data: twoGenres,
  },
  { name: '100,000 events', now: benchNow, zone: 'Pacific/Auckland', every: 60, data: largeCatalogue },
];

function largeCatalogue(): Tree {
  const size = sizes.find(({ name }) => name === '100k');
  return size === undefined ? {} : Object.fromEntries(readTree(join(catalogueIn(lastingFolder(), size))));
}

describe.skipIf(chromiumPath === null)('every count of the home page opens exactly its events', async () => {
  const browser = await launchBrowser();

  test.each(catalogues)('$name', async ({ now, zone, every, data }) => {
    const { url } = await serveSite(data(), now);
    const { page, complaints } = await openPage(browser, url, { now, timers: true, timezoneId: zone });
    await page.locator('.heat').waitFor();
    const opened = await clickCounts(page, every);
    expect(opened.length).toBeGreaterThan(20);
    expect(opened.filter(({ count }) => count > 0).length).toBeGreaterThan(10);
    const wrong = opened.filter(
      ({ count, rows, heading }) => heading !== count || rows < Math.min(count, mostShown) || rows > count,
    );
    expect(wrong).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

/** Clicks each chip with the entries of the rail and their genres, and every few days of the heat map. */
async function clickCounts(page: Page, every: number): Promise<Opened[]> {
  return page.evaluate(async (step) => {
    const opened: Opened[] = [];
    const all = (selector: string): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(selector)];
    const numberIn = (text: string | null | undefined): number =>
      Number((text?.match(/[\d,]+/g) ?? ['-1']).at(-1)?.replaceAll(',', ''));
    /** Resolves once the list shows what was clicked. */
    const settled = async (): Promise<void> => {
      do await new Promise(requestAnimationFrame);
      while (document.querySelector('#list')?.ariaBusy !== null);
    };
    const click = async (selector: string, what: string, count: number): Promise<void> => {
      document.querySelector<HTMLElement>(selector)?.click();
      await settled();
      const heading = numberIn(document.querySelector('main h1 .count')?.textContent);
      opened.push({ what, count, rows: all('#list .e:not(.run)').length, heading });
    };
    const press = async (selector: string): Promise<void> => {
      document.querySelector<HTMLElement>(selector)?.click();
      await settled();
    };
    for (const { dataset, textContent } of all('.chips a:not([data-when=""])')) {
      const { when = '' } = dataset;
      await click(`.chips [data-when=${when}]`, when, numberIn(textContent));
      const entries = all('.rail > ul > li:not(.all) > a');
      for (const [index, entry] of entries.entries()) {
        await click(`.rail > ul > li:nth-child(${index + 2}) > a`, `${when} ${index}`, numberIn(entry.textContent));
        for (const genre of all('.rail ul ul a').slice(0, 3)) {
          const key = `[data-in="${genre.dataset['in']}"]`;
          await click(`.rail ${key}`, `${when} ${key}`, numberIn(genre.textContent));
        }
        await press('.rail .all a');
      }
      await press('[data-do=clear]');
    }
    const days = all('.heat [data-day]:not(:disabled)').map(({ dataset }) => dataset['day'] ?? '');
    for (const day of days.filter((_, index) => index % step === 0)) {
      const cell = `.heat [data-day="${day}"]`;
      await click(cell, day, numberIn(document.querySelector(cell)?.ariaLabel));
    }
    return opened;
  }, every);
}
