import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { accentStyle } from '../../src/pages/site-files.ts';
import { violations } from '../setup/axe.ts';
import { chromiumPath, openPage, screenshot, serveSite, type Reader } from '../setup/browser.ts';
import type { Tree } from '../setup/folders.ts';
import { now } from './catalogue.ts';
import { followerOf, noPage, pages, serveVaried, shorten, states, visit } from './every-page.ts';

interface Look {
  readonly width: number;
  readonly media?: { readonly colorScheme?: 'dark'; readonly forcedColors?: 'active' };
  /**
   * What of the page is as in the look before, so that other rules than these cannot have another
   * result.
   */
  readonly same?: 'places' | 'elements';
}

/** How every page looks, one after another in the same window. */
const looks: Readonly<Record<string, Look>> = {
  light: { width: 1200 },
  dark: { width: 1200, media: { colorScheme: 'dark' }, same: 'places' },
  forced: { width: 1200, media: { forcedColors: 'active' }, same: 'places' },
  phone: { width: 390 },
  'dark-phone': { width: 390, media: { colorScheme: 'dark' }, same: 'places' },
  // What a window of 1280 pixels shows at 200 and 400 %.
  zoomed: { width: 640, same: 'elements' },
  narrow: { width: 320, same: 'elements' },
};

/**
 * The rules whose result can change while all elements keep their places, or while only their
 * places change.
 */
const rulesOf = {
  places: { runOnly: ['color-contrast', 'link-in-text-block'] },
  elements: { runOnly: ['target-size', 'scrollable-region-focusable'] },
};

/** The pages that axe reads with all that repeats on them. */
const whole = new Set(['home', 'year', 'reference']);

