import { indexPath } from '../../api/paths.ts';
import type { IndexDocument } from '../../api/documents.ts';
import { dayOf } from './clock.ts';
import { find, write } from './dom.ts';
import { locale, notify, site, speech } from './page.ts';

const minute = 60_000;
const hour = 60 * minute;
const staleAfter = 48 * hour;

/**
 * Keeps an open page up to date: loads it again every six hours, and when it becomes visible after an hour. If that
 * fails, it tries each minute. `onPage` gets each new version of the page.
 */
export function stayRight(onPage: (page: Document) => void): void {
  let asked = Date.now();
  const ask = async (): Promise<void> => {
    try {
      onPage(await readAgain());
      await checkAge();
      asked = Date.now();
      notify('failed', null);
    } catch {
      notify('failed', speech.text('failed'));
    }
  };
  setInterval(() => Date.now() - asked >= 6 * hour && void ask(), minute);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && Date.now() - asked >= hour) void ask();
  });
  // The page itself is loaded already; only its age is not known.
  checkAge().catch(() => {});
}

async function readAgain(): Promise<Document> {
  const response = await fetch(location.pathname, { cache: 'no-cache' });
  if (!response.ok) throw new Error(`${response.status}`);
  return new DOMParser().parseFromString(await response.text(), 'text/html');
}

/** Says how old the catalogue is. */
async function checkAge(): Promise<void> {
  const response = await fetch(new URL(indexPath, site), { cache: 'no-cache' });
  if (!response.ok) throw new Error(`${response.status}`);
  const { catalogue } = (await response.json()) as IndexDocument;
  const synced = Date.parse(catalogue.last_sync);
  const days = Math.floor((Date.now() - synced) / (24 * hour));
  write(find('synced'), speech.text('synced', { date: locale.longDate(dayOf(synced)) }));
  notify('stale', Date.now() - synced > staleAfter ? speech.text('stale', { n: days }) : null);
}
