import { dateAfter } from '../dates.ts';
import { monthPage } from '../../render/links.ts';
import { all } from './dom.ts';
import { withoutRepeated, type Row } from './row.ts';
import { rowsOfMonth } from './month.ts';
import { site } from './page.ts';

interface ListPage {
  readonly name: string;
  /** The ways to subscribe to it, as markup of the site itself. */
  readonly subscription?: string | undefined;
  readonly rows: readonly Row[];
  readonly next: string | null;
  /** Whether there are events that the page does not list. */
  readonly hasMore: boolean;
}

const pages = new Map<string, Promise<ListPage>>();

/**
 * Reads a page of the site once. It is empty if there is no such page. Links lead to the same
 * places from here.
 */
export async function readPage(path: string): Promise<ListPage> {
  const address = new URL(path, site);
  const page = pages.get(address.href) ?? fetchPage(address);
  pages.set(address.href, page);
  page.catch(() => pages.delete(address.href));
  return page;
}

async function fetchPage(address: URL): Promise<ListPage> {
  const response = await fetch(address);
  if (response.status === 404)
    return {
      name: '',
      rows: [],
      next: null,
      hasMore: false,
    };
  if (!response.ok) throw new Error(`${response.status}`);
  const type = response.headers.get('content-type') ?? '';
  if (!/^text\/html\b/i.test(type)) throw new Error(type);
  const other = new DOMParser().parseFromString(await response.text(), 'text/html');
  const nextLink = other.querySelector('.pager a[rel=next]')?.getAttribute('href');
  const next = nextLink == null ? null : new URL(nextLink, address).pathname;
  const spare = [...other.querySelectorAll('template')].map(({ content }) => content);
  for (const part of [other, ...spare])
    for (const link of all('.e a', part))
      link.setAttribute('href', new URL(link.getAttribute('href') ?? '', address).href);
  return {
    name: other.querySelector('h1 bdi')?.textContent ?? '',
    subscription: other.getElementById('subscribe')?.innerHTML,
    rows: rowsOfMonth(other).map((row) => ({
      ...row,
      node: document.adoptNode(row.node),
    })),
    next,
    hasMore: next !== null || other.querySelector('.note[data-more]') !== null,
  };
}

/** Reads a list of the site, page by page. */
export async function* rowsOfList(path: string): AsyncGenerator<readonly Row[]> {
  for (let next: string | null = path; next !== null;) {
    const page: ListPage = await readPage(next);
    yield page.rows;
    next = page.next;
  }
}

/** The months that have a page, in order, as the home page links to them. */
const months = all('.monthlinks a').map((link) =>
  (link.getAttribute('href') ?? '').slice(-'yyyy-mm/'.length, -1),
);

/**
 * Reads the lists of months, from one day to another. A day of the reader may be in two months of
 * the places.
 */
export async function* rowsOfMonths(
  from: string,
  until = '9999-12-01',
): AsyncGenerator<readonly Row[]> {
  const [first, last] = [dateAfter(from, -2).slice(0, 7), dateAfter(until, 2).slice(0, 7)];
  for (const month of months)
    if (month >= first && month <= last) yield (await readPage(monthPage(month))).rows;
}

/**
 * Reads rows until there are enough, or nothing is left. What was read is kept if a page cannot be
 * loaded.
 */
export async function readRows(
  source: AsyncIterable<readonly Row[]>,
  isEnough: (rows: readonly Row[]) => boolean,
): Promise<{ readonly rows: readonly Row[]; readonly hasFailed: boolean }> {
  let rows: readonly Row[] = [];
  try {
    for await (const more of source) {
      rows = withoutRepeated([...rows, ...more]);
      if (isEnough(rows)) break;
    }
    return { rows, hasFailed: false };
  } catch {
    return { rows, hasFailed: true };
  }
}
