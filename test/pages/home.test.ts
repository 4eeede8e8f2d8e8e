import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { chromiumPath, openPage, screenshot, serveSite, type Reader } from '../setup/browser.ts';
import { buildSite, dataOf } from '../setup/build-site.ts';
import { lastingFolder } from '../setup/folders.ts';
import { catalogue, hostile, now } from './catalogue.ts';
import { followerOf } from './every-page.ts';
import { headings, rowOf, savedBy, titles } from './list.ts';

describe.skipIf(chromiumPath === null)('the pages', async () => {
  const site = await serveSite(catalogue, now);

  async function open(path = '', reader: Partial<Reader> = {}, at = site.url) {
    site.asked.length = 0;
    const page = await openPage(at + path, { now, ...reader });
    // The script has said whose clock it goes by.
    if (reader.javaScriptEnabled !== false)
      await page.locator('#synced').getByText('updated').waitFor();
    return page;
  }

  test('show real events without JavaScript, soonest first', async () => {
    const page = await open('', { javaScriptEnabled: false });
    expect((await titles(page)).slice(0, 4)).toEqual([
      'Heron Static fire',
      'Quiet Picture General release',
      'Quiet Picture World premiere',
      'Quiet Picture Doors open',
    ]);
    expect(await rowOf(page, 'World premiere')).toMatch(/^20:00 Tokyo /);
    expect(await rowOf(page, 'Doors open')).toMatch(/^18 h Berlin /);
    expect(await rowOf(page, 'General release')).toMatch(/^all day /);
    expect(await page.locator('.monthlinks').innerText()).toContain('December 2026');
    expect(await page.getByRole('link', { name: 'Weekend' }).getAttribute('href')).toBe('month/');
    await screenshot(page, 'home-no-script');
  });

  test('show the days and times of the reader', async () => {
    const page = await open();
    expect(await headings(page)).toEqual(
      expect.arrayContaining(['Today 20 November 1', 'Tuesday 1 December 2']),
    );
    expect(await rowOf(page, 'World premiere')).toMatch(/^12:00 /);
    expect(await rowOf(page, 'Doors open')).toMatch(/^18 h /);
    expect(await page.locator('#zone').innerText()).toBe('Clock times are in Berlin (Europe).');
    expect(site.asked.filter((path) => path.endsWith('search.json'))).toEqual([]);
  });

  test.each(['x/..\\..\\uploads\\1', '../../uploads/1', '//evil.example/x', 'x/y/z', '__proto__'])(
    'a choice of %j is none, with days and without',
    async (scope) => {
      for (const days of ['', '&on=today']) {
        const page = await open(`?in=${encodeURIComponent(scope)}${days}`);
        expect(new URL(page.url()).pathname).toBe('/base/path/');
        expect(site.asked.filter((path) => /uploads|evil|constructor/.test(path))).toEqual([]);
        expect(await page.title()).toContain('Almanac');
      }
    },
  );

  test('the bar leads to the changes, on a phone the menu', async () => {
    const page = await open();
    await page.locator('.bar').getByRole('link', { name: 'Changes' }).click();
    await page.waitForURL('**/changes/');
    expect(await page.locator('.views [aria-current]').innerText()).toBe('Changes');
    const phone = await open('', { viewport: { width: 390, height: 800 } });
    const links = phone.locator('.bar').getByRole('link', { name: 'Changes' });
    expect(await links.count()).toBe(0);
    await phone.getByRole('button', { name: 'Menu' }).click();
    await links.click();
    await phone.waitForURL('**/changes/');
  });

  test('chips count and show the days of the reader', async () => {
    const page = await open();
    expect(await page.locator('.chips a').allInnerTexts()).toEqual([
      'Upcoming',
      'Today 1',
      'Tomorrow 0',
      'Weekend 0',
      'This week 1',
    ]);
    // What would choose nothing is not offered.
    expect(await page.locator('.chips a:visible').allInnerTexts()).toEqual([
      'Upcoming',
      'Today 1',
      'This week 1',
    ]);
    await page.locator('#day').fill('2026-12-05');
    await page.waitForURL('**/?on=2026-12-05');
    await page.locator('html.shown').waitFor();
    expect(await page.locator('.empty').innerText()).toBe('No events on these days.');
    await page.locator('#day').fill('2026-12-02');
    await page.waitForURL('**/?on=2026-12-02');
    await page.locator('section[data-key="2026-12-02"]').waitFor();
    expect(await titles(page)).toEqual(['Quiet Picture Doors open']);
  });

  test('slash goes to search; j and k go from event to event', async () => {
    const page = await open();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    expect(await focusedText(page)).toContain('General release');
    await page.keyboard.press('k');
    expect(await focusedText(page)).toContain('Static fire');
    await page.keyboard.press('/');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('q');
  });

  test('the skip link leads to the first event within eight stops', async () => {
    const page = await open();
    await page.keyboard.press('Tab');
    expect(await focusedText(page)).toContain('Skip to the events');
    await page.keyboard.press('Enter');
    for (let stop = 0; stop < 6 && !(await focusedText(page)).includes('Static fire'); stop++)
      await page.keyboard.press('Tab');
    expect(await focusedText(page)).toContain('Static fire');
  });

  test('what is followed is kept, listed, and saved as one calendar', async () => {
    const page = await open('genre/launches-space/heron/');
    await page.getByRole('button', { name: 'Follow Heron' }).click();
    expect(await page.locator('#followed').innerText()).toBe('1');
    await page.goto(`${site.url}following/`);
    await page.locator('.list .e', { hasText: 'Heron Static fire' }).waitFor();
    const text = await savedBy(page, async () =>
      page.getByRole('button', { name: 'Save as a calendar' }).click(),
    );
    expect(text.match(/BEGIN:VEVENT/g)).toHaveLength(2);
    expect(text).toMatch(/^BEGIN:VCALENDAR\r\n[^]*END:VCALENDAR\r\n$/);
  });

  test('what is followed names its subjects, is listed once, may be gone, and can be unfollowed', async () => {
    const names = {
      's/premieres-film/quiet-picture': 'Quiet Picture',
      'g/premieres-film': 'Premieres',
      's/launches-space/heron': 'Heron',
      's/launches-space/gone': 'Gone',
    };
    const page = await open('following/', followerOf(site, names));
    await page.locator('.list .e', { hasText: 'World premiere' }).waitFor();
    expect(await titles(page)).toEqual([
      'Heron Static fire',
      'Quiet Picture General release',
      'Quiet Picture World premiere',
      'Quiet Picture Doors open',
      'Heron maiden flight',
    ]);
    expect(await page.locator('.notice').count()).toBe(0);
    const row = page.locator('.list .e', { hasText: 'Static fire' });
    expect(await row.locator('a.t').getAttribute('href')).toBe(
      `${site.url}genre/launches-space/heron/#static-fire`,
    );
    await page.getByRole('button', { name: 'Stop following Heron' }).click();
    expect(await page.locator('#followed').innerText()).toBe('3');
  });

  test('an event of what is followed is shown once, alone or among the events of its minute', async () => {
    const events = ['a', 'b', 'c'].map((title) => ({ title, starts: '2027-01-01T06:00Z' }));
    const other = { name: 'Capsule', events: [{ title: 'd', starts: '2027-01-01T06:00Z' }] };
    const busy = await serveSite(
      {
        ...catalogue,
        'space/passes/station.json': { name: 'Station', events },
        'space/passes/capsule.json': other,
      },
      now,
    );
    const follows = { 'g/passes-space': 'Passes', 's/passes-space/capsule': 'Capsule' };
    const page = await open('following/', followerOf(busy, follows), busy.url);
    await page.locator('.list .run').waitFor();
    const shown = await page
      .locator('.list a.t')
      .evaluateAll((links) => links.map((link) => link.textContent));
    expect(shown).toEqual(['Capsule d', 'Station a', 'Station b', 'Station c']);
  });

  test('show hostile names and titles as text', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const page = await open('genre/titles-tricks/', { javaScriptEnabled });
      const shown = (await titles(page)).filter((title) => title.startsWith('<svg'));
      expect(shown.sort()).toEqual(
        Object.values(hostile)
          .map((title) => `<svg onload=alert(1)> ${title}`)
          .sort(),
      );
      expect(
        await page
          .locator('img, body svg[onload], main script, main i > :not(data), main u')
          .count(),
      ).toBe(0);
      expect(await page.title()).not.toBe('pwned');
      expect(await page.locator('h1 bdi').innerText()).toBe('"Titles" <u>');
    }
  });

  test('every page counts what changed since the last visit, and the list begins with it', async () => {
    const monday = '2026-11-23T18:00:00Z';
    const folders = { cwd: lastingFolder(), source: lastingFolder() };
    const before = { 'film/premieres/picture': { Release: '2026-12-01', Gala: '2027-03-30' } };
    const previous = await buildSite(before, '2026-11-19T12:00:00Z', folders);
    const after = {
      'film/premieres/picture': { Release: '2026-12-15', Gala: '2027-03-30', Encore: '2028-01-05' },
    };
    const changed = await serveSite(dataOf(after, { base_url: undefined }), monday, previous);
    const since = '2026-11-20T00:00:00Z';
    const follower = followerOf(
      changed,
      { 'g/premieres-film': 'Premieres' },
      { since, visited: since },
    );
    const reader = { now: monday, timers: true, ...follower };
    const page = await openPage(`${changed.url}genre/premieres-film/`, reader);
    await page.locator('#unseen').getByText('● 2 changes').waitFor();
    await page.locator('#unseen').click();
    await page
      .locator('#since h2')
      .getByText(/^Since you were here on Friday,? 20 November 2026$/)
      .waitFor();
    const changes = await page.locator('#since li').allInnerTexts();
    expect(changes.map((text) => text.replace(/\s+/g, ' ')).toSorted()).toEqual([
      'Added picture Encore 5 January 2028',
      'New date picture Release 1 December 2026 → 15 December 2026',
    ]);
    expect(await page.locator('#since s').innerText()).toBe('1 December 2026');
    expect(await headings(page)).toEqual([
      'Tuesday 15 December 1',
      'Tuesday 30 March 2027 1',
      'Wednesday 5 January 2028 1',
    ]);
    expect(await page.locator('#calendars a').first().getAttribute('href')).toMatch(
      /^webcal:.*\/genre\/premieres-film\/events\.ics$/,
    );
    await page.goto(changed.url);
    await page.locator('#synced').getByText('updated').waitFor();
    expect(await page.locator('#unseen').isVisible()).toBe(false);
  });

  test.each([
    // The known time is close to midnight, so its day differs from reader to reader.
    ['Pacific/Kiritimati', '2026-12-01T09:59:00Z', 'Today', '2026-12-02', '1:00'],
    ['Europe/Berlin', '2026-11-30T23:01:00Z', 'Today', '2026-12-01', '12:00'],
    ['America/Los_Angeles', '2026-12-01T07:30:00Z', 'Tomorrow', '2026-12-01', '3:00'],
    [
      'Pacific/Kiritimati',
      '2026-12-01T10:30:00Z',
      'Yesterday (not over everywhere)',
      '2026-12-02',
      '1:00',
    ],
  ])(
    'show a reader in %s at %s the same date, and no time, of an event known by its date alone',
    async (timezoneId, at, release, day, time) => {
      const page = await open('', { timezoneId, now: at });
      const row = page.locator('.list .e', { hasText: 'General release' });
      expect(
        await row.locator('xpath=ancestor::section//time').first().getAttribute('datetime'),
      ).toBe('2026-12-01');
      expect(await row.locator('xpath=ancestor::section//h2').innerText()).toContain(release);
      expect(await row.innerText()).not.toMatch(/\d\d?:\d\d|in \d| h\b/);
      const known = page.locator('.list .e', { hasText: 'World premiere' });
      expect(await known.locator('xpath=ancestor::section').getAttribute('data-key')).toBe(day);
      expect(await known.locator('.w').innerText()).toMatch(new RegExp(`^0?${time}$`));
    },
  );

  test('count down, and mark what has begun without moving it', async () => {
    const page = await open();
    const row = page.locator('.list .e', { hasText: 'Static fire' });
    expect(await row.locator('.in').innerText()).toBe('this minute');
    await page.clock.runFor(60_000);
    expect(await row.locator('.in').innerText()).toBe('started');
    expect(await page.locator('.list .e').first().innerText()).toContain('Static fire');
  });

  test('names of days follow midnight while the page is open', async () => {
    const page = await open('', { now: '2026-11-30T22:00:00Z', timezoneId: 'UTC' });
    expect((await headings(page))[0]).toBe('Tomorrow 1 December 2');
    await page.clock.runFor('02:00:01');
    expect((await headings(page))[0]).toBe('Today 1 December 2');
  });

  test('ask again after six hours, keep what is shown if that fails, and try again soon', async () => {
    const page = await open('', { complaints: /status of 500/ });
    site.broken.add('index.html');
    await page.clock.runFor('06:01:00');
    await page.getByText('could not be updated').waitFor();
    expect(await titles(page)).toContain('Quiet Picture World premiere');
    site.broken.clear();
    await page.clock.runFor('01:00');
    await page.getByText('could not be updated').waitFor({ state: 'detached' });
    // What was over is gone now.
    expect(await titles(page)).not.toContain('Heron Static fire');
  });

  test('say when the catalogue is stale', async () => {
    const page = await open('', { now: '2026-11-25T12:00:00Z' });
    await page.getByText('Last updated 5 days ago').waitFor();
  });
});

async function focusedText(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.textContent ?? '');
}
