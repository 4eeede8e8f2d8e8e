import { memoize } from '../catalogue/time/memoize.ts';

const dateFormats = {
  weekday: { weekday: 'long' },
  shortWeekday: { weekday: 'short' },
  narrowWeekday: { weekday: 'narrow' },
  /** `Fri 15` */
  shortDay: { weekday: 'short', day: 'numeric' },
  /** `Fri 15 Jan` */
  weekdayDate: { weekday: 'short', day: 'numeric', month: 'short' },
  /** `15 January` */
  monthDay: { day: 'numeric', month: 'long' },
  /** `15 Jan` */
  shortDate: { day: 'numeric', month: 'short' },
  /** `15 Jan 2027` */
  mediumDate: { day: 'numeric', month: 'short', year: 'numeric' },
  /** `15 January 2027` */
  fullDate: { day: 'numeric', month: 'long', year: 'numeric' },
  /** `Friday, 15 January 2027` */
  longDate: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  /** `January 2027`, for a month or any date in it. */
  month: { month: 'long', year: 'numeric' },
  shortMonth: { month: 'short' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;

type DateFormats = Readonly<Record<keyof typeof dateFormats, (date: string) => string>>;

/**
 * Formats dates and numbers in one language. Dates are `2027-01-15`, and independent of any time
 * zone.
 */
export interface Locale extends DateFormats {
  readonly lang: string;
  readonly isRightToLeft: boolean;
  /** `23 November – 22 December 2026` */
  readonly dateRange: (from: string, until: string) => string;
  /** `1,573` */
  readonly number: (count: number) => string;
  /** The first day of the week, and the days of the weekend: 0 for Monday, 6 for Sunday. */
  readonly firstDay: number;
  readonly weekend: readonly number[];
  /** From an earlier date to a later one: `→` */
  readonly arrow: string;
  /** Names a country or another region by its code. */
  readonly region: (code: string) => string;
  /** Compares names by the alphabet. */
  readonly compare: (a: string, b: string) => number;
}

/** Returns the formats of a language. A tag that Intl does not know gives English. */
export const localeOf = memoize((lang: string): Locale => {
  const [language = 'en'] = Intl.DateTimeFormat.supportedLocalesOf(lang);
  const { script } = new Intl.Locale(language).maximize();
  // A page has digits of one kind, those of its times.
  const tag = new Intl.Locale(language, { numberingSystem: 'latn' }).toString();
  const isRightToLeft = rightToLeft.has(script ?? '');
  const regions = new Intl.DisplayNames(tag, { type: 'region' });
  const number = new Intl.NumberFormat(tag, { useGrouping: true });
  const dates = Object.entries(dateFormats).map(([name, options]) => {
    return [name, formatter(tag, options)];
  });
  const whole = dateFormat(tag, dateFormats.fullDate);
  return {
    ...(Object.fromEntries(dates) as DateFormats),
    lang,
    dateRange: (from, until) => whole.formatRange(Date.parse(from), Date.parse(until)),
    isRightToLeft,
    arrow: isRightToLeft ? '←' : '→',
    number: memoize((count) => number.format(count)),
    ...weekOf(tag),
    region: memoize((code) => regions.of(code) ?? code),
    compare: new Intl.Collator(tag).compare,
  };
});

function dateFormat(tag: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(tag, {
    ...options,
    timeZone: 'UTC',
    calendar: 'gregory',
  });
}

function formatter(tag: string, options: Intl.DateTimeFormatOptions): (date: string) => string {
  const format = dateFormat(tag, options);
  // The dates of a catalogue repeat, and formatting one takes longer than the rest of its row.
  return memoize((date) => format.format(Date.parse(date)));
}

interface WeekInfo {
  /** 1 for Monday, 7 for Sunday. */
  readonly firstDay: number;
  readonly weekend: readonly number[];
}

/**
 * Not every engine knows the weeks of a language; some have them as a property and others as a
 * method.
 */
function weekOf(tag: string): Pick<Locale, 'firstDay' | 'weekend'> {
  const week = new Intl.Locale(tag) as {
    readonly weekInfo?: WeekInfo;
    readonly getWeekInfo?: () => WeekInfo;
  };
  const { firstDay, weekend } = week.getWeekInfo?.() ??
    week.weekInfo ?? { firstDay: 1, weekend: [6, 7] };
  return {
    firstDay: firstDay - 1,
    weekend: weekend.map((day) => day - 1),
  };
}

/** The scripts that are written from right to left. */
const rightToLeft = new Set([
  'Arab',
  'Hebr',
  'Syrc',
  'Thaa',
  'Nkoo',
  'Adlm',
  'Rohg',
  'Mand',
  'Samr',
]);