/** The looks of which CI keeps a picture. */
const pictured = new Set(['light', 'dark', 'phone', 'dark-phone']);

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
  const site = await serveVaried();
  const long = await serveSite(longWords, now);

  async function open(name: string, reader: Partial<Reader> = {}): Promise<Page> {
    const settings = { now, timers: true, ...followerOf(site), ...reader };
    const page = await openPage(`${site.url}site.webmanifest`, settings);
    await visit(page, site, name);
    return page;
  }

  test('axe reports no problem in any look of any page or state', async () => {
    const reader = { now, timers: true, complaints: noPage, ...followerOf(site) };
    const page = await openPage(`${site.url}site.webmanifest`, reader);
    for (const name of Object.keys({ ...pages, ...states })) {
      await lookAs(page, { width: 1200 });
      await visit(page, site, name);
      await openDetails(page, '.run details');
      if (!whole.has(name)) await shorten(page);
      await checkLooks(page, name);
    }
  });

  async function checkLooks(page: Page, name: string): Promise<void> {
    let before = { places: '', elements: '' };
    // A state changes little of its page, so it has no looks but those of the first width.
    const shown = Object.entries(looks).filter(([, { width }]) => name in pages || width === 1200);
    for (const [look, { same, ...asked }] of shown) {
      const where = `${name} ${look}`;
      await lookAs(page, asked);
      if (pictured.has(look)) await screenshot(page, `${name}-${look}`);
      const layout = await layoutOf(page);
      if (same !== undefined) expect(layout[same], where).toBe(before[same]);
      before = layout;
      expect(await violations(page, same && rulesOf[same]), where).toEqual([]);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth),
        where,
      ).toBeLessThanOrEqual(asked.width);
    }
  }

  test.each([320, 768])('every name fits a window of %i pixels', async (width) => {
    const page = await openPage(long.url, { now, timers: true, viewport: { width, height: 640 } });
    await page.locator('#synced').getByText('updated').waitFor();
    await openDetails(page, 'details');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });

  test('dark and light mode have different colours', async () => {
    const page = await open('search');
    const paper = async (colorScheme: 'light' | 'dark') => {
      await page.emulateMedia({ colorScheme });
      return page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    };
    expect(await paper('dark')).not.toBe(await paper('light'));
  });

  test('any accent can be read on the paper of both themes', async () => {
    const page = await open('home');
    const levels = ['00', '40', '80', 'c0', 'ff'];
    const colours = levels.flatMap((red) =>
      levels.flatMap((green) => levels.map((blue) => `#${red}${green}${blue}`)),
    );
    const styles = colours.map(
      (colour) => `${accentStyle(colour)} body{color:var(--accent);background:var(--raised)}`,
    );
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const drawn = await page.evaluate((texts) => {
        const sheet = new CSSStyleSheet();
        document.adoptedStyleSheets.push(sheet);
        const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
        const pixelOf = (colour: string): number[] => {
          Object.assign(context ?? {}, { fillStyle: colour });
          context?.fillRect(0, 0, 1, 1);
          return [...(context?.getImageData(0, 0, 1, 1).data ?? [])].slice(0, 3);
        };
        return texts.map((text) => {
          sheet.replaceSync(text);
          const { color, backgroundColor } = getComputedStyle(document.body);
          return [pixelOf(color), pixelOf(backgroundColor)];
        });
      }, styles);
      const contrasts = drawn.map(([text = [], paper = []]) => contrastOf(text, paper));
      expect(Math.min(...contrasts), colorScheme).toBeGreaterThanOrEqual(4.5);
    }
  });

  test('forced colours keep the shades of the year', async () => {
    const page = await open('year', { forcedColors: 'active' });
    const shades = await page
      .locator('td > a')
      .evaluateAll((days) => days.map((day) => getComputedStyle(day).backgroundColor));
    expect(new Set(shades).size).toBeGreaterThan(1);
  });

  test('what an event says of its time stays in its place', async () => {
    const page = await open('subject');
    for (const width of [1200, 390]) {
      await page.setViewportSize({ width, height: 900 });
      const [place, text] = await page
        .locator('.w:has(i:not(:empty))')
        .first()
        .evaluate((one) => [one, ...one.children].map((part) => part.getBoundingClientRect().left));
      expect(text).toBeGreaterThanOrEqual(place ?? 0);
    }
  });

  test('the focus is visible wherever the keyboard goes', async () => {
    const page = await open('home');
    const reached = new Set<string>();
    for (let n = 0; n < 40; n++) {
      await page.keyboard.press('Tab');
      const [what, outline] = await page.evaluate(() => {
        const active = document.activeElement ?? document.body;
        const kind =
          active.id ||
          active.closest('.e, .chips, .rail, .views')?.classList[0] ||
          active.className;
        // The field of the date lies in a label that has the outline.
        return [kind, getComputedStyle(active.closest('.chips label') ?? active).outlineStyle];
      });
      reached.add(what ?? '');
      expect(outline, what).not.toBe('none');
    }
    expect([...reached]).toEqual(
      expect.arrayContaining(['skip', 'name', 'q', 'views', 'rail', 'chips', 'e']),
    );
  });

  test('nothing moves for readers who prefer reduced motion', async () => {
    const page = await open('home', { reducedMotion: 'reduce' });
    const moving = await page
      .locator('a, button')
      .evaluateAll(
        (all) => all.filter((one) => getComputedStyle(one).transitionDuration !== '0s').length,
      );
    expect(moving).toBe(0);
  });
});

async function lookAs(page: Page, { width, media }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none', ...media });
  await page.setViewportSize({ width, height: 900 });
}

/** Opens the details that a selector names. */
async function openDetails(page: Page, selector: string): Promise<void> {
  await page
    .locator(selector)
    .evaluateAll((all) => all.forEach((one) => ((one as HTMLDetailsElement).open = true)));
}

/** Returns which elements of a page are visible, and where. */
async function layoutOf(
  page: Page,
): Promise<{ readonly places: string; readonly elements: string }> {
  return page.evaluate(() => {
    const visible = [...document.querySelectorAll('body *')].map(
      (one) => [one.checkVisibility(), one.getBoundingClientRect()] as const,
    );
    return {
      places: visible.map(([, { x, y, width, height }]) => [x, y, width, height].join()).join(' '),
      elements: visible.map(([isVisible]) => Number(isVisible)).join(''),
    };
  });
}

/** The contrast of two colours, from 1 to 21 (WCAG 2.2). */
function contrastOf(...colours: readonly (readonly number[])[]): number {
  const [light = 0, dark = 0] = colours.map(luminanceOf).toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminanceOf(colour: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
