import { html } from '../../render/html.ts';
import { categoryPage, genrePage, monthPage } from '../../render/links.ts';
import { dateAfter } from '../dates.ts';
import { reach } from '../reach.ts';
import { everything, nameOf, queryOf, rangeOf, readChoice, type Choice } from './choice.ts';
import { now, zoneName } from './clock.ts';
import { all, find, put, write } from './dom.ts';
import { Feed, forgetPages, months, readPage, rowsOfList, rowsOfMonths } from './feed.ts';
import { addActions, copy, showFollowed } from './following.ts';
import { arrange, byTime, countDownToNext, countEvents, rowsIn, unitOf, update, type Row } from './list.ts';
import { kind, locale, notify, site, speech } from './page.ts';
import { colourOf, nameOfScope, showRail } from './rail.ts';
import { saveCalendar } from './save-calendar.ts';
import { dayCounts, forgetStarts, startsIn } from './starts.ts';
import { showHeatMap, startHeatMap, type DayCounts } from './views.ts';

/*
 * The list of the home page. What and when the reader chose is its address; everything else on the page follows from
 * the choice.
 */

/** The list has at least so many events or days before other pages are read. */
const enough = { events: 40, days: 3 };
/** The number of events of a chosen category or of chosen days before "Show more", and of each step. */
const step = { scope: 100, days: 500 };

const list = find('list') as HTMLElement;
const heat = find('heat');
const wholeTitle = document.title;
const heading = document.querySelector('h1');
const wholeHeading = heading?.cloneNode(true) as HTMLElement | undefined;

/** The rows of the page itself, which are all until a day (`data-until`), or all that there are if it is empty. */
let own: readonly Row[] = [];
let choice = everything;
let feed = feedOf(everything);
let limit = 0;
let shown: readonly Row[] = [];

/** Shows the list of the home page, and makes the categories, days and buttons of the page change it. */
export function startHome(): void {
  own = rowsIn(list);
  for (const chip of all('.chips a')) {
    onPlainClick(chip, () => {
      const { when = '' } = chip.dataset;
      choose({ ...choice, when: when === choice.when ? '' : when });
    });
  }
  document.querySelector('.rail')?.addEventListener('click', chooseScope);
  const picker = find('day') as HTMLInputElement | null;
  picker?.addEventListener('change', () => choose({ ...choice, when: picker.value }));
  picker?.addEventListener('click', () => picker.showPicker());
  if (heat !== null) startHeatMap(heat, (day) => choose({ ...choice, when: day === choice.when ? '' : day }));
  find('choice')?.addEventListener('click', ({ target }) => act(target));
  find('reach')?.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('#more') !== null) showMore();
  });
  addEventListener('popstate', () => void open(inAddress()));
  void open(inAddress());
}

/** Counts down, marks what has begun, and at midnight shows the days of the new date. */
export function tickHome(isNewMinute: boolean, isNewDay: boolean): void {
  countDownToNext(rowsForCard());
  if (isNewDay) void open(choice, limit);
  else if (isNewMinute) update(list);
}

/** Takes the list of a newer version of the page. */
export function replaceHome(page: Document): void {
  const fresh = page.getElementById('list');
  if (fresh === null) return;
  own = rowsIn(fresh).map((row) => ({ ...row, node: document.adoptNode(row.node) }));
  list.dataset['until'] = fresh.dataset['until'] ?? '';
  for (const old of all('.rest', list)) old.remove();
  for (const rest of all('.rest', fresh)) list.append(document.adoptNode(rest));
  const starts = page.getElementById('heat')?.dataset['starts'];
  if (heat !== null && starts !== undefined) heat.dataset['starts'] = starts;
  const total = page.getElementById('reach')?.dataset['total'];
  const place = find('reach');
  if (place !== null && total !== undefined) place.dataset['total'] = total;
  forgetPages();
  forgetStarts();
  void open(choice, limit);
}

/** Arranges the rows again, for example because the clock of the reader was wrong. */
export function refreshHome(): void {
  void open(choice, limit);
}

