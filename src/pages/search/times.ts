import { dateAfter, weekdayOf } from '../dates.ts';
import { memoize } from '../../catalogue/time/memoize.ts';
import { dateRange, namedRanges, nextMonday, oneDay, yearRange, type Range } from './ranges.ts';
import { fold, isNear, isUnspaced, wordsIn } from './text.ts';
import type { SearchWords, TimeName } from './words.ts';

/**
 * A time in a query: its range, and which words of the query say it, from the first to before the
 * last.
 */
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
  /** Those in which months and weekdays are named. */
  readonly languages: readonly string[];
  readonly words: readonly SearchWords[];
  /** Whether a word is in the index, and so no typing error. */
  readonly isWord: (word: string) => boolean;
}

/** A part of a query between spaces: as it is typed, and folded. */
export interface Token {
  readonly raw: string;
  readonly folded: string;
}

/**
 * Returns the times in a query, the longest first. One query has one time, so the caller chooses.
 */
export function readTimes(tokens: readonly Token[], context: TimeContext): Time[] {
  const parts = tokens.map((token) => partOf(token, context));
  const weekdaysAt = (n: number) => Number(/[Ww]/.test(parts[n]?.kind ?? ''));
  const single = tokens.flatMap(({ raw }, at) => {
    const range = readFigures(raw, context);
    // A weekday beside a day in figures says nothing else: `Sa 5.12.`
    const isDay = range !== null && range.from === range.until;
    const [before, after] = isDay ? [weekdaysAt(at - 1), weekdaysAt(at + 1)] : [0, 0];
    return [...timeOf(at - before, at + 1 + after, range), ...readPhrase(tokens, at, context)];
  });
  const kinds = parts.map(({ kind }) => kind).join('');
  const days = [...single, ...readNames(parts, context.today)];
  const times = [...days, ...withPartOfDay(days, kinds), ...spansOf(days, kinds)];
  return times.sort((a, b) => b.until - b.from - (a.until - a.from) || a.from - b.from);
}

/** The index has days, so the evening of a day is that day. */
function withPartOfDay(times: readonly Time[], kinds: string): Time[] {
  return times.flatMap((time) => {
    const [words = ''] = /^f*p/.exec(kinds.slice(time.until)) ?? [];
    const isOneDay = time.range.from === time.range.until;
    return isOneDay && words !== '' ? { ...time, until: time.until + words.length } : [];
  });
}

/** Returns what two times around a word such as `to` are together. */
function spansOf(times: readonly Time[], kinds: string): Time[] {
  return times.flatMap(({ range, from, until }) => {
    const ends = times.filter((end) => kinds[until] === 't' && end.from === until + 1);
    const later = ends.filter((end) => end.range.until >= range.from);
    return later.map((end) => ({
      range: { from: range.from, until: end.range.until },
      from,
      until: end.until,
    }));
  });
}

/** Puts spaces around the times in a text that has none, such as 来週. */
export function spacedTimes(text: string, words: readonly SearchWords[]): string {
  if (!isUnspaced(text)) return text;
  const phrases = words.flatMap(({ times }) => Object.values(times).flat()).filter(isUnspaced);
  const longestFirst = phrases.toSorted((a, b) => b.length - a.length);
  return text.replace(
    new RegExp(`${japanese.source}|${longestFirst.join('|') || japanese.source}`, 'gu'),
    ' $& ',
  );
}

const japanese = /(?:\d{4}年)?\d{1,2}月(?:\d{1,2}日)?|\d{4}年|[月火水木金土日]曜日?/u;

