import { changeKinds } from '../../api/change-kinds.ts';
import type { ChangeRecord, ChangesDocument } from '../../api/documents.ts';
import { changesPath, eventPage } from '../../api/paths.ts';
import { html, type Markup } from '../../render/html.ts';
import { nameOf } from '../rows.ts';
import { dayOf } from './clock.ts';
import { all, find, put, write } from './dom.ts';
import { follow, followed, lastVisit, visit, type Names } from './memory.ts';
import { locale, site, speech } from './page.ts';

const here = site.pathname;

/** Makes the buttons work that follow something or copy a text. */
export function startFollowing(): void {
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element)) return;
    const button = target.closest<HTMLElement>('[data-follow]');
    if (button !== null) toggle(button.dataset['follow'] ?? '', button.dataset['name'] ?? '');
    const copied = target.closest<HTMLElement>('[data-copy]');
    if (copied !== null) void copy(copied, copied.dataset['copy'] ?? '');
    const shared = target.closest<HTMLElement>('[data-share]');
    if (shared !== null) void share(shared);
  });
  addEventListener('storage', showFollowed);
  showFollowed();
}

function toggle(key: string, name: string): void {
  const { [key]: former, ...rest } = followed(here);
  follow(here, former === undefined ? { ...rest, [key]: name } : rest);
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
    const label = button.querySelector('.label');
    if (label === null) continue;
    write(button.querySelector('[aria-hidden]'), isFollowed ? '★' : '☆');
    const name = button.dataset['name'] ?? '';
    write(label, speech.text(isFollowed ? 'following' : 'follow'));
    button.ariaLabel = isFollowed
      ? `${speech.text('following')}: ${name}`
      : speech.text('followName', { name });
  }
}

/** Opens the system's sheet of ways to share an address, or else copies the address. */
async function share(button: HTMLElement): Promise<void> {
  const { share: url = '', name: title = '' } = button.dataset;
  // The reader may close the sheet.
  if ('share' in navigator) await navigator.share({ title, url }).catch(() => {});
  else await copy(button, url);
}

async function copy(button: HTMLElement, text: string): Promise<void> {
  const before = button.textContent ?? '';
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = speech.text('copied');
  } catch {
    button.textContent = text;
  }
  setTimeout(() => (button.textContent = before), 2000);
}

const shownKinds = changeKinds.filter((kind) => kind !== 'changed');

/**
 * Says in the bar of every page how much changed of what the reader follows since the last visit.
 */
export async function showUnseen(): Promise<void> {
  const names = followed(here);
  const place = find('unseen');
  if (place === null || Object.keys(names).length === 0) return;
  const { changes } = await changesOf(names, lastVisit(here, Date.now()).visited);
  place.hidden = changes.length === 0;
  put(
    place,
    html`<span aria-hidden="true">●</span> ${speech.text('unseen', { n: changes.length })}`,
  );
}

/** Shows what changed of some names since the visit before, and remembers this visit. */
export async function showSince(names: Names): Promise<void> {
  const place = find('since');
  if (place === null) return;
  const { since } = visit(here, Date.now());
  const { changes, missing } = await changesOf(names, since).catch(() => noChanges);
  place.hidden = changes.length === 0 && missing === '';
  const unseen = find('unseen');
  if (unseen !== null) unseen.hidden = true;
  const heading = speech.text('sinceHere', { date: locale.longDate(dayOf(Date.parse(since))) });
  put(
    place,
    html`<h2>${heading}</h2>
      <ol>
        ${changes.slice(0, 20).map(rowOfChange)}
      </ol>
      ${missing !== '' && html`<p class="note">${speech.text('changesMissing', { date: locale.fullDate(missing) })}</p>`}`,
  );
}

interface SeenChanges {
  readonly changes: readonly ChangeRecord[];
  /** The date up to which changes may be missing. Empty if the reader has seen all before it. */
  readonly missing: string;
}

const noChanges: SeenChanges = { changes: [], missing: '' };

async function changesOf(names: Names, since: string): Promise<SeenChanges> {
  const response = await fetch(new URL(changesPath, site));
  // A site may have no log of changes.
  if (!response.ok) return noChanges;
  const log = (await response.json()) as ChangesDocument;
  const { complete_since: completeSince } = log;
  const isMissing = completeSince !== null && since < completeSince;
  const missing = isMissing ? dayOf(Date.parse(completeSince)) : '';
  const changes = log.changes.filter(({ at, kind, category, genre, subject }) => {
    const keys = [`c/${category}`, `g/${genre}`, `s/${genre}/${subject.id}`];
    return (
      at > since && shownKinds.some((shown) => shown === kind) && keys.some((key) => key in names)
    );
  });
  return { changes, missing };
}

function rowOfChange(change: ChangeRecord): Markup {
  const { kind, id, before, after } = change;
  const [old, date] = [dateIn(before), dateIn(after)];
  const isGone = kind === 'cancelled' || kind === 'removed';
  const name = nameOf(change);
  return html`<li class="${kind}">
    <span class="kind">${speech.text(kind)}</span>
    ${kind === 'removed' ? html`<span>${name}</span>` : html`<a href="${new URL(eventPage(id), site).href}">${name}</a>`}
    <span class="in"
      >${old !== '' && html`<s>${old}</s> ${!isGone && date !== '' && html`${locale.arrow} `}`}${!isGone && date}</span
    >
  </li>`;
}

function dateIn(fields: ChangeRecord['before']): string {
  const date = fields?.['date'];
  return typeof date === 'string' ? locale.fullDate(date) : '';
}
