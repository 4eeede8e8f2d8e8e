import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPreview, type Preview } from '../../src/server/preview.ts';
import { askOver, runRows } from './run-rows.ts';
import { buildSite } from './site.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
let site: Awaited<ReturnType<typeof buildSite>>;
let preview: Preview;

beforeAll(async () => {
  site = await buildSite('https://example.org/almanac');
  preview = await openPreview({ folder: site.site, host: '127.0.0.1', port: 0, now: () => now });
});
afterAll(async () => {
  await preview.close();
  site.remove();
});

test('the preview server answers every row', async () => {
  const results = await runRows(askOver(preview.address), now);
  expect(results.filter(({ fault }) => fault !== null).map(({ row, fault }) => `${row.path}: ${fault}`)).toEqual([]);
});
