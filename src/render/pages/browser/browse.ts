import type { CategoryRecord, GenreRecord } from '../../../api/documents.ts';
import { calendarPath } from '../../../api/formats.ts';
import { ClientError, createClient, isUpcoming } from '../../../client/index.ts';
import { subscription } from '../subscription.ts';
import { grouped } from '../dates.ts';
import { eventList, type ShownEvent } from '../event-list.ts';
import { html } from '../html.ts';
import { isIn } from '../month-strip.ts';
import { addressOf, choiceIn, type Choice } from './choice.ts';
import { readersDay, readersZone, shownEvents } from './clock.ts';
import { firstOf, Library, listsIn, type Gathered } from './documents.ts';
import { element, put } from './dom.ts';
import { clearMonths, showMonths } from './months.ts';
import { atOnce, isComplete, moreOf, summaryOf, type Extent, type Found } from './summary.ts';
import { tick } from './ticking.ts';

/** The choice of the reader, and how much of it to show. */
interface View extends Extent {
  readonly choice: Choice;
  /** Whether the reader asked for all lists of the choice. */
  readonly isWhole: boolean;
  /**
   * The category whose genres the picker offers, or null for all. Picking a genre does not change it, so that arrow keys
   * can move on to the other genres.
   */
  readonly offered: string | null;
}

interface Catalogue {
  readonly categories: readonly CategoryRecord[];
  readonly genres: readonly GenreRecord[];
}

const search = element('search', HTMLInputElement);
const genrePicker = element('genre', HTMLSelectElement);
const heading = element('heading');
const summary = element('summary');
const list = element('list');
const more = element('more', HTMLButtonElement);
const progress = element('progress');
const serviceTitle = document.title;

const site = new URL('../', import.meta.url);
const client = createClient({ baseUrl: site, onStale: showStale });
const library = new Library(client);

let catalogue: Catalogue = { categories: [], genres: [] };
let view = viewOf(choiceIn(location.search));
/** The URL of the choice that the list shows, at first everything. Null if it could not be read. */
let listed: string | null = addressOf(choiceIn(''));
/** The events that the list was last rendered from. */
let latest: Gathered | null = null;
/** When the next of the counted events expires, in milliseconds since the Unix epoch. */
let nextExpiry = Infinity;
let working = new AbortController();

async function start(): Promise<void> {
  search.value = view.choice.search;
  listen();
  setInterval(update, 1000);
  void client.index().then(showSynced, () => {});
  await refresh();
}

/** Shows the current view, and cancels the requests of the previous one. */
async function refresh(): Promise<void> {
  working.abort();
  working = new AbortController();
  const { signal } = working;
  if (!isListed()) showWaiting();
  try {
    if (catalogue.categories.length === 0) catalogue = await fetchCatalogue(signal);
    showChoice();
    await showEvents(signal);
  } catch (error) {
    if (signal.aborted) return;
    // Lists that arrive later must not be shown.
    working.abort();
    showFailure(error);
  }
}

async function fetchCatalogue(signal: AbortSignal): Promise<Catalogue> {
  const [{ categories }, { genres }] = await Promise.all([client.categories({ signal }), client.genres({ signal })]);
  return { categories, genres };
}

/** Shows the list of the scope. A search, a later month and "show all" need the lists below it. */
async function showEvents(signal: AbortSignal): Promise<void> {
  const { choice, isWhole, lists: most } = view;
  const first = await library.list(choice);
  signal.throwIfAborted();
  const alone = firstOf(first);
  const lists = listsIn(choice, catalogue.categories, catalogue.genres);
  const isBeyond = choice.month !== null && !isComplete(alone, choice.month);
  // Lists that were read once stay in use, so that the counts do not shrink.
  const isWide = isWhole || choice.search !== '' || isBeyond || library.holds(lists);
  if (alone.reach === null || !isWide) return show(alone);
  let last = performance.now();
  const all = await library.gather(first, lists, most, signal, (some, done, of) => {
    if (performance.now() - last >= 400) {
      last = performance.now();
      show(some);
      more.hidden = true;
    }
    progress.textContent = `${done} of ${of} lists read`;
  });
  show(all);
}

