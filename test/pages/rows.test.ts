import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dateAfter, datesIn, mondayOf, monthAfter, weekdayOf } from '../../src/pages/dates.ts';
import { html } from '../../src/render/html.ts';
import { buildSite, type Events } from '../setup/build-site.ts';

test('markup escapes every value, and omits what is not there', () => {
  const list = ['<i>', `"'&`].map((text) => html`<b>${text}</b>`);
  expect(html`<p>${list}${null}</p>`.markup).toBe('<p><b>&#60;i&#62;</b><b>&#34;&#39;&#38;</b></p>');
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
  return readFileSync(join(await buildSite(events, '2026-11-20T12:17:00Z'), path), 'utf8');
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
  expect(page.match(/<bdi>hall: A &#38; B<\/bdi>/g)).toHaveLength(1);
  expect(page.match(/<bdi>price_eur: 12\.5<\/bdi>/g)).toHaveLength(1);
  expect(page.match(/<bdi>free: true<\/bdi>/g)).toHaveLength(1);
  expect(page).toContain('<span class="status">Postponed</span>');
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
  expect(page).toMatch(/<bdi>Allianz Stadium<\/bdi>, <a href="search\/\?q=Twickenham"/);
  expect(page).toMatch(/<a href="country\/jp\/"><bdi>Japan/);
});

test('events of one genre that begin in the same minute fold into one row', async () => {
  const starts = '2026-12-06T18:00Z';
  const page = await pageOf({
    'sports/chess/club': Object.fromEntries(['One', 'Two', 'Three'].map((title) => [title, { starts }])),
    'tv/drama/show': { Premiere: { starts } },
  });
  expect(page.match(/class="e run/g)).toHaveLength(1);
  expect(page).toContain('>3 events<');
});

test('a row names its subject once', async () => {
  const page = await pageOf({
    'space/eclipses/solar': { 'Solar eclipse': '2027-02-06', 'Annular eclipse': '2027-02-07', Sol: '2027-02-08' },
  });
  const names = [...page.matchAll(/<a class="t [^>]*>([^]*?)<\/a\s*>/g)].map(([, name = '']) => name.trim());
  expect(names).toEqual(['<b>Solar eclipse</b>', '<b>solar</b> <bdi>Annular eclipse</bdi>', '<b>Sol</b>']);
});

test('a month of more than 500 events lists the genres of each day, and counts all', async () => {
  const matches = Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`Match ${n}`, '2027-05-31']));
  const page = await pageOf({ 'sports/chess/club': { ...matches, Final: '2027-05-01' } }, 'month/2027-05/index.html');
  expect(page).toMatch(/<h1>\s*May 2027 <span class="count">601</);
  expect([...page.matchAll(/data-on="([^"]+)"\s+data-count="(\d+)"/g)].map(([, day, count]) => [day, count])).toEqual([
    ['2027-05-01', '1'],
    ['2027-05-31', '600'],
  ]);
});

test('one event of one subject is in the singular', async () => {
  const page = await pageOf({ 'tv/drama/show': { Premiere: '2027-01-15' } });
  expect(page).toContain('January 15, 2027. 1 upcoming event, 1 subject."');
  expect(page).not.toMatch(/\b1 (upcoming )?(events|subjects|categories)\b/);
});
