import { searchWords, type DatePhrase, type SearchWords } from '../words/search-words.ts';
import type { Language } from '../../catalogue/model.ts';
import { datesOf, type PhraseNumbers, type Range } from './dates.ts';
import { fold } from './fold.ts';

/** A query, taken apart into dates and the words that are left, both folded. */
export interface DatedQuery {
  readonly range: Range;
  readonly words: string;
  readonly rest: string;
}

/** What a query is read with. */
export interface DateContext {
  /** `YYYY-MM-DD`. */
  readonly today: string;
  /** The reader's variety of a language, which decides between 8/2 and 2/8. */
  readonly tag: string;
  /** Those whose names of months, weekdays and seasons count. Other phrases count in every language. */
  readonly languages: readonly Language[];
}

/** Returns the dates in a query: the most exact ones first, then others that are elsewhere in the query. */
export function readDates(query: string, context: DateContext): DatedQuery[] {
  const numeric = readNumbers(query, context);
  if (numeric !== null) return [numeric];
  const folded = fold(query);
  const found: { readonly from: number; readonly until: number; readonly dated: DatedQuery }[] = [];
  for (const phrase of phrases) {
    const languages = ambiguous.has(phrase) ? context.languages : allLanguages;
    for (const language of languages) {
      const match = readPhrase(folded, phrase, language);
      const range = match && datesOf(phrase, match.numbers, context.today);
      if (!match || !range || found.some(({ from, until }) => match.from < until && from < match.until)) continue;
      const rest = `${folded.slice(0, match.from)} ${folded.slice(match.until)}`.replace(/ +/g, ' ').trim();
      found.push({ ...match, dated: { range, words: folded.slice(match.from, match.until), rest } });
    }
  }
  return found.map(({ dated }) => dated);
}

const allLanguages = Object.keys(searchWords) as Language[];

/** From the most exact to the most vague. A phrase comes before those that are a part of it. */
const phrases = [
  'date',
  'dayOfMonth',
  'month',
  'quarter',
  'season',
  'nextSeason',
  'days',
  'weeks',
  'months',
  'nextDays',
  'dayAfterTomorrow',
  'nextWeekday',
  'nextWeekend',
  'nextWeek',
  'nextMonth',
  'nextYear',
  'weekend',
  'week',
  'thisMonth',
  'thisYear',
  'tomorrow',
  'today',
  'weekday',
  'bareMonth',
  'year',
] as const satisfies readonly DatePhrase[];

/** What may be a name in another language, such as the planet Mars. */
const ambiguous: ReadonlySet<DatePhrase> = new Set([
  'month',
  'season',
  'nextSeason',
  'nextWeekday',
  'weekday',
  'bareMonth',
]);

/** Reads dates that are written in figures: `2027-08-02`, `2027/8`, `02.08.2027`, `8/2/2027`. */
function readNumbers(query: string, { today, tag }: DateContext): DatedQuery | null {
  for (const [pattern, order] of figures) {
    const match = pattern.exec(query.normalize('NFKC'));
    if (match === null) continue;
    const [first = 0, second = 0, third = 0] = match.slice(1).map((text) => Number(text || 0));
    const range = rangeOfFigures(order ?? orderOf(tag), [first, second, third], today);
    if (range === null) continue;
    const [before, after] = [query.slice(0, match.index), query.slice(match.index + match[0].length)];
    return { range, words: fold(match[0]), rest: fold(`${before} ${after}`) };
  }
  return null;
}

type Order = 'year' | 'day' | 'month';

const figures: readonly (readonly [RegExp, Order | null])[] = [
  [/(?<![\d.-])(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?(?![\d-])/, 'year'],
  [/(?<![\d.])(\d{1,2})\. ?(\d{1,2})\. ?(\d{4}|\d\d)?(?![\d.])/, 'day'],
  [/(?<![\d/])(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d\d)(?![\d/])/, null],
];

/** Returns what comes first in a date. */
function orderOf(tag: string): Order {
  const parts = new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'numeric' }).formatToParts(0);
  return parts.find(({ type }) => type === 'day' || type === 'month')?.type === 'day' ? 'day' : 'month';
}

function rangeOfFigures(order: Order, [first, second, third]: [number, number, number], today: string): Range | null {
  if (order === 'year') {
    if (first < 1900 || second < 1 || second > 12) return null;
    return datesOf(third === 0 ? 'month' : 'date', { year: first, month: second, day: third }, today);
  }
  const year = third === 0 ? {} : { year: third < 100 ? 2000 + third : third };
  const isDayFirst = order === 'day' ? second <= 12 : first > 12;
  const numbers = isDayFirst ? { day: first, month: second } : { day: second, month: first };
  return datesOf(third === 0 ? 'dayOfMonth' : 'date', { ...numbers, ...year }, today);
}