/** Reads a date in figures: `2027-08-02`, `2027/8`, `02.08.2027`, `8/2/2027`, `12/25`, `8月2日`. */
function readFigures(text: string, { today, tag }: TimeContext): Range | null {
  const raw = text.normalize('NFKC');
  const parts =
    /^(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?$/.exec(raw) ??
    /^(?:(\d{4})年)?(?:(\d{1,2})月)?(?:(\d{1,2})日)?$/.exec(raw);
  if (parts !== null) {
    const [year = 0, month = 0, day = 0] = parts.slice(1).map((part) => Number(part ?? 0));
    return month === 0 && day === 0 ? yearRange(year) : dateRange(year, month, day, today);
  }
  const [, first = '', separator = '', second = '', third] =
    /^(\d{1,2})([./-])(\d{1,2})(?:\2(\d{4}|\d\d)?)?$/.exec(raw) ?? [];
  // Without a year, 3.14 and 24-7 are more often something else, and so is 22.1 without a dot at
  // the end.
  if (
    first === '' ||
    (third === undefined && (separator === '-' || (separator === '.' && !raw.endsWith('.'))))
  )
    return null;
  const isMonthFirst = separator !== '.' && +first <= 12 && (+second > 12 || !isDayFirstIn(tag));
  const isDayFirst = separator === '.' || third !== undefined ? !isMonthFirst : isDayFirstIn(tag);
  const [day, month] = isMonthFirst ? [+second, +first] : [+first, +second];
  const century = third?.length === 2 ? 2000 : 0;
  const year = century + Number(third ?? 0);
  return isMonthFirst || isDayFirst ? dateRange(year, month, day, today) : null;
}

function isDayFirstIn(tag: string): boolean {
  const parts = new Intl.DateTimeFormat(tag, {
    day: 'numeric',
    month: 'numeric',
  }).formatToParts(0);
  return parts.find(({ type }) => type === 'day' || type === 'month')?.type === 'day';
}

/** Reads what languages say for days that are near, such as `this weekend`. */
function readPhrase(
  tokens: readonly Token[],
  at: number,
  { today, words, isWord }: TimeContext,
): Time[] {
  for (let until = Math.min(tokens.length, at + 4); until > at; until--) {
    const typed = tokens
      .slice(at, until)
      .map(({ folded }) => folded)
      .join(' ');
    const isMeant = (phrase: string) =>
      phrase === typed || (until === at + 1 && isNear(typed, phrase) && !isWord(typed));
    for (const [name, range] of Object.entries(namedRanges)) {
      if (
        words.some(({ times }) => times[name as TimeName].some((phrase) => isMeant(fold(phrase))))
      )
        return timeOf(at, until, range(today));
    }
  }
  return [];
}

/**
 * The dates that names and numbers make, as the kinds of their words: a day of a month with its
 * weekday (`w` if that is cut short) and year, in either order, a month with its year, a weekday with
 * the word for next, a year. Some words join the others.
 */
const patterns = [
  /(?:[Ww]f?)?(?:D(?:tD)?f?M|Mf?D(?:tD)?)(?:f?Y)?/g,
  /Yf?M|M(?:f?Y)?/g,
  /nf?W|Wn?/g,
  /Y/g,
];

/** Words between the parts of a date, such as `2 de agosto de 2027`. */
const fillers = new Set('of the in de del du den der am le el la por の'.split(' '));

/** Words between the first and the last of some days. */
const links = new Set('to until till bis al hasta au から'.split(' '));

/** Reads dates with names: `Friday, 5 March 2027`, `mar 2028`, `next Monday`, `2027`. */
function readNames(parts: readonly Part[], today: string): Time[] {
  const kinds = parts.map(({ kind }) => kind).join('');
  const matches = patterns.flatMap((pattern) => [...kinds.matchAll(pattern)]);
  return matches.flatMap(({ 0: match, index }) => {
    const values = parts.slice(index, index + match.length).map(({ value }) => value);
    return timeOf(index, index + match.length, rangeOfNames(match, values, today));
  });
}

/** Returns the dates that names stand for, by their kinds, such as `WfDfM`, and their values. */
function rangeOfNames(kinds: string, values: readonly number[], today: string): Range | null {
  const valueOf = (kind: string) => values[kinds.indexOf(kind)] ?? 0;
  const [year, month, weekday] = [valueOf('Y'), valueOf('M'), valueOf('W')];
  if (kinds.includes('M')) {
    const range = dateRange(year, month, valueOf('D'), today);
    const last = dateRange(year, month, values[kinds.lastIndexOf('D')] ?? 0, today);
    if (range === null || last === null || last.until < range.from) return null;
    return { from: range.from, until: last.until };
  }
  if (!kinds.includes('W')) return yearRange(year);
  if (kinds.includes('n')) return oneDay(dateAfter(nextMonday(today), weekday));
  const untilWeekday = (weekday - weekdayOf(today) + 7) % 7;
  return oneDay(dateAfter(today, untilWeekday));
}

interface Part {
  readonly kind: string;
  readonly value: number;
}

/** Returns the kind of a word in a date, as {@link patterns} have it, and which one it is. */
function partOf(token: Token, context: TimeContext): Part {
  const { folded } = token;
  const [month, weekday] = [
    indexOf('months', folded, context),
    indexOf('weekdays', withoutPartOfDay(folded, context), context),
  ];
  if (month !== -1) return { kind: 'M', value: month + 1 };
  if (weekday !== -1) return { kind: 'W', value: weekday };
  if (isShortWeekday(folded, context)) return { kind: 'w', value: 0 };
  const [, day] = /^(0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th|er)?$/.exec(folded) ?? [];
  if (day !== undefined) return { kind: 'D', value: Number(day) };
  if (/^(19|2\d)\d\d$/.test(folded))
    return {
      kind: 'Y',
      value: Number(folded),
    };
  const isNext = context.words.some(({ next, times }) =>
    [...fold(next).split(' '), ...times.nextWeek].includes(folded),
  );
  if (isNext) return { kind: 'n', value: 0 };
  if (partsOfDay(context).includes(folded)) return { kind: 'p', value: 0 };
  if (links.has(folded)) return { kind: 't', value: 0 };
  return { kind: fillers.has(folded) ? 'f' : '-', value: 0 };
}

function partsOfDay({ words }: TimeContext): string[] {
  return words.flatMap((some) => wordsIn(some.partsOfDay));
}

/** Friday evening is one word in German. */
function withoutPartOfDay(typed: string, context: TimeContext): string {
  const part = partsOfDay(context).find((word) => typed.endsWith(word) && !isUnspaced(word)) ?? '';
  return part === typed ? typed : typed.slice(0, typed.length - part.length);
}

function timeOf(from: number, until: number, range: Range | null): Time[] {
  return range === null ? [] : [{ range, from, until }];
}

/**
 * Returns which month or weekday a word is, from 0 on, or -1. A month may be short, such as `dec`
 * or `sept`.
 */
function indexOf(
  kind: 'months' | 'weekdays',
  typed: string,
  { languages, isWord }: TimeContext,
): number {
  if (typed.length < 3) return -1;
  const isMeant = (name: string) => name === typed || (kind === 'months' && name.startsWith(typed));
  const find = (test: (name: string) => boolean): number | undefined =>
    languages
      .map((language) => namesOf(language)[kind].findIndex(test))
      .find((index) => index !== -1);
  return find(isMeant) ?? (isWord(typed) ? undefined : find((name) => isNear(typed, name))) ?? -1;
}

/** Whether a word is a weekday cut short, such as `sat`, `thurs` or `Mo`. Alone it is none. */
function isShortWeekday(typed: string, { languages }: TimeContext): boolean {
  const isMeant = (name: string) => name.startsWith(typed);
  return (
    (typed.length > 1 || isUnspaced(typed)) &&
    languages.some((language) => namesOf(language).weekdays.some(isMeant))
  );
}

/** The names of months and of weekdays from Monday on, folded. */
const namesOf = memoize((language: string) => {
  const month = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' });
  const weekday = new Intl.DateTimeFormat(language, {
    weekday: 'long',
    timeZone: 'UTC',
  });
  const monthNames = Array.from({ length: 12 }, (_, n) => fold(month.format(Date.UTC(2024, n, 1))));
  // 1 January 2024 was a Monday.
  const weekdays = Array.from({ length: 7 }, (_, n) =>
    fold(weekday.format(Date.UTC(2024, 0, n + 1))),
  );
  return { months: monthNames, weekdays };
});
