import { expect, onTestFinished, test } from 'vitest';
import { engines } from './engines.ts';
import { buildSite } from './site.ts';

test('Cloudflare answers with the parts of pages itself, and with all else by the worker', async () => {
  const site = await buildSite('https://example.org');
  const running = await engines['cloudflare']?.(site);
  if (!running) throw new Error('workerd is a package of this project');
  onTestFinished(running.close);
  const isFromWorker = async (path: string): Promise<unknown[]> => {
    const { status, headers } = await running.ask(path, 'GET', {});
    return [path, status, headers['access-control-allow-origin'] === '*'];
  };
  for (const path of ['assets/style.css', 'assets/client.js', 'robots.txt'])
    expect(await isFromWorker(path)).toEqual([path, 200, false]);
  for (const path of ['', 'api/v1/events?limit=1', 'api/v1/events.ics', 'files.json']) {
    expect(await isFromWorker(path)).toEqual([path, 200, true]);
  }
  // A browser of another origin asks this first, so documents with CORS need the worker.
  expect(await running.ask('assets/style.css', 'OPTIONS', {})).toMatchObject({ status: 405 });
  expect(await running.ask('api/v1/events.ics', 'OPTIONS', {})).toMatchObject({ status: 204 });
  expect(await isFromWorker('assets/none.css')).toEqual(['assets/none.css', 404, true]);
});
