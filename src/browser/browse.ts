import type { CategoryRecord, EventsDocument, GenreRecord } from '../api/documents.ts';
import { calendarPath } from '../api/paths.ts';
import { ClientError, createClient, isUpcoming } from '../client/index.ts';
import { subscription } from '../site/pages/subscription.ts';
import { dateAfter, grouped } from '../site/pages/dates.ts';
import { eventList, type ShownEvent } from '../site/pages/event-list.ts';
import { html } from '../site/pages/html.ts';
import { barTitle, isIn, isOpen, monthStrip, type MonthCounts } from '../site/pages/month-strip.ts';
import { addressOf, choiceIn, type Choice } from './choice.ts';
import { countdown, readersDay, readersZone, shownEvents } from './clock.ts';
import { Library, listsIn, type Gathered } from './documents.ts';
import { element, put } from './dom.ts';

/** What is on the page, and how far the reader has asked for more. */
interface View {
  readonly choice: Choice;
  /** Rows that are shown, and lists that may be fetched for them. */
  readonly rows: number;
  readonly lists: number;
  /** Whether all lists of the choice are wanted, though neither search nor month needs them. */
  readonly isWhole: boolean;
}

interface Catalogue {
  readonly categories: readonly CategoryRecord[];
  readonly genres: readonly GenreRecord[];
}

const rowsAtOnce = 200;
const listsAtOnce = 150;
const search = element('search', HTMLInputElement);
const genrePicker = element('genre', HTMLSelectElement);
const countdowns = element('countdowns', HTMLInputElement);
const heading = element('heading');
const summary = element('summary');
const list = element('list');
const months = element('months');
const more = element('more', HTMLButtonElement);
const progress = element('progress');
const firstMonths = countsIn(months);
const serviceTitle = document.title;

const site = new URL('../', import.meta.url);
const client = createClient({ baseUrl: site, onStale: showStale });
const library = new Library(client);
const isCalm = matchMedia('(prefers-reduced-motion: reduce)');

let catalogue: Catalogue = { categories: [], genres: [] };
let view = viewOf(choiceIn(location.search));
let working = new AbortController();

async function start(): Promise<void> {
  search.value = view.choice.search;
  listen();
  setInterval(tick, 1000);
  void client.index().then(showSynced, () => {});
  await refresh();
}

/** Shows what the view asks for; whatever was on its way for another one is dropped. */
async function refresh(): Promise<void> {
  working.abort();
  working = new AbortController();
  const { signal } = working;
  try {
    if (catalogue.categories.length === 0) catalogue = await fetchCatalogue(signal);
    showChoice();
    await showEvents(signal);
  } catch (error) {
    if (!signal.aborted) showFailure(error);
  }
}

async function fetchCatalogue(signal: AbortSignal): Promise<Catalogue> {
  const [{ categories }, { genres }] = await Promise.all([client.categories({ signal }), client.genres({ signal })]);
  return { categories, genres };
}

/** One list shows what comes first; search, a month beyond it and the wish to see all need the others. */
async function showEvents(signal: AbortSignal): Promise<void> {
  const { choice, isWhole, lists } = view;
  const first = await library.list(choice);
  signal.throwIfAborted();
  const isCapped = first.total > first.events.length;
  const so: Gathered = { events: first.events, capped: isCapped ? [first] : [], left: 0 };
  if (!isCapped || !(isWhole || choice.search || beyond(first, choice.month))) return show(so, first, false);
  let shown = performance.now();
  const all = await library.gather(
    listsIn(choice, catalogue.categories, catalogue.genres),
    lists,
    signal,
    (some, done, of) => {
      progress.textContent = `${done} of ${of} lists read`;
      if (performance.now() - shown < 400) return;
      shown = performance.now();
      show(some, first, true);
    },
  );
  show(all, first, true);
}

/** Whether a month reaches past the events of a capped list. */
function beyond({ events }: EventsDocument, month: string | null): boolean {
  const last = events.at(-1)?.date ?? '';
  return month !== null && (isOpen(month) || isIn(month, last) || last < month);
}

