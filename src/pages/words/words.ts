import { memoize } from '../../catalogue/time/memoize.ts';
import { html, type Markup, type Value } from '../../render/html.ts';
import { en } from './en.ts';

/** What a page can say. Each language has one table with all of these. */
export type Word = keyof typeof en;
export type Words = Readonly<Record<Word, string>>;
export type Values = Readonly<Record<string, string | number>>;

/** The languages that have a table, by the name that their readers know. */
const languages = { en: 'English', de: 'Deutsch', es: 'Español', fr: 'Français', ja: '日本語' } as const;
export type Language = keyof typeof languages;

/** Returns the language of the words for a page in `lang`, such as `de` for `de-AT`. English if there is no table. */
export function languageOf(lang: string): Language {
  const base = lang.toLowerCase().split('-')[0] ?? '';
  return Object.hasOwn(languages, base) ? (base as Language) : 'en';
}

/** Fills the values into a text. If it has two forms, `n` chooses between them. */
export function fill(text: string, language: string, values: Values = {}): string {
  const [one = '', many = one] = text.split('|');
  const isOne = typeof values['n'] === 'number' && pluralRule(language).select(values['n']) === 'one';
  return (isOne ? one : many).replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? '';
    return typeof value === 'number' ? numberFormat(language).format(value) : value;
  });
}

const rules = new Map<string, Intl.PluralRules>();
const numbers = new Map<string, Intl.NumberFormat>();

function pluralRule(language: string): Intl.PluralRules {
  const rule = rules.get(language) ?? new Intl.PluralRules(language);
  rules.set(language, rule);
  return rule;
}

function numberFormat(language: string): Intl.NumberFormat {
  const format = numbers.get(language) ?? new Intl.NumberFormat(language);
  numbers.set(language, format);
  return format;
}

/** Says things in the language of a page. */
export interface Speech {
  readonly language: Language;
  /** Returns a text. */
  readonly text: (word: Word, values?: Values) => string;
  /** Returns a text in an element that the script can translate when the reader chooses another language. */
  readonly say: (word: Word, values?: Values) => Markup;
  /** Returns an attribute of an element, such as `aria-label`, that the script can translate. */
  readonly attribute: (name: 'aria-label' | 'placeholder' | 'title', word: Word, values?: Values) => Markup;
}

/** @param lang the language of the page, which may have no table: its words are then marked as English */
export function speechOf(language: Language, words: Words, lang: string = language): Speech {
  const text = (word: Word, values?: Values): string => fill(words[word], language, values);
  const marked = lang.toLowerCase().split('-')[0] !== language && html` lang="${language}"`;
  const said = memoize((word: Word) => html`<span data-w="${word}" ${marked}>${text(word)}</span>`);
  const given = (values: Values | undefined): Value =>
    values !== undefined && html` data-v="${JSON.stringify(values)}"`;
  return {
    language,
    text,
    say: (word, values) =>
      values === undefined
        ? said(word)
        : html`<span data-w="${word}" data-v="${JSON.stringify(values)}" ${marked}>${text(word, values)}</span>`,
    attribute: (name, word, values) =>
      // Only one attribute of an element can be translated, which is enough.
      ({
        markup: ` ${name}="${html`${text(word, values)}`.markup}"${html` data-a="${name}:${word}"${given(values)}`.markup}`,
      }),
  };
}