function show(gathered: Gathered): void {
  listed = addressOf(view.choice);
  latest = gathered;
  list.ariaBusy = null;
  const matching = showCounts(gathered);
  if (matching.length > 0) put(list, rowsOf(matching.slice(0, view.rows)));
  progress.textContent = '';
  tick();
}

function isListed(): boolean {
  return listed === addressOf(view.choice);
}

/** Marks the list as busy while it still shows the previous choice. */
function showWaiting(): void {
  list.ariaBusy = 'true';
  summary.textContent = 'Reading the list…';
  more.hidden = true;
}

/** Updates the countdowns, and the counts when an event has begun. Runs once a second. */
function update(): void {
  tick();
  if (latest !== null && nextExpiry <= Date.now() && isListed()) showCounts(latest);
}

/** Shows how many events match, and returns them. Leaves out events that have begun. */
function showCounts(gathered: Gathered): readonly ShownEvent[] {
  const { choice } = view;
  const words = choice.search.toLowerCase().split(/\s+/);
  const events = gathered.events.filter((event) => isUpcoming(event, Date.now()));
  nextExpiry = events.reduce((soonest, event) => Math.min(soonest, Date.parse(event.upcoming_until)), Infinity);
  const total = gathered.total - (gathered.events.length - events.length);
  const wanted = shownEvents(events).filter((one) => words.every((word) => textOf(one).includes(word)));
  const matching = wanted.filter(({ day }) => choice.month === null || isIn(choice.month, day));
  const found = { ...gathered, events, total, count: matching.length };
  showMonths(wanted, gathered, choice);
  if (found.count === 0) put(list, html`<p class="empty">Nothing to show.</p>`);
  const zone = found.count === 0 ? '' : ` Clock times are in your zone, ${readersZone}.`;
  summary.textContent = summaryOf(found, choice, genreName) + zone;
  showMore(found);
  return matching;
}

function rowsOf(matching: readonly ShownEvent[]): ReturnType<typeof eventList> {
  return eventList(matching, {
    genreName,
    genreLink: ({ category, genre }) => addressOf({ ...view.choice, category, genre, month: null, search: '' }),
  });
}

function textOf({ event }: ShownEvent): string {
  const { title, subject, genre, category } = event;
  return `${title} ${subject.name} ${genreName(genre)} ${categoryName(category)}`.toLowerCase();
}

function showMore(found: Found): void {
  const offer = moreOf(found, view.choice, view);
  more.hidden = offer === null;
  more.textContent = offer?.label ?? '';
  more.dataset['wants'] = offer?.wants;
}

/** Updates heading, filters and links to the choice. */
function showChoice(): void {
  const { choice } = view;
  const place = choice.genre ? genreName(choice.genre) : choice.category ? categoryName(choice.category) : null;
  const wanted = choice.search === '' ? null : `“${choice.search}”`;
  heading.textContent = [wanted, place].filter((part) => part !== null).join(' in ') || 'Everything';
  document.title = addressOf(choice) === './' ? serviceTitle : `${heading.textContent}: ${serviceTitle}`;
  if (search.value.trim() !== choice.search) search.value = choice.search;
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.categories a')) {
    const category = link.dataset['category'] || null;
    link.href = addressOf({ ...choice, category, genre: null, month: null });
    if (category === choice.category) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
  showGenres(view);
  showSubscription(choice, place ?? 'everything');
}

/** Offers a calendar, unless the category or genre does not exist or the genre belongs to another category. */
function showSubscription({ category, genre }: Choice, name: string): void {
  const isThere =
    genre === null
      ? category === null || catalogue.categories.some(({ id }) => id === category)
      : catalogue.genres.some((one) => one.id === genre && (category === null || one.category === category));
  put(element('subscribe'), isThere ? subscription(site.href, calendarPath({ category, genre }), name) : html``);
}

function showGenres({ choice, offered }: View): void {
  const groups = catalogue.categories.filter(({ id }) => offered === null || id === offered);
  const options = (of: string) =>
    catalogue.genres
      .filter((one) => one.category === of)
      .map(({ id, name, upcoming }) => html`<option value="${id}">${name} (${grouped(upcoming)})</option>`);
  put(
    genrePicker,
    html`<option value="">All genres</option>
      ${groups.map(({ id, name }) =>
        offered === null ? html`<optgroup label="${name}">${options(id)}</optgroup>` : options(id),
      )}`,
  );
  genrePicker.value = choice.genre ?? '';
}

