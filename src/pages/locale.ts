import { memoize } from '../catalogue/time/memoize.ts';

/** Formats dates and numbers in one language. Dates are `2027-01-15`, and independent of any time zone. */
export interface Locale {
  readonly lang: string;
  readonly isRightToLeft: boolean;
  /** `en_US`, as Open Graph names a language and its territory. */
  readonly openGraph: string;
  /** `1,573` */
  readonly number: (count: number) => string;
  /** `Friday` */
  readonly weekday: (date: string) => string;
  /** `Fri` */
  readonly shortWeekday: (date: string) => string;
  /** `F` */
  readonly narrowWeekday: (date: string) => string;
  /** `Fri 15` */
  readonly shortDay: (date: string) => string;
  /** `15 January` */
  readonly monthDay: (date: string) => string;
  /** `15 Jan` */
  readonly shortDate: (date: string) => string;
  /** `15 Jan 2027` */
  readonly mediumDate: (date: string) => string;
  /** `15 January 2027` */
  readonly fullDate: (date: string) => string;
  /** `Friday, 15 January 2027` */
  readonly longDate: (date: string) => string;
  /** `January 2027`, for a month or any date in it. */
  readonly month: (date: string) => string;
  /** The first day of the week, and the days of the weekend: 0 for Monday, 6 for Sunday. */
  readonly firstDay: number;
  readonly weekend: readonly number[];
  /** `Jan 2027` */
  readonly shortMonthYear: (date: string) => string;
  /** `Jan` */
  readonly shortMonth: (date: string) => string;
  /** From an earlier date to a later one: `→` */
  readonly arrow: string;
  /** Names a country or another region by its code. */
  readonly region: (code: string) => string;
  /** Compares names by the alphabet. */
  readonly compare: (a: string, b: string) => number;
}

const locales = new Map<string, Locale>();

/** Returns the formats of a language. A tag that Intl does not know gives English. */
export function localeOf(lang: string): Locale {
  const known = locales.get(lang) ?? createLocale(lang);
  locales.set(lang, known);
  return known;
}

function createLocale(lang: string): Locale {
  const tag = isKnown(lang) ? lang : 'en';
  const { language, script, region } = new Intl.Locale(tag).maximize();
  const regions = new Intl.DisplayNames(tag, { type: 'region' });
  const number = new Intl.NumberFormat(tag, { useGrouping: true });
  const formatter = (options: Intl.DateTimeFormatOptions): ((date: string) => string) => {
    const format = new Intl.DateTimeFormat(tag, { ...options, timeZone: 'UTC', calendar: 'gregory' });
    // The dates of a catalogue repeat, and formatting one takes longer than the rest of its row.
    return memoize((date) => format.format(Date.parse(date)));
  };
  return {
    lang,
    isRightToLeft: rightToLeft.has(script ?? ''),
    arrow: rightToLeft.has(script ?? '') ? '←' : '→',
    openGraph: [language, region].filter(Boolean).join('_'),
    number: memoize((count) => number.format(count)),
    weekday: formatter({ weekday: 'long' }),
    shortWeekday: formatter({ weekday: 'short' }),
    narrowWeekday: formatter({ weekday: 'narrow' }),
    shortDay: formatter({ weekday: 'short', day: 'numeric' }),
    monthDay: formatter({ day: 'numeric', month: 'long' }),
    shortDate: formatter({ day: 'numeric', month: 'short' }),
    mediumDate: formatter({ day: 'numeric', month: 'short', year: 'numeric' }),
    fullDate: formatter({ day: 'numeric', month: 'long', year: 'numeric' }),
    longDate: formatter({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
    month: formatter({ month: 'long', year: 'numeric' }),
    ...weekOf(tag),
    shortMonthYear: formatter({ month: 'short', year: 'numeric' }),
    shortMonth: formatter({ month: 'short' }),
    region: memoize((code) => regions.of(code) ?? code),
    compare: new Intl.Collator(tag).compare,
  };
}

interface WeekInfo {
  /** 1 for Monday, 7 for Sunday. */
  readonly firstDay: number;
  readonly weekend: readonly number[];
}

/** Not every engine knows the weeks of a language; some have them as a property and others as a method. */
function weekOf(tag: string): Pick<Locale, 'firstDay' | 'weekend'> {
  const own = new Intl.Locale(tag) as { readonly weekInfo?: WeekInfo; readonly getWeekInfo?: () => WeekInfo };
  const { firstDay, weekend } = own.getWeekInfo?.() ?? own.weekInfo ?? { firstDay: 1, weekend: [6, 7] };
  return { firstDay: firstDay - 1, weekend: weekend.map((day) => day - 1) };
}

/** The scripts that are written from right to left. */
const rightToLeft = new Set(['Arab', 'Hebr', 'Syrc', 'Thaa', 'Nkoo', 'Adlm', 'Rohg', 'Mand', 'Samr']);

function isKnown(lang: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(lang).length > 0;
  } catch {
    return false;
  }
}
