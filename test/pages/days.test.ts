import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { groupBy } from '../../src/catalogue/group.ts';
import { datesIn } from '../../src/pages/dates.ts';
import { chromiumPath, openPage, serveSite } from '../setup/browser.ts';
import { dataOf, type Events } from '../setup/build-site.ts';
import { titles } from './list.ts';

/* A day holds what is on: what begins, what runs and, if it is past, what was. */

const now = '2026-12-05T12:00:00Z';
const berlin = { zone: 'Europe/Berlin' };

const events: Events = {
  'town/markets/market': { 'Christmas market': { starts: '2026-11-23', ends: '2026-12-22' } },
  'town/markets/flea': {
    'Flea market': { starts: '2026-12-05T10:00', ends: '16:00', ...berlin },
  },
  'town/markets/exhibition': { Exhibition: { starts: '2026-10-01', ends: '2027-03-01' } },
  'town/stage/slam': { Slam: { starts: '2026-12-03T20:00', ends: '22:00', ...berlin } },
  'town/stage/matinee': { Matinee: { starts: '2026-12-05T09:00', ends: '10:00', ...berlin } },
  'town/stage/hall': { Concert: '2026-12-05', Gala: { starts: '2026-12-31', ends: '2027-01-02' } },
};

describe.skipIf(chromiumPath === null)('a day', async () => {
  const site = await serveSite(dataOf(events, { base_url: undefined, lang: 'en-GB' }), now);

  async function open(path: string, reader: object = {}): Promise<Page> {
    return openPage(site.url + path, { now, timers: true, ...reader });
  }

  const choice = async (on: string): Promise<string[]> => {
    const page = await open(`?on=${on}`);
    await page.locator('html.shown').waitFor();
    const shown = await titles(page);
    const counted = await page.locator('main h1 .count').innerText();
    expect(Number(counted)).toBe(shown.length);
    return shown;
  };

  test('has what begins, what runs, and what was', async () => {
    const running = ['Christmas market', 'Exhibition'];
    expect(await choice('2026-12-03')).toEqual(['Slam', ...running]);
    expect(await choice('2026-12-07')).toEqual(running);
    expect((await choice('today')).sort()).toEqual(
      ['Flea market', 'Matinee', 'hall Concert', ...running].sort(),
    );
    expect(await choice('2027-01-01')).toEqual(['Exhibition', 'hall Gala']);
  });

  test('has the same events in its month, where what lasts for months stands above the days', async () => {
    const page = await open('month/2026-12/#d2026-12-03');
    await page.locator('#d2026-12-03.open').waitFor();
    expect(await page.locator('.agenda section:visible .t').allInnerTexts()).toEqual([
      'Slam',
      'Christmas market',
    ]);
    expect(await page.locator('.lasting .t').allInnerTexts()).toEqual(['Exhibition']);
    expect(await page.locator('.lasting h2').innerText()).toBe('All month');
    const plain = await open('month/2026-12/', { javaScriptEnabled: false });
    expect(await plain.locator('#d2026-12-03 .also').innerText()).toContain('until 22 Dec');
  });
});

/** An event of a random catalogue, as its source has it. */
interface Entry {
  readonly title: string;
  /** Days after {@link origin}. */
  readonly day: number;
  /** Minutes after midnight UTC, or null if only the date is known. */
  readonly minutes: number | null;
  /** Its length in days or in minutes, or null without an end. */
  readonly length: number | null;
}

const origin = Date.parse('2026-10-20');
const dayLength = 24 * 3600_000;

const entry = fc.record({
  // Many of them are near the day of the build.
  day: fc.oneof(fc.integer({ min: 0, max: 110 }), fc.integer({ min: 44, max: 48 })),
  minutes: fc.option(fc.integer({ min: 0, max: 1439 }), { freq: 2 }),
  length: fc.option(fc.oneof(fc.nat(4), fc.nat(45)), { freq: 2 }),
});

const isoOf = (at: number, length: number): string => new Date(at).toISOString().slice(0, length);

/** The first and the last date of an event on the clocks of a zone. */
function daysOf({ day, minutes, length }: Entry, zone: string): readonly [string, string] {
  const start = origin + day * dayLength + (minutes ?? 0) * 60_000;
  if (minutes === null) return [isoOf(start, 10), isoOf(start + (length ?? 0) * dayLength, 10)];
  const dateOf = (at: number): string =>
    new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short' }).format(at);
  const end = length === null || length === 0 ? start : start + length * 97 * 60_000 - 1;
  return [dateOf(start), dateOf(end)];
}

function sourceOf({ day, minutes, length }: Entry): object {
  const start = origin + day * dayLength + (minutes ?? 0) * 60_000;
  const end = start + (length ?? 0) * (minutes === null ? dayLength : 97 * 60_000);
  const write = (at: number): string => (minutes === null ? isoOf(at, 10) : `${isoOf(at, 16)}Z`);
  return { starts: write(start), ...(length !== null && { ends: write(end) }) };
}

