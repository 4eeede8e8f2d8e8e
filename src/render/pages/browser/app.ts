import { html } from '../html.ts';
import { now, today, zone } from './clock.ts';
import { all, create, find, write } from './dom.ts';
import { addActions, copy, showFollowed, showFollowing, startFollowing } from './following.ts';
import { startKeys } from './keys.ts';
import { arrange, countDownToNext, countRows, rowsIn, showTimeThere, update, type Row } from './list.ts';
import { showMoved } from './moved.ts';
import { kind, speech, translate } from './page.ts';
import { startSearch } from './search.ts';
import { startSettings } from './settings.ts';
import { stayRight } from './staying.ts';
import { countChips, showGrids, startViews } from './views.ts';

/*
 * The script of the pages for people. What it shows is in the page already; it adds the reader's own days, countdowns,
 * search, and what the reader follows.
 */

document.documentElement.classList.add('js');
translate();
startSettings(tick);
startSearch();
startKeys();
startFollowing();

const list = find('list');
let rows: readonly Row[] = [];
let day = today();
let minute = 0;

if (list?.dataset['unit'] !== undefined) startList(list);
else if (list !== null) startViews(list, () => rows);
if (kind === 'following' && list !== null) void showFollowing(list);
for (const button of all('.share')) button.addEventListener('click', () => void share(button));

function startList(place: HTMLElement): void {
  rows = rowsIn(place);
  if (kind !== 'following') show(place);
  write(find('zone'), speech.text('inZone', { zone: zone.replaceAll('_', ' ') }));
  startViews(place, () => rows);
  place.addEventListener('pointerover', showTimeThere);
  place.addEventListener('focusin', showTimeThere);
  filterRail();
  setInterval(tick, 1000);
  if (location.hash !== '') find(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  const isWhole = (): boolean => kind !== 'following' && new URLSearchParams(location.search).get('day') === null;
  stayRight(
    (page) => {
      const fresh = page.getElementById('list');
      if (fresh === null || kind === 'following') return;
      rows = rowsIn(fresh).map((row) => ({ ...row, node: document.adoptNode(row.node) }));
      if (isWhole()) show(place);
    },
    () => isWhole() && show(place),
  );
}

function show(place: HTMLElement): void {
  rows.forEach(addActions);
  arrange(place, rows);
  showFollowed();
  // The grid of a month counts what its list shows. A list that leaves events out cannot say.
  if (place.dataset['month'] !== undefined && document.querySelector('[data-w=capped]') === null)
    showGrids(countRows(rowsIn(place)));
  countDownToNext(rows);
  // Without the feed, the page is as it was built.
  showMoved(place).catch(() => {});
}

/** Runs once a second. Rows change once a minute, and move only when the day changes. */
function tick(): void {
  if (list?.dataset['unit'] === undefined) return;
  countDownToNext(rows);
  const current = Math.floor(now() / 60_000);
  const hasBegun = rows.some(({ until, node }) => until <= now() && !node.classList.contains('begun'));
  if (current !== minute || hasBegun) update(list);
  minute = current;
  if (today() === day) return;
  day = today();
  countChips();
  arrange(list, rowsIn(list));
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