interface PhraseMatch {
  readonly from: number;
  readonly until: number;
  readonly numbers: PhraseNumbers;
}

function readPhrase(folded: string, phrase: DatePhrase, language: Language): PhraseMatch | null {
  for (const pattern of patternsOf(phrase, language)) {
    const match = pattern.exec(folded);
    if (match === null) continue;
    const { month, weekday, season, n, ...others } = match.groups ?? {};
    const names = namesOf(language);
    const numbers = {
      ...Object.fromEntries(Object.entries(others).map(([name, text]) => [name, +text])),
      ...(month !== undefined && { month: indexIn(names.month, month) + 1 }),
      ...(weekday !== undefined && { weekday: indexIn(names.weekday, weekday) }),
      ...(season !== undefined && { season: indexIn(names.season, season) }),
      ...(n !== undefined && { n: +n || indexIn(names.n, n) + 1 }),
    };
    return { from: match.index, until: match.index + match[0].length, numbers };
  }
  return null;
}

function indexIn(names: readonly (readonly string[])[], name: string): number {
  return names.findIndex((forms) => forms.includes(name));
}

const compiled = new Map<string, readonly RegExp[]>();

/** Returns the patterns of a phrase, which find it in a folded text. */
function patternsOf(phrase: DatePhrase, language: Language): readonly RegExp[] {
  const key = `${phrase} ${language}`;
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const names = namesOf(language);
  const isSpaced = language !== 'ja';
  // A short name, such as "sun", may be a word of a title, unless there is a number beside it.
  const isBare = phrase === 'bareMonth' || phrase === 'weekday';
  const listed = (forms: readonly (readonly string[])[]): string =>
    forms
      .flat()
      .filter((form) => !isBare || !isSpaced || form.length >= 4)
      .toSorted((a, b) => b.length - a.length)
      .join('|');
  const parts: Readonly<Record<string, string>> = {
    year: String.raw`(?<year>(?:19|2\d)\d\d)`,
    day: String.raw`(?<!\d)(?<day>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th|er)?`,
    q: '(?<q>[1-4])',
    n: String.raw`(?<!\d)(?<n>\d{1,3}|${listed(names.n)})`,
    month: String.raw`(?<!\d)(?<month>${listed(names.month)})`,
    weekday: `(?<weekday>${listed(names.weekday)})`,
    season: `(?<season>${listed(names.season)})`,
  };
  const hasDay = phrase === 'date' || phrase === 'dayOfMonth';
  // "Friday, 6 March" is the same as "6 March".
  const before = hasDay ? `(?:(?:${listed(names.weekday)}) ${filler})?` : '';
  const patterns = (searchWords[language].phrases[phrase] ?? '(?!)').split(/\|(?![^(]*\))/).map((text) => {
    const source = text.replaceAll(' ', ` ${filler}`).replace(/\{([a-z]+)\}/g, (_, name: string) => parts[name] ?? '');
    return new RegExp(isSpaced ? `${edge.before}${before}${source}${edge.after}` : source, 'u');
  });
  // The longest first, so that "tomorrow night" leaves no "night".
  const ordered = patterns.toSorted((a, b) => b.source.length - a.source.length);
  compiled.set(key, ordered);
  return ordered;
}

const filler = '(?:(?:of|the|de|del|du|den|le|el|en) )?';
const edge = { before: String.raw`(?<![\p{L}\p{N}])`, after: String.raw`(?![\p{L}\p{N}])` };

type Names = Readonly<Record<'month' | 'weekday' | 'season' | 'n', readonly (readonly string[])[]>>;
const namesByLanguage = new Map<Language, Names>();

/** Returns the names of months, weekdays, seasons and numbers, in their order, folded. */
function namesOf(language: Language): Names {
  const known = namesByLanguage.get(language);
  if (known !== undefined) return known;
  const { seasons, numbers }: SearchWords = searchWords[language];
  const widths = ['long', 'short'] as const;
  const named = (count: number, options: (width: 'long' | 'short') => Intl.DateTimeFormatOptions, step: number) =>
    Array.from({ length: count }, (_, n) =>
      widths.map((width) =>
        // 1 January 2024 was a Monday.
        fold(new Intl.DateTimeFormat(language, { ...options(width), timeZone: 'UTC' }).format(n * step + monday2024)),
      ),
    );
  const weekdays = named(7, (weekday) => ({ weekday }), 24 * 3600_000);
  const names: Names = {
    month: named(12, (month) => ({ month }), 30.6 * 24 * 3600_000),
    // The short names of Japanese are single letters, which are in many words.
    weekday: language === 'ja' ? weekdays.map(([long = '']) => [long, long.slice(0, -1)]) : weekdays,
    season: seasons.map((season) => season.split('|')),
    n: numbers.map((number) => number.split('|')),
  };
  namesByLanguage.set(language, names);
  return names;
}

const monday2024 = Date.UTC(2024, 0, 1);
