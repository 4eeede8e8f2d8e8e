import { describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { violations } from '../setup/axe.ts';
import { chromiumPath, openPage, serveSite, type Reader } from '../setup/browser.ts';
import { dataOf, type Events } from '../setup/build-site.ts';
import { savedBy } from './list.ts';

/* A date is a thing: its address shows its card, which can be added and shared. */

const now = '2026-11-28T12:00:00Z';
const dubai = { zone: 'Asia/Dubai' };
const circuit = {
  location: { name: 'Yas Marina Circuit', address: 'Yas Island, Abu Dhabi', country: 'AE' },
};

const events: Events = {
  'sports/racing/abu-dhabi-grand-prix': {
    '2026 practice': { starts: '2026-12-04T13:30', ends: '14:30', ...dubai, ...circuit },
    '2026 race': { starts: '2026-12-06T17:00', ends: '19:00', ...dubai, ...circuit },
    '2027 race': { starts: '2027-12-12', ...circuit },
    '2028 race': { starts: '2028-12-10', status: 'postponed', ...circuit },
    '2029 race': '2029',
    '2030 race': { starts: '2030-12-08', status: 'tentative' },
    '2031 race': { starts: '2031-12-07', status: 'cancelled' },
  },
  'sports/racing/tour': {
    Berlin: { starts: '2026-12-04', location: { name: 'Halle', address: '10115 Berlin' } },
    Paris: {
      starts: '2026-12-05',
      ends: '2026-12-08',
      location: { name: 'Salle', address: '75011 Paris' },
      url: 'https://example.org/paris',
    },
  },
};

describe.skipIf(chromiumPath === null)('a date', async () => {
  const site = await serveSite(dataOf(events, { base_url: undefined, lang: 'en-GB' }), now);
  const german = await serveSite(dataOf(events, { base_url: undefined, lang: 'de' }), now);
  const path = 'genre/racing-sports/abu-dhabi-grand-prix/';

  async function open(at: string, reader: Partial<Reader> = {}): Promise<Page> {
    return openPage(site.url + at, { now, timers: true, ...reader });
  }

  const cardOf = async (page: Page): Promise<string> =>
    (await page.locator('.card').innerText()).replace(/\s+/g, ' ');

  test('has a card at its address, under the name of its subject', async () => {
    const page = await open(`${path}#2026-race`, { viewport: { width: 390, height: 844 } });
    await page.locator('.card', { hasText: '2026 race' }).waitFor();
    expect(await cardOf(page)).toMatch(
      /^2026 race in 8 days Sunday,? 6 December 2026 14:00 – 16:00 your time · 17:00 – 19:00 there Yas Marina Circuit · .*Abu Dhabi.* · Map Add this date ▾ Share$/,
    );
    expect((await page.locator('h1').boundingBox())?.y).toBeGreaterThan(0);
    expect(await page.locator('.dates [aria-current]').innerText()).toBe('Race');
    expect(await violations(page)).toEqual([]);
  });

  test('is struck in its row if it is void', async () => {
    const page = await open(path);
    const day = page.locator('.dates .e', { hasText: 'Postponed' }).locator('.w .d');
    const line = await day.evaluate((part) => getComputedStyle(part).textDecorationLine);
    expect(line).toBe('line-through');
  });

  test('is what its row leads to, also after the next', async () => {
    const page = await open(path);
    expect(await cardOf(page)).toContain('2026 practice');
    await page.locator('.dates a', { hasText: 'Race' }).first().click();
    await page.locator('.card', { hasText: 'Sunday' }).waitFor();
    expect(new URL(page.url()).hash).toBe('#2026-race');
    await page.goto(`${site.url}${path}#2028-race`);
    await page.locator('.card', { hasText: '2028 race' }).waitFor();
    expect(await cardOf(page)).toMatch(/Postponed, no new date yet Sunday,? 10 December 2028/);
    expect(await page.locator('.card .actions').count()).toBe(0);
    await page.goto(`${site.url}${path}#2029-race`);
    await page.locator('.card', { hasText: '2029 race' }).waitFor();
  });

  test('is added by its own menu, with its own place', async () => {
    const page = await open('genre/racing-sports/tour/#paris');
    await page.locator('.card', { hasText: 'Paris' }).waitFor();
    expect(await cardOf(page)).toMatch(/5\s?–\s?8 December 2026/);
    await page.getByRole('button', { name: /Add this date/ }).click();
    const google = await page.getByRole('link', { name: 'Google' }).last().getAttribute('href');
    expect(new URL(google ?? '').searchParams.get('location')).toBe('Salle, 75011 Paris');
    const file = await savedBy(page, async () =>
      page.getByRole('link', { name: /^Apple/ }).click(),
    );
    expect(file).toContain('SUMMARY:tour: Paris');
    expect(file).toContain('DTSTART;VALUE=DATE:20261205\r\nDTEND;VALUE=DATE:20261209');
    expect(file).toMatch(/UID:racing-sports\/tour\/paris@/);
  });

  test.each([
    ['2027', 'CONFIRMED', ''],
    ['2030', 'TENTATIVE', 'Unter Vorbehalt: '],
    ['2031', 'CANCELLED', 'Abgesagt: '],
  ])(
    'of %s is added with its status and the words of the calendars',
    async (year, status, word) => {
      const page = await openPage(`${german.url}${path}#${year}-race`, { now, timers: true });
      await page.locator('.card', { hasText: `${year} race` }).waitFor();
      if (word !== '') expect(await cardOf(page)).toContain(word.slice(0, -2));
      const href = await page.locator('.card a[download]').getAttribute('href');
      const file = decodeURIComponent(href ?? '').replaceAll('\r\n ', '');
      expect(file).toContain(`STATUS:${status}\r\n`);
      expect(file).toContain(`SUMMARY:${word}abu-dhabi-grand-prix: ${year} race\r\n`);
    },
  );

  test('is added with its status without a script', async () => {
    const { url } = await serveSite(
      dataOf(
        { 'tv/d/s': { Gala: { starts: '2028-01-15', status: 'tentative' } } },
        { base_url: undefined, lang: 'fr' },
      ),
      now,
    );
    const page = await openPage(`${url}genre/d-tv/s/`, { now, javaScriptEnabled: false });
    const href = await page.locator('.card a[download]').getAttribute('href');
    expect(decodeURIComponent(href ?? '')).toMatch(
      /\r\nSUMMARY:À confirmer: s: Gala\r\n[^]*STATUS:TENTATIVE\r\n/,
    );
  });

  test.each([
    ['2030-12', 'Unter Vorbehalt', '2030'],
    ['2028-12', 'Verschoben\\, neuer Termin offen', '2028'],
  ])('of a list of %s is saved with its status', async (month, word, year) => {
    const page = await openPage(`${german.url}?on=${month}`, { now, timers: true });
    await page.locator('.list .e', { hasText: `${year} race` }).waitFor();
    const file = await savedBy(page, async () => page.locator('#save').click());
    expect(file).toContain(`SUMMARY:${word}: abu-dhabi-grand-prix: ${year} race`);
    expect(file).toContain('STATUS:TENTATIVE');
  });

  test('is shared by its own address', async () => {
    const page = await open(`${path}#2026-race`);
    await page.locator('.card', { hasText: '2026 race' }).waitFor();
    const button = page.getByRole('button', { name: 'Share' });
    expect(await button.getAttribute('data-share')).toBe(`${site.url}${path}#2026-race`);
  });

  test('is a row under the name of its subject without a script', async () => {
    const page = await open(`${path}#2027-race`, {
      viewport: { width: 390, height: 500 },
      javaScriptEnabled: false,
    });
    const [name, row] = ['.title', '.e:target'].map((part) => page.locator(part).boundingBox());
    const [title, target] = [await name, await row];
    expect(title?.y).toBeGreaterThanOrEqual(0);
    expect(target?.y).toBeGreaterThanOrEqual((title?.y ?? 0) + (title?.height ?? 0) - 1);
    expect(target?.y).toBeLessThan(500);
  });
});
