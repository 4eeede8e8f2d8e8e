import { html, type Markup } from '../render/html.ts';
import { monthPage, yearPage } from '../render/links.ts';
import type { PageContext } from './context.ts';

/** How far a list of the soonest events reaches. */
export interface Reach {
  /** The number of events that it shows. */
  readonly shown: number;
  /** The number of events that there are. */
  readonly total: number;
  /** The date of its last event. */
  readonly last: string;
  /** The months that have a page, in order. */
  readonly months: readonly string[];
  /** Returns the address of what a month has, given its page. */
  readonly addressOf: (month: string) => string;
  readonly root: string;
}

/** The number of months that a list links to. */
const linkedMonths = 3;

/** Renders how much of the catalogue a list shows, and links to what follows. The script makes the button work. */
export function reach({ locale, say }: Pick<PageContext, 'locale' | 'say'>, content: Reach): Markup {
  const { shown, total, last, months, addressOf, root } = content;
  if (total <= shown || last === '') return html``;
  const following = months.filter((month) => month >= last.slice(0, 7)).slice(0, linkedMonths);
  const links = following.map((month) => html`<a href="${addressOf(month)}">${locale.month(month)}</a> · `);
  return html`${say('listed', { n: shown, total })}
    <button type="button" class="script" id="more">${say('moreDays')}</button>
    ${months.length > 0 && html`${say('onwards', { date: locale.fullDate(last) })} ${links}<a href="${root}${yearPage}">${say('year')}</a>`}`;
}

/** Returns the address of the page of a month. */
export function monthAddress(root: string): (month: string) => string {
  return (month) => `${root}${monthPage(month)}`;
}
