import { describe, expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromiumPath, launchBrowser, openPage, serveSite } from '../setup/browser.ts';
import { lastingFolder } from '../setup/folders.ts';
import { buildSite, dataOf, type Events } from '../setup/build-site.ts';

const now = '2026-11-20T12:00:00Z';

/** Events with ends and places, and announcements. */
const events: Events = {
  'fairs/trade/book-fair': {
    Opening: {
      starts: '2026-11-24T09:00',
      ends: '2026-11-27T18:00',
      zone: 'Europe/Berlin',
      location: { name: 'Hall 3', address: 'Main Road 1', country: 'DE', latitude: 51.4, longitude: 12.4 },
    },
    Sale: { starts: '2026-11-28T10:00', ends: '16:00', zone: 'Europe/Berlin', location: { name: 'Yard & court' } },
    Days: { starts: '2027-03-18', ends: '2027-03-21' },
    Sequel: '2027-Q3',
  },
  'fairs/maybe/ubuntu': { 'Ubuntu 27.04': '2027-04', Meeting: '2028-H1', Reunion: '2030' },
};

/** Returns a page without its tags. */
function read(site: string, path: string): { readonly html: string; readonly text: string } {
  const html = readFileSync(join(site, path, 'index.html'), 'utf8');
  const text = html
    .replace(/[^]*<main/, '<main')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
  return { html, text };
}

describe('lists', async () => {
  const site = await buildSite(events, now, { cwd: lastingFolder(), source: lastingFolder() });

  test('show the end of an event and its place', () => {
    const { text } = read(site, 'genre/trade-fairs');
    expect(text).toContain('24 Tue 08:00 UTC – Nov 27 book-fair Opening Hall 3');
    expect(text).toContain('28 Sat 09:00 UTC – 15:00 book-fair Sale Yard &#38; court');
    expect(text).toContain('18 Thu until Mar 21 book-fair Days');
  });

  test('show what is announced, with its period in words', () => {
    expect(read(site, 'genre/trade-fairs').text).toContain('Q3 2027, date to come book-fair Sequel');
    const { text, html } = read(site, 'genre/maybe-fairs');
    expect(text).toContain('Nothing dated yet.');
    expect(text).not.toContain('Nothing is coming up');
    expect(text).toMatch(
      /April 2027, date to come Ubuntu 27\.04 .*First half of 2028, date to come ubuntu Meeting .*2030, date to come ubuntu Reunion/,
    );
    expect(html).toMatch(/<a class="t" dir="auto" href="..\/..\/genre\/maybe-fairs\/ubuntu\/#meeting"/);
    expect(read(site, 'genre/maybe-fairs/ubuntu').html).toContain('id="meeting"');
    expect(read(site, 'category/fairs').text).toContain('Q3 2027, date to come');
  });

  test('name periods in the language of the pages', async () => {
    const inJapanese = await buildSite(events, now, { service: { lang: 'ja' } });
    expect(read(inJapanese, 'genre/maybe-fairs').text).toContain('2028年上半期、日付未定');
    expect(read(inJapanese, 'genre/trade-fairs').text).toContain('2027年第3四半期、日付未定');
  });

  test('name the place on the page of a subject, with its address, its country and a map', () => {
    const { html, text } = read(site, 'genre/trade-fairs/book-fair');
    expect(text).toContain('Hall 3 · Main Road 1 · Map');
    expect(html).toContain('href="geo:51.4,12.4?q=51.4%2C12.4(Hall%203)"');
    expect(html).toMatch(/<a href="..\/..\/..\/country\/de\/"><bdi>Hall 3/);
  });
});

describe.skipIf(chromiumPath === null)('readers', async () => {
  const browser = await launchBrowser();
  const site = await serveSite(dataOf(events, { base_url: undefined }), now);
  const rows = async (path: string, reader: object = {}) => {
    const { page, complaints } = await openPage(browser, site.url + path, { now, ...reader });
    await page.locator('#synced:not(:empty)').waitFor({ state: 'attached' });
    expect(complaints).toEqual([]);
    return page
      .locator('.list .e .w')
      .evaluateAll((all) => all.map((one) => (one as HTMLElement).innerText.replace(/\s+/g, ' ')));
  };

  test('see starts and ends in their own time zones', async () => {
    const inNewYork = { timezoneId: 'America/New_York', locale: 'en-US' };
    expect(await rows('genre/trade-fairs/', inNewYork)).toEqual([
      '24 Tue 3:00 AM – Nov 27',
      '28 Sat 4:00 AM – 10:00 AM',
      '18 Thu until Mar 21',
      'Q3 2027, date to come',
    ]);
    expect((await rows('genre/maybe-fairs/', inNewYork)).length).toBe(3);
  });
});
