import { html, type Markup } from '../render/html.ts';
import type { Locale } from './locale.ts';

/** Renders a date, which the script writes again as in the reader's variety of the language. */
export function dateElement(
  locale: Locale,
  date: string,
  format: 'mediumDate' | 'fullDate' | 'longDate',
): Markup {
  return html`<time datetime="${date}" data-as="${format}">${locale[format](date)}</time>`;
}
