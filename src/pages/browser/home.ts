import { html } from '../../render/html.ts';
import { genrePage } from '../../render/links.ts';
import { dateAfter } from '../dates.ts';
import { nameOf, pageOf, queryOf, rangeOf, readChoice, type Choice } from './choice.ts';
import { all, find, put, write } from './dom.ts';
import { Feed, forgetPages, readPage, rowsOfList, rowsOfMonths } from './feed.ts';
import { adoptRows, arrange, byTime, countEvents, rowsIn, update, type Row } from './list.ts';
import { locale, notify, speech } from './page.ts';
import { saveCalendar } from './save-calendar.ts';
import { countChips, showChoice } from './strip.ts';

/*
 * The list of the home page. What and when the reader chose is its address; everything else on the page follows from
 * the choice.
 */

/** The number of events before "Show more", in whole days: of everything, of further ones, and of chosen days. */
const first = { events: 30, more: 100, range: 500 };

const list = find('list') as HTMLElement;
const heading = document.querySelector('main h1');
const wholeHeading = heading?.textContent ?? '';
const wholeTitle = document.title;
const calendar = find('subscribe');
const wholeCalendar = calendar?.innerHTML ?? '';

/** The rows of the page itself, which are all until a day (`data-until`), or all that there are if it is empty. */
let own: readonly Row[] = [];
let choice: Choice = { scope: '', when: '' };
/** The name of the chosen category or genre. */
let name = '';
let feed = feedOf(choice);
let limit = 0;
let shown: readonly Row[] = [];

/** Shows the list of the home page, and makes the categories, days and buttons of the page change it. */
export function startHome(): void {
  own = rowsIn(list);
  const asked = readChoice(location.search);
  // A category or genre without days is a page.
  if (asked.scope !== '' && asked.when === '') return location.replace(pageOf(asked.scope));
  document.querySelector('.strip')?.addEventListener('click', (event) => follow(event as MouseEvent));
  find('save')?.addEventListener('click', () => saveCalendar(shown.map(({ node }) => node)));
  find('more')?.addEventListener('click', showMore);
  addEventListener('popstate', () => void open(readChoice(location.search)));
  void open(asked);
}

/** Marks what has begun, and at midnight shows the days of the new date. */
export function tickHome(isNewMinute: boolean, isNewDay: boolean): void {
  if (isNewDay) void open(choice, limit);
  else if (isNewMinute) update(list);
}

/** Takes the list of a newer version of the page. */
export function replaceHome(page: Document): void {
  const fresh = page.getElementById('list');
  if (fresh === null) return;
  own = adoptRows(fresh);
  Object.assign(list.dataset, { until: fresh.dataset['until'], total: fresh.dataset['total'] });
  for (const old of all('.rest', list)) old.remove();
  for (const rest of all('.rest', fresh)) list.append(document.adoptNode(rest));
  forgetPages();
  void open(choice, limit);
}

/** Opens a choice without loading the page again. A click with a key, such as for a new tab, follows the link. */
function follow(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a') : null;
  if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const { pathname, search } = new URL(link.href);
  if (pathname !== location.pathname) return;
  event.preventDefault();
  if (search === location.search) return;
  history.pushState(null, '', link.href);
  void open(readChoice(search));
}

/** Shows a choice. `least` is the number of events that the list already has. */
async function open(next: Choice, least = 0): Promise<void> {
  choice = next;
  limit = Math.max(least, next.when === '' ? first.events : first.range);
  feed = feedOf(next);
  list.ariaBusy = 'true';
  const page = next.scope === '' ? null : await readPage(pageOf(next.scope)).catch(() => null);
  if (choice !== next) return;
  name = page?.name ?? next.scope;
  if (calendar !== null) put(calendar, { markup: page?.subscription ?? wholeCalendar });
  await fill();
}

function showMore(): void {
  limit = countEvents(shown) + (choice.when === '' ? first.more : first.range);
  void fill();
}