function inAddress(): Choice {
  const { scope, when } = readChoice(location.search);
  return { scope, when: when === '' && kind === 'today' ? 'today' : when };
}

function choose(next: Choice): void {
  if (queryOf(next) === queryOf(choice)) return;
  // On other pages that show this list, such as today/, the choice leads home.
  if (kind !== '') return location.assign(new URL(queryOf(next), site));
  history.pushState(null, '', queryOf(next) || location.pathname);
  void open(next);
}

/** A click with a key, such as for a new tab, follows the link. */
function onPlainClick(link: HTMLElement, run: () => void): void {
  link.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    run();
  });
}

function chooseScope(event: MouseEvent | Event): void {
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('.rail a') : null;
  if (link === null || !(event instanceof MouseEvent) || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const [, category = ''] = /category\/([^/]+)\/$/.exec(link.href) ?? [];
  const scope = link.dataset['in'] ?? category;
  if (scope === '' && link.closest('.all') === null) return;
  event.preventDefault();
  choose({ ...choice, scope: scope === choice.scope ? '' : scope });
}

function act(target: EventTarget | null): void {
  const button = target instanceof Element ? target.closest<HTMLElement>('[data-do]') : null;
  const action = button?.dataset['do'];
  if (button === null || action === undefined) return;
  if (action === 'copy') void copy(button, location.href);
  else if (action === 'save') saveCalendar(shown.map(({ node }) => node));
  else choose(everything);
}

/** Shows a choice. `least` is the number of events that the list already has. */
async function open(next: Choice, least = 0): Promise<void> {
  choice = next;
  limit = Math.max(least, next.when !== '' ? step.days : next.scope !== '' ? step.scope : 0);
  feed = feedOf(next);
  markChoice();
  await Promise.all([fill(), showCounts(next)]);
}

function showMore(): void {
  limit = countEvents(shown) + (choice.when === '' ? step.scope : step.days);
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
  if (choice.when !== '') return false;
  const coming = rows.filter(({ until }) => until > now());
  const events = countEvents(coming);
  if (limit > 0) return events >= limit;
  return events >= enough.events && new Set(coming.map(({ day }) => day)).size > enough.days;
}

function feedOf({ scope, when }: Choice): Feed {
  const range = rangeOf(when);
  const isInScope = (row: Row): boolean => scope === '' || `${row.scope}/`.startsWith(`${scope}/`);
  if (range === null) return new Feed(() => soonest(scope), isInScope);
  const { from, until } = range;
  // A day has what begins on it. The rail counts all categories.
  return new Feed(
    () => rowsOfRange(from, until),
    ({ day, isUnderWay }) => day >= from && day <= until && !isUnderWay,
  );
}

async function* rowsOfRange(from: string, until: string): AsyncGenerator<readonly Row[]> {
  const end = list.dataset['until'] ?? '';
  if (end === '' || dateAfter(until) < end) yield own;
  else yield* rowsOfMonths(from, until);
}

/** The soonest events of a category or genre, or of everything. */
async function* soonest(scope: string): AsyncGenerator<readonly Row[]> {
  const [category = '', genre] = scope.split('/');
  if (genre !== undefined) {
    yield* rowsOfList(genrePage(genre));
    return;
  }
  const { rows } = scope === '' ? { rows: own } : await readPage(categoryPage(category));
  yield rows;
  const end = scope === '' ? (list.dataset['until'] ?? '') : (rows.toSorted(byTime).at(-1)?.day ?? '');
  if (end !== '') yield* rowsOfMonths(end);
}

function show(): void {
  const { scope, when } = choice;
  const rows = feed.rows.filter((row) => scope === '' || `${row.scope}/`.startsWith(`${scope}/`));
  shown = when === '' ? rows : firstOf(rows.toSorted(byTime), limit);
  shown.forEach(addActions);
  const isRange = when !== '';
  const unit = scope === '' || isRange ? 'day' : unitOf(shown);
  arrange(list, shown, { unit, hasBegun: isRange, ...(isRange && { empty: speech.text('nothingThen') }) });
  showFollowed();
  countDownToNext(rowsForCard());
  showZone();
  const total = isRange ? countEvents(rows) : totalOf(scope);
  showRail(choice, isRange ? feed.rows : null);
  describe(total);
  showReach(total);
}

function firstOf(rows: readonly Row[], most: number): readonly Row[] {
  let left = most;
  return rows.filter(({ count }) => (left -= count) > -count);
}

/** The number of all events of a category or genre, or of everything. */
function totalOf(scope: string): number {
  if (scope === '') return Number(find('reach')?.dataset['total'] ?? 0);
  return startsIn(scope).reduce((sum, { total }) => sum + total, 0);
}

/** The card shows the next event of the category, whatever the days. */
function rowsForCard(): readonly Row[] {
  const { scope, when } = choice;
  if (scope === '') return own;
  return when === '' ? shown : [...shown, ...own.filter((row) => `${row.scope}/`.startsWith(`${scope}/`))];
}

function showZone(): void {
  const hasTimes = shown.some(({ at }) => at !== null);
  write(find('zone'), hasTimes ? speech.text('inZone', { zone: zoneName }) : '');
}

function markChoice(): void {
  const isChosen = queryOf(choice) !== '';
  for (const rest of all('.rest')) rest.hidden = isChosen;
  for (const chip of all('.chips a')) chip.ariaCurrent = chip.dataset['when'] === choice.when ? 'true' : null;
  document.documentElement.classList.toggle('chosen', isChosen);
  const card = document.querySelector('#next h2');
  const name = nameOfScope(choice.scope);
  write(card, name === '' ? speech.text('next') : speech.text('nextIn', { name }));
}

/** Names the choice in the heading, in the title and for screen readers. */
function describe(total: number): void {
  if (heading === null || wholeHeading === undefined) return;
  const name = nameOf(choice, nameOfScope(choice.scope));
  if (name === '') heading.replaceChildren(...(wholeHeading.cloneNode(true) as HTMLElement).childNodes);
  else put(heading, html`<bdi>${name}</bdi> <span class="count">${locale.number(total)}</span>`);
  const service = document.querySelector('.name bdi')?.textContent ?? '';
  document.title = name === '' ? wholeTitle : `${name} · ${locale.number(total)} – ${service}`;
  write(find('status'), name === '' ? '' : `${name} · ${locale.number(total)}`);
}

/** Shows how far the list reaches, and what follows. */
function showReach(total: number): void {
  const place = find('reach');
  if (place === null) return;
  const { scope, when } = choice;
  const coming = shown.filter(({ until }) => when !== '' || until > now());
  const last = coming.reduce((latest, { day }) => (day > latest ? day : latest), '');
  const addressOf = (month: string): string =>
    scope === '' ? new URL(monthPage(month), site).href : new URL(queryOf({ scope, when: month }), site).href;
  const content = { shown: countEvents(coming), total, last, months, addressOf, root: site.href };
  put(place, reach({ locale, ...speech }, content));
}

/** Shows the heat map and the numbers of the chips for the category or genre. */
async function showCounts(current: Choice): Promise<void> {
  if (heat === null) return;
  const counts = await dayCounts(current.scope, heat.dataset['starts'] ?? '').catch(() => null);
  if (current !== choice) return;
  heat.className = `heatmap script ${colourOf(current.scope)}`;
  showHeatMap(heat, counts ?? new Map(), rangeOf(current.when));
  for (const chip of all('.chips a')) write(chip.querySelector('.count'), countOf(chip, counts));
  // The names of genres and their totals are known now.
  if (current.scope !== '') {
    markChoice();
    if (list.ariaBusy === null) show();
  }
}

function countOf({ dataset: { when = '' } }: HTMLElement, counts: DayCounts | null): string {
  const range = rangeOf(when);
  if (range === null || counts === null) return '';
  let sum = 0;
  for (const [day, count] of counts) if (day >= range.from && day <= range.until) sum += count;
  return locale.number(sum);
}
