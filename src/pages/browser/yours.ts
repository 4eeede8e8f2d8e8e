import { calendarPath } from '../../api/formats.ts';
import { changesPath, subjectFile } from '../../api/paths.ts';
import type { ChangeRecord, ChangesDocument } from '../../api/documents.ts';
import { html, type Markup } from '../../render/html.ts';
import { categoryPage, eventPage, genrePage, subjectPage } from '../../render/links.ts';
import { nameOf } from '../rows.ts';
import { googleAddress, webcalAddress } from '../subscribe.ts';
import { dayOf, now, zoneName } from './clock.ts';
import { create, find, put, write } from './dom.ts';
import { forgetPages, readPage } from './feed.ts';
import { addActions, copy, showFollowed } from './following.ts';
import { arrange, countDownToNext, unitOf, withoutRepeated, type Row } from './list.ts';
import { follow, followed, lastVisit, visit } from './memory.ts';
import { locale, notify, site, speech } from './page.ts';
import { saveCalendar } from './save-calendar.ts';

/*
 * The page of what the reader follows. A link to it that has a list shows that list instead, which its reader can then
 * follow.
 */

const here = site.pathname;

/** Names by key, as they are followed. */
type Names = Readonly<Record<string, string>>;

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
  write(document.querySelector('h1'), speech.text(isShared ? 'sharedList' : 'following'));
  showIf('adopt', isShared && !keys.every((key) => key in followed(here)));
  showIf('link', keys.length > 0 && !isShared);
  write(find('zone'), keys.length === 0 ? '' : speech.text('inZone', { zone: zoneName }));
  showNames(names, isShared);
  showFollowed();
  if (keys.length === 0) return showIf('subscriptions', false);
  await Promise.all([showRows(list, names), isShared ? null : showSince(names)]);
  showIf('subscriptions', true);
}

function showIf(id: string, isShown: boolean): void {
  const place = find(id);
  if (place !== null) place.hidden = !isShown;
}

function showNames(names: Names, isShared: boolean): void {
  const keys = Object.keys(names);
  const star = (key: string): Markup =>
    html`<button
      type="button"
      data-follow="${key}"
      data-name="${names[key] ?? ''}"
      aria-pressed="false"
      aria-label="${speech.text('followName', { name: names[key] ?? '' })}"
    >
      ☆
    </button>`;
  const entries = keys.map(
    (key) =>
      html`<li>
        <a href="${pageOf(key)}"><bdi>${names[key] ?? ''}</bdi></a> ${!isShared && star(key)}
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
  const found = await Promise.allSettled(Object.keys(names).map(async (key) => rowsOf(key, names[key] ?? '')));
  rows = withoutRepeated(found.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])));
  rows.forEach(addActions);
  arrange(list, rows, { unit: unitOf(rows) });
  showFollowed();
  countDownToNext(rows);
  const isWhole = found.every(({ status }) => status === 'fulfilled');
  notify('rows', isWhole ? null : speech.text('failed'), {
    label: speech.text('again'),
    run: () => void showRows(list, names),
  });
  list.ariaBusy = null;
}

/** Reads the rows of what is followed. The page of a subject leaves out its name and its genre. */
async function rowsOf(key: string, name: string): Promise<readonly Row[]> {
  // A subject may have disappeared with its last event.
  const { rows: found } = await readPage(new URL(pageOf(key)).pathname);
  if (!key.startsWith('s/')) return found;
  const [, genre = '', id = ''] = key.split('/');
  for (const { node } of found) {
    const link = node.querySelector('.t');
    if (link === null || link.querySelector('b') !== null) continue;
    const title = link.textContent?.trim() ?? '';
    const event = `${genre}/${id}/${node.id.split('/').at(-1) ?? ''}`;
    node.id = `${id}/${node.id}`;
    node.querySelector(':scope > .facts')?.remove();
    link.replaceWith(
      create(
        html`<a class="t" dir="auto" href="${new URL(eventPage(event), site).href}"
          >${nameOf({ title, subject: { name } })}</a
        >`,
      ),
    );
  }
  return found;
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

/** The kinds of changes that a reader wants to know, and the word for each. */
const shownKinds = {
  moved: 'moved',
  added: 'added',
  dated: 'dated',
  cancelled: 'cancelled',
  removed: 'removed',
} as const;

/** Says in the bar of every page how much changed of what the reader follows since the last visit. */
export async function showUnseen(): Promise<void> {
  const names = followed(here);
  const place = find('unseen');
  if (place === null || Object.keys(names).length === 0) return;
  const changes = await changesOf(names, lastVisit(here, now()).visited);
  place.hidden = changes.length === 0;
  put(place, html`<span aria-hidden="true">●</span> ${speech.text('unseen', { n: changes.length })}`);
}

async function showSince(names: Names): Promise<void> {
  const place = find('since');
  if (place === null) return;
  const { since } = visit(here, now());
  const changes = await changesOf(names, since).catch(() => []);
  place.hidden = changes.length === 0;
  showIf('unseen', false);
  const heading = speech.text('sinceHere', { date: locale.longDate(dayOf(Date.parse(since))) });
  put(
    place,
    html`<h2>${heading}</h2>
      <ol>
        ${changes.slice(0, 20).map(rowOfChange)}
      </ol>`,
  );
}

async function changesOf(names: Names, since: string): Promise<ChangeRecord[]> {
  const response = await fetch(new URL(changesPath, site));
  // A site may have no log of changes.
  if (!response.ok) return [];
  const { changes } = (await response.json()) as ChangesDocument;
  return changes.filter((change) => change.at > since && change.kind in shownKinds && isFollowed(change, names));
}

function isFollowed({ category, genre, subject }: ChangeRecord, names: Names): boolean {
  return [`c/${category}`, `g/${genre}`, `s/${genre}/${subject.id}`].some((key) => key in names);
}

function rowOfChange(change: ChangeRecord): Markup {
  const { kind, id, before, after } = change;
  const [old, date] = [dateIn(before), dateIn(after)];
  const isGone = kind === 'cancelled' || kind === 'removed';
  const name = nameOf(change);
  return html`<li class="${kind}">
    <span class="kind">${speech.text(shownKinds[kind as keyof typeof shownKinds])}</span>
    ${kind === 'removed' ? html`<span>${name}</span>` : html`<a href="${new URL(eventPage(id), site).href}">${name}</a>`}
    <span class="in">${old !== '' && html`<s>${old}</s> ${!isGone && date !== '' && html`→ `}`}${!isGone && date}</span>
  </li>`;
}

function dateIn(fields: ChangeRecord['before']): string {
  const date = fields?.['date'];
  return typeof date === 'string' ? locale.fullDate(date) : '';
}
