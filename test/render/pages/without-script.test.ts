import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildSite, type Events } from '../../setup/build-site.ts';

async function pageOf(events: Events): Promise<string> {
  return readFileSync(join(await buildSite(events, '2026-11-20T12:17:00Z'), 'index.html'), 'utf8');
}

test('the strip counts every upcoming event, including those beyond the lists', async () => {
  const matches = Object.fromEntries(
    Array.from({ length: 250 }, (_, n) => [`Match ${n}`, `2027-05-${n < 240 ? '01' : '31'}`]),
  );
  const events = {
    'sports/chess/club': { ...matches, Final: '2027-06-01' },
    'tv/drama/show': { Finale: '2027-05-02' },
  };
  const page = await pageOf(events);
  const bars = page.matchAll(/data-month="([^"]+)"\s+data-count="(\d+)"/g);
  const counts = Object.fromEntries(Array.from(bars, ([, month, count]) => [month, Number(count)]));
  expect(counts).toMatchObject({ '2027-05': 251, '2027-06': 1, '2027-07': 0 });
});

test('events after twelve months are a number without a column', async () => {
  const page = await pageOf({
    'tv/drama/show': { Premiere: '2027-01-15', Finale: '2028-05-02', Sequel: '2029-05-02' },
  });
  expect(page.match(/data-month=/g)).toHaveLength(13);
  expect(page.match(/<rect/g)).toHaveLength(12);
  expect(page).toContain('From January 2028 on: 2 events');
});

test('one event of one subject in one category is in the singular', async () => {
  const page = await pageOf({ 'tv/drama/show': { Premiere: '2027-01-15' } });
  expect(page).toContain('1 upcoming event of 1 subject, soonest first.');
  expect(page).toContain('content="1 upcoming event in 1 category, as a page');
  expect(page).not.toMatch(/\b1 (upcoming )?(events|subjects|categories)\b/);
});

test('an hour that begins at half past in UTC is written with its minutes', async () => {
  const page = await pageOf({
    'tv/drama/show': {
      Premiere: { starts: '2027-01-15T20', zone: 'Asia/Kolkata' },
      Finale: { starts: '2027-01-16T20', zone: 'Europe/Berlin' },
    },
  });
  expect(page).toContain('14:30 <');
  expect(page).not.toContain('14 h');
  expect(page).toContain('19 h <');
});
