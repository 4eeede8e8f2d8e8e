import { describe, expect, test } from 'vitest';
import { chromiumPath, launchBrowser, openPage, serveSite, type Reader } from '../setup/browser.ts';
import { catalogue, now } from './catalogue.ts';
import { headings, titles } from './list.ts';

describe.skipIf(chromiumPath === null)('a page that is left open', async () => {
  const browser = await launchBrowser();
  const site = await serveSite(catalogue, now);

  async function open(path = '', reader: Partial<Reader> = {}) {
    const opened = await openPage(browser, site.url + path, { now, ...reader });
    // The script has said whose clock it goes by.
    await opened.page.locator('#synced').getByText('updated').waitFor();
    return opened;
  }

  const readers = [
    // The known time is close to midnight, so its day differs from reader to reader.
    {
      timezoneId: 'Pacific/Kiritimati',
      at: '2026-12-01T09:59:00Z',
      premiere: ['2026-12-02', '1:00'],
      release: 'Today',
    },
    { timezoneId: 'Europe/Berlin', at: '2026-11-30T23:01:00Z', premiere: ['2026-12-01', '12:00'], release: 'Today' },
    {
      timezoneId: 'America/Los_Angeles',
      at: '2026-12-01T07:30:00Z',
      premiere: ['2026-12-01', '3:00'],
      release: 'Tomorrow',
    },
    {
      timezoneId: 'Pacific/Kiritimati',
      at: '2026-12-01T10:30:00Z',
      premiere: ['2026-12-02', '1:00'],
      release: 'Yesterday (not over everywhere)',
    },
  ];
  test.each(readers)(
    'show a reader in $timezoneId at $at the same date, and no time, of an event known by its date alone',
    async ({ timezoneId, at, premiere, release }) => {
      const { page } = await open('', { timezoneId, now: at });
      const row = page.locator('.list .e', { hasText: 'General release' });
      expect(await row.locator('xpath=ancestor::section//time').first().getAttribute('datetime')).toBe('2026-12-01');
      expect(await row.locator('xpath=ancestor::section//h2').innerText()).toContain(release);
      expect(await row.innerText()).not.toMatch(/\d\d?:\d\d|in \d| h\b/);
      const known = page.locator('.list .e', { hasText: 'World premiere' });
      expect(await known.locator('xpath=ancestor::section').getAttribute('data-key')).toBe(premiere[0]);
      expect(await known.locator('.w').innerText()).toMatch(new RegExp(`^0?${premiere[1]}$`));
    },
  );

  test('count down, and mark what has begun without moving it', async () => {
    const { page } = await open();
    const row = page.locator('.list .e', { hasText: 'Static fire' });
    expect(await row.locator('.in').innerText()).toBe('this minute');
    await page.clock.runFor(60_000);
    expect(await row.locator('.in').innerText()).toBe('started');
    expect(await page.locator('.list .e').first().innerText()).toContain('Static fire');
  });

  test('names of days follow midnight while the page is open', async () => {
    const { page } = await open('', { now: '2026-11-30T22:00:00Z', timezoneId: 'UTC' });
    expect((await headings(page))[0]).toBe('Tomorrow 1 December 2');
    await page.clock.runFor('02:00:01');
    expect((await headings(page))[0]).toBe('Today 1 December 2');
  });

  test('ask again after six hours, keep what is shown if that fails, and try again soon', async () => {
    const { page } = await open();
    site.broken.add('index.html');
    await page.clock.runFor('06:01:00');
    await page.getByText('could not be updated').waitFor();
    expect(await titles(page)).toContain('Quiet Picture World premiere');
    site.broken.clear();
    await page.clock.runFor('01:00');
    await page.getByText('could not be updated').waitFor({ state: 'detached' });
    // What was over is gone now.
    expect(await titles(page)).not.toContain('Heron Static fire');
  });

  test('say when the catalogue is stale', async () => {
    const { page } = await open('', { now: '2026-11-25T12:00:00Z' });
    await page.getByText('Last updated 5 days ago').waitFor();
  });
});
