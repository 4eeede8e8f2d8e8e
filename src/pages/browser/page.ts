import { localeOf, type Locale } from '../locale.ts';
import type { Words } from '../words/tables.ts';
import { languageOf } from '../../catalogue/language.ts';
import { speechOf, type Speech } from '../words/words.ts';
import { create, find } from './dom.ts';
import { html } from '../../render/html.ts';

const { dataset } = document.body;

/** The address of the site, with a final slash. */
export const site = new URL(dataset['root'] || './', location.href);

/** The kind of the page: the first folder of its path, or `home`. */
export const kind = dataset['page'] ?? '';

const { lang } = document.documentElement;
/** The language of the words, which is English if there are none in that of the page. */
export const language = languageOf(lang);
const { default: words } = (await import(new URL('words.js', import.meta.url).href)) as {
  default: Words;
};
export const speech: Speech = speechOf(language, words);

/** The reader's variety of the language, which decides between 12 and 24 hours. */
const variety = navigator.languages.find((tag) => tag.split('-')[0] === lang.split('-')[0]);
export const locale: Locale = localeOf(variety ?? lang);

/** Names the page in the window, before the name of the site. */
export function nameWindow(title: string): void {
  document.title = `${title} – ${document.querySelector('.name bdi')?.textContent ?? ''}`;
}

/** Shows a notice at the top of the page until it is replaced. */
export function notify(name: string, text: string | null): void {
  const place = find('notices');
  place?.querySelector(`[data-notice="${name}"]`)?.remove();
  if (text !== null)
    place?.append(create(html`<p class="notice" data-notice="${name}">${text}</p>`));
}
