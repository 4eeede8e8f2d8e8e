import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium, type CDPSession, type Page } from 'playwright-core';
import { openPreview } from '../../src/server/preview.ts';
import { onPath } from '../setup/engines.ts';
import { baseUrl, catalogueIn, now, type Size } from './catalogue.ts';
import { formatCount, median, table } from './report.ts';

/**
 * Measures search on a page with the processor slowed down four times, as on a telephone: the
 * main-thread time of each letter until its answer is shown, and what the first search fetches.
 * Returns the report.
 */
export async function benchSearch(cache: string, sizes: readonly Size[]): Promise<string> {
  const rows: string[][] = [];
  for (const { name, data } of dataFolders(cache, sizes)) {
    const site = join(cache, 'search-site');
    execFileSync(process.execPath, build(data, site), { stdio: 'inherit' });
    rows.push([name, ...(await measureTyping(site))]);
  }
  const head = [
    '',
    'ms a letter, median',
    'worst',
    'ms until shown, median',
    'index kB, gzip',
    'requests of the first search',
  ];
  return table(head, rows);
}

const queries = ['eclipse', 'grand prix', 'berlin 2027', 'august 2027', 'championship'];
const slowdown = 4;

async function measureTyping(site: string): Promise<string[]> {
  const { address, close } = await openPreview({
    folder: site,
    host: '127.0.0.1',
    port: 0,
    now: () => Date.parse(now),
  });
  const browser = await chromium.launch({
    executablePath: onPath('chromium') ?? onPath('google-chrome') ?? '',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    await page.clock.setSystemTime(now);
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await page.goto(address, { waitUntil: 'networkidle' });
    let [asked, requests] = [0, 0];
    page.on('request', () => asked++);
    await page.locator('#q').focus();
    const [work, waits]: [number[], number[]] = [[], []];
    for (const query of queries) {
      await page.locator('#q').fill('');
      for (let length = 1; length <= query.length; length++) {
        if (query[length - 1] === ' ') continue;
        const [milliseconds, wait] = await typeLetter(page, session, query.slice(0, length));
        work.push(milliseconds);
        waits.push(wait);
        if (work.length === 1) requests = asked;
      }
    }
    const size = gzipSync(readFileSync(join(site, 'assets/search.json'))).length / 1000;
    return [median(work), Math.max(...work), median(waits), size]
      .map((one) => formatCount(Math.round(one)))
      .concat(formatCount(requests));
  } finally {
    await browser.close();
    await close();
  }
}

/**
 * Types a letter. Returns the main-thread time that it took, and the time until its answer was on
 * the screen.
 */
async function typeLetter(
  page: Page,
  session: CDPSession,
  text: string,
): Promise<[work: number, wait: number]> {
  const before = await taskTime(session);
  const began = performance.now();
  // The page itself says when it is done, because asking it again and again would be measured as
  // well.
  await page.evaluate(
    async (value) =>
      new Promise<void>((done) => {
        const [field, found] = [
          document.querySelector<HTMLInputElement>('#q'),
          document.querySelector('#found'),
        ];
        if (field === null || found === null) return;
        const observer = new MutationObserver(() => {
          if (found.querySelector('[role=status]')?.textContent?.includes(`“${value}”`) !== true)
            return;
          observer.disconnect();
          requestAnimationFrame(() => requestAnimationFrame(() => done()));
        });
        observer.observe(found, { childList: true, subtree: true });
        field.value = value;
        field.dispatchEvent(new InputEvent('input', { bubbles: true }));
      }),
    text,
  );
  return [(await taskTime(session)) - before, performance.now() - began];
}

async function taskTime(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
}

function dataFolders(cache: string, sizes: readonly Size[]): { name: string; data: string }[] {
  const generated = sizes.map((size) => ({
    name: `${formatCount(size.events)} events`,
    data: catalogueIn(cache, size),
  }));
  return [{ name: 'starter', data: resolve('data') }, ...generated];
}

function build(data: string, out: string): string[] {
  const options = ['--data', data, '--out', out, '--now', now, '--base-url', baseUrl];
  return [resolve('lib/bin/main.js'), 'build', '--quiet', '--no-flush', ...options];
}
