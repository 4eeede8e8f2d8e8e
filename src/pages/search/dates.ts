import { datesIn, dateAfter, monthAfter, weekdayOf } from '../dates.ts';
import type { Words } from '../words/words.ts';
import { fold } from './fold.ts';

/** Dates from the first to the last. */
export interface Range {
  readonly from: string;
  readonly until: string;
}

/** A query, taken apart into a range of dates and the words that are left. */
export interface DatedQuery {
  readonly range: Range | null;
  readonly rest: string;
}

/** What readers call days: the chips of the home page, and search. */
export const namedRanges: Readonly<Record<string, (today: string) => Range>> = {
  today: (today) => ({ from: today, until: today }),
  tomorrow: (today) => ({ from: dateAfter(today), until: dateAfter(today) }),
  week: (today) => ({ from: today, until: dateAfter(today, 6 - weekdayOf(today)) }),
  weekend: (today) => weekendFrom(today),
  nextWeek: (today) => ({
    from: dateAfter(today, 7 - weekdayOf(today)),
    until: dateAfter(today, 13 - weekdayOf(today)),
  }),
  nextWeekend: (today) => weekendFrom(dateAfter(today, 7 - weekdayOf(today))),
};

/** The words for each named range. The longest comes first, so that "next weekend" is not read as "weekend". */
const rangeWords = [
  ['nextWeekend', 'nextWeekend'],
  ['nextWeek', 'nextWeek'],
  ['week', 'thisWeek'],
  ['weekend', 'weekend'],
  ['tomorrow', 'tomorrow'],
  ['today', 'today'],
] as const;

/** Reads the dates in a query: `2027-08-02`, `august 2027`, `2 august`, `2027年8月`, `next weekend`. */
export function readDates(
  query: string,
  today: string,
  tables: readonly (readonly [lang: string, words: Words])[],
): DatedQuery {
  const iso = /\b(\d{4})-(\d{2})(?:-(\d{2}))?\b/.exec(query) ?? /(\d{4})年(\d{1,2})月(?:(\d{1,2})日)?/.exec(query);
  if (iso !== null) {
    const [whole, year = '', month = '', day] = iso;
    const range = rangeOf(`${year}-${month.padStart(2, '0')}`, day === undefined ? null : +day);
    if (range !== null) return { range, rest: query.replace(whole, ' ').trim() };
  }
  const folded = ` ${fold(query)} `;
  for (const [, words] of tables) {
    for (const [name, word] of rangeWords) {
      const phrase = ` ${fold(words[word])} `;
      const range = namedRanges[name]?.(today);
      if (range !== undefined && folded.includes(phrase)) return { range, rest: folded.replace(phrase, ' ').trim() };
    }
  }
  return (
    readMonth(
      folded.trim().split(' '),
      today,
      tables.map(([lang]) => lang),
    ) ?? { range: null, rest: query }
  );
}

/** Saturday and Sunday, or what is left of them. */
function weekendFrom(date: string): Range {
  const weekday = weekdayOf(date);
  const until = dateAfter(date, 6 - weekday);
  return { from: weekday === 6 ? date : dateAfter(until, -1), until };
}

function rangeOf(month: string, day: number | null): Range | null {
  if (!/^(19|2\d)\d\d-(0[1-9]|1[0-2])$/.test(month)) return null;
  const dates = datesIn(month);
  if (day === null) return { from: dates[0] ?? '', until: dates.at(-1) ?? '' };
  const date = dates[day - 1];
  return date === undefined ? null : { from: date, until: date };
}

/** Reads the name of a month, with a day or a year next to it. A short name without either may be a word of a title. */
function readMonth(words: readonly string[], today: string, languages: readonly string[]): DatedQuery | null {
  for (const [at, word] of words.entries()) {
    const number = monthNumber(word, languages);
    if (number === null) continue;
    const beside = [at + 1, at - 1, at + 2].filter((n) => n >= 0 && n < words.length);
    const year = beside.find((n) => /^(19|2\d)\d\d$/.test(words[n] ?? ''));
    const day = beside.find((n) => /^([1-9]|[12]\d|3[01])(st|nd|rd|th)?$/.test(words[n] ?? '') && n !== at + 2);
    if (year === undefined && day === undefined && word.length < 4) continue;
    const month = `${year === undefined ? yearOf(number, today) : (words[year] ?? '')}-${String(number).padStart(2, '0')}`;
    const range = rangeOf(month, day === undefined ? null : parseInt(words[day] ?? '', 10));
    if (range === null) continue;
    const used = new Set([at, year, day]);
    return { range, rest: words.filter((_, n) => !used.has(n)).join(' ') };
  }
  return null;
}

/** The year of the next month of this number. */
function yearOf(month: number, today: string): string {
  const months = Array.from({ length: 12 }, (_, n) => monthAfter(today.slice(0, 7), n));
  return months.find((one) => +one.slice(5) === month)?.slice(0, 4) ?? today.slice(0, 4);
}

const monthNames = new Map<string, readonly (readonly string[])[]>();

function monthNumber(word: string, languages: readonly string[]): number | null {
  for (const lang of languages) {
    const names = monthNames.get(lang) ?? namesOfMonths(lang);
    monthNames.set(lang, names);
    const index = names.findIndex((forms) => forms.includes(word));
    if (index !== -1) return index + 1;
  }
  return null;
}

/** The long and the short name of each month, folded. */
function namesOfMonths(lang: string): string[][] {
  return Array.from({ length: 12 }, (_, n) =>
    (['long', 'short'] as const).map((month) =>
      fold(new Intl.DateTimeFormat(lang, { month, timeZone: 'UTC' }).format(Date.UTC(2024, n, 1))),
    ),
  );
}
