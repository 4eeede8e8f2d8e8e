import { html, type Markup } from '../render/html.ts';
import type { Locale } from './locale.ts';

/** The formats of dates that stand alone. */
export type WholeDate = 'mediumDate' | 'fullDate' | 'longDate';

/** Renders a date, which the script writes again as in the reader's variety of the language. */
export function dateElement(locale: Locale, date: string, format: WholeDate): Markup {
  return html`<time datetime="${date}" data-as="${format}">${locale[format](date)}</time>`;
}
