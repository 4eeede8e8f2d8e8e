import { html } from '../../render/html.ts';
import { now, today, zoneName } from './clock.ts';
import { all, create, find, write } from './dom.ts';
import { addActions, copy, showFollowed, startFollowing } from './following.ts';
import { refreshHome, replaceHome, startHome, tickHome } from './home.ts';
import { arrange, countDownToNext, isOutdated, rowsIn, showTimeThere, update, type Row } from './list.ts';
import { monthRows } from './month.ts';
import { kind, site, speech } from './page.ts';
import { startSearch } from './search.ts';
import { showUnseen } from './since.ts';
import { startSettings } from './settings.ts';
import { dayCounts } from './starts.ts';
import { stayRight } from './staying.ts';
import { showGrids, showHeatMap, startHeatMap } from './views.ts';
import { refreshYours, rowsOfYours, startYours } from './yours.ts';

/*
 * The script of the pages for people. The page already has the content; the script adds the reader's own days,
 * countdowns, search, and what the reader follows.
 */

document.documentElement.classList.add('js');
startSettings(() => tick(true));
startSearch();
startKeys();
startFollowing();
// A site may have no log of changes, and the page is complete without it.
showUnseen().catch(() => {});

const list = find('list');
const isHome = document.querySelector('#choice') !== null;
let rows: readonly Row[] = [];
let day = today();
let minute = 0;

if (list?.dataset['unit'] !== undefined) startList(list);
else if (list !== null) void startYear();
for (const button of all('.share')) button.addEventListener('click', () => void share(button));
followContents();

function startList(place: HTMLElement): void {
  if (isHome) startHome();
  else if (kind === 'following') startYours(place);
  else {
    rows = rowsIn(place);
    show(place);
    void completeMonth(place);
    write(find('zone'), rows.some(({ at }) => at !== null) ? speech.text('inZone', { zone: zoneName }) : '');
  }
  place.addEventListener('pointerover', showTimeThere);
  place.addEventListener('focusin', showTimeThere);
  filterRail();
  setInterval(() => tick(), 1000);
  if (location.hash !== '') find(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  stayRight(
    (page) => takeNewer(place, page),
    () => {
      if (isHome) refreshHome();
      else if (kind === 'following') refreshYours(place);
      else show(place);
    },
  );
}

function takeNewer(place: HTMLElement, page: Document): void {
  const fresh = page.getElementById('list');
  if (isHome) replaceHome(page);
  else if (kind === 'following') refreshYours(place);
  else if (fresh !== null) {
    rows = rowsIn(fresh).map((row) => ({ ...row, node: document.adoptNode(row.node) }));
    for (const old of all('.rest', place)) old.remove();
    for (const rest of all('.rest', fresh)) place.append(document.adoptNode(rest));
    show(place);
    void completeMonth(place);
  }
}

/** Adds to the page of a month what other pages have of its days. Without these, it stays as it is. */
async function completeMonth(place: HTMLElement): Promise<void> {
  if (place.dataset['month'] === undefined) return;
  const complete = await monthRows(place, rows).catch(() => null);
  if (complete === null) return;
  rows = complete;
  show(place);
}

function show(place: HTMLElement): void {
  rows.forEach(addActions);
  arrange(place, rows);
  showFollowed();
  countDownToNext(rows);
}

/** The year counts the days of the reader. A day opens on the home page. */
async function startYear(): Promise<void> {
  const heat = find('heat');
  if (heat === null) return;
  const counts = await dayCounts('', heat.dataset['starts'] ?? '');
  startHeatMap(heat, (date) => location.assign(new URL(`?on=${date}`, site)));
  showHeatMap(heat, counts, null);
  showGrids(counts, heat.dataset);
}

/** Runs once a second. Rows change once a minute, and move only when the day changes. */
function tick(isChanged = false): void {
  if (list?.dataset['unit'] === undefined) return;
  const current = Math.floor(now() / 60_000);
  const [isNewMinute, isNewDay] = [isChanged || current !== minute || isOutdated(), today() !== day];
  [minute, day] = [current, today()];
  if (isHome) return tickHome(isNewMinute, isNewDay);
  countDownToNext(kind === 'following' ? rowsOfYours() : rows);
  if (isNewDay && kind !== 'following') arrange(list, rows);
  else if (isNewMinute) update(list);
}

/** Filters a long list of categories. */
function filterRail(): void {
  const rail = document.querySelector<HTMLElement>('.rail[data-many]');
  if (rail === null) return;
  const label = speech.text('filterCategories');
  const field = create(html`<input type="search" aria-label="${label}" placeholder="${label}" />`) as HTMLInputElement;
  field.addEventListener('input', () => {
    const typed = field.value.toLowerCase();
    for (const item of all(':scope > ul > li:not(.all)', rail))
      item.hidden = !(item.textContent ?? '').toLowerCase().includes(typed);
  });
  rail.prepend(field);
}

async function share(button: HTMLElement): Promise<void> {
  const { href: url } = location;
  if ('share' in navigator) await navigator.share({ title: document.title, url }).catch(() => {});
  else await copy(button, url);
}

/** `/` goes to the search field, `j` and `k` to the next and the previous event. */
function startKeys(): void {
  document.addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey || (target instanceof Element && target.closest('input, select, textarea')))
      return;
    if (key === '/') find('q')?.focus();
    else if (key === 'j' || key === 'k') moveFocus(key === 'j' ? 1 : -1);
    else return;
    event.preventDefault();
  });
}

function moveFocus(step: 1 | -1): void {
  const stops = all('.e > .t[href], .run > details > summary, .hit h2 > a:first-child').filter(
    (one) => one.offsetParent !== null,
  );
  const row = document.activeElement?.closest('.e');
  const at = stops.findIndex((one) => one === document.activeElement || (row !== null && one.closest('.e') === row));
  const next = stops[at === -1 ? (step === 1 ? 0 : stops.length - 1) : at + step];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

/** Marks the entry of the contents of the reference whose part is at the top of the window. */
function followContents(): void {
  const contents = document.querySelector('.contents');
  if (contents === null) return;
  const links = new Map(all('a[href]', contents).map((link) => [(link as HTMLAnchorElement).hash.slice(1), link]));
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target } of entries.filter(({ isIntersecting }) => isIntersecting)) {
        for (const [id, link] of links) link.ariaCurrent = id === target.id ? 'true' : null;
        // Not scrollIntoView, which would also scroll a window that is too narrow to keep the contents in view.
        contents.scrollTop = (links.get(target.id)?.offsetTop ?? 0) - contents.clientHeight / 2;
      }
    },
    { rootMargin: '0px 0px -75% 0px' },
  );
  for (const part of all('.operation, .reference h2')) if (links.has(part.id)) observer.observe(part);
}
