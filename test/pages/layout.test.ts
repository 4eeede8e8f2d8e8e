import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { chromiumPath, openPage, serveSite, type Reader } from '../setup/browser.ts';
import type { Tree } from '../setup/folders.ts';
import { now } from './catalogue.ts';
import { followerOf, noPage, pages, serveVaried, states, visit } from './every-page.ts';

const titles = [
  'Final',
  'Opening session of the conference on the sustainable management of shared groundwater, second call',
  'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz',
  '東京国際映画祭クロージングセレモニーと授賞式',
  'مهرجان القاهرة السينمائي الدولي: حفل الافتتاح',
];
const places = [
  'Rome',
  'Palacio de Exposiciones y Congresos de la Ciudad de las Artes y las Ciencias, Valencia',
];

/** Long titles beside long places, in as many categories as make the rail scroll. */
const long: Tree = {
  'service.json': { name: 'Long', license: 'Free to use, no key.' },
  ...Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [
      `place-${n}/category.json`,
      { name: `A category of places ${n}` },
    ]),
  ),
  'place-1/meetings/genre.json': { name: 'Meetings' },
  'place-1/meetings/society.json': {
    name: 'Society',
    events: [{ title: 'Meeting of its members', starts: '2027-05-08' }],
  },
  'place-0/meetings/genre.json': { name: 'Meetings and conferences of the year' },
  'place-0/meetings/society.json': {
    name: 'The Forty-Seventh Session of the Panel',
    events: Array.from({ length: 20 }, (_, n) => ({
      title: `${titles[n % titles.length]} ${n}`,
      starts: `2026-11-2${3 + (n % 4)}T10:${10 + n}`,
      ends: `2026-11-2${3 + (n % 4)}T18:30`,
      zone: 'Europe/Berlin',
      location: { name: places[n % places.length] },
    })),
  },
};

/** A catalogue that has nothing to choose between but days. */
const single: Tree = {
  'service.json': { name: 'Society of the Club', license: 'Free to use, no key.' },
  'club/category.json': { name: 'Club' },
  'club/meetings/genre.json': { name: 'Meetings' },
  'club/meetings/society.json': {
    name: 'Society',
    events: [{ title: 'Meeting of its members', starts: '2026-11-27' }],
  },
};

/** The pages whose rows a script has no reason to move, for a reader in the zone of the build. */
const steady = new Set([
  'home',
  'category',
  'genre',
  'subject',
  'month',
  'country',
  'collection',
  'not-found',
]);

