import { root as apiRoot, subjectFile, subjectPage } from '../../api/paths.ts';
import { html, type Markup } from '../../render/html.ts';
import { categoryPage, genrePage } from '../../render/links.ts';
import { googleAddress, webcalAddress } from '../subscribe.ts';
import { find, put } from './dom.ts';
import { readPage, rowsOfList } from './feed.ts';
import { showFollowed, showSince } from './following.ts';
import { arrange } from './list.ts';
import { byTime, withoutRepeated, type Row } from './row.ts';
import { followed, type Names } from './memory.ts';
import { locale, notify, site, speech } from './page.ts';
import { saveCalendar } from './save-calendar.ts';

/* The page of what the reader follows. */

const here = site.pathname;

let rows: readonly Row[] = [];

/** Shows what the reader follows, and makes the buttons work. */
export function startYours(list: HTMLElement): void {
  find('export')?.addEventListener('click', () =>
    saveCalendar(
      rows.map(({ node }) => node),
      Object.values(followed(here)).join(', '),
    ),
  );
  const invitation = { markup: list.innerHTML };
  // A name that is no longer followed leaves the page.
  find('names')?.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('[data-follow]') !== null)
      void showYours(list, invitation);
  });
  void showYours(list, invitation);
}

async function showYours(list: HTMLElement, invitation: Markup): Promise<void> {
  const names = followed(here);
  const isAny = Object.keys(names).length > 0;
  showNames(names);
  showFollowed();
  if (isAny) await Promise.all([showRows(list, names), showSince(names)]);
  else put(list, invitation);
  const subscriptions = find('subscriptions');
  if (subscriptions !== null) subscriptions.hidden = !isAny;
  document.documentElement.classList.add('shown');
}

function showNames(names: Names): void {
  const entries = Object.entries(names).map(([key, name]) => ({
    key,
    name,
    ...addressesOf(key),
  }));
  fill(
    'names',
    html`${entries.map(
      ({ key, name, page }) =>
        html`<li class="pill">
          <a href="${page}"><bdi>${name}</bdi></a
          ><button
            type="button"
            data-follow="${key}"
            aria-label="${speech.text('unfollowName', { name })}"
          >
            ×
          </button>
        </li>`,
    )}`,
  );
  fill(
    'calendars',
    html`${entries.map(
      ({ name, calendar }) =>
        html`<li>
          <bdi>${name}</bdi>
          <span
            ><a href="${webcalAddress(calendar)}">iPhone, iPad, Mac</a> ·
            <a href="${googleAddress(calendar)}" rel="noreferrer">Google</a></span
          >
        </li>`,
    )}`,
  );
}

function fill(id: string, content: Markup): void {
  const place = find(id);
  if (place !== null) put(place, content);
}

async function showRows(list: HTMLElement, names: Names): Promise<void> {
  list.ariaBusy = 'true';
  const settled = await Promise.allSettled(Object.keys(names).map(rowsOf));
  const lists = settled.flatMap((read) => (read.status === 'fulfilled' ? [read.value] : []));
  rows = withoutRepeated(lists.flatMap((listed) => listed.rows));
  arrange(list, rows);
  fill('rest', html`${lists.map((listed) => restOf(listed, names))}`);
  const isWhole = settled.length === lists.length;
  notify('rows', isWhole ? null : speech.text('failed'));
  list.ariaBusy = null;
}

interface Listed {
  readonly key: string;
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

function restOf({ key, rows: listed, hasMore }: Listed, names: Names): Markup | null {
  const last = listed.toSorted(byTime).at(-1);
  if (!hasMore || last === undefined) return null;
  const link = html`<a href="${addressesOf(key).page}"><bdi>${names[key] ?? ''}</bdi></a>`;
  return html`<p>${speech.text('onwards', { date: locale.fullDate(last.day) })} ${link}</p>`;
}

/** Reads the rows of what is followed. Those of a subject are on the pages of its genre. */
async function rowsOf(key: string): Promise<Listed> {
  const [kind, genre = '', subject = ''] = key.split('/');
  if (kind !== 's')
    return {
      key,
      ...(await readPage(new URL(addressesOf(key).page).pathname)),
    };
  const link = `.t[href*="/${subjectPage(genre, subject)}#"]`;
  const listed: Row[] = [];
  for await (const pageRows of rowsOfList(genrePage(genre)))
    listed.push(...pageRows.filter(({ node }) => node.querySelector(link) !== null));
  return {
    key,
    rows: listed,
    hasMore: false,
  };
}

function addressesOf(key: string): { readonly page: string; readonly calendar: string } {
  const [kind, scope = '', subject = ''] = key.split('/');
  let page = subjectPage(scope, subject);
  // The paths of calendars, without the table of all formats.
  let calendar = subjectFile(scope, subject, 'ics');
  if (kind !== 's') {
    page = kind === 'c' ? categoryPage(scope) : genrePage(scope);
    calendar = `${apiRoot}/${kind === 'c' ? 'category' : 'genre'}/${scope}/events.ics`;
  }
  return {
    page: new URL(page, site).href,
    calendar: new URL(calendar, site).href,
  };
}
