import { dateAfter } from '../dates.ts';
import { monthPage } from '../../render/links.ts';
import { all } from './dom.ts';
import { rowsIn, withoutRepeated, type Row } from './list.ts';
import { site } from './page.ts';

/** A page of the site with a list of events. */
interface ListPage {
  readonly rows: readonly Row[];
  /** The page on which the list goes on, or null. */
  readonly next: string | null;
  /** Returns the page that has the first events of a day, or of the first day after it that has some. */
  readonly pageFrom: (day: string) => string | null;
}

const pages = new Map<string, Promise<ListPage>>();

/** Forgets the pages that were read, because the site may have newer ones. */
export function forgetPages(): void {
  pages.clear();
}

/** Reads a page of the site once. It is empty if there is no such page. Links lead to the same places from here. */
export async function readPage(path: string): Promise<ListPage> {
  const address = new URL(path, site);
  const known = pages.get(address.href) ?? fetchPage(address);
  pages.set(address.href, known);
  known.catch(() => pages.delete(address.href));
  return known;
}

async function fetchPage(address: URL): Promise<ListPage> {
  const response = await fetch(address);
  if (response.status === 404) return { rows: [], next: null, pageFrom: () => null };
  if (!response.ok) throw new Error(`${response.status}`);
  const other = new DOMParser().parseFromString(await response.text(), 'text/html');
  const pathTo = (link: Element | null): string | null =>
    link === null ? null : new URL(link.getAttribute('href') ?? '', address).pathname;
  const links = all('td[data-day] > a', other);
  const list = other.getElementById('list');
  const rows = list === null ? [] : rowsIn(list);
  for (const link of all('#list a', other))
    link.setAttribute('href', new URL(link.getAttribute('href') ?? '', address).href);
  return {
    rows: rows.map((row) => ({ ...row, node: document.adoptNode(row.node) })),
    next: pathTo(other.querySelector('.pager a[rel=next]')),
    pageFrom: (day) => pathTo(links.find((link) => (link.parentElement?.dataset['day'] ?? '') >= day) ?? null),
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

/** The months that have a page, in order. Readers without a script get links to them. */
export const months = [
  ...new Set(
    Array.from(
      (document.querySelector('main noscript')?.textContent ?? '').matchAll(/month\/(\d{4}-\d\d)\//g),
      ([, month = '']) => month,
    ),
  ),
];

/** Reads the lists of months, from one day to another. Months go by UTC, so a day of the reader may be in two. */
export async function* rowsOfMonths(from: string, until = '9999-12-30'): AsyncGenerator<readonly Row[]> {
  const [first, last] = [dateAfter(from, -1), dateAfter(until)];
  for (const month of months) {
    if (month < first.slice(0, 7) || month > last.slice(0, 7)) continue;
    const path = monthPage(month);
    const isFirst = month === first.slice(0, 7);
    const start = isFirst ? (await readPage(path)).pageFrom(first) : null;
    for await (const rows of rowsOfList(start ?? path)) {
      yield rows;
      if ((rows.at(-1)?.day ?? '') > last) return;
    }
  }
}

/** Events in order of time that are read as far as they are wanted. */
export class Feed {
  readonly #source: AsyncGenerator<readonly Row[]>;
  readonly #accepts: (row: Row) => boolean;
  #reading: Promise<void> = Promise.resolve();
  rows: readonly Row[] = [];
  /** Whether there is nothing left to read. */
  isWhole = false;

  constructor(source: () => AsyncGenerator<readonly Row[]>, accepts: (row: Row) => boolean) {
    this.#source = source();
    this.#accepts = accepts;
  }

  /** Reads until there is enough, or nothing left. */
  async read(isEnough: (rows: readonly Row[]) => boolean): Promise<void> {
    this.#reading = this.#reading.catch(() => {}).then(async () => this.#readOn(isEnough));
    return this.#reading;
  }

  async #readOn(isEnough: (rows: readonly Row[]) => boolean): Promise<void> {
    while (!this.isWhole && !isEnough(this.rows)) {
      const { value, done } = await this.#source.next();
      if (done === true) this.isWhole = true;
      else this.rows = withoutRepeated([...this.rows, ...value.filter(this.#accepts)]);
    }
  }
}
