import { html } from '../../render/html.ts';
import { genrePage } from '../../render/links.ts';
import { dateAfter } from '../dates.ts';
import type { Range } from '../search/ranges.ts';
import { today } from './clock.ts';
import { all, find, put, write } from './dom.ts';
import { readPage, readRows, rowsOfList, rowsOfMonths } from './feed.ts';
import { arrange, arrangeDays } from './list.ts';
import { byTime, countEvents, rowsIn, rowsOn, spareRows, type Row } from './row.ts';
import { locale, nameWindow, notify, speech } from './page.ts';
import { saveCalendar } from './save-calendar.ts';
import { countChips, nameOfChoice, pageOf, rangeOf, readChoice, showChoice } from './strip.ts';

/*
 * The list of the home page. What and when the reader chose is its address; everything else on the
 * page follows from the choice.
 */

/**
 * The number of events before "Show more", in whole days: of everything, of further ones, and of
 * chosen days.
 */
const first = {
  events: 30,
  more: 100,
  range: 500,
};

const list = find('list') as HTMLElement;
const choice = readChoice(location.search);

/**
 * The rows of the page itself, which are all until a day (`data-until`), or all that there are if
 * it is empty.
 */
let pageRows: readonly Row[] = [];
/** What was on since the day before the build and is over. */
let recent: readonly Row[] = [];
/** Whether the page has all that was and is on. */
let isWhole = false;
let name = '';
/** What was read of the choice, and the reading that is under way. */
let rows: readonly Row[] = [];
let reading: AsyncIterable<readonly Row[]> | null = null;
let limit = choice.when === '' ? first.events : first.range;
let visibleRows: readonly Row[] = [];

/** Shows the list of the home page, and makes its buttons work. */
export function startHome(): void {
  pageRows = rowsIn(list);
  recent = spareRows(document);
  isWhole = document.querySelector('.rest, template[data-more]') === null;
  // A category or genre without days is a page.
  if (choice.scope !== '' && choice.when === '') return location.replace(pageOf(choice.scope));
  find('save')?.addEventListener('click', () => saveCalendar(visibleRows.map(({ node }) => node)));
  find('more')?.addEventListener('click', () => {
    limit = countEvents(visibleRows) + (choice.when === '' ? first.more : first.range);
    void showHome();
  });
  void showHome();
}

/** Reads and shows what was chosen, by the days of the current date. */
export async function showHome(): Promise<void> {
  const source = rowsOfChoice();
  reading = source;
  list.ariaBusy = 'true';
  const { scope } = choice;
  if (scope !== '') {
    const page = await readPage(pageOf(scope)).catch(() => null);
    name = page?.name ?? scope;
    const calendar = find('subscribe');
    if (calendar !== null && page?.subscription !== undefined)
      put(calendar, { markup: page.subscription });
  }
  const { rows: read, hasFailed } = await readRows(source, isEnough);
  if (reading !== source) return;
  rows = read;
  notify('days', hasFailed ? speech.text('failed') : null);
  list.ariaBusy = null;
  document.documentElement.classList.add('shown');
  show();
}

function isEnough(some: readonly Row[]): boolean {
  // The number of events of chosen days must be known.
  return choice.when === '' && firstOf(some.filter(({ until }) => until > Date.now())).isEnough;
}

/** Returns the rows before "Show more", in whole days, and whether there are enough of them. */
function firstOf(some: readonly Row[]): {
  readonly rows: readonly Row[];
  readonly isEnough: boolean;
} {
  let [count, day] = [0, ''];
  const sorted = some.toSorted(byTime);
  const end = sorted.findIndex((row) => {
    if (count >= limit && row.day !== day) return true;
    day = row.day;
    count += row.count;
    return false;
  });
  return {
    rows: end === -1 ? sorted : sorted.slice(0, end),
    isEnough: end !== -1,
  };
}

async function* rowsOfChoice(): AsyncGenerator<readonly Row[]> {
  const range = rangeOf(choice.when);
  const end = list.dataset['until'] ?? '';
  if (range === null) {
    yield pageRows;
    if (end !== '') yield* rowsOfMonths(end);
    return;
  }
  const { from, until } = range;
  const genre = choice.scope.split('/')[1];
  const isListed = isWhole && from >= today();
  const isOwn = isListed && (end === '' || dateAfter(until) < end);
  for await (const page of isOwn ? [[...pageRows, ...recent]] : rowsOfMonths(from, until)) {
    const isBusy = page.some(({ node, scope }) => node.matches('.many') && scope === choice.scope);
    // A busy month has no rows of events, but the genre has.
    if (genre !== undefined && isBusy) {
      yield* rowsOfList(genrePage(genre));
      return;
    }
    yield page;
  }
}

function show(): void {
  const { scope, when } = choice;
  const isIn = (row: Row) => scope === '' || `${row.scope}/`.startsWith(`${scope}/`);
  countChips([...pageRows, ...recent].filter(isIn), list.dataset['until'] ?? '');
  const range = rangeOf(when);
  if (range === null) showAll(rows.filter(isIn));
  else showDays(range, isIn);
}

function showAll(chosen: readonly Row[]): void {
  const begun = chosen.filter(({ until }) => until <= Date.now());
  visibleRows = [...begun, ...firstOf(chosen.filter((row) => !begun.includes(row))).rows];
  arrange(list, visibleRows);
  showReach(Number(list.dataset['total']));
}

function showDays(range: Range, isIn: (row: Row) => boolean): void {
  const rangeRows = rowsOn(rows, range);
  const onDays = [...rangeRows.begins, ...rangeRows.running];
  const begins = firstOf(rangeRows.begins.filter(isIn)).rows;
  const running = rangeRows.running.filter(isIn);
  visibleRows = [...begins, ...running];
  for (const part of all('.rest, .announced')) part.hidden = true;
  arrangeDays(list, { begins, running }, range.from);
  const total = countEvents(onDays.filter(isIn));
  showChoice(choice, choice.scope.includes('/') ? null : onDays);
  describe(total);
  showReach(total);
}

function describe(total: number): void {
  const [text, count] = [nameOfChoice(name, choice.when), locale.number(total)];
  const summary = `${text} · ${count}`;
  for (const heading of all('main h1'))
    put(heading, html`<bdi>${text}</bdi> <span class="count">${count}</span>`);
  for (const save of all('#save')) save.hidden = false;
  nameWindow(summary);
  write(find('status'), summary);
}

function showReach(total: number): void {
  const place = find('reach');
  const [button, count] = [
    find('more'),
    countEvents(visibleRows.filter(({ isUnderWay }) => !isUnderWay)),
  ];
  if (place === null || button === null) return;
  place.hidden = count >= total;
  place.replaceChildren(`${speech.text('listed', { n: count, total })} `, button);
}
