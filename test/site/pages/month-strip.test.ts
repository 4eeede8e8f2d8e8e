import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildSite } from '../../setup/build-site.ts';

test('the strip counts every upcoming event, those beyond the lists as well', async () => {
  const matches = Object.fromEntries(
    Array.from({ length: 250 }, (_, n) => [`Match ${n}`, `2027-05-${n < 240 ? '01' : '31'}`]),
  );
  const events = {
    'sports/chess/club': { ...matches, Final: '2027-06-01' },
    'tv/drama/show': { Finale: '2027-05-02' },
  };
  const page = readFileSync(join(await buildSite(events, '2026-11-20T12:17:00Z'), 'index.html'), 'utf8');
  const bars = page.matchAll(/data-month="([^"]+)"\s+data-count="(\d+)"/g);
  const counts = Object.fromEntries(Array.from(bars, ([, month, count]) => [month, Number(count)]));
  expect(counts).toMatchObject({ '2027-05': 251, '2027-06': 1, '2027-07': 0 });
});
