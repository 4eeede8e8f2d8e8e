import { datesIn } from '../dates.ts';
import { namedRanges, type Range } from '../search/dates.ts';
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
  return Object.hasOwn(namedRanges, when) ? (namedRanges[when]?.(today()) ?? null) : null;
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
  const date = rangeName(rangeOf(when) ?? { from: today(), until: today() });
  const isNamed = word !== undefined;
  if (scopeName === '') return isNamed ? capitalized(speech.text(word)) : date;
  const text = isNamed ? speech.text(word) : speech.text(isMonth(when) ? 'whenMonth' : 'whenDay', { date });
  return speech.text('whatWhen', { what: scopeName, when: text });
}

/** Names dates: `Saturday, 6 March 2027`, `March 2027`, `2027`, `1 – 7 March 2027` or `Dec 2026 – Feb 2027`. */
export function rangeName({ from, until }: Range): string {
  if (from === until) return locale.longDate(from);
  const month = from.slice(0, 'yyyy-mm'.length);
  if (from.endsWith('-01') && until === datesIn(month).at(-1)) return locale.month(month);
  if (from.endsWith('-01-01') && until === `${from.slice(0, 'yyyy'.length)}-12-31`) return from.slice(0, 'yyyy'.length);
  const isMonths = from.endsWith('-01') && !until.startsWith(month);
  const style: Intl.DateTimeFormatOptions = isMonths ? { year: 'numeric', month: 'short' } : { dateStyle: 'long' };
  const format = new Intl.DateTimeFormat(locale.lang, { ...style, timeZone: 'UTC' });
  return format.formatRange(Date.parse(from), Date.parse(until));
}

function capitalized(text: string): string {
  return text.charAt(0).toLocaleUpperCase(locale.lang) + text.slice(1);
}
