import { indexPath } from '../../api/paths.ts';
import type { IndexDocument } from '../../api/documents.ts';
import { hour, minute } from '../../catalogue/time/time.ts';
import { dayOf } from './clock.ts';
import { find, write } from './dom.ts';
import { locale, notify, site, speech } from './page.ts';

const staleAfter = 48 * hour;

/**
 * Keeps an open page up to date: loads it again every six hours, and when it becomes visible after
 * an hour. If the site does not answer, the page stays as it is, and it asks each minute.
 */
export function stayRight(): void {
  const since = Date.now();
  const ask = async () => {
    try {
      const response = await fetch(location.pathname, { cache: 'no-cache' });
      if (!response.ok) throw new Error(`${response.status}`);
      location.reload();
    } catch {
      notify('failed', speech.text('failed'));
    }
  };
  setInterval(() => Date.now() - since >= 6 * hour && void ask(), minute);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && Date.now() - since >= hour) void ask();
  });
  checkAge().catch(() => {});
}

async function checkAge(): Promise<void> {
  const response = await fetch(new URL(indexPath, site), { cache: 'no-cache' });
  if (!response.ok) throw new Error(`${response.status}`);
  const { catalogue } = (await response.json()) as IndexDocument;
  const synced = Date.parse(catalogue.last_sync);
  const days = Math.floor((Date.now() - synced) / (24 * hour));
  write(find('synced'), speech.text('synced', { date: locale.longDate(dayOf(synced)) }));
  notify('stale', Date.now() - synced > staleAfter ? speech.text('stale', { n: days }) : null);
}
