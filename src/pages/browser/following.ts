import { html } from '../../render/html.ts';
import { categoryPage, genrePage, subjectPage } from '../../render/links.ts';
import { nameOf } from '../rows.ts';
import { all, create, find, put, write } from './dom.ts';
import { arrange, type Row } from './list.ts';
import { follow, followed } from './memory.ts';
import { notify, site, speech } from './page.ts';
import { saveCalendar } from './save-calendar.ts';
import { rowsOfPage } from './views.ts';

const here = site.pathname;

/** Makes the buttons work that follow something, save a calendar or copy an address. */
export function startFollowing(): void {
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element)) return;
    const button = target.closest<HTMLElement>('[data-follow]');
    if (button !== null) toggle(button.dataset['follow'] ?? '', button.dataset['name'] ?? '');
    const calendar = target.closest<HTMLElement>('[data-calendar]')?.dataset['calendar'];
    if (calendar !== undefined) void saveCalendar([`s/${calendar}`]);
    const copied = target.closest<HTMLElement>('[data-copy]');
    if (copied !== null) void copy(copied, copied.dataset['copy'] ?? '');
  });
  addEventListener('storage', showFollowed);
  showFollowed();
}

/** Adds the buttons of a row: one saves its event for a calendar, one follows its subject. */
export function addActions({ node }: Row): void {
  for (const row of node.matches('.run') ? all('.e', node) : [node]) {
    const link = row.querySelector<HTMLAnchorElement>(':scope > a.t');
    const [, genre, subject, event] = /genre\/([^/]+)\/([^/#]+)\/#(.+)$/.exec(link?.href ?? '') ?? [];
    if (genre === undefined || link === null || row.querySelector(':scope > .row-actions') !== null) continue;
    const name = (link.querySelector('b')?.textContent ?? link.textContent ?? '').trim();
    const title = (link.textContent ?? '').trim();
    const [add, star] = [speech.text('addEvent', { name: title }), speech.text('followName', { name })];
    row.append(
      create(
        html`<span class="row-actions"
          ><button
            type="button"
            data-calendar="${genre}/${subject ?? ''}/${event ?? ''}"
            aria-label="${add}"
            title="${add}"
          >
            +</button
          ><button
            type="button"
            data-follow="s/${genre}/${subject ?? ''}"
            data-name="${name}"
            aria-pressed="false"
            aria-label="${star}"
          >
            ☆
          </button></span
        >`,
      ),
    );
  }
}

function toggle(key: string, name: string): void {
  const { [key]: known, ...others } = followed(here);
  follow(here, known === undefined ? { ...others, [key]: name } : others);
  showFollowed();
}

/** Marks what is followed, and counts it in the bar. */
export function showFollowed(): void {
  const names = followed(here);
  const count = Object.keys(names).length;
  write(find('followed'), count === 0 ? '' : String(count));
  for (const button of all('[data-follow]')) {
    const isFollowed = (button.dataset['follow'] ?? '') in names;
    if (button.ariaPressed === String(isFollowed)) continue;
    button.ariaPressed = String(isFollowed);
    write(button.querySelector('[aria-hidden]') ?? button, isFollowed ? '★' : '☆');
  }
}

/** Shows the page of what is followed. */
export async function showFollowing(list: HTMLElement): Promise<void> {
  const names = followed(here);
  const keys = Object.keys(names);
  const offered = readLink(location.hash);
  showButton('adopt', !Object.keys(offered).every((key) => key in names), () => {
    follow(here, { ...names, ...offered });
    history.replaceState(null, '', location.pathname);
    void showFollowing(list);
  });
  showButton('export', keys.length > 0, () => void saveCalendar(keys));
  const address = new URL(`#${new URLSearchParams(names).toString()}`, location.href).href;
  showButton('link', keys.length > 0, (button) => void copy(button, address));
  const place = find('names');
  if (place !== null)
    put(
      place,
      html`${keys.map(
        (key) =>
          html`<li>
            <a href="${pageOf(key)}"><bdi>${names[key] ?? ''}</bdi></a>
            <button type="button" data-follow="${key}" data-name="${names[key] ?? ''}" aria-pressed="false">☆</button>
          </li>`,
      )}`,
    );
  showFollowed();
  if (keys.length === 0) return;
  await showRows(list, keys);
}

/** Shows a button of the page, or hides it. The button is replaced by a copy, which removes its earlier listeners. */
function showButton(id: string, isShown: boolean, run: (button: HTMLElement) => void): void {
  const old = find(id);
  const button = old?.cloneNode(true) as HTMLElement | undefined;
  if (!old || button === undefined) return;
  old.replaceWith(button);
  button.hidden = !isShown;
  button.addEventListener('click', () => run(button));
}

async function showRows(list: HTMLElement, keys: readonly string[]): Promise<void> {
  list.ariaBusy = 'true';
  const found = await Promise.allSettled(keys.map(rowsOf));
  const rows = found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  const once = withoutRepeated(rows);
  once.forEach(addActions);
  arrange(list, once);
  showFollowed();
  const isWhole = found.every(({ status }) => status === 'fulfilled');
  notify('rows', isWhole ? null : speech.text('failed'), {
    label: speech.text('again'),
    run: () => void showRows(list, keys),
  });
  list.ariaBusy = null;
}

/** Leaves out rows whose events other rows show. A folded row stays, because it may be the only one that shows one of its events. */
function withoutRepeated(rows: readonly Row[]): Row[] {
  const shown = new Set<string>();
  return rows
    .toSorted((a, b) => b.count - a.count)
    .filter(({ node }) => {
      const links = [...node.querySelectorAll<HTMLAnchorElement>('a.t')].map(({ href }) => href);
      const isRepeated = links.every((href) => shown.has(href));
      for (const href of links) shown.add(href);
      return !isRepeated;
    });
}

/** Reads the rows of what is followed. The page of a subject leaves out its name, which they need among others. */
async function rowsOf(key: string): Promise<Row[]> {
  const address = pageOf(key);
  // A subject may have disappeared with its last event.
  const rows = await rowsOfPage(new URL(address).pathname);
  if (!key.startsWith('s/')) return rows;
  const subject = { name: followed(here)[key] ?? '' };
  for (const { node } of rows) {
    const link = node.querySelector('.t');
    const title = link?.textContent?.trim() ?? '';
    if (link?.querySelector('b') === null)
      link.replaceWith(
        create(html`<a class="t" dir="auto" href="${address}#${node.id}">${nameOf({ title, subject })}</a>`),
      );
  }
  return rows;
}

/** Returns what a link to a list names: only keys that can be those of a page. */
function readLink(hash: string): Record<string, string> {
  const given = [...new URLSearchParams(hash.slice(1))];
  return Object.fromEntries(
    given.filter(([key]) => /^(c\/[a-z0-9-]+|g\/[a-z0-9-]+|s\/[a-z0-9-]+\/[a-z0-9-]+)$/.test(key)),
  );
}

function pageOf(key: string): string {
  const [kind, one = '', other = ''] = key.split('/');
  const path = kind === 'c' ? categoryPage(one) : kind === 'g' ? genrePage(one) : subjectPage(one, other);
  return new URL(path, site).href;
}

export async function copy(button: HTMLElement, text: string): Promise<void> {
  const before = button.textContent ?? '';
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = speech.text('copied');
  } catch {
    button.textContent = text;
  }
  setTimeout(() => (button.textContent = before), 2000);
}
