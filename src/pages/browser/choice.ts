import { datesIn } from '../dates.ts';
import { rangeOfChoice, type Range } from '../search/times.ts';
import { today } from './clock.ts';
import { categoryPage, genrePage } from '../../render/links.ts';
import { locale, site, speech } from './page.ts';

/** What the reader chose on the home page. An empty text stands for everything. */
export interface Choice {
  /** `{category}` or `{category}/{genre}` (`?in=`). */
  readonly scope: string;
  /** `today`, `weekend`, `2027-03-06`, `2027-03` and so on (`?on=`). */
  readonly when: string;
}

/** Reads a choice from the query of an address. */
export function readChoice(query: string): Choice {
  const values = new URLSearchParams(query);
  const when = values.get('on') ?? '';
  return { scope: values.get('in') ?? '', when: rangeOf(when) === null ? '' : when };
}

/** Returns the query of the address of a choice. */
export function queryOf({ scope, when }: Choice): string {
  const parts = [scope && `in=${scope}`, when && `on=${when}`].filter((part) => part !== '');
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

/** Returns the address of everything in a category or genre. */
export function pageOf(scope: string): string {
  const [category, genre] = scope.split('/');
  const path = genre === undefined ? category && categoryPage(category) : genrePage(genre);
  return new URL(path ?? '', site).href;
}

/** Returns the dates of a choice of days, or null for all. */
export function rangeOf(when: string): Range | null {
  if (isMonth(when)) return { from: `${when}-01`, until: datesIn(when).at(-1) ?? '' };
  if (/^\d{4}-\d\d-\d\d$/.test(when) && !Number.isNaN(Date.parse(when))) return { from: when, until: when };
  return rangeOfChoice(when, today());
}

function isMonth(when: string): boolean {
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(when);
}

const words = {
  today: 'whenToday',
  tomorrow: 'whenTomorrow',
  week: 'whenWeek',
  weekend: 'whenWeekend',
} as const;

/** Names a choice: `Sports this weekend`. Returns an empty text for everything. */
export function nameOf({ when }: Choice, scopeName: string): string {
  if (when === '') return scopeName;
  const word = words[when as keyof typeof words];
  const date = word === undefined ? (isMonth(when) ? locale.month(when) : locale.longDate(when)) : '';
  const isNamed = word !== undefined;
  const [first = '', ...rest] = isNamed ? speech.text(word) : date;
  if (scopeName === '') return first.toLocaleUpperCase(locale.lang) + rest.join('');
  const text = isNamed ? speech.text(word) : speech.text(isMonth(when) ? 'whenMonth' : 'whenDay', { date });
  return speech.text('whatWhen', { what: scopeName, when: text });
}