describe.skipIf(chromiumPath === null)('the layout', async () => {
  const site = await serveVaried();
  const longSite = await serveSite(long, now);

  async function open(address: string, reader: Partial<Reader> = {}): Promise<Page> {
    const page = await openPage(address, { now, timers: true, ...reader });
    return page;
  }

  test.each(['en', 'ar'])(
    'no page of a site in "%s" is wider than its window, and its search box has room',
    async (lang) => {
      const served = lang === 'en' ? site : await serveVaried(lang);
      const page = await open(`${served.url}site.webmanifest`, {
        complaints: noPage,
        ...followerOf(served),
      });
      for (const name of Object.keys(pages)) {
        await visit(page, served, name);
        for (const width of [320, 390, 640, 820, 1280, 1440, 1920]) {
          await page.setViewportSize({ width, height: 900 });
          const widths = await page.evaluate(() => [
            document.documentElement.scrollWidth,
            document.querySelector('.bar input')?.clientWidth ?? Infinity,
          ]);
          expect(widths[0], `${name} ${width}`).toBe(width);
          expect(widths[1], `the search box of ${name} ${width}`).toBeGreaterThanOrEqual(150);
        }
      }
    },
  );

  test('nor is one of a catalogue with a single genre, at any choice of days', async () => {
    const small = await serveSite(single, now);
    const page = await open(small.url, { viewport: { width: 320, height: 700 } });
    for (const path of ['', '?on=week', 'genre/meetings-club/', 'genre/meetings-club/society/']) {
      await page.goto(small.url + path);
      await page.locator('#synced:not(:empty)').waitFor({ state: 'attached' });
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width, path).toBe(320);
    }
  });

  test.each(['', 'category/place-0/', 'genre/meetings-place-0/', 'month/2026-11/'])(
    'each row of /%s shows most of its title, and a place of more than four letters',
    async (path) => {
      const page = await open(longSite.url + path);
      await page.locator('#synced:not(:empty)').waitFor({ state: 'attached' });
      for (const width of [320, 390, 820, 1201, 1280, 1440, 1920]) {
        await page.setViewportSize({ width, height: 900 });
        const widthsOf = async (selector: string): Promise<[shown: number, whole: number][]> =>
          page
            .locator(selector)
            .evaluateAll((all) =>
              all
                .filter((one) => one.checkVisibility())
                .map((one) => [one.clientWidth, one.scrollWidth]),
            );
        const [titleWidths, placeWidths] = [
          await widthsOf('.list .what'),
          await widthsOf('.list .what:has(.p)'),
        ];
        expect(placeWidths.length).toBeGreaterThan(0);
        expect(
          titleWidths.filter(([shown]) => shown < 150 && width > 390),
          `${width}`,
        ).toEqual([]);
        // Four letters and an ellipsis.
        expect(
          placeWidths.filter(([shown, whole]) => shown < whole && shown < 60),
          `${width}`,
        ).toEqual([]);
      }
    },
  );

  test.each([390, 1280])(
    'what is shown stays in its place while any page loads, and no row is painted again (%i pixels)',
    async (width) => {
      const reader = {
        viewport: { width, height: 844 },
        timezoneId: 'UTC',
        locale: 'en-US',
        complaints: noPage,
      };
      const page = await open(`${site.url}site.webmanifest`, { ...reader, ...followerOf(site) });
      page.setDefaultTimeout(20_000);
      await page.addInitScript(watchLayout);
      for (const name of Object.keys({ ...pages, ...states })) {
        await visit(page, site, name);
        await page.waitForLoadState('networkidle');
        const { shifts, again } = await page.evaluate(layoutSeen);
        expect.soft(shifts, name).toBeLessThanOrEqual(0.03);
        // What the reader follows is read from other pages, and a choice is one of days.
        if (steady.has(name)) expect.soft(again, name).toEqual([]);
      }
    },
  );

  test('a month is printed on one sheet of A4 in landscape', async () => {
    // May 2027 has six weeks where weeks begin on Sunday.
    const page = await open(`${longSite.url}month/2027-05/`);
    await page.locator('.agenda .open').waitFor({ state: 'attached' });
    expect(await page.locator('table.large tbody tr').count()).toBe(6);
    const printed = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    expect(printed.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
    const [, width = '', height = ''] =
      /\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/.exec(printed) ?? [];
    expect([Number(width), Number(height)].map(Math.round)).toEqual([842, 595]);
    await page.emulateMedia({ media: 'print' });
    expect(
      await page
        .locator('.e, .bar, .foot, .chips')
        .evaluateAll((all) => all.filter((one) => one.checkVisibility()).length),
    ).toBe(0);
  });

  test('the rows of a page from right to left are mirrored', async () => {
    const arabic = await serveVaried('ar');
    const page = await open(`${arabic.url}category/film/`);
    await page.locator('#synced:not(:empty)').waitFor({ state: 'attached' });
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      const places = await page
        .locator('.e:has(> .g)')
        .first()
        .evaluate((row) =>
          ['.w', '.what'].map(
            (part) => row.querySelector(`:scope > ${part}`)?.getBoundingClientRect().right ?? 0,
          ),
        );
      expect(places).toEqual(places.toSorted((a, b) => b - a));
    }
    const title = await page
      .locator('.list .t')
      .first()
      .evaluate((one) => getComputedStyle(one).textAlign);
    expect(title).toBe('right');
  });
});

interface Seen {
  /** How far what is visible has moved, by the sum of its layout shifts. */
  shifts: number;
  /**
   * The rows that were taken out of the page and put into it again, and the grids and places that
   * were written again.
   */
  again: string[];
}

/** Runs in a page before its content is there, and notes what moves. */
function watchLayout(): void {
  const seen: Seen = { shifts: 0, again: [] };
  Object.assign(globalThis, { seen });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      seen.shifts += (entry as unknown as { value: number }).value;
  }).observe({ type: 'layout-shift', buffered: true });
  new MutationObserver((mutations) => {
    const removed = new Set(mutations.flatMap(({ removedNodes }) => [...removedNodes]));
    const texts = [...removed]
      .filter(
        (node) =>
          node instanceof Element &&
          node.matches(node.isConnected ? '.e, ol, .day, .month' : 'table, .where'),
      )
      .map((node) => node.textContent ?? '');
    seen.again.push(...texts);
  }).observe(document, { childList: true, subtree: true });
}

async function layoutSeen(): Promise<Seen> {
  // Shifts are known once a frame is shown.
  for (let n = 0; n < 2; n++) await new Promise((done) => requestAnimationFrame(done));
  return (globalThis as unknown as { seen: Seen }).seen;
}
