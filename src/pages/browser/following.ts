import { html, type Markup } from '../../render/html.ts';
import { all, create, find, write } from './dom.ts';
import { rowsIn, type Row } from './list.ts';
import { follow, followed } from './memory.ts';
import { site, speech } from './page.ts';
import { saveCalendar } from './save-calendar.ts';

const here = site.pathname;

/** Makes the buttons work that follow something, save a calendar or copy an address. */
export function startFollowing(): void {
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element)) return;
    const button = target.closest<HTMLElement>('[data-follow]');
    if (button !== null) toggle(button.dataset['follow'] ?? '', button.dataset['name'] ?? '');
    const add = target.closest<HTMLElement>('[data-calendar]');
    if (add !== null) saveCalendar(rowsToSave(add));
    const copied = target.closest<HTMLElement>('[data-copy]');
    if (copied !== null) void copy(copied, copied.dataset['copy'] ?? '');
  });
  // A subject without a date has nothing for a calendar.
  for (const button of all('main [data-calendar]')) button.hidden = rowsToSave(button).length === 0;
  addEventListener('storage', showFollowed);
  showFollowed();
}

/** The row of a button, or all rows of the page. */
function rowsToSave(button: HTMLElement): HTMLElement[] {
  const row = button.closest<HTMLElement>('.e');
  return row === null ? rowsIn(document.getElementById('list') ?? document).map(({ node }) => node) : [row];
}

/** Adds the buttons of a row: one saves its event for a calendar, one follows its subject. */
export function addActions({ node }: Row): void {
  for (const row of node.matches('.run') ? all('.e', node) : [node]) {
    const title = row.querySelector<HTMLElement>(':scope > .t');
    if (title === null || row.querySelector(':scope > .row-actions') !== null) continue;
    const add = speech.text('addEvent', { name: (title.textContent ?? '').trim() });
    const buttons = html`<button type="button" data-calendar aria-label="${add}" title="${add}">+</button
      >${starOf(title) ?? linkTo(row.id, title)}`;
    const actions = create(html`<span class="row-actions">${buttons}</span>`);
    row.insertBefore(actions, row.querySelector(':scope > :is(.where, .facts)'));
  }
}

/** Renders a link to an event on the page of its subject, to share its date. */
function linkTo(id: string, title: HTMLElement): Markup | null {
  const label = speech.text('linkTo', { name: (title.textContent ?? '').trim() });
  return id === '' ? null : html`<a class="link" href="#${id}" aria-label="${label}" title="${label}">⤴</a>`;
}

/** Renders the star of the subject of an event. The page of a subject has its own. */
function starOf(title: HTMLElement): Markup | null {
  const [, genre, subject] =
    /genre\/([^/]+)\/([^/#]+)\/#./.exec(title instanceof HTMLAnchorElement ? title.href : '') ?? [];
  if (genre === undefined || subject === undefined) return null;
  return starButton(`s/${genre}/${subject}`, (title.querySelector('b')?.textContent ?? title.textContent ?? '').trim());
}

/** Renders a button that follows something. {@link showFollowed} shows whether it is followed. */
export function starButton(key: string, name: string): Markup {
  return html`<button
    type="button"
    data-follow="${key}"
    data-name="${name}"
    aria-pressed="false"
    aria-label="${speech.text('followName', { name })}"
  >
    ☆
  </button>`;
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
    const label = button.querySelector('[data-w]');
    if (label === null) continue;
    const name = button.dataset['name'] ?? '';
    write(label, speech.text(isFollowed ? 'following' : 'follow'));
    button.ariaLabel = isFollowed ? `${speech.text('following')}: ${name}` : speech.text('followName', { name });
  }
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
