import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { chromiumPath, launchBrowser, openPage, screenshot, serveSite, type Reader } from '../../setup/browser.ts';
import type { Tree } from '../../setup/folders.ts';
import { catalogue, now } from './catalogue.ts';

/** A window, and how it looks one after another. What follows from the width or the colours needs no new window. */
interface Window {
  readonly reader: Partial<Reader>;
  readonly looks: Readonly<Record<string, Look>>;
}

interface Look {
  readonly media?: { readonly colorScheme?: 'light' | 'dark'; readonly forcedColors?: 'active' | 'none' };
  readonly viewport?: { readonly width: number; readonly height: number };
}

const phone = { width: 390, height: 844 };
const windows: Readonly<Record<string, Window>> = {
  mouse: {
    reader: {},
    looks: {
      light: {},
      dark: { media: { colorScheme: 'dark' } },
      forced: { media: { forcedColors: 'active' } },
      // What a window of 1280 pixels shows at 200 %.
      zoomed: { viewport: { width: 640, height: 450 } },
    },
  },
  touch: {
    reader: { viewport: phone, hasTouch: true },
    looks: {
      phone: { viewport: phone },
      'dark-phone': { media: { colorScheme: 'dark' }, viewport: phone },
      // What a window of 1280 pixels shows at 400 %.
      narrow: { viewport: { width: 320, height: 640 } },
    },
  },
};
const everyLook = Object.values(windows).flatMap(({ looks }) => Object.keys(looks));
const usual = ['light', 'dark', 'phone', 'dark-phone'];
const pages = [
  { name: 'home', path: '', in: everyLook },
  { name: 'day', path: '?day=2026-12-01', in: ['light'] },
  { name: 'category', path: 'category/film/', in: usual },
  { name: 'genre', path: 'genre/passes-space/', in: [...usual, 'narrow'] },
  { name: 'subject', path: 'genre/premieres-film/quiet-picture/', in: everyLook },
  { name: 'month', path: 'month/2026-12/', in: [...usual, 'narrow'] },
  { name: 'year', path: 'year/', in: usual },
  { name: 'today', path: 'today/', in: usual },
  { name: 'changes', path: 'changes/', in: usual },
  { name: 'search', path: 'search/?q=pass', in: usual },
  { name: 'search-none', path: 'search/?q=zzzz', in: ['light'] },
  { name: 'following', path: 'following/', in: usual },
  { name: 'reference', path: 'api/v1/', in: [...usual, 'narrow'] },
  { name: 'not-found', path: 'no/such/page', in: usual },
];
const cases = pages.flatMap((page) =>
  Object.entries(windows)
    .map(([kind, { reader, looks }]) => ({
      ...page,
      kind,
      reader,
      looks: Object.entries(looks).filter(([look]) => page.in.includes(look)),
    }))
    .filter(({ looks }) => looks.length > 0),
);

/** The catalogue of the other tests, with a short list of passes (axe takes long for long ones) and a long name. */
const few: Tree = {
  ...catalogue,
  'space/passes/station.json': {
    name: 'Station',
    events: Array.from({ length: 9 }, (_, n) => ({ title: `Pass ${n + 1}`, starts: `2027-01-0${n + 1}T06:00Z` })),
  },
  'tricks/category.json': { name: 'Tricks with a name that leaves no room beside it' },
};

const name = 'Eisenbahnknotenpunkt'.repeat(8);
/** Words that are too long for a line, on a Wednesday. */
const longWords: Tree = {
  'service.json': { name, license: name },
  'rail/category.json': { name },
  'rail/hubs/genre.json': { name },
  'rail/hubs/hub.json': {
    name,
    events: [
      { title: name, starts: '2026-12-02' },
      { title: `The ${name}`, starts: '2026-12-03T10:00Z' },
    ],
  },
};

