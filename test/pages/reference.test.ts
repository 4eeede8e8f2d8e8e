import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { problemTypes } from '../../src/api/problems.ts';
import { chromiumPath, openPage, serveSite, type Reader } from '../setup/browser.ts';
import { serveByHandler } from '../setup/serve-folder.ts';
import { catalogue, now } from './catalogue.ts';

interface Described {
  readonly paths: Record<
    string,
    { readonly get: { readonly operationId: string; readonly parameters?: unknown[] } }
  >;
  readonly components: { readonly schemas: Record<string, { readonly properties?: object }> };
}

describe.skipIf(chromiumPath === null)('the reference page', async () => {
  const site = await serveSite(catalogue, now);
  const openapi = JSON.parse(
    readFileSync(join(site.folder, 'api/v1/openapi.json'), 'utf8'),
  ) as Described;
  const open = async (reader: Partial<Reader> = {}, fragment = '') =>
    openPage(`${site.url}api/v1/${fragment}`, { now, ...reader });

  test('describes every operation, field and problem without JavaScript', async () => {
    const page = await open({ javaScriptEnabled: false });
    expect(await page.locator('.operation').count()).toBe(3);
    for (const article of await page.locator('.operation').all())
      expect(await article.locator('[data-language="curl"]').textContent()).toContain(
        site.url.slice(0, -1),
      );
    for (const { get } of Object.values(openapi.paths))
      expect(await page.locator(`#${get.operationId}`).count(), get.operationId).toBe(1);
    const fields = await page.locator('#schema-Event dt > code').allTextContents();
    expect(fields).toEqual(
      expect.arrayContaining(Object.keys(openapi.components.schemas['Event']?.properties ?? {})),
    );
    for (const [id, { status }] of Object.entries(problemTypes))
      expect(await page.locator(`#${id}`).innerText()).toContain(`status ${status}`);
    expect(await page.locator('#embed + p + .code code').textContent()).toContain(
      '<almanac-events src=',
    );
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(9000);
    expect((await page.locator('body').innerText()).match(/read-only, public/g)).toHaveLength(1);
    expect(await page.locator('.code button').first().isVisible()).toBe(false);
  });

  // Below a path, and at the root, where the preview serves every site.
  const addresses = ['/almanac', ''].flatMap((mount) =>
    ['', '/', '?a=b#problems'].map((end) => ({ mount, end })),
  );
  test.each(addresses)('works at $mount/api/v1$end', async ({ mount, end }) => {
    const host = await serveByHandler(site.folder, () => Date.parse(now), mount);
    const root = `${host}${mount}/`;
    // For a document without a page, browsers ask the host for `/favicon.ico`, outside the mount.
    const page = await openPage(`${root}api/v1${end}`, { now, complaints: /status of 404/ });
    expect(page.url()).toBe(`${root}api/v1/${end.replace('/', '')}`);
    expect(
      await page.locator('main h1').evaluate((one) => getComputedStyle(one).fontFamily),
    ).toContain('Palatino');
    expect(
      await page.locator('.bar .name').evaluate((link) => (link as HTMLAnchorElement).href),
    ).toBe(root);
    await page.locator('#eventsFile a').click();
    expect(page.url()).toBe(`${root}api/v1/events.json`);
  });

  test('every link within the page has a target', async () => {
    const page = await open();
    const lost = await page
      .locator('a[href^="#"]')
      .evaluateAll((links) =>
        links
          .map((link) => link.getAttribute('href') ?? '')
          .filter((href) => document.getElementById(href.slice(1)) === null),
      );
    expect(lost).toEqual([]);
    const ids = await page.locator('[id]').evaluateAll((all) => all.map(({ id }) => id));
    expect(ids.length).toBe(new Set(ids).size);
  });

  test('an operation has an example of its answer', async () => {
    const page = await open();
    expect(await page.locator('#listEvents .example pre').textContent()).toContain(
      '"drama-tv/severance/season-3"',
    );
  });

  test('links every path to an address that answers', async () => {
    const host = await serveByHandler(site.folder, () => Date.parse(now));
    const page = await openPage(`${host}/api/v1/`, { now });
    const addresses = await page
      .locator('.forms a, #documents + dl a')
      .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
    expect(addresses.length).toBeGreaterThan(30);
    const statuses = await Promise.all(
      addresses.map(async (address) => [address, (await fetch(address)).status]),
    );
    expect(statuses).toEqual(addresses.map((address) => [address, 200]));
    const answer = await fetch(addresses.find((address) => address.includes('/events?')) ?? '');
    expect(await answer.json()).toMatchObject({
      filters: { genre: 'passes-space', category: 'space' },
      limit: 2,
    });
  });

  test('copies its code', async () => {
    const page = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
    await page.locator('#listCategories .code').first().getByRole('button').click();
    await page.locator('#listCategories').getByText('Copied').waitFor();
    expect(await page.evaluate(async () => navigator.clipboard.readText())).toBe(
      `curl '${site.url}api/v1/categories.json'`,
    );
  });
});
