import { html } from '../html.ts';
import { create, find } from './dom.ts';
import { locale, site, speech } from './page.ts';

/**
 * Says beside the events of a subject from which date they were moved, as the feed of the genre has it. Only a finished
 * build knows what moved, and the page of a subject is an early part of it.
 */
export async function showMoved({ dataset: { feed = '', subject = '' } }: HTMLElement): Promise<void> {
  if (feed === '') return;
  const response = await fetch(new URL(feed, site));
  const entries = new DOMParser().parseFromString(await response.text(), 'text/xml').querySelectorAll('entry');
  for (const entry of entries) {
    const [path = '', event = ''] = (entry.querySelector('link')?.getAttribute('href') ?? '').split('/#');
    if (entry.querySelector('category[term=moved]') === null || !path.endsWith(`/genre/${subject}`)) continue;
    const title = find(event)?.querySelector('.t');
    // The newest change comes first.
    if (!title || title.querySelector('.moved') !== null) continue;
    const [before = ''] = (entry.querySelector('content')?.textContent ?? '').split(' ');
    const date = /^\d{4}-\d\d-\d\d$/.test(before) ? `${locale.monthDay(before)} ${before.slice(0, 4)}` : before;
    title.append(' ', create(html`<small class="note moved">${speech.text('movedFrom', { date })}</small>`));
  }
}
