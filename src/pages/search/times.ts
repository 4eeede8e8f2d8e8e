import { dateAfter, datesIn, mondayOf, monthAfter, weekdayOf } from '../dates.ts';
import { memoize } from '../../catalogue/time/memoize.ts';
import { fold, isNear, isUnspaced } from './text.ts';
import type { SearchWords, TimeName } from './words.ts';

/** Dates from the first to the last. */
export interface Range {
  readonly from: string;
  readonly until: string;
}

const ranges: Readonly<Record<TimeName, (today: string) => Range>> = {
  today: (today) => oneDay(today),
  tomorrow: (today) => oneDay(dateAfter(today)),
  week: (today) => ({ from: today, until: dateAfter(today, 6 - weekdayOf(today)) }),
  weekend: (today) => weekendFrom(today),
  nextWeek: (today) => ({ from: nextMonday(today), until: dateAfter(nextMonday(today), 6) }),
  nextWeekend: (today) => weekendFrom(nextMonday(today)),
  month: (today) => months(monthIn(today), 1),
  nextMonth: (today) => months(monthAfter(monthIn(today), 1), 1),
};

/** What the home page calls days (`?on=`). */
const choices = ['today', 'tomorrow', 'week', 'weekend'] as const;

/** Returns the dates of a choice of the home page, such as `weekend`. Null if it has none of that name. */
export function rangeOfChoice(name: string, today: string): Range | null {
  const choice = choices.find((one) => one === name);
  return choice === undefined ? null : ranges[choice](today);
}

/** Returns what the home page calls a range: `weekend`, `2027-03-06`, `2027-03`. Null if it has no name for it. */
export function choiceOf({ from, until }: Range, today: string): string | null {
  const isSameRange = (range: Range): boolean => range.from === from && range.until === until;
  const month = monthIn(from);
  const named = choices.find((name) => isSameRange(ranges[name](today)));
  return named ?? (from === until ? from : isSameRange(months(month, 1)) ? month : null);
}

/** Returns the range of the period of an announcement: `2027`, `2027-H1`, `2027-Q2` or `2027-06`. */
export function rangeOfPeriod(period: string): Range {
  const [year, kind, number] = [+period.slice(0, 4), period.slice(5, 6), +period.slice(6)];
  if (period.length === 'yyyy'.length) return months(monthOf(year, 1), 12);
  if (kind === 'H') return months(monthOf(year, 6 * number - 5), 6);
  return kind === 'Q' ? months(monthOf(year, 3 * number - 2), 3) : months(period, 1);
}

/** A time in a query: its range, and which words of the query say it, from the first to before the last. */
export interface Time {
  readonly range: Range;
  readonly from: number;
  readonly until: number;
}

/** What times are read with. */
export interface TimeContext {
  /** `YYYY-MM-DD`. */
  readonly today: string;
  /** The reader's variety of a language, which decides between 12/25 and 25/12. */
  readonly tag: string;
  /** Those in which months and weekdays are named: at first those of the reader, where a name counts in any case. */
  readonly languages: readonly string[];
  readonly ownLanguages: ReadonlySet<string>;
  readonly words: readonly SearchWords[];
  /** Whether a word is in the index, and so no typing error. */
  readonly isWord: (word: string) => boolean;
}

/** A part of a query between spaces: as it is typed, and folded. */
export interface Token {
  readonly raw: string;
  readonly folded: string;
}

/** Returns the times in a query, the longest first. One query has one time, so the caller chooses. */
export function readTimes(tokens: readonly Token[], context: TimeContext): Time[] {
  const times = tokens.flatMap((_, at) =>
    [readFigures, readJapanese, readPhrase, readWeekday, readDay, readMonth, readYear].flatMap(
      (read) => read(tokens, at, context) ?? [],
    ),
  );
  return times.sort((a, b) => b.until - b.from - (a.until - a.from) || a.from - b.from);
}

/** Puts spaces around the times in a text that has none, such as 来週. */
export function spacedTimes(text: string, words: readonly SearchWords[]): string {
  if (!isUnspaced(text)) return text;
  const phrases = words.flatMap(({ times }) => Object.values(times).flat()).filter(isUnspaced);
  const longestFirst = phrases.toSorted((a, b) => b.length - a.length);
  return text.replace(new RegExp(`${japanese.source}|${longestFirst.join('|') || japanese.source}`, 'gu'), ' $& ');
}

const japanese = /(?:\d{4}年)?\d{1,2}月(?:\d{1,2}日)?|\d{4}年|[月火水木金土日]曜日?/u;

