import { localeOf, type Locale } from '../locale.ts';
import { languageOf, speechOf, type Language, type Speech, type Words } from '../words/words.ts';
import { all, find, put, write } from './dom.ts';
import { remembered } from './memory.ts';
import { html } from '../../render/html.ts';

const { dataset } = document.body;

/** The address of the site, with a final slash. */
export const site = new URL(dataset['root'] || './', location.href);

/** The kind of the page, if its script needs it. */
export const kind = dataset['page'] ?? dataset['open'] ?? '';

const pageLanguage = languageOf(document.documentElement.lang);
export const language = (remembered().language ?? pageLanguage) as Language;
const words = await loadWords(language);
export const speech: Speech = speechOf(language, words);

/** The reader's variety of the language, which decides between 12 and 24 hours. */
const tag = navigator.languages.find((one) => languageOf(one) === language && one.toLowerCase().startsWith(language));
export const locale: Locale = localeOf(tag ?? (language === pageLanguage ? document.documentElement.lang : language));

async function loadWords(wanted: Language): Promise<Words> {
  const { default: table } = (await import(new URL(`words-${wanted}.js`, import.meta.url).href)) as { default: Words };
  return table;
}

/** Translates the page into another language that the reader chose. */
export function translate(): void {
  if (language === pageLanguage) return;
  document.documentElement.lang = language;
  for (const place of all('[data-w]')) {
    place.removeAttribute('lang');
    write(place, speech.text(wordIn(place.dataset['w']), valuesIn(place)));
  }
  for (const place of all('[data-a]')) {
    const [name = '', word] = place.dataset['a']?.split(':') ?? [];
    place.setAttribute(name, speech.text(wordIn(word), valuesIn(place)));
  }
}

function wordIn(word = ''): keyof Words {
  return word as keyof Words;
}

function valuesIn({ dataset: { v = '{}' } }: HTMLElement): Record<string, string | number> {
  return JSON.parse(v) as Record<string, string | number>;
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
