import { Miniflare } from 'miniflare';
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { launchBrowser, serveSite, chromiumPath } from '../setup/browser.ts';
import { plainHost, listen } from '../setup/host.ts';
import { buildSite, dataOf } from '../setup/build-site.ts';

const now = '2026-11-20T12:17:00Z';
const events = { 'tv/drama/severance': { 'Season 3': '2027-01-15', Finale: '2027-03-19' } };

test.skipIf(chromiumPath === null)('a page imports the client from the site itself', async () => {
  const { url } = await serveSite(dataOf(events), now);
  const page = await (await launchBrowser()).newPage();
  await page.goto(`${url}404.html`);
  // As text, because vitest rewrites imports in functions.
  const found = await page.evaluate(`import('${url}assets/client.js').then(async ({ createClient }) => {
    const client = createClient({ baseUrl: '${url}', now: () => Date.parse('${now}') });
    return (await client.events({ genre: 'drama-tv' })).events.map(({ date }) => date);
  })`);
  expect(found).toEqual(['2027-01-15', '2027-03-19']);
});

test('workerd runs the client', async () => {
  const { url, close } = await listen(plainHost(await buildSite(events, now)));
  onTestFinished(close);
  const worker = `import { createClient } from './client.js';
    export default { fetch: async () => {
      const client = createClient({ baseUrl: '${url}', now: () => Date.parse('${now}') });
      return Response.json((await client.events()).events.map(({ date }) => date));
    } };`;
  const engine = new Miniflare({
    modules: [
      { type: 'ESModule', path: 'worker.js', contents: worker },
      { type: 'ESModule', path: 'client.js', contents: readFileSync('lib/bundle/client/index.js', 'utf8') },
    ],
    compatibilityDate: '2026-04-01',
  });
  onTestFinished(async () => engine.dispose());
  const response = await engine.dispatchFetch('http://worker/');
  expect(await response.json()).toEqual(['2027-01-15', '2027-03-19']);
});
