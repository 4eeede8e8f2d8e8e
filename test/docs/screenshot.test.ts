import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chromiumPath, openPage, serveSite } from '../setup/browser.ts';
import { readTree } from '../setup/folders.ts';
import { isUpdate } from '../setup/golden.ts';
import { root } from './pages.ts';
import { isStarter, now } from './preview.ts';

/*
 * docs/home.png shows the home page of the starter catalogue. To take it again:
 *
 *   ALMANAC_UPDATE_GOLDEN=1 npx vitest run --config test/vitest.config.ts test/docs/screenshot.test.ts
 */
const file = join(root, 'docs/home.png');
const viewport = { width: 1280, height: 740 };
const canShow = chromiumPath !== null && isStarter;
const site = canShow
  ? await serveSite(Object.fromEntries(readTree(join(root, 'data'))), now)
  : null;

test.runIf(canShow)('the home page of the starter catalogue can be shown', async () => {
  const reader = {
    viewport,
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    colorScheme: 'light' as const,
  };
  const page = await openPage(site?.url ?? '', { now, ...reader });
  await page.locator('#synced').getByText('updated').waitFor();
  const taken = await page.screenshot({ animations: 'disabled' });
  if (isUpdate) writeFileSync(file, taken);
  expect(sizeOf(readFileSync(file))).toEqual(sizeOf(taken));
});

test('docs/home.png is an image of the right size, below 200 kB', () => {
  const image = readFileSync(file);
  expect(sizeOf(image)).toEqual(viewport);
  expect(image.length).toBeLessThan(200_000);
});

/** The width and height that a PNG names in its first chunk. */
function sizeOf(image: Buffer): { width: number; height: number } {
  expect(image.subarray(1, 4).toString()).toBe('PNG');
  return { width: image.readUInt32BE(16), height: image.readUInt32BE(20) };
}