function show(gathered: Gathered, first: EventsDocument, isGathered: boolean): void {
  const { choice, rows } = view;
  const words = choice.search.toLowerCase().split(/\s+/);
  const upcoming = gathered.events.filter((event) => isUpcoming(event, Date.now()));
  const found = shownEvents(upcoming).filter((one) => words.every((word) => textOf(one).includes(word)));
  const matching = found.filter(({ day }) => choice.month === null || isIn(choice.month, day));
  showMonths(found, gathered, isGathered);
  put(
    list,
    matching.length === 0 ? html`<p class="empty">Nothing here is coming up.</p>` : rowsOf(matching.slice(0, rows)),
  );
  summary.textContent = summaryOf(matching.length, first, gathered, isGathered);
  showMore(matching.length, first, gathered, isGathered);
  progress.textContent = '';
  tick();
}

function rowsOf(shown: readonly ShownEvent[]): ReturnType<typeof eventList> {
  const today = readersDay(Date.now());
  const tomorrow = dateAfter(today);
  return eventList(shown, {
    genreName,
    genreLink: ({ category, genre }) => addressOf({ ...view.choice, category, genre, month: null, search: '' }),
    dayNote: (day) => (day === today ? 'Today' : day === tomorrow ? 'Tomorrow' : null),
  });
}

function textOf({ event }: ShownEvent): string {
  const { title, subject, genre, category } = event;
  return `${title} ${subject.name} ${genreName(genre)} ${categoryName(category)}`.toLowerCase();
}

/** How many there are, and what a capped list leaves out. */
function summaryOf(count: number, first: EventsDocument, { capped, left }: Gathered, isGathered: boolean): string {
  const { search: wanted, month } = view.choice;
  const events = count === 1 ? 'event' : 'events';
  const what = wanted ? `${events} with “${wanted}”` : `upcoming ${events}`;
  const isFirst = !isGathered && capped.length > 0 && !wanted && month === null;
  const said = isFirst
    ? `First ${grouped(count)} of ${grouped(first.total)} upcoming events.`
    : `${grouped(count)} ${what}${month === null ? '' : `, ${barTitle(month)}`}.`;
  return [said, ...(isGathered ? limitsOf(capped, left) : []), `Clock times are in your zone, ${readersZone}.`].join(
    ' ',
  );
}

function limitsOf(capped: readonly EventsDocument[], left: number): string[] {
  const lists = capped.map(({ filters, events, total }) => {
    const name = filters.genre === null ? 'all' : genreName(filters.genre);
    return `${name}: first ${grouped(events.length)} of ${grouped(total)}`;
  });
  const named = lists.length > 3 ? [...lists.slice(0, 3), `and ${lists.length - 3} more`] : lists;
  return [
    ...(named.length > 0 ? [`Some lists are capped (${named.join('; ')}).`] : []),
    ...(left > 0 ? [`${grouped(left)} lists were not read yet.`] : []),
  ];
}

function showMore(count: number, first: EventsDocument, { capped, left }: Gathered, isGathered: boolean): void {
  const { rows, choice } = view;
  const rest = first.total - first.events.length;
  const canWiden = !isGathered && capped.length > 0 && choice.genre === null && choice.month === null;
  const label =
    count > rows
      ? `Show ${grouped(Math.min(rowsAtOnce, count - rows))} more`
      : left > 0
        ? `Read ${grouped(Math.min(listsAtOnce, left))} more lists`
        : canWiden && `Show the other ${grouped(rest)} events`;
  more.hidden = label === false;
  more.textContent = label || '';
  more.dataset['wants'] = count > rows ? 'rows' : 'lists';
}

/** Without a filter the strip counts the whole catalogue, as the build did; else it counts what was read. */
function showMonths(found: readonly ShownEvent[], { capped }: Gathered, isGathered: boolean): void {
  const { category, genre, search: wanted, month: chosen } = view.choice;
  const isPart = !isGathered && capped.length > 0;
  const isAll = category === null && genre === null && wanted === '';
  const counts = isPart && isAll ? firstMonths : monthCounts(found);
  const focused = months.querySelector<HTMLElement>(':focus')?.dataset['month'];
  const strip = monthStrip(counts, chosen, (month) => addressOf({ ...view.choice, month }));
  const caption = html`<p class="caption">Of the first ${grouped(found.length)}, which were read.</p>`;
  put(months, html`${strip}${isPart && !isAll && caption}`);
  if (focused !== undefined) months.querySelector<HTMLElement>(`[data-month="${focused}"]`)?.focus();
}

function monthCounts(shown: readonly ShownEvent[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { day } of shown) counts.set(day.slice(0, 7), (counts.get(day.slice(0, 7)) ?? 0) + 1);
  return counts;
}