/** Reads the rows of the choice, and shows them. */
async function fill(): Promise<void> {
  const current = feed;
  list.ariaBusy = 'true';
  try {
    await current.read(isEnough);
    if (current === feed) notify('days', null);
  } catch {
    const run = (): void => void open(choice, limit);
    if (current === feed) notify('days', speech.text('failed'), { label: speech.text('again'), run });
  }
  if (current !== feed) return;
  list.ariaBusy = null;
  document.documentElement.classList.add('shown');
  show();
}

function isEnough(rows: readonly Row[]): boolean {
  // The number of events of chosen days must be known.
  return choice.when === '' && firstOf(rows.filter(({ until }) => until > Date.now())).isEnough;
}

/** Returns the rows before "Show more", in whole days, and whether there are enough of them. */
function firstOf(rows: readonly Row[]): { readonly rows: readonly Row[]; readonly isEnough: boolean } {
  let [count, day] = [0, ''];
  const inOrder = rows.toSorted(byTime);
  const end = inOrder.findIndex((row) => {
    if (count >= limit && row.day !== day) return true;
    day = row.day;
    count += row.count;
    return false;
  });
  return { rows: end === -1 ? inOrder : inOrder.slice(0, end), isEnough: end !== -1 };
}

function feedOf({ scope, when }: Choice): Feed {
  const range = rangeOf(when);
  if (range === null) return new Feed(soonest, () => true);
  const { from, until } = range;
  const genre = scope.split('/')[1];
  // A day has what begins on it. The rail counts all categories.
  return new Feed(
    () => (genre === undefined ? rowsOfRange(from, until) : rowsOfList(genrePage(genre))),
    ({ day, isUnderWay }) => day >= from && day <= until && !isUnderWay,
  );
}

async function* rowsOfRange(from: string, until: string): AsyncGenerator<readonly Row[]> {
  const end = list.dataset['until'] ?? '';
  if (end === '' || dateAfter(until) < end) yield own;
  else yield* rowsOfMonths(from, until);
}

async function* soonest(): AsyncGenerator<readonly Row[]> {
  yield own;
  const end = list.dataset['until'] ?? '';
  if (end !== '') yield* rowsOfMonths(end);
}

function show(): void {
  const { scope, when } = choice;
  const isRange = when !== '';
  const isIn = (row: Row): boolean => scope === '' || `${row.scope}/`.startsWith(`${scope}/`);
  const rows = feed.rows.filter(isIn);
  const begun = isRange ? [] : rows.filter(({ until }) => until <= Date.now());
  shown = [...begun, ...firstOf(rows.filter((row) => !begun.includes(row))).rows];
  const isChosen = queryOf(choice) !== '';
  for (const rest of all('.rest')) rest.hidden = isChosen;
  arrange(list, shown, { hasBegun: isRange, ...(isRange && { empty: speech.text('nothingThen') }) });
  const total = isRange ? countEvents(rows) : Number(list.dataset['total']);
  showChoice(choice, isRange && !scope.includes('/') ? feed.rows : null);
  countChips(own.filter(isIn), list.dataset['until'] ?? '');
  describe(total);
  showReach(total);
}

/** Names the choice in the heading, in the title and for screen readers. */
function describe(total: number): void {
  const text = nameOf(choice, name);
  document.documentElement.classList.toggle('chosen', text !== '');
  const save = find('save');
  if (save !== null) save.hidden = text === '';
  const summary = `${text} · ${locale.number(total)}`;
  if (heading !== null)
    put(
      heading,
      text === '' ? html`${wholeHeading}` : html`<bdi>${text}</bdi> <span class="count">${locale.number(total)}</span>`,
    );
  const service = document.querySelector('.name bdi')?.textContent ?? '';
  document.title = text === '' ? wholeTitle : `${summary} – ${service}`;
  write(find('status'), text === '' ? '' : summary);
}

/** Says how many events the list shows, if there are more. */
function showReach(total: number): void {
  const place = find('reach');
  const [button, count] = [find('more'), countEvents(shown.filter(({ isUnderWay }) => !isUnderWay))];
  if (place === null || button === null) return;
  place.hidden = count >= total;
  place.replaceChildren(`${speech.text('listed', { n: count, total })} `, button);
}
