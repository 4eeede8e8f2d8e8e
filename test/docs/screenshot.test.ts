import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { chromiumPath, launchBrowser, openPage, serveSite, type OpenedPage } from '../setup/browser.ts';
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
const site = canShow ? await serveSite(Object.fromEntries(readTree(join(root, 'data'))), now) : null;

async function openHome(reader: BrowserContextOptions): Promise<OpenedPage> {
  const opened = await openPage(await launchBrowser(), site?.url ?? '', { now, ...reader });
  await opened.page.locator('#synced').getByText('updated').waitFor();
  return opened;
}

test.runIf(canShow)('the home page of the starter catalogue can be shown', async () => {
  const reader = { viewport, locale: 'en-GB', timezoneId: 'Europe/London', colorScheme: 'light' as const };
  const { page, complaints } = await openHome(reader);
  const taken = await page.screenshot({ animations: 'disabled' });
  expect(complaints).toEqual([]);
  if (isUpdate) writeFileSync(file, taken);
  expect(sizeOf(readFileSync(file))).toEqual(sizeOf(taken));
});

test.runIf(canShow).each([
  [{ width: 1440, height: 900 }, 12],
  [{ width: 390, height: 844 }, 5],
])('a window of %o shows at least %i events', async (size, least) => {
  const { page } = await openHome({ viewport: size, locale: 'en-US', timezoneId: 'America/New_York' });
  expect(await visibleRows(page)).toBeGreaterThanOrEqual(least);
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

async function visibleRows(page: Page): Promise<number> {
  return page.locator('.list .e').evaluateAll(
    (all) =>
      all.filter((one) => {
        const { top, bottom, height } = one.getBoundingClientRect();
        return height > 0 && top >= 0 && bottom <= innerHeight;
      }).length,
  );
}
