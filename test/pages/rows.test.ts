import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dateAfter, datesIn, mondayOf, monthAfter, weekdayOf } from '../../src/pages/dates.ts';
import { html } from '../../src/render/html.ts';
import { buildSite, type Events } from '../setup/build-site.ts';
import { lastingFolder } from '../setup/folders.ts';
import { plainText } from './list.ts';

const now = '2026-11-20T12:00:00Z';

/** Returns a page, and its text without tags. */
function read(site: string, path: string): { readonly html: string; readonly text: string } {
  const html = readFileSync(join(site, path, 'index.html'), 'utf8');
  return { html, text: plainText(html.replace(/[^]*<main/, '<main')) };
}

test('markup escapes every value, and omits what is not there', () => {
  const list = ['<i>', `"'&`].map((text) => html`<b>${text}</b>`);
  expect(html`<p>${list}${null}</p>`.markup).toBe(
    '<p><b>&#60;i&#62;</b><b>&#34;&#39;&#38;</b></p>',
  );
  expect(html`<p class="a" ${false}>${7}</p>`.markup).toBe('<p class="a">7</p>');
  expect(html`<p class="a" ${html` hidden`}></p>`.markup).toBe('<p class="a" hidden></p>');
});

test('dates are counted in the calendar', () => {
  expect(dateAfter('2028-02-28', 2)).toBe('2028-03-01');
  expect(monthAfter('2026-12', 1)).toBe('2027-01');
  expect(datesIn('2027-02')).toHaveLength(28);
  expect([weekdayOf('2026-11-22'), mondayOf('2026-11-22')]).toEqual([6, '2026-11-16']);
});

async function pageOf(events: Events, path = 'index.html'): Promise<string> {
  return readFileSync(join(await buildSite(events, now), path), 'utf8');
}