describe.skipIf(chromiumPath === null)('counts of days', () => {
  const zones = ['America/Los_Angeles', 'Europe/Berlin', 'Pacific/Kiritimati'];

  test.each([1, 2, 3])('equal the rows that they open (seed %i)', async (seed) => {
    const [sample = []] = fc.sample(fc.array(entry, { minLength: 20, maxLength: 40 }), {
      seed,
      numRuns: 1,
    });
    const entries = sample.map((event, n) => ({ ...event, title: `Event ${n}` }));
    const subjects = groupBy(
      entries,
      ({ day }) => `${day % 2 ? 'a' : 'b'}/genre-${day % 3}-${day % 2}/all`,
    );
    const tree = Object.fromEntries(
      Array.from(subjects, ([path, list]) => [
        path,
        Object.fromEntries(list.map((event) => [event.title, sourceOf(event)])),
      ]),
    );
    const site = await serveSite(dataOf(tree, { base_url: undefined, lang: 'en-GB' }), now);
    const zone = zones[seed % zones.length] ?? '';
    const spans = entries.map((event) => daysOf(event, zone));
    const countOf = (from: string, until: string): number =>
      spans.filter(([first, last]) => first <= until && last >= from).length;
    const isShort = ([first, last]: readonly [string, string]): boolean =>
      Date.parse(last) - Date.parse(first) < 31 * dayLength;
    const inGrid = (date: string): number =>
      spans.filter((span) => {
        const [first, last] = span;
        return first === date || (first < date && last >= date && isShort(span));
      }).length;
    const open = async (path: string): Promise<Page> =>
      openPage(site.url + path, { now, timers: true, timezoneId: zone });

    // 1. Chips: 5 December 2026 is a Saturday.
    const [today] = daysOf({ title: '', day: 46, minutes: 12 * 60, length: null }, zone);
    const after = (days: number): string => isoOf(Date.parse(today) + days * dayLength, 10);
    const sunday = (7 - new Date(today).getUTCDay()) % 7;
    const saturday = Math.max(0, sunday - 1);
    const home = await open('');
    const expected = {
      today: countOf(today, today),
      tomorrow: countOf(after(1), after(1)),
      week: countOf(today, after(sunday)),
      weekend: countOf(after(saturday), after(sunday)),
    };
    const rowsOf = async (path: string): Promise<number> => {
      const page = await open(path);
      await page.locator('html.shown').waitFor();
      return page.locator('.list .e:not(.run)').count();
    };
    for (const [when, count] of Object.entries(expected)) {
      const shown = await home.locator(`[data-when=${when}] .count`).textContent();
      expect(`${when} ${shown}`).toBe(`${when} ${count}`);
      expect(await rowsOf(`?on=${when}`), when).toBe(count);
    }

    // A date, also one that is past, and the categories of a choice.
    for (const date of [after(-9), after(2)]) {
      const page = await open(`?on=${date}`);
      await page.locator('html.shown').waitFor();
      const heading = await page.locator('main h1 .count').innerText();
      expect(`${date} ${heading}`).toBe(`${date} ${countOf(date, date)}`);
      for (const category of ['a', 'b']) {
        const link = page.locator(`.rail a[href*="in=${category}&"]`);
        const count = spans.filter(
          ([first, last], n) =>
            first <= date &&
            last >= date &&
            (entries[n]?.day ?? 0) % 2 === (category === 'a' ? 1 : 0),
        ).length;
        expect(`${category} ${await link.locator('.count').innerText()}`).toBe(
          `${category} ${count}`,
        );
        expect(await rowsOf(`?in=${category}&on=${date}`), `${category} ${date}`).toBe(count);
      }
    }

    // 2. Cells of months, and the rows that they open.
    for (const month of ['2026-11', '2026-12', '2027-01']) {
      const isEmpty = datesIn(month).every((date) => inGrid(date) === 0);
      // A month has a page if something is on in it.
      if (isEmpty) continue;
      const page = await open(`month/${month}/`);
      await page.locator('.agenda .open').waitFor();
      const cells = await readCells(page);
      for (const [date, counted, rows] of cells) {
        const count = inGrid(date);
        expect(`${date} ${counted} ${rows}`).toBe(`${date} ${count} ${count}`);
      }
      expect(cells.length).toBeGreaterThan(27);
    }

    // 3. Cells of the year.
    const year = await open('year/');
    await year.locator('td.today').waitFor();
    for (const [date, counted] of await readCells(year))
      expect(`${date} ${counted}`).toBe(`${date} ${inGrid(date)}`);

    // A day of the year opens that day of its month.
    const day = spans.map(([first]) => first).find((first) => first >= today) ?? today;
    const link = year.locator(`td[data-day="${day}"] a`);
    const counted = Number(/: (\d+)/.exec((await link.getAttribute('aria-label')) ?? '')?.[1]);
    await link.click();
    await year.locator(`#d${day}.open`).waitFor();
    expect(await year.locator(`#d${day} .e:not(.run)`).count(), day).toBe(counted);
  });
});

/** Returns the days of a page, the number that each says, and the number of its rows. */
async function readCells(page: Page): Promise<(readonly [string, number, number])[]> {
  return page.locator('td[data-day]').evaluateAll((cells) =>
    cells.map((cell) => {
      const day = cell.getAttribute('data-day') ?? '';
      const label = cell.querySelector('a')?.getAttribute('aria-label') ?? '';
      const rows = document.querySelectorAll(`#d${day} .e:not(.run)`).length;
      return [day, Number(/: (\d+)/.exec(label)?.[1] ?? 0), rows] as const;
    }),
  );
}
