import { calendarPath } from '../../api/formats.ts';
import { subjectFile } from '../../api/paths.ts';
import { html, type Markup } from '../../render/html.ts';
import { categoryPage, eventPage, genrePage, subjectPage } from '../../render/links.ts';
import { nameOf } from '../rows.ts';
import { googleAddress, webcalAddress } from '../subscribe.ts';
import { showZone } from './choice-texts.ts';
import { create, find, put, write } from './dom.ts';
import { forgetPages, readPage } from './feed.ts';
import { addActions, copy, showFollowed, starButton } from './following.ts';
import { arrange, byTime, countDownToNext, unitOf, withoutRepeated, type Row } from './list.ts';
import { follow, followed, type Names } from './memory.ts';
import { locale, notify, site, speech } from './page.ts';
import { saveCalendar } from './save-calendar.ts';
import { showSince } from './since.ts';

/*
 * The page of what the reader follows. A link to it that has a list shows that list instead, which its reader can then
 * follow.
 */

const here = site.pathname;

let rows: readonly Row[] = [];

/** Shows what the reader follows, or the list of the address, and makes the buttons work. */
export function startYours(list: HTMLElement): void {
  onClick('adopt', () => {
    follow(here, { ...followed(here), ...listInAddress() });
    history.replaceState(null, '', location.pathname);
    void showYours(list);
  });
  onClick('export', () =>
    saveCalendar(
      rows.map(({ node }) => node),
      Object.values(shownNames()).join(', '),
    ),
  );
  onClick('link', (button) => {
    const address = new URL(`#${new URLSearchParams(shownNames()).toString()}`, location.href);
    void copy(button, address.href);
  });
  addEventListener('hashchange', () => void showYours(list));
  void showYours(list);
}

/** Returns the rows of the page. */
export function rowsOfYours(): readonly Row[] {
  return rows;
}

function onClick(id: string, run: (button: HTMLElement) => void): void {
  const button = find(id);
  button?.addEventListener('click', () => run(button));
}

function shownNames(): Names {
  const offered = listInAddress();
  return Object.keys(offered).length === 0 ? followed(here) : offered;
}

async function showYours(list: HTMLElement): Promise<void> {
  const names = shownNames();
  const keys = Object.keys(names);
  const isShared = Object.keys(listInAddress()).length > 0;
  write(document.querySelector('main h1'), speech.text(isShared ? 'sharedList' : 'following'));
  showIf('adopt', isShared && !keys.every((key) => key in followed(here)));
  showIf('link', keys.length > 0 && !isShared);
  showNames(names, isShared);
  showFollowed();
  if (keys.length > 0) await Promise.all([showRows(list, names), isShared ? null : showSince(names)]);
  showIf('subscriptions', keys.length > 0);
  document.documentElement.classList.add('shown');
}

function showIf(id: string, isShown: boolean): void {
  const place = find(id);
  if (place !== null) place.hidden = !isShown;
}

function showNames(names: Names, isShared: boolean): void {
  const keys = Object.keys(names);
  const entries = keys.map(
    (key) =>
      html`<li>
        <a href="${pageOf(key)}"><bdi>${names[key] ?? ''}</bdi></a> ${!isShared && starButton(key, names[key] ?? '')}
      </li>`,
  );
  const calendars = keys.map((key) => {
    const address = new URL(calendarOf(key), site).href;
    return html`<li>
      <bdi>${names[key] ?? ''}</bdi>
      <span
        ><a href="${webcalAddress(address)}">${speech.text('calendar')}</a> ·
        <a href="${googleAddress(address)}" rel="noreferrer">Google</a></span
      >
    </li>`;
  });
  for (const [id, content] of [
    ['names', entries],
    ['calendars', calendars],
  ] as const) {
    const place = find(id);
    if (place !== null) put(place, html`${content}`);
  }
}

