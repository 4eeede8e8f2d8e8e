import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { chromiumPath, openPage, serveSite } from '../setup/browser.ts';
import { buildTree } from '../setup/build-site.ts';
import { readTree, type Tree } from '../setup/folders.ts';
import { savedBy } from './list.ts';

/* Ten things that people come for, on a phone. Each takes at most three actions. */

const now = '2026-11-23T18:00:00Z';
const most = 3;

const club = (events: readonly object[]): Tree => ({
  ...Object.fromEntries(readTree('data')),
  'music/jazz/genre.json': { name: 'Jazz' },
  'music/jazz/camden-cellar.json': {
    name: 'Camden Cellar',
    zone: 'Europe/London',
    events: events.map((event) => ({
      ...event,
      location: { name: 'Cellar', address: '1 High Street, London', country: 'GB' },
    })),
  },
});
const trio = { title: 'Blue trio', starts: '2026-11-22T19:30' };
const quartet = { title: 'Red quartet', starts: '2026-11-28T19:30' };
const quintet = { title: 'Green quintet', starts: '2026-12-12T19:30' };

/** A reader with a phone, and how often they typed or tapped. Typing ends with Enter. */
class PhoneReader {
  readonly page: Page;
  actions = 0;

  constructor(page: Page) {
    this.page = page;
  }

  async type(text: string): Promise<void> {
    this.actions++;
    await this.page.locator('#q').fill(text);
    await this.page.locator('#q').press('Enter');
  }

  async tap(role: 'link' | 'button', name: string | RegExp, within = 'body'): Promise<void> {
    this.actions++;
    await this.page.locator(within).getByRole(role, { name }).first().click();
  }

  /** Waits until a part of the page says all these words. */
  async see(selector: string, ...words: readonly string[]): Promise<void> {
    let part = this.page.locator(selector);
    for (const hasText of words) part = part.filter({ hasText });
    await part.first().waitFor();
  }
}

describe.skipIf(chromiumPath === null)('ten tasks', async () => {
  const before = await buildTree(
    club([trio, quartet, { ...quintet, starts: '2026-12-11T19:30' }]),
    '2026-11-21T06:00:00Z',
  );
  const site = await serveSite(club([trio, quartet, quintet]), now, before);

  const reader = async (path = ''): Promise<PhoneReader> => {
    const page = await openPage(site.url + path, {
      now,
      timers: true,
      timezoneId: 'Europe/London',
      locale: 'en-GB',
      viewport: { width: 390, height: 844 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.locator('#synced:not(:empty)').waitFor({ state: 'attached' });
    return new PhoneReader(page);
  };

  const tasks: Readonly<Record<string, (visitor: PhoneReader) => Promise<void>>> = {
    'see what is on this weekend near London': async (visitor) => {
      await visitor.type('this weekend near London');
      await visitor.see('.card', 'quartet', '28 November');
    },
    'subscribe to a team': async (visitor) => {
      await visitor.type('arsenal');
      await visitor.page.waitForURL('**/arsenal/**');
      await visitor.tap('button', /^Subscribe/);
      const link = visitor.page.locator('#subscribe a:visible').first();
      expect(await link.getAttribute('href')).toMatch(/^webcal:.*\/subject\/arsenal\.ics$/);
    },
    'know when Easter is in 2028': async (visitor) => {
      await visitor.type('easter 2028');
      await visitor.see('.card', 'Easter', 'Sunday, 16 April 2028');
    },
    'know when support of Node.js ends next': async (visitor) => {
      await visitor.type('node eol');
      await visitor.see('.card', 'Node.js 22', '30 April 2027');
    },
    'see what changed since last week': async (visitor) => {
      await visitor.tap('button', 'Menu');
      await visitor.tap('link', 'Changes', '#views');
      await visitor.see('.e', 'quintet', '11 December');
    },
    'see what is on now': async (visitor) => {
      await visitor.see('.list .e', 'MLCon', 'until 27 Nov');
    },
    'print December': async (visitor) => {
      await visitor.tap('button', 'Menu');
      await visitor.tap('link', 'Month', '#views');
      await visitor.tap('link', /^Dec/, 'main');
      await visitor.page.waitForURL('**/month/2026-12/**');
      await visitor.page.emulateMedia({ media: 'print' });
      expect(await visitor.page.locator('.large li:visible', { hasText: 'quintet' }).count()).toBe(
        1,
      );
    },
    'find the event that was seen yesterday': async (visitor) => {
      visitor.actions++;
      await visitor.page.locator('#day').fill('2026-11-22');
      await visitor.see('.list .e', 'trio', '19:30');
    },
  };

  test.each(Object.entries(tasks))('%s', async (_, perform) => {
    const visitor = await reader();
    await perform(visitor);
    expect(visitor.actions).toBeLessThanOrEqual(most);
  });

  test('add a date that is not the next', async () => {
    const visitor = await reader('genre/jazz-music/camden-cellar/');
    await visitor.tap('link', 'Green quintet', '#list');
    await visitor.tap('button', /^Add this date/);
    const text = await savedBy(visitor.page, async () => visitor.tap('link', /^Apple/));
    expect(text).toMatch(
      /\r\nDTSTART:20261212T193000Z\r\nSUMMARY:Camden Cellar: Green quintet\r\n/,
    );
    expect(visitor.actions).toBeLessThanOrEqual(most);
  });

  test('share one event', async () => {
    const visitor = await reader('genre/jazz-music/camden-cellar/');
    await visitor.tap('link', 'Green quintet', '#list');
    await visitor.tap('button', 'Share');
    await visitor.page.getByText('Copied').first().waitFor();
    const shared = await visitor.page.evaluate(async () => navigator.clipboard.readText());
    expect(shared).toContain('/genre/jazz-music/camden-cellar/#green-quintet');
    expect(visitor.actions).toBeLessThanOrEqual(most);
  });
});