function listen(): void {
  search.form?.addEventListener('submit', (event) => event.preventDefault());
  search.addEventListener('input', () => choose({ ...view.choice, search: search.value.trim() }));
  genrePicker.addEventListener('change', () => {
    const genre = catalogue.genres.find(({ id }) => id === genrePicker.value);
    const category = genre?.category ?? view.offered;
    choose({ ...view.choice, genre: genre?.id ?? null, category, month: null }, view.offered);
  });
  element('countdowns').addEventListener('change', update);
  more.addEventListener('click', () => void showOneMore());
  addEventListener('popstate', () => {
    const choice = choiceIn(location.search);
    // Jumps within the page, such as the skip link, cause this event as well.
    if (addressOf(choice) === addressOf(view.choice)) return;
    view = viewOf(choice);
    void refresh();
  });
  document.addEventListener('click', followLink);
}

/** Handles links to this page by changing the choice, without loading a new page. */
function followLink(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const { origin, pathname, search: query, hash } = new URL(link.href);
  if (origin !== location.origin || pathname !== location.pathname || hash !== '') return;
  event.preventDefault();
  const wasInList = list.contains(link);
  choose(choiceIn(query));
  // The list is about to be replaced, so the focus moves to its heading.
  if (wasInList) heading.focus();
}

/** Adds a choice to the history. Typing a search adds only one entry. */
function choose(choice: Choice, offered = choice.category): void {
  const address = addressOf(choice);
  if (address === addressOf(view.choice)) return;
  const isTyping = choice.search !== view.choice.search && choice.search !== '' && view.choice.search !== '';
  history[isTyping ? 'replaceState' : 'pushState'](null, '', address);
  view = viewOf(choice, offered);
  void refresh();
}

function viewOf(choice: Choice, offered = choice.category): View {
  return { choice, offered, ...atOnce, isWhole: false };
}

/** Shows more events, and moves the focus to the first new one. */
async function showOneMore(): Promise<void> {
  const before = list.querySelectorAll('.event').length;
  const { wants } = more.dataset;
  const lists = view.lists + (wants === 'lists' ? atOnce.lists : 0);
  view = { ...view, rows: view.rows + atOnce.rows, lists, isWhole: view.isWhole || wants === 'all' };
  await refresh();
  const row = list.querySelectorAll<HTMLElement>('.event')[before];
  row?.setAttribute('tabindex', '-1');
  row?.focus({ preventScroll: true });
}

function showFailure(error: unknown): void {
  listed = null;
  list.ariaBusy = null;
  const isUnknown = error instanceof ClientError && error.code === 'not-found';
  summary.textContent = isUnknown
    ? 'There is no such category or genre in this catalogue.'
    : 'The list could not be read just now.';
  more.hidden = true;
  progress.textContent = '';
  clearMonths();
  put(
    list,
    html`<p class="empty">
      ${isUnknown ? html`<a href="./">Show everything</a>` : html`<button type="button" id="again">Try again</button>`}
    </p>`,
  );
  document.getElementById('again')?.addEventListener('click', () => void refresh());
}

function showStale(age: number, lastSync: string): void {
  const notice = element('stale');
  const days = grouped(Math.floor(age / (24 * 3600_000)));
  notice.textContent = `This catalogue was last synchronised ${days} days ago (${lastSync.slice(0, 10)}). Events may have moved since.`;
  notice.hidden = false;
}

function showSynced({
  catalogue: { last_sync: lastSync },
}: {
  readonly catalogue: { readonly last_sync: string };
}): void {
  element('synced').textContent = `Last synchronised on ${readersDay(Date.parse(lastSync))}.`;
}

function genreName(id: string): string {
  return catalogue.genres.find((genre) => genre.id === id)?.name ?? id;
}

function categoryName(id: string): string {
  return catalogue.categories.find((category) => category.id === id)?.name ?? id;
}

void start();
