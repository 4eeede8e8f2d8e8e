import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { contentTypeOf } from '../../src/api/content-types.ts';
import { engine, onPath } from './engines.ts';
import { afterFile, lastingFolder, writeTree, type Tree } from './folders.ts';
import { listen } from './host.ts';
import { runAlmanac } from './run-almanac.ts';

/** Chromium, or null if it is missing. */
export const chromiumPath = engine(
  'Chromium',
  () => onPath('chromium') ?? onPath('google-chrome'),
  'apt-get install chromium',
);

let browser: Promise<Browser> | null = null;

/**
 * Starts the browser, unless an earlier file of this worker has done so. It ends with the worker.
 */
export async function launchBrowser(): Promise<Browser> {
  const quiet = [
    'quic',
    'gpu',
    'background-networking',
    'component-update',
    'sync',
    'dev-shm-usage',
  ];
  browser ??= chromium.launch({
    executablePath: chromiumPath ?? '',
    args: ['--no-sandbox', '--no-first-run', ...quiet.map((what) => `--disable-${what}`)],
  });
  return browser;
}

/** A site below a path on a host that only serves files and ignores queries. */
export interface ServedSite {
  /** The base URL, with a trailing slash. */
  readonly url: string;
  readonly folder: string;
  /** The paths of all requests, relative to the site. */
  readonly asked: string[];
  /** The paths that get a response with status 500. */
  readonly broken: Set<string>;
}

/**
 * Builds a data folder and serves the site until all tests of the file have ended.
 *
 * @param against the folder of a site whose change log the new one continues
 */
export async function serveSite(data: Tree, now: string, against?: string): Promise<ServedSite> {
  const folder = lastingFolder();
  writeTree(join(folder, 'data'), data);
  const asked: string[] = [];
  const broken = new Set<string>();
  const { url: origin, close } = await listen((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    const path = pathname.replace(/^\/base\/path\//, '').replace(/(^|\/)$/, '$1index.html');
    asked.push(path);
    const file = join(folder, 'dist', path);
    const isThere =
      pathname.startsWith('/base/path/') &&
      statSync(file, { throwIfNoEntry: false })?.isFile() === true;
    response.statusCode = broken.has(path) ? 500 : isThere ? 200 : 404;
    const sent = isThere ? file : join(folder, 'dist/404.html');
    // The clock of the machine must not matter.
    response.sendDate = false;
    // As every host does.
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Content-Type', contentTypeOf(sent) ?? 'application/octet-stream');
    response.end(readFileSync(sent));
  });
  afterFile(close);
  const url = `${origin}/base/path`;
  const previous = against === undefined ? [] : ['--against', against];
  const run = await runAlmanac(['build', '--base-url', url, '--now', now, '--json', ...previous], {
    cwd: folder,
  });
  if (run.code !== 0) throw new Error(run.stdout + run.stderr);
  return { url: `${url}/`, folder: join(folder, 'dist'), asked, broken };
}

/** Settings of a browser window. */
export interface Reader extends BrowserContextOptions {
  /** The time of its clock. */
  readonly now: string;
  /** Whether timers run. Otherwise they wait until the test advances the clock. */
  readonly timers?: boolean;
  /** The complaints of the browser that the test expects. */
  readonly complaints?: RegExp;
}

/**
 * Opens a page in a new window, which closes when the test ends. The test fails if there was an
 * error in the page, a violation of its policy, or a request to another host.
 */
export async function openPage(
  url: string,
  { now, timers = false, complaints, ...options }: Reader,
): Promise<Page> {
  const browser = await launchBrowser();
  const context = await browser.newContext({
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    viewport: { width: 1200, height: 900 },
    ...options,
  });
  onTestFinished(async () => context.close());
  context.setDefaultTimeout(300_000);
  const page = await context.newPage();
  const unexpected: string[] = [];
  const complain = (text: string): void => {
    if (complaints?.test(text) !== true) unexpected.push(text);
  };
  onTestFinished(() => expect(unexpected).toEqual([]));
  const { origin } = new URL(url);
  page.on('pageerror', (error) => complain(error.message));
  page.on('console', (message) => {
    // Chromium looks for an icon of a file that is no page.
    if (message.location().url.endsWith('/favicon.ico')) return;
    if (['error', 'warning'].includes(message.type())) complain(message.text());
  });
  page.on('dialog', (dialog) => complain(`dialog: ${dialog.message()}`));
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) complain(`asked ${request.url()}`);
  });
  if (options.javaScriptEnabled !== false) {
    if (timers) await page.clock.setFixedTime(now);
    else {
      // The clock runs between its installation and its pause, so it starts a little earlier.
      await page.clock.install({ time: Date.parse(now) - 3600_000 });
      await page.clock.pauseAt(now);
    }
  }
  await page.goto(url);
  return page;
}

/** Writes a screenshot to test/.output/. */
export async function screenshot(page: Page, name: string, fullPage = false): Promise<void> {
  await page.screenshot({
    path: join('test/.output', `${name}.png`),
    fullPage,
    animations: 'disabled',
  });
}
