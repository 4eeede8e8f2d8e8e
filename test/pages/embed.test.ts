import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { violations } from '../setup/axe.ts';
import { chromiumPath, openPage, screenshot, serveSite, type Reader } from '../setup/browser.ts';
import { listen } from '../setup/host.ts';
import { catalogue, now } from './catalogue.ts';

describe.skipIf(chromiumPath === null)('the element for other pages', async () => {
  const site = await serveSite(catalogue, now);

  /** Opens a page of another origin with this element. */
  async function open(element: string, reader: Partial<Reader> = {}, head = '') {
    const { url, close } = await listen((_request, response) => {
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.end(`<!doctype html><html lang="en"><head><title>Club</title><link rel="icon" href="data:,">${head}
<script async src="${site.url}assets/embed.js"></script></head><body><main><h1>Club</h1>${element}</main></body></html>`);
    });
    onTestFinished(close);
    site.asked.length = 0;
    // The other page asks this site.
    const complaints = new RegExp(`^asked ${site.url}|status of 500|^almanac-events: `);
    const page = await openPage(url, { now, timers: true, complaints, ...reader });
    return { page, embed: page.locator('almanac-events') };
  }

  const plain = (text: string): string => text.replace(/\s+/g, ' ');

  const elementOf = (list: string, rest = '') =>
    `<almanac-events src="${site.url}api/v1/${list}"${rest}></almanac-events>`;

  test('shows the next events, in the language and zone of the reader, with one request', async () => {
    const { page, embed } = await open(elementOf('category/film/next.json', ' count="3"'), {
      locale: 'de-DE',
    });
    await embed.locator('li').first().waitFor();
    expect(
      (await embed.locator('li').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ')),
    ).toEqual([
      'Quiet Picture: General release Dienstag, 1. Dezember 2026',
      'Quiet Picture: World premiere Dienstag, 1. Dezember 2026 um 12:00 MEZ',
      'Quiet Picture: Doors open Mittwoch, 2. Dezember 2026 um 18 Uhr MEZ',
    ]);
    expect(site.asked).toEqual(['assets/embed.js', 'api/v1/category/film/next.json']);
    const links = await embed
      .locator('a')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    expect(links[0]).toBe(`${site.url}genre/premieres-film/quiet-picture/#general-release`);
    expect(links.at(-1)).toBe(site.url);
    expect(await violations(page)).toEqual([]);
    await screenshot(page, 'embed');
  });

  test('speaks the language, and shows the zone, that it is told', async () => {
    const element = elementOf('category/film/next.json', ' count="2" lang="fr" zone="Asia/Tokyo"');
    const { embed } = await open(element, { locale: 'de-DE' });
    await embed.locator('time').first().waitFor();
    expect((await embed.locator('time').allInnerTexts()).map(plain)).toEqual([
      'mardi 1 décembre 2026',
      'mardi 1 décembre 2026 à 20:00 UTC+9',
    ]);
    const wrong = elementOf(
      'category/film/next.json',
      ' count="2" lang="no such" zone="Mars/Base"',
    );
    const other = await open(wrong, { locale: 'en-GB' });
    await other.embed.locator('time').first().waitFor();
    expect(await other.embed.locator('time').first().innerText()).toMatch(/^Tuesday,? 1 Dec/);
  });

  test('no title becomes markup', async () => {
    const { page, embed } = await open(elementOf('genre/titles-tricks/next.json', ' count="10"'));
    await embed.locator('li').first().waitFor();
    expect(await embed.locator('li img, li script, li svg').count()).toBe(0);
    expect(await page.title()).toBe('Club');
  });

  test('takes the colours of the page, and its link', async () => {
    const style = '<style>almanac-events { --almanac-link: rgb(1, 2, 3) }</style>';
    const element = elementOf('next.json').replace('></', '><a href="/all">Everything</a></');
    const { embed } = await open(element, {}, style);
    await embed.locator('li a').first().waitFor();
    const colourOf = (one: Element): string => getComputedStyle(one).color;
    expect(await embed.locator('li a').first().evaluate(colourOf)).toBe('rgb(1, 2, 3)');
    expect(await embed.getByText('Everything').isVisible()).toBe(true);
  });

  test('says that it loads, has nothing or has failed, and leaves out what is over', async () => {
    const element = elementOf('next.json', ' count="1"');
    const { page, embed } = await open('');
    let answer = (): void => {};
    const answered = new Promise<void>((done) => {
      answer = done;
    });
    await page.route('**/next.json', async (route) => {
      await answered;
      await route.fulfill({ json: { events: [] } });
    });
    await page.evaluate((text) => document.body.insertAdjacentHTML('beforeend', text), element);
    await embed.getByText('Loading …').waitFor();
    answer();
    await embed.getByText('Nothing is coming up.').waitFor();
    site.broken.add('api/v1/next.json');
    onTestFinished(() => site.broken.clear());
    const failed = await open('');
    const complaint = failed.page.waitForEvent('console', {
      predicate: (message) => message.text().startsWith('almanac-events: '),
      timeout: 20_000,
    });
    await failed.page.evaluate((text) => {
      document.body.insertAdjacentHTML('beforeend', text);
    }, element);
    await failed.embed.getByText('The events could not be loaded.').waitFor();
    expect((await complaint).text()).toMatch(
      /src is \S+next\.json \(Error: 500\); give it a list such as/,
    );
    site.broken.clear();
    const later = await open(element, { now: '2026-12-01T18:00:00Z' });
    await later.embed.locator('li').waitFor();
    expect(await later.embed.locator('li').innerText()).toContain('General release');
  });

  test('shows what is on now first, leads to the site if the document is strange, and works on a strict page', async () => {
    const strict = `<meta http-equiv="Content-Security-Policy" content="style-src 'none'">`;
    const { page, embed } = await open('', {}, strict);
    const documents = JSON.parse(readFileSync(join(site.folder, 'api/v1/next.json'), 'utf8')) as {
      events: object[];
    };
    const [first, second] = documents.events;
    const location = {
      name: 'Pad 39A',
      address: null,
      country: 'US',
      latitude: null,
      longitude: null,
    };
    await page.route('**/next.json', async (route) =>
      route.fulfill({ json: { now: [second], events: [{ ...first, location }] } }),
    );
    await page.route('**/now.json', async (route) => route.fulfill({ json: ['strange'] }));
    const add = async (text: string) =>
      page.evaluate((one) => document.body.insertAdjacentHTML('beforeend', one), text);
    await add(elementOf('next.json'));
    await embed.locator('li').first().waitFor();
    expect((await embed.locator('li').allInnerTexts()).map((text) => text.split('\n')[0])).toEqual([
      'Quiet Picture: General release',
      'Heron: Static fire',
    ]);
    expect(await embed.locator('li span').allInnerTexts()).toEqual(['Pad 39A']);
    await add(elementOf('now.json'));
    await embed.nth(1).getByText('The events could not be loaded.').waitFor();
    expect(await embed.nth(1).locator('a').getAttribute('href')).toBe(site.url);
  });

  test('weighs less than 6 kB', () => {
    expect(gzipSync(readFileSync(join(site.folder, 'assets/embed.js'))).length).toBeLessThan(6000);
  });
});