function readJapanese(tokens: readonly Token[], at: number, { today }: TimeContext): Time | null {
  const match = /^(?:(\d{4})年)?(?:(\d{1,2})月)?(?:(\d{1,2})日)?$/.exec(tokens[at]?.raw ?? '');
  if (match === null || match[0] === '') return null;
  const [year = 0, month = 0, day = 0] = match.slice(1).map((text) => Number(text || 0));
  return timeOf(at, at + 1, month === 0 && day === 0 ? yearRange(year) : dateRange(year, month, day, today));
}

/** Reads dates in figures: `2027-08-02`, `2027/8`, `02.08.2027`, `8/2/2027`, `12/25`. */
function readFigures(tokens: readonly Token[], at: number, { today, tag }: TimeContext): Time | null {
  const raw = tokens[at]?.raw.normalize('NFKC') ?? '';
  const iso = /^(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?$/.exec(raw);
  if (iso !== null) {
    const [year = 0, month = 0, day = 0] = iso.slice(1).map(Number);
    return timeOf(at, at + 1, dateRange(year, month, day || 0, today));
  }
  const [, first = '', separator = '', second = '', third] =
    /^(\d{1,2})([./-])(\d{1,2})(?:\2(\d{4}|\d\d)?)?$/.exec(raw) ?? [];
  // Without a year, 3.14 and 24-7 are more often something else, and so is 22.1 without a dot at the end.
  if (first === '' || (third === undefined && (separator === '-' || (separator === '.' && !raw.endsWith('.')))))
    return null;
  const isMonthFirst = separator !== '.' && +first <= 12 && (+second > 12 || !isDayFirstIn(tag));
  const isDayFirst = separator === '.' || third !== undefined ? !isMonthFirst : isDayFirstIn(tag);
  const [day, month] = isMonthFirst ? [+second, +first] : [+first, +second];
  const year = third === undefined ? 0 : third.length === 2 ? 2000 + +third : +third;
  return timeOf(at, at + 1, isMonthFirst || isDayFirst ? dateRange(year, month, day, today) : null);
}

function isDayFirstIn(tag: string): boolean {
  const parts = new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'numeric' }).formatToParts(0);
  return parts.find(({ type }) => type === 'day' || type === 'month')?.type === 'day';
}

/** Reads what languages say for days that are near, such as `this weekend`. */
function readPhrase(tokens: readonly Token[], at: number, { today, words, isWord }: TimeContext): Time | null {
  for (let until = Math.min(tokens.length, at + 4); until > at; until--) {
    const typed = textOf(tokens, at, until);
    const isMeant = (phrase: string): boolean =>
      phrase === typed || (until === at + 1 && isNear(typed, phrase) && !isWord(typed));
    for (const [name, range] of Object.entries(ranges)) {
      if (words.some(({ times }) => times[name as TimeName].some((phrase) => isMeant(fold(phrase)))))
        return timeOf(at, until, range(today));
    }
  }
  return null;
}

/** Reads the name of a weekday: the coming one, or with the word for next that of the next week. */
function readWeekday(tokens: readonly Token[], at: number, context: TimeContext): Time | null {
  const { today } = context;
  const weekday = indexOf('weekdays', tokens[at], context);
  if (weekday === -1) return null;
  const isNext = (n: number): boolean =>
    context.words.some(({ next }) =>
      fold(next)
        .split(' ')
        .includes(tokens[n]?.folded ?? ' '),
    );
  const [from, until] = [isNext(at - 1) ? at - 1 : at, isNext(at + 1) ? at + 2 : at + 1];
  const coming = dateAfter(today, (weekday - weekdayOf(today) + 7) % 7);
  return timeOf(from, until, oneDay(until - from > 1 ? dateAfter(nextMonday(today), weekday) : coming));
}

/** Reads a day of a month, in either order, with or without its weekday and year: `Friday, 5 March 2027`. */
function readDay(tokens: readonly Token[], at: number, context: TimeContext): Time | null {
  const month = indexOf('months', tokens[at], context);
  if (month === -1) return null;
  const [before, after] = [skip(tokens, at, -1), skip(tokens, at, 1)];
  const [dayBefore, dayAfter] = [dayIn(tokens[before]), dayIn(tokens[after])];
  if (dayBefore + dayAfter === 0) return null;
  let [from, last] = dayBefore > 0 ? [before, at] : [at, after];
  const year = yearIn(tokens[skip(tokens, last, 1)]);
  if (year > 0) last = skip(tokens, last, 1);
  if (indexOf('weekdays', tokens[skip(tokens, from, -1)], context) !== -1) {
    from = skip(tokens, from, -1);
  }
  return timeOf(from, last + 1, dateRange(year, month + 1, dayBefore || dayAfter, context.today));
}

