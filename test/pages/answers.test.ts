import { describe, expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromiumPath, launchBrowser, openPage, serveSite } from '../setup/browser.ts';
import { lastingFolder } from '../setup/folders.ts';
import { buildSite, dataOf, type Events } from '../setup/build-site.ts';
import { plainText } from './list.ts';

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
  'fairs/trade/market': { Stalls: '2026-12-06' },
};

/** Returns a page without its tags. */
function read(site: string, path: string): { readonly html: string; readonly text: string } {
  const html = readFileSync(join(site, path, 'index.html'), 'utf8');
  const text = plainText(html.replace(/[^]*<main/, '<main'));
  return { html, text };
}

describe('pages', async () => {
  const site = await buildSite(events, now, { cwd: lastingFolder(), source: lastingFolder() });
  const { html, text } = read(site, 'genre/trade-fairs/book-fair');

  test('show the end of an event and its place', () => {
    const { text } = read(site, 'genre/trade-fairs');
    expect(text).toContain('24 Tue 09:00 – Nov 27 Berlin book-fair Opening Hall 3 , Main Road');
    expect(text).toContain('28 Sat 10:00 – 16:00 Berlin book-fair Sale Yard &#38; court');
    expect(text).toContain('18 Thu until Mar 21 book-fair Days');
  });

  test('show what is announced, with its period in words', () => {
    expect(read(site, 'genre/trade-fairs').text).toContain('Q3 2027, date to be announced book-fair Sequel');
    const { text, html } = read(site, 'genre/maybe-fairs');
    expect(text).toContain('Nothing dated yet.');
    expect(text).not.toContain('Nothing is coming up');
    expect(text).toMatch(
      /April 2027, date to be announced Ubuntu 27\.04 .*First half of 2028, date to be announced ubuntu Meeting .*2030, date to be announced ubuntu Reunion/,
    );
    expect(html).toMatch(/<a class="t p-name u-url" dir="auto" href="..\/..\/genre\/maybe-fairs\/ubuntu\/#meeting"/);
    expect(read(site, 'genre/maybe-fairs/ubuntu').html).toContain('id="meeting"');
    expect(read(site, 'category/fairs').text).toContain('Q3 2027, date to be announced');
  });

  test('name periods in the language of the pages', async () => {
    const inJapanese = await buildSite(events, now, { service: { lang: 'ja' } });
    expect(read(inJapanese, 'genre/maybe-fairs').text).toContain('2028年上半期、日付未定');
    expect(read(inJapanese, 'genre/trade-fairs').text).toContain('2027年第3四半期、日付未定');
  });

  test('answers what is next, when and where', () => {
    expect(html).toContain('<title>book-fair: Opening, Tuesday, November 24, 2026 – Test</title>');
    expect(text).toContain('Tuesday, November 24, 2026 Opening 09:00 in Berlin Hall 3 · Main Road 1 · Germany · Map');
    expect(html).toContain('href="geo:51.4,12.4?q=51.4%2C12.4(Hall%203)"');
    expect(html).toMatch(/<a href="..\/..\/..\/country\/de\/"><bdi>Germany/);
    expect(text).toContain('Also in trade Dec 6, 2026 market');
    expect(text).toMatch(/Mar 18, 2027 until Mar 21 Days/);
    expect(read(site, 'genre/maybe-fairs/ubuntu').text).toContain('April 2027 · not dated yet Ubuntu 27.04');
  });

  test('adds the next date to a calendar, and tells that from a subscription', () => {
    const links = [...html.matchAll(/href="(https:\/\/(?:calendar\.google|outlook)[^"]*)"/g)].map(
      ([, href = '']) => new URL(href.replaceAll('&#38;', '&')).searchParams,
    );
    const [subscribed, , google, outlook] = links;
    expect(google?.get('dates')).toBe('20261124T080000Z/20261127T170000Z');
    expect([google?.get('text'), google?.get('location')]).toEqual(['book-fair: Opening', 'Hall 3']);
    expect([outlook?.get('startdt'), outlook?.get('allday')]).toEqual(['2026-11-24T08:00:00.000Z', null]);
    expect(subscribed?.get('cid')).toMatch(/^webcal:/);
    const market = read(site, 'genre/trade-fairs/market').html;
    expect(market).toContain('dates=20261206%2F20261207');
    expect(market).toContain('allday=true');
    expect(text).toContain('A copy: it does not change when a date moves.');
  });

  test('has an icon at the root of its site', () => {
    const png = readFileSync(join(site, 'favicon.ico'));
    expect([png.subarray(0, 8).toString('latin1'), png.readUInt32BE(16)]).toEqual(['\x89PNG\r\n\x1a\n', 32]);
  });
});

test('a new title is one change, and kinds of changes look different', async () => {
  const folders = { cwd: lastingFolder(), source: lastingFolder() };
  await buildSite({ 'tv/drama/show': { Premiere: '2027-01-15', Gone: '2027-02-01' } }, '2026-11-19T12:00:00Z', folders);
  const site = await buildSite(
    { 'tv/drama/show': { 'Grand premiere': '2027-01-15', New: '2027-01-01' } },
    now,
    folders,
  );
  const { text, html } = read(site, 'changes');
  expect(text).toContain(
    'Added show New January 1, 2027 Changed show Grand premiere Premiere January 15, 2027 Removed show Gone',
  );
  expect(html).toMatch(/class="e c0 removed"/);
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
      '6 Sun',
      '18 Thu until Mar 21',
      'Q3 2027, date to be announced',
    ]);
    expect((await rows('genre/maybe-fairs/', inNewYork)).length).toBe(3);
  });
});
