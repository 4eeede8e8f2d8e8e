import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

/** Returns what the rows of the list say, in order. */
export async function titles(page: Page): Promise<string[]> {
  return page
    .locator('.list .e .t')
    .evaluateAll((all) => all.map((one) => (one.textContent ?? '').replace(/\s+/g, ' ').trim()));
}

/** Returns the headings of the list, in order. */
export async function headings(page: Page): Promise<string[]> {
  const texts = await page.locator('.list section > h2').allInnerTexts();
  return texts.map((text) => text.replace(/\s+/g, ' ').trim());
}

/** Returns the text of the row with a title. */
export async function rowOf(page: Page, title: string): Promise<string> {
  return (await page.locator('.list .e', { hasText: title }).innerText()).replace(/\s+/g, ' ');
}

/** Returns the text of the file that a click saves. */
export async function savedBy(page: Page, click: () => Promise<void>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), click()]);
  return readFileSync(await download.path(), 'utf8');
}

/** Returns markup without its tags. */
export function plainText(markup: string): string {
  return markup
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