async function showRows(list: HTMLElement, names: Names): Promise<void> {
  list.ariaBusy = 'true';
  const settled = await Promise.allSettled(Object.keys(names).map(async (key) => rowsOf(key, names[key] ?? '')));
  const found = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  rows = withoutRepeated(found.flatMap(({ rows: own }) => own));
  rows.forEach(addActions);
  arrange(list, rows, { unit: unitOf(rows) });
  showFollowed();
  countDownToNext(rows);
  showZone(rows);
  const rest = find('rest');
  if (rest !== null) put(rest, html`${found.map((one) => restOf(one, names))}`);
  const isWhole = settled.length === found.length;
  notify('rows', isWhole ? null : speech.text('failed'), {
    label: speech.text('again'),
    run: () => void showRows(list, names),
  });
  list.ariaBusy = null;
}

/** What is listed of something that the reader follows. */
interface Found {
  readonly key: string;
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

/** Links to the page that has the events after those that are listed. */
function restOf({ key, rows: listed, hasMore }: Found, names: Names): Markup | null {
  const last = listed.toSorted(byTime).at(-1);
  if (!hasMore || last === undefined) return null;
  const link = html`<a href="${pageOf(key)}"><bdi>${names[key] ?? ''}</bdi></a>`;
  return html`<p>${speech.text('onwards', { date: locale.fullDate(last.day) })} ${link}</p>`;
}

/** Reads the rows of what is followed. The page of a subject leaves out its name, that of a genre the genre. */
async function rowsOf(key: string, name: string): Promise<Found> {
  // A subject may have disappeared with its last event.
  const { rows: found, hasMore } = await readPage(new URL(pageOf(key)).pathname);
  if (key.startsWith('s/')) nameSubject(found, key, name);
  if (key.startsWith('g/')) {
    for (const { node } of found)
      if (node.querySelector('.g') === null)
        node.querySelector(':scope > .in')?.before(create(html`<span class="g"><bdi>${name}</bdi></span>`));
  }
  return { key, rows: found, hasMore };
}

function nameSubject(found: readonly Row[], key: string, name: string): void {
  const [, genre = '', id = ''] = key.split('/');
  for (const { node } of found) {
    const link = node.querySelector('.t');
    if (link === null || link.querySelector('b') !== null) continue;
    const title = link.textContent?.trim() ?? '';
    const event = `${genre}/${id}/${node.id.split('/').at(-1) ?? ''}`;
    node.id = `${id}/${node.id}`;
    const place = node.querySelector(':scope > .where bdi')?.textContent ?? '';
    for (const below of node.querySelectorAll(':scope > :is(.facts, .where)')) below.remove();
    link.replaceWith(
      create(
        html`<a class="t" dir="auto" href="${new URL(eventPage(event), site).href}"
          >${nameOf({ title, subject: { name } })}</a
        >`,
      ),
      ...(place === '' ? [] : [create(html`<span class="p" dir="auto">${place}</span>`)]),
    );
  }
}

/** Reads the page again, because the site may have changed. */
export function refreshYours(list: HTMLElement): void {
  forgetPages();
  void showYours(list);
}

/** Returns the list in the address: only keys that can be those of a page. */
function listInAddress(): Names {
  const given = [...new URLSearchParams(location.hash.slice(1))];
  return Object.fromEntries(
    given.filter(([key]) => /^(c\/[a-z0-9-]+|g\/[a-z0-9-]+|s\/[a-z0-9-]+\/[a-z0-9-]+)$/.test(key)),
  );
}

function pageOf(key: string): string {
  const [kind, one = '', other = ''] = key.split('/');
  const path = kind === 'c' ? categoryPage(one) : kind === 'g' ? genrePage(one) : subjectPage(one, other);
  return new URL(path, site).href;
}

function calendarOf(key: string): string {
  const [kind, one = '', other = ''] = key.split('/');
  if (kind === 's') return subjectFile(one, other, 'ics');
  return calendarPath(kind === 'c' ? { category: one } : { genre: one });
}
