import type { Page } from 'playwright-core';
import { serveSite, type Reader, type ServedSite } from '../setup/browser.ts';
import { buildSite } from '../setup/build-site.ts';
import { lastingFolder, type Tree } from '../setup/folders.ts';
import { catalogue, catalogueIn, now } from './catalogue.ts';

/** What says that the script has done everything: it has read the age of the catalogue. */
const read = '#synced:not(:empty)';

type Pages = Readonly<Record<string, readonly [path: string, ready: string]>>;

/** Each kind of page: its path, and what it has once it is ready. */
export const pages: Pages = {
  home: ['', read],
  category: ['category/film/', read],
  genre: ['genre/premieres-film/', read],
  subject: ['genre/premieres-film/quiet-picture/', `body:has(.log .moved) ${read}`],
  month: ['month/2026-12/', read],
  lists: ['lists/', '#q'],
  country: ['country/jp/', read],
  collection: ['collection/evenings/', read],
  year: ['year/', '.yearmonths'],
  changes: ['changes/', '.e'],
  search: ['search/?q=pass', '.found'],
  reference: ['api/v1/', '#q'],
  'not-found': ['genre/premieres-film/quiet-pictur/', 'body:has(#nearest a) .tags a'],
  following: ['following/', `body:has(#list .e) ${read}`],
};

/** Other states of these pages. The last one forgets what the reader follows. */
export const states: Pages = {
  day: ['?on=2026-12-01', read],
  'day-empty': ['?on=2026-12-11', `body:has(.empty) ${read}`],
  'subject-over': ['genre/festivals-film/river-days/', `body:has(.empty) ${read}`],
  'search-none': ['search/?q=zzzz', '#found .answer:not(:empty)'],
  'following-none': ['following/', `body:has(.empty) ${read}`],
};

/**
 * The catalogue of the other tests with every state of an event, and fewer of them: axe takes long
 * for long lists.
 */
const varied: Tree = {
  ...catalogue,
  ...catalogueIn('pages-varied.txt'),
  'space/passes/station.json': {
    name: 'Station',
    events: Array.from({ length: 9 }, (_, n) => ({
      title: `Pass ${n + 1}`,
      starts: `2027-01-0${(n % 3) + 1}T06:00Z`,
    })),
  },
};

/** Serves a site in a language with each state that a page can have. */
export async function serveVaried(lang = 'en'): Promise<ServedSite> {
  // The site is one day older, and an event has moved since.
  const moved = { 'film/premieres/quiet-picture': { 'General release': '2026-11-25' } };
  const service = { ...(varied['service.json'] as object), lang };
  const older = { cwd: lastingFolder(), source: lastingFolder(), service };
  const previous = await buildSite(moved, '2026-11-19T12:00:00Z', older);
  return serveSite({ ...varied, 'service.json': service }, now, previous);
}

/** What the reader follows, except on the page that shows that nothing is followed. */
const followed = { 's/premieres-film/quiet-picture': 'Quiet Picture', 'g/passes-space': 'Passes' };

/** Returns the settings of a reader who follows something, and may have visited the site before. */
export function followerOf(
  { url }: ServedSite,
  names: object = followed,
  visits?: object,
): Partial<Reader> {
  const { origin, pathname } = new URL(url);
  const value = JSON.stringify({
    follows: { [pathname]: names },
    ...(visits && { visits: { [pathname]: visits } }),
  });
  return {
    storageState: {
      cookies: [],
      origins: [{ origin, localStorage: [{ name: 'almanac', value }] }],
    },
  };
}

/**
 * The browser reports that there is nothing at the address of one page, which is what that page is
 * for.
 */
export const noPage = /status of 404/;

/** Goes to a page and waits until it is ready. */
export async function visit(page: Page, { url }: ServedSite, name: string): Promise<void> {
  const [path, ready] = { ...pages, ...states }[name] ?? ['', ''];
  if (name === 'following-none') await page.evaluate(() => localStorage.clear());
  await page.goto(url + path);
  await page.locator(ready).first().waitFor({ state: 'attached' });
}

/** What repeats on a page. Axe takes long for many of the same. */
const repeated = [
  '.yearmonths > :nth-child(n + 4)',
  ':is(.operation, .schema, .problem) ~ :is(.operation, .schema, .problem)',
];

/** Leaves the first few of what repeats on a page. */
export async function shorten(page: Page): Promise<void> {
  await page.locator(repeated.join()).evaluateAll((all) => all.forEach((one) => one.remove()));
}