/** Reads a month, with or without its year: `march`, `mar 2027`, `2027 March`. */
function readMonth(tokens: readonly Token[], at: number, context: TimeContext): Time | null {
  const month = indexOf('months', tokens[at], context);
  if (month === -1) return null;
  const [before, after] = [skip(tokens, at, -1), skip(tokens, at, 1)];
  const [yearBefore, yearAfter] = [yearIn(tokens[before]), yearIn(tokens[after])];
  const from = yearAfter === 0 && yearBefore > 0 ? before : at;
  return timeOf(
    from,
    yearAfter > 0 ? after + 1 : at + 1,
    dateRange(yearAfter || yearBefore, month + 1, 0, context.today),
  );
}

function readYear(tokens: readonly Token[], at: number): Time | null {
  return timeOf(at, at + 1, yearRange(yearIn(tokens[at])));
}

function timeOf(from: number, until: number, range: Range | null): Time | null {
  return range && { range, from, until };
}

/** The words between the parts of a date, such as `2 de agosto de 2027`. */
const fillers = new Set('of the de del du den der le el'.split(' '));

/** Returns the place of the token before or after another, past at most one word that joins them. */
function skip(tokens: readonly Token[], at: number, step: 1 | -1): number {
  return fillers.has(tokens[at + step]?.folded ?? '') ? at + 2 * step : at + step;
}

function textOf(tokens: readonly Token[], from: number, until: number): string {
  return tokens
    .slice(from, until)
    .map(({ folded }) => folded)
    .join(' ');
}

function dayIn(token: Token | undefined): number {
  const [, day] = /^(0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th|er)?$/.exec(token?.folded ?? '') ?? [];
  return Number(day ?? 0);
}

function yearIn(token: Token | undefined): number {
  return /^(19|2\d)\d\d$/.test(token?.folded ?? '') ? Number(token?.folded) : 0;
}

/** Returns which month or weekday a word is, from 0 on, or -1. A month may be short, such as `dec` or `sept`. */
function indexOf(
  kind: 'months' | 'weekdays',
  token: Token | undefined,
  { languages, ownLanguages, isWord }: TimeContext,
): number {
  const typed = token?.folded ?? '';
  if (typed.length < 3) return -1;
  const isMeant = (name: string): boolean => name === typed || (kind === 'months' && name.startsWith(typed));
  const find = (some: readonly string[], test: (name: string) => boolean): number | undefined =>
    some.map((language) => namesOf(language)[kind].findIndex(test)).find((index) => index !== -1);
  // To a reader of English, Mars is the planet.
  const languagesOfWord = isWord(typed) ? languages.filter((language) => ownLanguages.has(language)) : languages;
  const exact = find(languagesOfWord, isMeant);
  if (exact !== undefined || isWord(typed)) return exact ?? -1;
  return find(languages, (name) => isNear(typed, name)) ?? -1;
}

/** The names of months and of weekdays from Monday on, folded. */
const namesOf = memoize((language: string) => {
  const names = (count: number, options: Intl.DateTimeFormatOptions, dateOf: (n: number) => number): string[] => {
    const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
    return Array.from({ length: count }, (_, n) => fold(format.format(dateOf(n))));
  };
  return {
    months: names(12, { month: 'long' }, (n) => Date.UTC(2024, n, 1)),
    // 1 January 2024 was a Monday.
    weekdays: names(7, { weekday: 'long' }, (n) => Date.UTC(2024, 0, n + 1)),
  };
});

/** Returns a day or, without a day, a month: without a year, the first one that is not over. Null if there is none. */
function dateRange(year: number, month: number, day: number, today: string): Range | null {
  if (month < 1 || month > 12 || day > 31 || (year !== 0 && year < 1900)) return null;
  const inYear = (one: number): Range | null => {
    if (day === 0) return months(monthOf(one, month), 1);
    const date = datesIn(monthOf(one, month))[day - 1];
    return date === undefined ? null : oneDay(date);
  };
  const thisYear = +today.slice(0, 'yyyy'.length);
  if (year !== 0) return inYear(year);
  return [thisYear, thisYear + 1].map(inYear).find((range) => range !== null && range.until >= today) ?? null;
}

function yearRange(year: number): Range | null {
  return year === 0 ? null : months(monthOf(year, 1), 12);
}

function oneDay(date: string): Range {
  return { from: date, until: date };
}

/** Saturday and Sunday, or what is left of them. */
function weekendFrom(date: string): Range {
  const weekday = weekdayOf(date);
  const until = dateAfter(date, 6 - weekday);
  return { from: weekday === 6 ? date : dateAfter(until, -1), until };
}

function nextMonday(today: string): string {
  return dateAfter(mondayOf(today), 7);
}

function monthIn(date: string): string {
  return date.slice(0, 'yyyy-mm'.length);
}

function monthOf(year: number, month: number): string {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`;
}

function months(first: string, count: number): Range {
  return { from: `${first}-01`, until: datesIn(monthAfter(first, count - 1)).at(-1) ?? '' };
}
