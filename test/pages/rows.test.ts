import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accentFor, contrast, readColour } from '../../src/pages/accent.ts';
import { dateAfter, datesIn, mondayOf, monthAfter, weekdayOf } from '../../src/pages/dates.ts';
import { countDays, countStarts, packStarts, unpackStarts } from '../../src/pages/heat.ts';
import { html } from '../../src/render/html.ts';
import { localeOf } from '../../src/pages/locale.ts';
import { fill, languageOf } from '../../src/pages/words/words.ts';
import { tables } from '../../src/pages/words/tables.ts';
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

test('a packed heat map counts the same days in every zone', () => {
  const quarter = 15 * 60_000;
  const event = fc.record({
    precision: fc.constantFrom('day', 'minute'),
    startsAt: fc.integer({ min: 0, max: 96 * 370 }).map((n) => Date.parse('2026-11-20') + n * quarter),
  });
  fc.assert(
    fc.property(
      fc.array(event),
      fc.constantFrom('Pacific/Kiritimati', 'Asia/Kathmandu', 'America/Los_Angeles'),
      (events, zone) => {
        const expected = new Map<string, number>();
        const format = new Intl.DateTimeFormat('sv', { timeZone: zone });
        const records = events.map(({ precision, startsAt }) => {
          const starts_at = new Date(startsAt).toISOString();
          return { time_known: precision !== 'day', date: starts_at.slice(0, 10), starts_at };
        });
        for (const { precision, startsAt } of events) {
          const date = new Date(startsAt).toISOString().slice(0, 10);
          const day = precision === 'day' ? date : format.format(startsAt);
          expected.set(day, (expected.get(day) ?? 0) + 1);
        }
        expect(countDays(unpackStarts(packStarts(countStarts(records))), (instant) => format.format(instant))).toEqual(
          expected,
        );
      },
    ),
  );
});

test('any accent can be read on the paper of both themes', () => {
  const colour = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, '0')}`);
  fc.assert(
    fc.property(colour, (accent) => {
      expect(contrast(readColour(accentFor('light', accent)), readColour('#f3eee2'))).toBeGreaterThanOrEqual(4.5);
      expect(contrast(readColour(accentFor('dark', accent)), readColour('#211f1a'))).toBeGreaterThanOrEqual(4.5);
    }),
  );
  expect(accentFor('light', '#8f2d0f')).toBe('#8f2d0f');
  expect(readColour('#fa0')).toEqual([255, 170, 0]);
});

test('every language says everything, with the same values', () => {
  const valuesIn = (text: string): string[] =>
    [...new Set(text.split('|').flatMap((form) => form.match(/\{\w+\}/g) ?? []))].sort();
  for (const [language, words] of Object.entries(tables)) {
    expect(Object.keys(words), language).toEqual(Object.keys(tables.en));
    for (const [word, text] of Object.entries(words)) {
      expect(text, `${language} ${word}`).not.toBe('');
      expect(valuesIn(text), `${language} ${word}`).toEqual(valuesIn(tables.en[word as keyof typeof tables.en]));
    }
  }
});

test('words have the form that the number asks for', () => {
  expect(fill('{n} event|{n} events', 'en', { n: 1 })).toBe('1 event');
  expect(fill('{n} event|{n} events', 'en', { n: 1573 })).toBe('1,573 events');
  expect(fill('{n} événement|{n} événements', 'fr', { n: 0 })).toBe('0 événement');
  expect([languageOf('de-AT'), languageOf('it'), languageOf('ar')]).toEqual(['de', 'en', 'en']);
  expect(localeOf('de').longDate('2027-03-04')).toBe('Donnerstag, 4. März 2027');
  expect([localeOf('ar').isRightToLeft, localeOf('ja').isRightToLeft]).toEqual([true, false]);
});

async function pageOf(events: Events, path = 'index.html'): Promise<string> {
  return readFileSync(join(await buildSite(events, '2026-11-20T12:17:00Z'), path), 'utf8');
}

test('an hour that begins at half past in UTC is written with its minutes', async () => {
  const page = await pageOf({
    'tv/drama/show': {
      Premiere: { starts: '2027-01-15T20', zone: 'Asia/Kolkata' },
      Finale: { starts: '2027-01-16T20', zone: 'Europe/Berlin' },
    },
  });
  expect(page).toContain('14:30 UTC');
  expect(page).not.toContain('14 h');
  expect(page).toContain('19 h UTC');
});

test('the page of a subject says once what events in a row have in common', async () => {
  const facts = { description: 'A word about it.', tags: ['jazz'] };
  const page = await pageOf(
    {
      'culture/concerts/hall': {
        First: { starts: '2027-01-15', ...facts },
        Second: { starts: '2027-01-16', ...facts },
        Third: { starts: '2027-01-17', ...facts, tags: ['rock'] },
        Fourth: { starts: '2027-01-18' },
        Fifth: { starts: '2027-01-19', ...facts },
      },
    },
    'genre/concerts-culture/hall/index.html',
  );
  const rows = page.split('<li class="e').filter((row) => row.includes('data-on='));
  const factsIn = (row: string): string[] =>
    row.match(/class="facts"|(?<=<bdi>)A word about it\.|(?<=<bdi>)#\w+/g) ?? [];
  expect(rows.map(factsIn)).toEqual([
    ['class="facts"', 'A word about it.', '#jazz'],
    [],
    ['class="facts"', '#rock'],
    [],
    ['class="facts"', 'A word about it.', '#jazz'],
  ]);
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
  const names = [...page.matchAll(/<a class="t"[^>]*>([^]*?)<\/a>/g)].map(([, name = '']) => name.trim());
  expect(names).toEqual(['<b>Solar eclipse</b>', '<b>solar</b> <bdi>Annular eclipse</bdi>', '<b>Sol</b>']);
});

test('the pages of a month count all of its events, and say if they do not list them all', async () => {
  const matches = Object.fromEntries(Array.from({ length: 10_001 }, (_, n) => [`Match ${n}`, '2027-05-31']));
  const page = await pageOf({ 'sports/chess/club': { ...matches, Final: '2027-05-01' } }, 'month/2027-05/index.html');
  expect(page).toContain('>10,002<');
  expect(page).toContain('Only the first 10,000 events of this month');
});

test('one event of one subject is in the singular', async () => {
  const page = await pageOf({ 'tv/drama/show': { Premiere: '2027-01-15' } });
  expect(page).toContain('January 15, 2027. 1 upcoming event, 1 subject."');
  expect(page).not.toMatch(/\b1 (upcoming )?(events|subjects|categories)\b/);
});