describe.skipIf(chromiumPath === null)('accessibility', async () => {
  const browser = await launchBrowser();
  const site = await serveSite(few, now);
  const long = await serveSite(longWords, now);

  async function open(path: string, reader: Partial<Reader>): Promise<Page> {
    const { page } = await openPage(browser, site.url + path, { now, timers: true, ...reader });
    await page.waitForLoadState('networkidle');
    return page;
  }

  test.each(cases)('axe reports no problem: $name, $kind', async ({ name, path, reader, looks }) => {
    const page = await open(path, reader);
    const show = async ({ media, viewport = { width: 1200, height: 900 } }: Look): Promise<void> => {
      await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none', ...media });
      await page.setViewportSize(viewport);
    };
    for (const [look, settings] of looks) {
      await show(settings);
      await screenshot(page, `${name}-${look}`);
    }
    await page.evaluate(() => document.querySelectorAll('details').forEach((details) => (details.open = true)));
    for (const [look, settings] of looks) {
      await show(settings);
      expect(await violations(page), look).toEqual([]);
      const { width, room } = await page.evaluate(() => ({
        width: document.documentElement.scrollWidth,
        room: window.innerWidth,
      }));
      expect(width, look).toBeLessThanOrEqual(room);
    }
  });

  test.each([320, 768])('every name fits a window of %i pixels', async (width) => {
    const { page } = await openPage(browser, long.url, { now, timers: true, viewport: { width, height: 640 } });
    await page.locator('#synced').getByText('updated').waitFor();
    await page.evaluate(() => document.querySelectorAll('details').forEach((details) => (details.open = true)));
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });

  test('dark and light mode have different colours', async () => {
    const paper = async (colorScheme: 'light' | 'dark') =>
      (await open('', { colorScheme })).evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(await paper('dark')).not.toBe(await paper('light'));
  });

  test('the focus is visible wherever the keyboard goes', async () => {
    const page = await open('', {});
    const reached = new Set<string>();
    for (let n = 0; n < 40; n++) {
      await page.keyboard.press('Tab');
      const [what, outline] = await page.evaluate(() => {
        const active = document.activeElement ?? document.body;
        const kind =
          active.id || active.closest('.e, .chips, .rail, .heat, .next, .views')?.classList[0] || active.className;
        // The field of the date lies in a label that has the outline.
        return [kind, getComputedStyle(active.closest('.chips label') ?? active).outlineStyle];
      });
      reached.add(what ?? '');
      expect(outline, what).not.toBe('none');
    }
    expect([...reached]).toEqual(expect.arrayContaining(['skip', 'name', 'q', 'views', 'rail', 'chips', 'heat', 'e']));
  });

  test.each(['de', 'es', 'fr', 'ja', 'ar'])('axe reports no problem in %s', async (lang) => {
    const data = { ...few, 'service.json': { ...(few['service.json'] as object), lang } };
    const translated = await serveSite(data, now);
    for (const path of ['', 'genre/premieres-film/quiet-picture/']) {
      const { page, complaints } = await openPage(browser, translated.url + path, { now, timers: true, locale: lang });
      await page.waitForLoadState('networkidle');
      expect(await violations(page)).toEqual([]);
      expect(complaints).toEqual([]);
      await screenshot(page, `${path === '' ? 'home' : 'subject'}-${lang}`);
    }
  });

  test('buttons and links are large enough for a finger', async () => {
    const page = await open('', { viewport: { width: 360, height: 780 } });
    const small = await page
      .locator('button:visible:not([role=gridcell]), input:visible, select:visible, .rail > ul > li > a, .chips a')
      .evaluateAll((all) =>
        all
          .map((one) => [one.id || one.textContent, (one.closest('label') ?? one).getBoundingClientRect()] as const)
          .filter(([, { width, height }]) => width < 24 || height < 24)
          .map(([name]) => name),
      );
    expect(small).toEqual([]);
  });

  test('nothing moves for readers who prefer reduced motion', async () => {
    const page = await open('', { reducedMotion: 'reduce' });
    const moving = await page
      .locator('a, button')
      .evaluateAll((all) => all.filter((one) => getComputedStyle(one).transitionDuration !== '0s').length);
    expect(moving).toBe(0);
  });
});

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Returns the violations of WCAG 2.2 A and AA, and of its own best practices, that axe reports. */
async function violations(page: Page): Promise<string[]> {
  // The debugger injects it, which the security policy of the page does not prevent.
  if (await page.evaluate(() => !('axe' in globalThis))) await page.evaluate(axe.source);
  const found = await page.evaluate<Violation[]>(
    `axe.run(document, { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } }).then(({ violations }) => violations)`,
  );
  return found.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`));
}