test('the page of a subject says once what all of its events share, and of each event what is its own', async () => {
  const facts = { description: 'A word about it.', tags: ['jazz'] };
  const page = await pageOf(
    {
      'culture/concerts/hall': {
        First: { starts: '2027-01-15', ...facts },
        Second: { starts: '2027-01-16', ...facts, tags: ['jazz', 'rock'] },
      },
    },
    'genre/concerts-culture/hall/index.html',
  );
  expect(page.match(/A word about it\.<\/bdi>/g)).toHaveLength(1);
  expect(page.indexOf('A word about it.</bdi>')).toBeLessThan(page.indexOf('class="card"'));
  expect(page.match(/<bdi>#jazz/g)).toHaveLength(1);
  expect(page.match(/<bdi>#rock/g)).toHaveLength(1);
});

test('the page of a subject lists own fields, those that all events share once, and says what is postponed', async () => {
  const page = await pageOf(
    {
      'culture/concerts/hall': {
        First: { starts: '2027-01-15', extra: { hall: 'A & B', price_eur: 12.5 } },
        Second: { starts: '2027-01-16', extra: { hall: 'A & B', free: true }, status: 'postponed' },
      },
    },
    'genre/concerts-culture/hall/index.html',
  );
  expect(page.match(/<bdi>Hall: A &#38; B<\/bdi>/g)).toHaveLength(1);
  expect(page.match(/<bdi>Price eur: 12\.5<\/bdi>/g)).toHaveLength(1);
  expect(page.match(/<bdi>Free: yes<\/bdi>/g)).toHaveLength(1);
  expect(page).toContain('<span class="status">Postponed, no new date yet</span>');
});

test('a row says the time at its place, without minutes of an hour, and leads to its city or its country', async () => {
  const page = await pageOf({
    'sports/rugby/cup': {
      Final: {
        starts: '2027-01-15T20',
        zone: 'Asia/Kolkata',
        location: { name: 'Allianz Stadium', address: 'Twickenham, London', country: 'GB' },
      },
      Tour: { starts: '2027-01-16', location: { name: 'Japan', country: 'JP' } },
    },
  });
  expect(page).toContain('20 h Kolkata');
  expect(page).toMatch(/<bdi>Allianz Stadium<\/bdi>, <a href="search\/\?q=London"/);
  expect(page).toMatch(/<a href="country\/jp\/"><bdi>Japan/);
});

test('events of one genre that begin in the same minute fold into one row', async () => {
  const starts = '2026-12-06T18:00Z';
  const page = await pageOf({
    'sports/chess/club': Object.fromEntries(
      ['One', 'Two', 'Three'].map((title) => [title, { starts }]),
    ),
    'tv/drama/show': { Premiere: { starts } },
  });
  expect(page.match(/class="e run/g)).toHaveLength(1);
  expect(page).toContain('>3 events<');
});

test('a row names its subject once', async () => {
  const page = await pageOf({
    'space/eclipses/solar': {
      'Solar eclipse': '2027-02-06',
      'Annular eclipse': '2027-02-07',
      Sol: '2027-02-08',
    },
  });
  const names = [...page.matchAll(/<a class="t [^>]*>([^]*?)<\/a\s*>/g)].map(([, name = '']) =>
    name.trim(),
  );
  expect(names).toEqual([
    '<b>Solar eclipse</b>',
    '<b>solar</b> <bdi>Annular eclipse</bdi>',
    '<b>Sol</b>',
  ]);
});

test('a month of more than 500 events lists the genres of each day, and counts all', async () => {
  const matches = Object.fromEntries(
    Array.from({ length: 600 }, (_, n) => [`Match ${n}`, '2027-05-31']),
  );
  const page = await pageOf(
    { 'sports/chess/club': { ...matches, Final: '2027-05-01' } },
    'month/2027-05/index.html',
  );
  expect(page).toMatch(/<h1>\s*May 2027 <span class="count">601</);
  expect(
    [...page.matchAll(/data-on="([^"]+)"\s+data-count="(\d+)"/g)].map(([, day, count]) => [
      day,
      count,
    ]),
  ).toEqual([
    ['2027-05-01', '1'],
    ['2027-05-31', '600'],
  ]);
});

test('one event of one subject is in the singular', async () => {
  const page = await pageOf({ 'tv/drama/show': { Premiere: '2027-01-15' } });
  expect(page).toContain('January 15, 2027. 1 upcoming event, 1 subject."');
  expect(page).not.toMatch(/\b1 (upcoming )?(events|subjects|categories)\b/);
});

/** Events with ends and places, and announcements. */
const events: Events = {
  'fairs/trade/book-fair': {
    Opening: {
      starts: '2026-11-24T09:00',
      ends: '2026-11-27T18:00',
      zone: 'Europe/Berlin',
      location: {
        name: 'Hall 3',
        address: 'Main Road 1',
        country: 'DE',
        latitude: 51.4,
        longitude: 12.4,
      },
    },
    Sale: {
      starts: '2026-11-28T10:00',
      ends: '16:00',
      zone: 'Europe/Berlin',
      location: { name: 'Yard & court' },
    },
    Days: { starts: '2027-03-18', ends: '2027-03-21' },
    Sequel: '2027-Q3',
  },
  'fairs/maybe/ubuntu': { 'Ubuntu 27.04': '2027-04', Meeting: '2028-H1', Reunion: '2030' },
  'fairs/trade/market': { Stalls: '2026-12-06' },
};

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
    expect(read(site, 'genre/trade-fairs').text).toContain(
      'Q3 2027, date to be announced book-fair Sequel',
    );
    const { text, html } = read(site, 'genre/maybe-fairs');
    expect(text).toContain('Nothing dated yet.');
    expect(text).not.toContain('Nothing is coming up');
    expect(text).toMatch(
      /April 2027, date to be announced Ubuntu 27\.04 .*First half of 2028, date to be announced ubuntu Meeting .*2030, date to be announced ubuntu Reunion/,
    );
    expect(html).toMatch(
      /<a class="t p-name u-url" dir="auto" href="..\/..\/genre\/maybe-fairs\/ubuntu\/#meeting"/,
    );
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
    expect(text).toContain(
      'Opening November 24 – 27, 2026 09:00 Berlin Hall 3 · Main Road 1 · Germany · Map',
    );
    expect(html).toContain('href="geo:51.4,12.4?q=51.4%2C12.4(Hall%203)"');
    expect(html).toMatch(/<a href="..\/..\/..\/country\/de\/"><bdi>Germany/);
    expect(text).toContain('Also in trade Dec 6, 2026 market');
    expect(text).toMatch(/2027 1 date Thu, Mar 18 until Mar 21 Days/);
    expect(read(site, 'genre/maybe-fairs/ubuntu').text).toContain(
      'Ubuntu 27.04 April 2027 · not dated yet',
    );
  });

  test('adds the next date to a calendar, and tells that from a subscription', () => {
    const links = [...html.matchAll(/href="(https:\/\/(?:calendar\.google|outlook)[^"]*)"/g)].map(
      ([, href = '']) => new URL(href.replaceAll('&#38;', '&')).searchParams,
    );
    const [subscribed, , google, outlook] = links;
    expect(google?.get('dates')).toBe('20261124T080000Z/20261127T170000Z');
    expect([google?.get('text'), google?.get('location')]).toEqual([
      'book-fair: Opening',
      'Hall 3, Main Road 1',
    ]);
    expect([outlook?.get('startdt'), outlook?.get('allday')]).toEqual([
      '2026-11-24T08:00:00.000Z',
      null,
    ]);
    expect(subscribed?.get('cid')).toMatch(/^webcal:/);
    const market = read(site, 'genre/trade-fairs/market').html;
    expect(market).toContain('dates=20261206%2F20261207');
    expect(market).toContain('allday=true');
    expect(text).toContain('A copy: it does not change when a date moves.');
  });

  test('has an icon at the root of its site', () => {
    const png = readFileSync(join(site, 'favicon.ico'));
    expect([png.subarray(0, 8).toString('latin1'), png.readUInt32BE(16)]).toEqual([
      '\x89PNG\r\n\x1a\n',
      32,
    ]);
  });
});

test('a new title is one change, and kinds of changes look different', async () => {
  const folders = { cwd: lastingFolder(), source: lastingFolder() };
  await buildSite(
    { 'tv/drama/show': { Premiere: '2027-01-15', Gone: '2027-02-01' } },
    '2026-11-19T12:00:00Z',
    folders,
  );
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

test('own fields have the labels of the service and values as people write them', async () => {
  const extra = { price_eur: 1200.5, dogs: true, tickets: 'https://example.org/tickets' };
  const labels = { price_eur: 'Preis (€)', dogs: 'Hunde', tickets: 'Karten' };
  const events = { 'culture/concerts/hall': { First: { starts: '2027-01-15', extra } } };
  const site = await buildSite(events, now, { service: { lang: 'de', labels } });
  const page = readFileSync(join(site, 'genre/concerts-culture/hall/index.html'), 'utf8');
  expect(plainText(page)).toContain('Preis (€): 1.200,5 · Hunde: ja · Karten: example.org');
});
