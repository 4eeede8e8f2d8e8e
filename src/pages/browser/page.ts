import { localeOf, type Locale } from '../locale.ts';
import { languageOf, speechOf, type Language, type Speech, type Words } from '../words/words.ts';
import { find, put } from './dom.ts';
import { html } from '../../render/html.ts';

const { dataset } = document.body;

/** The address of the site, with a final slash. */
export const site = new URL(dataset['root'] || './', location.href);

/** The kind of the page, if its script needs it. */
export const kind = dataset['page'] ?? dataset['open'] ?? '';

export const language: Language = languageOf(document.documentElement.lang);
export const speech: Speech = speechOf(language, await loadWords());

/** The reader's variety of the language, which decides between 12 and 24 hours. */
const tag = navigator.languages.find((one) => languageOf(one) === language && one.toLowerCase().startsWith(language));
export const locale: Locale = localeOf(tag ?? document.documentElement.lang);

async function loadWords(): Promise<Words> {
  const { default: table } = (await import(new URL(`words-${language}.js`, import.meta.url).href)) as {
    default: Words;
  };
  return table;
}

/** Shows a notice at the top of the page until it is replaced, with a button if there is something to do. */
export function notify(
  name: string,
  text: string | null,
  action?: { readonly label: string; readonly run: () => void },
): void {
  const place = find('notices');
  place?.querySelector(`[data-notice="${name}"]`)?.remove();
  if (place === null || text === null) return;
  const notice = document.createElement('p');
  notice.className = 'notice';
  notice.dataset['notice'] = name;
  put(notice, html`${text} ${action !== undefined && html`<button type="button">${action.label}</button>`}`);
  notice.querySelector('button')?.addEventListener('click', () => action?.run());
  place.append(notice);
}
