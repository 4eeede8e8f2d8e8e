import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Page } from 'playwright-core';
import { chromiumPath, launchBrowser } from '../setup/browser.ts';
import { lastingFolder, writeTree } from '../setup/folders.ts';
import { runAlmanac } from '../setup/run-almanac.ts';

/* An open page of the preview shows an edit by itself, in a real browser. */

const now = '2027-01-01T12:00:00Z';
const events = Array.from({ length: 80 }, (_, index) => ({
  title: `Concert ${index}`,
  starts: new Date(Date.UTC(2027, 1, 1 + index)).toISOString().slice(0, 10),
}));
const subject = 'data/music/jazz/club.json';

/** Serves a catalogue until the test ends. Returns its folder and its address. */
async function serve(): Promise<{ readonly cwd: string; readonly address: string }> {
  const cwd = lastingFolder();
  writeTree(cwd, {
    'data/service.json': { name: 'Test', license: 'Free' },
    'data/music/category.json': { name: 'Music' },
    'data/music/jazz/genre.json': { name: 'Jazz' },
    [subject]: { name: 'Club', events },
  });
  let stop = (): void => {};
  const ended = new Promise<void>((resolve) => (stop = resolve));
  const address = await new Promise<string>((resolve, reject) => {
    const write = (text: string): boolean => {
      resolve(text.trim());
      return true;
    };
    const args = ['serve', '--watch', '--port', '0', '--now', now];
    const run = runAlmanac(args, { cwd, ended, stdout: { text: '', write } });
    run.then(({ stderr }) => reject(new Error(stderr)), reject);
    onTestFinished(async () => {
      stop();
      await run;
    });
  });
  return { cwd, address };
}

/** @param expected the errors that the browser may report */
async function openPage(url: string, expected = /^$/): Promise<Page> {
  const browser = await launchBrowser();
  const context = await browser.newContext({
    viewport: { width: 800, height: 600 },
  });
  onTestFinished(async () => context.close());
  context.setDefaultTimeout(300_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // A violation of the policy of the page is an error on the console.
    const text = message.text();
    if (message.type() === 'error' && !expected.test(text)) complaints.push(text);
  });
  onTestFinished(() => expect(complaints).toEqual([]));
  await page.goto(url);
  return page;
}

describe.skipIf(chromiumPath === null)('a page of the preview that is open in Chromium', () => {
  test('shows an edit where its reader was, and not one with a mistake', async () => {
    const { cwd, address } = await serve();
    const page = await openPage(`${address}/genre/jazz-music/club/`);
    const scrollY = async (): Promise<number> => page.evaluate(() => window.scrollY);
    await page.evaluate(() => window.scrollTo(0, 900));
    expect(await scrollY()).toBe(900);
    const text = readFileSync(join(cwd, subject), 'utf8');
    const write = (title: string): void =>
      writeFileSync(join(cwd, subject), text.replace('Concert 20', title));
    write('Gala night');
    await page.getByText('Gala night').first().waitFor();
    await expect.poll(scrollY).toBe(900);
    // A mistake leaves the page, also one that is opened now, and its fix shows at once.
    writeFileSync(join(cwd, subject), text.slice(0, -10));
    const other = await openPage(`${address}/genre/jazz-music/club/`);
    expect(await other.getByText('Gala night').count()).toBeGreaterThan(0);
    write('Encore');
    await page.getByText('Encore').first().waitFor();
    await other.getByText('Encore').first().waitFor();
    await expect.poll(scrollY).toBe(900);
  });

  test('shows a file that the owner adds at its address', async () => {
    const { cwd, address } = await serve();
    const missing = /status of 404/;
    const page = await openPage(`${address}/note.html`, missing);
    mkdirSync(join(cwd, 'public'));
    writeFileSync(join(cwd, 'public/note.html'), '<!doctype html><head></head><p>Hello');
    await page.getByText('Hello').waitFor();
  });
});
