import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  chromiumPath,
  launchBrowser,
  openPage,
  screenshot,
  serveSite,
  types,
  type Reader,
} from '../../setup/browser.ts';
import { listen } from '../../setup/host.ts';
import { catalogue, hostile, now, stages } from './catalogue.ts';

describe.skipIf(chromiumPath === null)('the browse page', async () => {
  const browser = await launchBrowser();
  const site = await serveSite(catalogue, now);
  const aliased = await serveSite(stages, now);

  async function open(query = '', reader: Partial<Reader> = {}) {
    site.asked.length = 0;
    const opened = await openPage(browser, site.url + query, { now, ...reader });
    if (reader.javaScriptEnabled !== false) await opened.page.locator('#summary').getByText('in your zone').waitFor();
    return opened;
  }

  test('shows real events without JavaScript, soonest first', async () => {
    const { page, complaints } = await open('', { javaScriptEnabled: false });
    expect((await titles(page)).slice(0, 4)).toEqual([
      'Heron: Static fire',
      'Quiet Picture: General release',
      'Quiet Picture: World premiere',
      'Quiet Picture: Doors open',
    ]);
    expect(await rowOf(page, 'World premiere')).toMatch(/^11:00 UTC /);
    expect(await rowOf(page, 'Doors open')).toMatch(/^17 h UTC /);
    expect(await rowOf(page, 'General release')).toMatch(/^Date only /);
    expect(await page.locator('form').isVisible()).toBe(false);
    expect(await page.locator('noscript').innerText()).toContain('need JavaScript');
    // The link to the other lists comes before the events.
    expect(await page.locator('.masthead a').last().getAttribute('href')).toBe('#lists');
    expect(await page.locator('#lists').isVisible()).toBe(true);
    expect(site.asked.filter((path) => path.endsWith('.js'))).toEqual([]);
    expect(complaints).toEqual([]);
    await screenshot(page, 'browse-no-script');
  });

  test.each(['', '/', '?category=film', '/index.html', '/index'])('has its files at /almanac%s', async (end) => {
    // Some hosts answer 200 at a folder without its slash, and at a page without its extension.
    const host = await listen(({ url = '/' }, response) => {
      const path = new URL(url, 'http://host').pathname
        .replace(/^\/almanac/, '')
        .replace(/^(\/|\/index)?$/, '/index.html');
      const file = join(site.folder, path);
      const isThere = url.startsWith('/almanac') && existsSync(file);
      response.writeHead(isThere ? 200 : 404, { 'Content-Type': types[extname(file)] ?? 'application/json' });
      response.end(isThere ? readFileSync(file) : 'none');
    });
    onTestFinished(host.close);
    const { page, complaints } = await openPage(browser, `${host.url}/almanac${end}`, { now });
    await page.locator('#summary').getByText('in your zone').waitFor();
    expect(await page.locator('h1').evaluate((one) => getComputedStyle(one).fontFamily)).toContain('Palatino');
    const links = await page
      .locator('a[href]')
      .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
    const ours = links.filter((link) => link.startsWith(host.url));
    expect(ours.length).toBeGreaterThan(10);
    expect(ours.filter((link) => !link.startsWith(`${host.url}/almanac/`))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('lists the first 200 events in the zone of the reader', async () => {
    const { page, complaints } = await open();
    expect(await page.locator('#summary').innerText()).toBe(
      'First 200 of 240 upcoming events. Clock times are in your zone, Europe/Berlin.',
    );
    expect(await page.locator('.event').count()).toBe(200);
    expect(await rowOf(page, 'World premiere')).toMatch(/^12:00 /);
    expect(await rowOf(page, 'Doors open')).toMatch(/^18 h /);
    expect(await page.locator('.day').first().innerText()).toContain('Today');
    expect(complaints).toEqual([]);
    await screenshot(page, 'browse-light');
  });

  test('filters by category and genre, and the back button undoes it', async () => {
    const { page, complaints } = await open();
    await page.getByRole('navigation', { name: 'Categories' }).getByText('Film').click();
    await summaryBegins(page, '4 upcoming events.');
    expect(new URL(page.url()).search).toBe('?category=film');
    expect(await page.locator('h2#heading').innerText()).toBe('Film');
    expect(await page.title()).toBe('Film: Almanac & <Sons>: what is coming up');
    expect(await page.locator('.categories [aria-current]').innerText()).toBe('Film 4');

    await page.getByLabel('Genre').selectOption({ label: 'Festivals (1)' });
    await summaryBegins(page, '1 upcoming event.');
    expect(new URL(page.url()).search).toBe('?category=film&genre=festivals-film');

    await page.goBack();
    await summaryBegins(page, '4 upcoming events.');
    expect(await page.getByLabel('Genre').inputValue()).toBe('');
    await page.goBack();
    await summaryBegins(page, 'First 200 of 240');
    expect(await page.locator('h2#heading').innerText()).toBe('Everything');
    await page.goForward();
    await summaryBegins(page, '4 upcoming events.');
    expect(complaints).toEqual([]);
  });

  test('the keyboard reaches the genres of every category, by arrows and by their first letters', async () => {
    const { page } = await open();
    const picked = async (value: string) => {
      await page.waitForFunction((genre) => new URLSearchParams(location.search).get('genre') === genre, value);
      return new URL(page.url()).search;
    };
    await page.getByLabel('Genre').focus();
    await page.keyboard.press('ArrowDown');
    expect(await picked('festivals-film')).toBe('?category=film&genre=festivals-film');
    for (let n = 0; n < 2; n++) await page.keyboard.press('ArrowDown');
    expect(await picked('launches-space')).toBe('?category=space&genre=launches-space');
    await page.keyboard.press('Home');
    await page.waitForFunction(() => location.search === '');
    // The first letter alone would select a genre of another category.
    for (const letter of 'Pa') await page.keyboard.press(letter);
    expect(await picked('passes-space')).toBe('?category=space&genre=passes-space');
  });

  test('a genre in the list filters by it, and the focus moves to the heading', async () => {
    const { page } = await open('?category=film');
    await page.locator('.event a.genre').first().focus();
    await page.keyboard.press('Enter');
    await summaryBegins(page, '3 upcoming events.');
    expect(new URL(page.url()).search).toBe('?category=film&genre=premieres-film');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('heading');
  });

  test('searches while the reader types, fetches lists only then, and names those that are capped', async () => {
    const { page, complaints } = await open();
    expect(site.asked.filter((path) => path.includes('/genre/'))).toEqual([]);
    await page.getByLabel('Search').pressSequentially('maiden');
    await summaryBegins(page, '1 event with “maiden”.');
    expect(await titles(page)).toEqual(['Heron maiden flight']);
    expect(site.asked).toContain('api/v1/genre/launches-space/events.json');
    // Each list is fetched once, however many letters were typed.
    expect(site.asked.filter((path) => path.endsWith('/events.json')).sort()).toEqual([
      'api/v1/category/film/events.json',
      'api/v1/category/tricks/events.json',
      'api/v1/events.json',
      'api/v1/genre/launches-space/events.json',
      'api/v1/genre/passes-space/events.json',
    ]);

    await page.getByLabel('Search').fill('pass');
    await summaryBegins(page, '200 events with “pass”. Not searched: the last 30 of 230 Passes.');
    expect(new URL(page.url()).search).toBe('?search=pass');
    await page.getByLabel('Search').fill('zz');
    await summaryBegins(page, 'Nothing coming up matches “zz”. Not searched: the last 30 of 230 Passes.');
    expect(await page.locator('#list, #months').allInnerTexts()).toEqual(['', 'Nothing to show.']);
    await page.goBack();
    await summaryBegins(page, '210 upcoming events. Not listed: the last 30 of 230 Passes.');
    expect(await page.getByLabel('Search').inputValue()).toBe('');
    expect(complaints).toEqual([]);
  });

  test('shows the rest of a capped list on demand', async () => {
    const { page } = await open();
    await page.getByRole('button', { name: 'Show the other 40 events' }).click();
    await summaryBegins(page, '210 upcoming events. Not listed: the last 30 of 230 Passes.');
    expect(await page.locator('.event').count()).toBe(210);
    expect(await page.evaluate(() => document.activeElement?.closest('.event')?.textContent)).toContain('Pass');
    expect(await page.getByRole('button', { name: 'Show' }).count()).toBe(0);
  });

  test('the link that skips the filters keeps the chosen filters', async () => {
    const { page } = await open();
    await page.getByRole('button', { name: 'Show the other 40 events' }).click();
    await summaryBegins(page, '210 upcoming events.');
    await page.evaluate(async () => {
      const jumped = new Promise((resolve) => {
        addEventListener('popstate', resolve, { once: true });
      });
      document.querySelector<HTMLElement>('.skip')?.click();
      await jumped;
      // Everything that the page does without a request is done before the next message.
      const { port1, port2 } = new MessageChannel();
      const done = new Promise((resolve) => {
        port1.addEventListener('message', resolve);
      });
      port1.start();
      port2.postMessage(null);
      await done;
    });
    expect(new URL(page.url()).hash).toBe('#main');
    expect(await page.locator('.event').count()).toBe(210);
  });

  test('the strip shows the events of each month, and links to them', async () => {
    const { page } = await open();
    const strip = page.getByRole('navigation', { name: 'Months' });
    expect(await strip.getByRole('link').first().innerText()).toContain('November 2026: 1 event');
    const counts = await strip.locator('.sr').allInnerTexts();
    await strip.getByRole('link', { name: 'February 2027: 29 events' }).click();
    await summaryBegins(page, '29 upcoming events in February 2027.');
    expect(new URL(page.url()).search).toBe('?month=2027-02');
    expect(await page.locator('.month h3').allInnerTexts()).toEqual(['February 2027']);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-month'))).toBe('2027-02');
    await strip.getByRole('link', { name: 'From November 2027 on: 1 event' }).click();
    await summaryBegins(page, '1 upcoming event from November 2027 on. Not listed: the last 30 of 230 Passes.');
    expect(await titles(page)).toEqual(['Heron maiden flight']);
    expect(counts).toContain('August 2027: 18 events');
    expect(await strip.locator('.sr').allInnerTexts()).toEqual(counts);
  });

  test('no count claims to be complete for a month beyond a capped list', async () => {
    const { page } = await open('?category=space');
    const strip = page.getByRole('navigation', { name: 'Months' });
    expect(await strip.getByRole('link').allInnerTexts()).toContainEqual(
      expect.stringContaining('June 2027: 30 events'),
    );
    expect(await strip.locator('.name', { hasText: 'Jul' }).locator('..').locator('.count').innerText()).toBe('18+');
    await screenshot(page, 'browse-capped');
    await strip.getByRole('link', { name: 'August 2027: not known' }).click();
    await summaryBegins(
      page,
      'Nothing is listed in August 2027, but not every list reaches that far. Not listed: the last 30 of 230 Passes.',
    );
    expect(await page.locator('#list').innerText()).toBe('Nothing to show.');
    await strip.getByRole('link', { name: 'From November 2027 on: at least 1 event' }).waitFor();
    // Lists that were read stay in use, even if the first one is enough.
    await strip.getByRole('link', { name: 'January 2027: 31 events' }).click();
    await summaryBegins(page, '31 upcoming events in January 2027. Clock');
    await strip.getByRole('link', { name: 'July 2027: at least 19 events' }).waitFor();
  });

  test.each([
    ['there is no such category', '?category=nope', 'There is no such category or genre'],
    ['the genre is of another category', '?category=film&genre=launches-space', 'Nothing is coming up.'],
  ])('offers no calendar where %s', async (_, query, said) => {
    const { page } = await openPage(browser, site.url + query, { now });
    await summaryBegins(page, said);
    expect(await page.locator('#subscribe a').count()).toBe(0);
  });

  test('names its calendar if the page shows fewer events', async () => {
    const { page } = await open('?category=film&search=opening');
    await summaryBegins(page, '1 event with “opening”.');
    expect(await page.locator('#subscribe .webcal').innerText()).toBe('Subscribe to Film in your calendar');
  });

  test('hostile names and titles are shown as text', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const { page, complaints } = await open('?category=tricks', { javaScriptEnabled });
      const shown = (await titles(page)).filter((title) => title.startsWith('<svg'));
      expect(shown.sort()).toEqual(
        Object.values(hostile)
          .map((title) => `<svg onload=alert(1)>: ${title}`)
          .sort(),
      );
      expect(await page.locator('img, body svg[onload], body script, main i, main u').count()).toBe(0);
      expect(await page.title()).not.toBe('pwned');
      expect(await page.locator('h1').innerText()).toBe('Almanac & <Sons>');
      expect(complaints).toEqual([]);
      if (javaScriptEnabled) await screenshot(page, 'browse-hostile');
    }
  });

  test('an override of the writing direction does not extend beyond its title', async () => {
    const { page } = await open('?category=tricks');
    const title = page.locator('.title bdi', { hasText: 'gnp.exe' });
    expect(await title.evaluate((element) => getComputedStyle(element).unicodeBidi)).toBe('isolate');
    const row = page.locator('.event', { has: title });
    const [genre, subject] = [row.locator('.genre'), row.locator('.subject')];
    // The subject stays to the left of the title, and the genre is aligned with the other genres.
    expect((await subject.boundingBox())?.x).toBeLessThan((await title.boundingBox())?.x ?? 0);
    expect((await genre.boundingBox())?.x).toBe((await page.locator('.genre').first().boundingBox())?.x);
  });

  const readers = [
    // The known time is close to midnight, so its day differs from reader to reader.
    { timezoneId: 'Pacific/Kiritimati', at: '2026-12-01T09:59:00Z', premiere: ['2', '1:00'], note: 'Today' },
    { timezoneId: 'Europe/Berlin', at: '2026-11-30T23:01:00Z', premiere: ['1', '12:00'], note: 'Today' },
    { timezoneId: 'Pacific/Pago_Pago', at: '2026-11-30T10:59:00Z', premiere: ['1', '0:00'], note: '' },
  ];
  test.each(readers)(
    'shows a reader in $timezoneId the same date, and no time, of an event known by its date alone',
    async (reader) => {
      const { timezoneId, at, premiere, note } = reader;
      const { page } = await open('?genre=premieres-film', { timezoneId, now: at });
      const release = page.locator('.event', { hasText: 'General release' });
      expect(await release.locator('xpath=ancestor::li[@class="day"]//time').first().getAttribute('datetime')).toBe(
        '2026-12-01',
      );
      const text = await release.innerText();
      expect(text).toContain('Date only');
      expect(text).not.toMatch(/\d\d?:\d\d|in \d| h\b/);
      expect(await release.locator('.countdown, time').count()).toBe(0);
      const known = page.locator('.event', { hasText: 'World premiere' });
      const day = page.locator('.day', { has: known });
      expect(await day.locator('.number').innerText()).toBe(premiere[0]);
      expect(await known.locator('.clock').innerText()).toMatch(new RegExp(`^0?${premiere[1]}$`));
      const told = page.locator('.day', { has: release }).locator('.note');
      expect(await told.innerText()).toBe(note);
    },
  );

  test('shows the local time of an event on demand', async () => {
    const { page } = await open('?genre=premieres-film');
    const row = page.locator('.event', { hasText: 'World premiere' });
    expect(await row.innerText()).not.toContain('Asia/Tokyo');
    await row.getByText('Time there').click();
    expect(await row.innerText()).toMatch(/Tuesday,? 1 December 2026 at 20:00.*\(Asia\/Tokyo\)/);
    const berlin = page.locator('.event', { hasText: 'Doors open' });
    expect(await berlin.getByText('Time there').count()).toBe(0);
  });

  test('recognises the zone of the reader by an older name, too', async () => {
    const { page } = await openPage(browser, aliased.url, { now, timezoneId: 'Asia/Kolkata' });
    await summaryBegins(page, '2 upcoming events. Clock times are in your zone');
    const there = (title: string) => page.locator('.event', { hasText: title }).getByText('Time there').count();
    expect(await there('Doors open')).toBe(0);
    expect(await there('Curtain falls')).toBe(1);
  });

  test('counts down to known times, can be stopped, and removes events that began', async () => {
    const { page } = await open();
    const row = page.locator('.event', { hasText: 'Static fire' });
    expect(await row.locator('.countdown').innerText()).toBe('in 10 s');
    await page.clock.runFor(3000);
    expect(await row.locator('.countdown').innerText()).toBe('in 7 s');
    await page.getByLabel('Countdowns').uncheck();
    expect(await row.innerText()).not.toContain('in 7 s');
    await page.getByLabel('Countdowns').check();
    await page.clock.runFor(8000);
    expect(await row.count()).toBe(0);
    expect(await page.locator('.month h3').first().innerText()).toBe('December 2026');
  });

  test('the names of days and the counts stay true while the page is open', async () => {
    const { page } = await openPage(browser, aliased.url, { now: '2026-11-30T22:00:00Z', timezoneId: 'UTC' });
    await summaryBegins(page, '2 upcoming events. Clock times are in your zone');
    const note = page.locator('.day .note');
    expect(await note.innerText()).toBe('Tomorrow');
    await page.clock.runFor('02:00:01');
    expect(await note.innerText()).toBe('Today');
    // The first one began at 14:30 UTC.
    await page.clock.runFor('14:30:00');
    await summaryBegins(page, '1 upcoming event.');
    expect(await page.locator('#months').innerText()).toMatch(/^1\b/m);
    await page.clock.runFor('03:00:00');
    await summaryBegins(page, 'Nothing is coming up.');
    expect(await page.locator('#list').innerText()).toBe('Nothing to show.');
  });

  test('the strip keeps counting when an event of another month begins', async () => {
    const reader = { now: '2026-12-01T14:00:00Z', timezoneId: 'UTC' };
    const { page } = await openPage(browser, `${aliased.url}?month=2027-01`, reader);
    await summaryBegins(page, 'Nothing is coming up in January 2027.');
    const first = page.locator('#months .sr').first();
    expect(await first.innerText()).toBe('December 2026: 2 events');
    await page.clock.runFor('31:00');
    expect(await first.innerText()).toBe('December 2026: 1 event');
  });

  test('counts whole minutes for readers who prefer reduced motion', async () => {
    const { page } = await open('', { reducedMotion: 'reduce' });
    expect(await page.locator('.countdown').first().innerText()).toBe('in less than a minute');
  });

  test('offers the calendar of the chosen category or genre', async () => {
    const { page } = await open();
    const addresses = async () =>
      page.locator('#subscribe a').evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
    const both = (path: string): string[] => [site.url.replace('http:', 'webcal:') + path, site.url + path];
    expect(await addresses()).toEqual(both('api/v1/events.ics'));
    await page.getByRole('navigation', { name: 'Categories' }).getByText('Film').click();
    await summaryBegins(page, '4 upcoming events.');
    expect(await addresses()).toEqual(both('api/v1/category/film/events.ics'));
    await page.getByLabel('Genre').selectOption('festivals-film');
    await summaryBegins(page, '1 upcoming event.');
    expect(await addresses()).toEqual(both('api/v1/genre/festivals-film/events.ics'));
  });

  test('warns when the catalogue is stale, and not before', async () => {
    const fresh = await open();
    expect(await fresh.page.locator('#stale').isVisible()).toBe(false);
    expect(await fresh.page.locator('#synced').innerText()).toBe('Last synchronised on 2026-11-20.');
    const stale = await open('', { now: '2026-11-25T12:00:00Z' });
    await stale.page.locator('#stale').waitFor();
    expect(await stale.page.locator('#stale').innerText()).toContain('5 days ago (2026-11-20)');
  });

  test('marks the previous list as busy while the next one loads', async () => {
    const { page } = await open();
    const letGo = await heldBack(page, '**/category/film/events.json');
    const list = page.locator('#list');
    expect(await list.getAttribute('aria-busy')).toBe(null);
    await page.getByRole('navigation', { name: 'Categories' }).getByText('Film').click();
    expect(await page.locator('h2#heading').innerText()).toBe('Film');
    expect(await page.locator('#summary').innerText()).toBe('Reading the list…');
    expect(await list.getAttribute('aria-busy')).toBe('true');
    // An event of the previous list begins, which must not update the counts.
    await page.clock.runFor(11_000);
    expect(await page.locator('#summary').innerText()).toBe('Reading the list…');
    letGo();
    await summaryBegins(page, '4 upcoming events.');
    expect(await list.getAttribute('aria-busy')).toBe(null);
  });

  test('distinguishes an unknown genre from a failing host', async () => {
    const unknown = await openPage(browser, `${site.url}?genre=no-such-thing`, { now });
    await unknown.page.getByText('There is no such category or genre').waitFor();
    await unknown.page.getByRole('link', { name: 'Show everything' }).click();
    await summaryBegins(unknown.page, 'First 200');

    site.broken.add('api/v1/genre/festivals-film/events.json');
    const failing = await openPage(browser, `${site.url}?genre=festivals-film`, { now });
    const said = failing.page.getByText('could not be read just now');
    while (!(await said.isVisible())) await failing.page.clock.runFor(1000);
    expect(await failing.page.locator('#months').innerText()).toBe('');
    site.broken.clear();
    await failing.page.getByRole('button', { name: 'Try again' }).click();
    await summaryBegins(failing.page, '1 upcoming event.');
  });

  test('a search continues if a genre was removed since the page was opened', async () => {
    const { page } = await open();
    await page.route('**/genre/launches-space/events.json', async (route) => route.fulfill({ status: 404 }));
    await page.getByLabel('Search').fill('release');
    await summaryBegins(page, '1 event with “release”.');
    expect(await page.locator('#progress').innerText()).toBe('');
  });

  test('a list that arrives after another one failed does not replace the button to try again', async () => {
    const { page } = await open();
    await page.route('**/genre/launches-space/events.json', async (route) => route.fulfill({ status: 403 }));
    const letGo = await heldBack(page, '**/category/film/events.json');
    await page.getByLabel('Search').fill('release');
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await page.clock.runFor(1000);
    const late = page.waitForResponse('**/category/film/events.json');
    letGo();
    await (await late).finished();
    await page.waitForLoadState('networkidle');
    expect(await page.locator('#progress').innerText()).toBe('');
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(1);
  });

  test('ignores invalid filters in the URL', async () => {
    const { page, complaints } = await open('?category=../x&genre=%00&month=2027-13&search=%20&other=1');
    expect(await page.locator('h2#heading').innerText()).toBe('Everything');
    expect(complaints).toEqual([]);
  });
});

async function titles(page: Page): Promise<string[]> {
  return page
    .locator('.event .title')
    .evaluateAll((all) => all.map((one) => (one.textContent ?? '').replace(/\s+/g, ' ').trim()));
}

async function rowOf(page: Page, title: string): Promise<string> {
  return (await page.locator('.event', { hasText: title }).innerText()).replace(/\s+/g, ' ');
}

async function summaryBegins(page: Page, words: string): Promise<void> {
  const summary = page.locator('#summary', { hasText: words });
  await summary.waitFor();
  expect(await summary.innerText()).toMatch(new RegExp(`^${words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`));
}

/** Holds answers back until the returned function is called. */
async function heldBack(page: Page, addresses: string): Promise<() => void> {
  let letGo = (): void => {};
  const wait = new Promise<void>((resolve) => (letGo = resolve));
  await page.route(addresses, async (route) => {
    await wait;
    await route.continue();
  });
  return letGo;
}
