import { lazy } from '../../catalogue/lazy.ts';
import type { WholeDate } from '../date-element.ts';
import { startZone, today } from './clock.ts';
import { all, find, write } from './dom.ts';
import { showUnseen, startFollowing } from './following.ts';
import { showHome, startHome } from './home.ts';
import { arrange, update } from './list.ts';
import { rowsIn, spareRows, type Row } from './row.ts';
import { openDay, rowsOfMonth, showMonth } from './month.ts';
import { kind, locale, notify, speech } from './page.ts';
import { stayRight } from './staying.ts';
import { countChips, startStrip } from './strip.ts';
import { showChosen, showSubject, tickSubject } from './subject.ts';
import { showYear } from './year.ts';
import { startYours } from './yours.ts';

/*
 * The script of the pages for people. The page already has the content; the script adds the
 * reader's own days, countdowns, search, and what the reader follows.
 */

writeDates();
startZone();
startField();
startKeys();
startFollowing();
// A site may have no log of changes, and the page is complete without it.
showUnseen().catch(() => {});

const list = find('list');
const unit = list?.dataset['unit'];
let rows: readonly Row[] = [];
let day = today();
let minute = 0;

if (list !== null && unit !== undefined) startList(list);
if (list !== null && kind === 'year') showYear(list);

/** Writes dates that stand alone as in the reader's variety of the language. */
function writeDates(): void {
  for (const time of all('time[data-as]')) {
    const format = time.dataset['as'] as WholeDate;
    write(time, locale[format]((time as HTMLTimeElement).dateTime));
  }
}

function startList(place: HTMLElement): void {
  startStrip();
  if (kind === 'home') startHome();
  else if (kind === 'following') startYours(place);
  else {
    rows = kind === 'month' ? rowsOfMonth(document) : rowsIn(place);
    show(place);
  }
  if (kind === 'month') addEventListener('hashchange', openDay);
  if (unit === 'date') addEventListener('hashchange', showChosen);
  setInterval(() => tick(place), 1000);
  if (location.hash !== '' && unit !== 'date')
    find(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  stayRight();
}

function show(place: HTMLElement): void {
  if (kind === 'home') void showHome();
  else if (unit === 'date') showSubject();
  else if (kind === 'month') showMonth(place, rows);
  else {
    arrange(place, rows);
    const isPart = document.querySelector('.note[data-more], .pager [rel=next]') !== null;
    countChips([...rows, ...spareRows(document)], isPart ? (rows.at(-1)?.day ?? '') : '');
  }
}

/** Runs once a second. Rows change once a minute, and move only when the day changes. */
function tick(place: HTMLElement): void {
  const current = Math.floor(Date.now() / 60_000);
  const [isNewMinute, isNewDay] = [current !== minute, today() !== day];
  [minute, day] = [current, today()];
  if (isNewDay && kind !== 'following') show(place);
  else if (isNewMinute && unit === 'date') tickSubject();
  else if (isNewMinute) update(place);
}

/**
 * Loads the search when its field gets the focus, or at once where the address has a query or leads
 * nowhere.
 */
function startField(): void {
  const input = find('q') as HTMLInputElement | null;
  let isSubmitted = false;
  const load = lazy(async () => {
    const address = new URL('search.js', import.meta.url).href;
    try {
      const { startSearch } = (await import(address)) as typeof import('./search.ts');
      startSearch(isSubmitted);
    } catch {
      notify('search', speech.text('searchFailed'));
    }
  });
  input?.addEventListener('focus', () => void load());
  input?.form?.addEventListener('submit', (event) => {
    event.preventDefault();
    isSubmitted = true;
    void load();
  });
  const isAsked = kind === '' || new URLSearchParams(location.search).has('q');
  if (isAsked || document.activeElement === input) void load();
}

/** `/` goes to the search field, `j` and `k` to the next and the previous event. */
function startKeys(): void {
  document.addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if (
      ctrlKey ||
      metaKey ||
      altKey ||
      (target instanceof Element && target.closest('input, select, textarea'))
    )
      return;
    if (key === '/') find('q')?.focus();
    else if (key === 'j' || key === 'k') moveFocus(key === 'j' ? 1 : -1);
    else return;
    event.preventDefault();
  });
}

function moveFocus(step: 1 | -1): void {
  const stops = all('.e .t[href], .run > details > summary').filter(
    (stop) => stop.offsetParent !== null,
  );
  const row = document.activeElement?.closest('.e');
  const at = stops.findIndex(
    (stop) => stop === document.activeElement || (row !== null && stop.closest('.e') === row),
  );
  const start = step === 1 ? 0 : stops.length - 1;
  const next = stops[at === -1 ? start : at + step];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}