/** The counts of a strip that is on the page. */
function countsIn(strip: HTMLElement): MonthCounts {
  const bars = [...strip.querySelectorAll<HTMLElement>('[data-month]')];
  return new Map(bars.map(({ dataset }) => [dataset['month'] ?? '', Number(dataset['count'])]));
}

/** Brings heading, filters and links into line with the choice. */
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
  showGenres(choice);
  put(element('subscribe'), subscription(site.href, calendarPath(choice)));
}

function showGenres({ category, genre }: Choice): void {
  const groups = catalogue.categories.filter(({ id }) => category === null || id === category);
  const options = (of: string) =>
    catalogue.genres
      .filter((one) => one.category === of)
      .map(({ id, name, upcoming }) => html`<option value="${id}">${name} (${grouped(upcoming)})</option>`);
  put(
    genrePicker,
    html`<option value="">All genres</option>
      ${groups.map(({ id, name }) =>
        category === null ? html`<optgroup label="${name}">${options(id)}</optgroup>` : options(id),
      )}`,
  );
  genrePicker.value = genre ?? '';
}

function listen(): void {
  search.form?.addEventListener('submit', (event) => event.preventDefault());
  search.addEventListener('input', () => choose({ ...view.choice, search: search.value.trim() }));
  genrePicker.addEventListener('change', () => {
    const genre = catalogue.genres.find(({ id }) => id === genrePicker.value);
    choose({
      ...view.choice,
      genre: genre?.id ?? null,
      category: genre?.category ?? view.choice.category,
      month: null,
    });
  });
  countdowns.addEventListener('change', tick);
  more.addEventListener('click', () => void showOneMore());
  addEventListener('popstate', () => {
    view = viewOf(choiceIn(location.search));
    void refresh();
  });
  document.addEventListener('click', followLink);
}

/** Links of this page to itself change the choice without a new page. */
function followLink(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const { origin, pathname, search: query, hash } = new URL(link.href);
  if (origin !== location.origin || pathname !== location.pathname || hash !== '' || link.hash !== '') return;
  event.preventDefault();
  const wasInList = list.contains(link);
  choose(choiceIn(query));
  // The row that was followed is about to go; what comes in its place begins at the heading.
  if (wasInList) heading.focus();
}

/** A new entry of the history for each choice, but only one for a search however long its typing takes. */
function choose(choice: Choice): void {
  const address = addressOf(choice);
  if (address === addressOf(view.choice)) return;
  const isTyping = choice.search !== view.choice.search && choice.search !== '' && view.choice.search !== '';
  history[isTyping ? 'replaceState' : 'pushState'](null, '', address);
  view = viewOf(choice);
  void refresh();
}

function viewOf(choice: Choice): View {
  return { choice, rows: rowsAtOnce, lists: listsAtOnce, isWhole: false };
}

/** Shows more of the same, and leaves the focus on the first event that is new. */
async function showOneMore(): Promise<void> {
  const before = list.querySelectorAll('.event').length;
  const wantsLists = more.dataset['wants'] === 'lists';
  const lists = view.lists + (wantsLists && view.isWhole ? listsAtOnce : 0);
  view = { ...view, rows: view.rows + rowsAtOnce, lists, isWhole: view.isWhole || wantsLists };
  await refresh();
  const row = list.querySelectorAll<HTMLElement>('.event')[before];
  row?.setAttribute('tabindex', '-1');
  row?.focus({ preventScroll: true });
}

/** Once a second: countdowns go on, and events that began go away. */
function tick(): void {
  const now = Date.now();
  for (const place of list.querySelectorAll<HTMLElement>('.countdown')) {
    const left = Date.parse(place.dataset['at'] ?? '') - now;
    const text = countdowns.checked ? countdown(left, !isCalm.matches) : '';
    if (place.textContent !== text) place.textContent = text;
  }
  for (const row of list.querySelectorAll<HTMLElement>('[data-until]')) {
    if (Date.parse(row.dataset['until'] ?? '') <= now) remove(row);
  }
}

function remove(row: HTMLElement): void {
  if (row.contains(document.activeElement)) heading.focus();
  const [day, month] = [row.closest('.day'), row.closest('.month')];
  row.remove();
  if (day?.querySelector('.event') === null) day.remove();
  if (month?.querySelector('.event') === null) month.remove();
}

function showFailure(error: unknown): void {
  const isUnknown = error instanceof ClientError && error.code === 'not-found';
  summary.textContent = isUnknown
    ? 'There is no such category or genre in this catalogue.'
    : 'The list could not be read just now.';
  more.hidden = true;
  progress.textContent = '';
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
