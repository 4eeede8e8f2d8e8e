import { languages } from '../catalogue/model.ts';
import { plainWords } from '../catalogue/text.ts';
import { columnWords, wordSet } from './schema/column-words.ts';
import type { FoundProblem } from './schema/finding.ts';
import { abbreviations, type DateOrder } from './schema/rules.ts';
import { memoize } from '../catalogue/time/memoize.ts';
import { day as dayLength, isoDate } from '../catalogue/time/time.ts';

/** No date that people write is longer. */
const maxCharacters = 64;

/**
 * Returns a date as people write it, with or without a time, in the form of a JSON file:
 * `30.01.2027 19:30` becomes `2027-01-30T19:30`. Numbers in which the year comes last are read in
 * the given order; other forms do not depend on it. A month, quarter or half with its year is the
 * period of an announcement. Returns null for anything else, and for a date that is not on the
 * weekday that it names. Dates that do not exist are not noticed here.
 */
export function readDate(text: string, order: DateOrder): string | null {
  if (jsonDate.test(text)) return text.replace(' ', 'T');
  const { date, isOnDay } = readDay(text, order);
  return isOnDay ? date : null;
}

function readDay(text: string, order: DateOrder) {
  if (text.length > maxCharacters) return { date: null, isOnDay: true };
  const plain = simplify(text);
  const [rest, word] = splitWeekday(plain);
  const whole = readPlain(plain, order);
  const date = whole ?? readPlain(rest, order);
  const [, bracket = ''] = /\((\p{L}{2,}|\p{Lo})\.?\)/u.exec(text) ?? [];
  const dayNames = [whole === null ? word : '', bracket.toLowerCase()];
  const weekdays = dayNames.map((name) => numbersOf('weekday', name)).find(({ size }) => size > 0);
  const iso = date?.slice(0, dateLength) ?? '';
  const weekday = new Date(iso).getUTCDay() || 7;
  // A period has no weekday.
  const isDay = iso.length === dateLength && !Number.isNaN(Date.parse(iso));
  const isOnDay = !isDay || weekdays?.has(weekday) !== false;
  return { date, isOnDay };
}

/**
 * Returns the reason why a text is not read as a date and how to fix it, if the reason is a common
 * one.
 */
export function findDateFault(text: string, order: DateOrder): string | null {
  const { date } = readDay(text, order);
  if (date !== null) {
    const iso = date.slice(0, dateLength);
    return `, but ${iso} is a ${weekdayOf(iso)}; fix the weekday or the date`;
  }
  if (/^\d{5}$/.test(text) && Number(text) > leastSerial) {
    const day = isoDate((Number(text) - serialOf1970) * dayLength);
    return `, the number of a spreadsheet for ${day}; format the column as dates and export it again`;
  }
  const parts = text.match(wholeDate) ?? [];
  if (parts.length > 1 && parts.length === text.split(', ').length)
    return `, which is a list of ${parts.length} days; give each its own row`;
  const [part = text] = parts;
  if (part !== text && readDate(part, order) !== null)
    return `, in which only ${part} is a date; put the rest into another column`;
  const dayFirst = order === 'iso' ? 'd/m/y' : order;
  const withYear = [' 2028', '2028', '.2028', '/2028'].map((year) => text + year);
  const lacksYear = withYear.some(
    (dated) => (readDate(dated, dayFirst) ?? readDates(dated, dayFirst)) !== null,
  );
  return lacksYear && !/\d{4}/.test(text)
    ? ', which has no year; write the year too'
    : findZoneFault(text);
}

const wholeDate = /(?<!\S)(?:\d\d?[-/.]\d\d?[-/.]\d{2,4}|\d{4}-\d\d-\d\d)(?=,?(?:\s|$))/g;

function findZoneFault(text: string): string | null {
  const [, word] = zoneWord.exec(text) ?? [];
  return word === undefined
    ? null
    : `; ${word} has no fixed offset; say "zone": "${zoneOfText(text)}" in the mapping`;
}

const weekdayOf = (date: string) =>
  new Date(date).toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
/** Day numbers of spreadsheets: 1 is 1 January 1900, and the first one here is in the year 2000. */
const [leastSerial, serialOf1970] = [36_525, 25_569];

/**
 * Returns a time of day as people write it, such as `7:30 PM`, `19.30 Uhr`, `19h30` or `19:30 UTC`,
 * in the form `19:30` or `19:30Z`. Leaves out seconds that are zero. Returns null for anything
 * else.
 */
export function readTime(text: string): string | null {
  if (text.length > maxCharacters) return null;
  // A day and a month without a year.
  if (/^\d\d?\.\d\d?\.$/.test(text)) return null;
  const groups = clockTime.exec(simplify(text))?.groups;
  if (groups === undefined) return null;
  const { hours = '', minutes, seconds = '00', half, unit, offset = '' } = groups;
  // A number alone is no time.
  if (!minutes && !half && !unit) return null;
  const hour = half ? hourOf(Number(hours), half) : Number(hours);
  if (hour === null || hour > 23) return null;
  if (Number(minutes ?? 0) > 59 || Number(seconds) > 59) return null;
  const time = `${two(String(hour))}:${minutes ?? '00'}`;
  return time + (seconds === '00' ? '' : `:${seconds}`) + offsetOf(offset);
}

/**
 * Returns the two times of a cell such as `19:00 - 21:30` or `1-3 PM`. The second is empty if there
 * is only one.
 */
export function splitTimes(text: string): readonly [string, string] {
  const [, from = '', until = ''] = timeSpan.exec(text) ?? [];
  const end = endOfDay.test(until) ? '24:00' : readTime(until);
  if (end === null) return [text, ''];
  const isBefore = (time: string) => (readTime(time) ?? end) < end;
  // If only the second time has a unit, it applies to both: 4:00-5:30 PM, 10-18 Uhr.
  const isBare = /^\d\d?(?:[:.]\d\d)?$/.test(from);
  const isOnHalfClock = isBare && /[ap]\.? ?m\.?$/i.test(until);
  const hour = isBare && /(?:uhr|h)$/i.test(until) ? `${from} h` : from;
  const starts = isOnHalfClock ? [`${from} pm`, `${from} am`].filter(isBefore) : [hour];
  const [start = ''] = starts;
  return readTime(start) === null ? [text, ''] : [start, until];
}

/** The end of a day, which no start has. */
export const endOfDay = /^24(?:[:.]00(?::00)?)?(?: ?(?:uhr|h|hrs))?$/i;

/**
 * Returns the two dates of a cell such as `5-8 May 2027` or `30.4.-2.5.2027` in the form of a JSON
 * file, or null.
 */
export function readDates(text: string, order: DateOrder): readonly [string, string] | null {
  if (text.length > maxCharacters) return null;
  const plain = simplify(text).replace(/^(?:du|les|del|vom|von|from) /, '');
  const year = /\d{4}(?!.*\d{4})/.exec(plain)?.[0] ?? '';
  const pairs: (readonly [from: string, until: string])[] = [];
  // 5-8 May 2027
  const [days = '', before = '', first = '', weekday = '', last = ''] = dayAndDay.exec(plain) ?? [];
  const after = plain.slice(days.length);
  pairs.push([before + first + after, (weekday || before) + last + after]);
  // 30.4.-2.5.2027
  for (const separator of separators) {
    const [start = '', end, ...more] = plain.split(separator);
    if (end === undefined || more.length > 0) continue;
    for (const gap of ['', ' ', '.']) pairs.push([start + gap + year, end]);
    pairs.push([start, end]);
  }
  for (const pair of pairs) {
    const [start, end] = pair.map((part) => readDate(part, order));
    if (start?.length === dateLength && end && start < end) return [start, end];
  }
  return null;
}

/**
 * Splits a text such as `4 May 2027, 19:30 - 21:30` into its date and its times, or returns null.
 */
export function splitMoment(
  text: string,
  order: DateOrder,
): readonly [date: string, times: string] | null {
  // Reading a date takes longer than the second test, which few texts pass.
  if (text.length > maxCharacters || !/[ ,]\d.*(?:[-–—~〜～→]| (?:to|bis|à|a) )/.test(text))
    return null;
  for (const { index } of text.matchAll(/[ ,]/g)) {
    const date = readDate(text.slice(0, index), order);
    const times = text.slice(index + 1).trim();
    if (date?.length === dateLength && splitTimes(times)[1] !== '') return [date, times];
  }
  return null;
}

/**
 * Returns the instants of one or two numbers that count seconds or milliseconds since 1970, in
 * milliseconds, or null. They are between 2001 and 2100, so that fewer numbers of other things pass.
 */
export function readEpochs(text: string): number[] | null {
  if (!/^\d{10}(?:\d{3})?(?:, ?\d{10}(?:\d{3})?)?$/.test(text)) return null;
  const times = text.split(/, ?/).map((part) => Number(part.padEnd(13, '0')));
  return times.every((time) => time > 1e12 && time < 4.1e12) ? times : null;
}

/** Returns the only date in a cell, or the first of two. */
export function readFirstDate(text: string, order: DateOrder): string | null {
  const date = readDate(text, order);
  if (date !== null) return date;
  return (readDates(text, order) ?? splitMoment(text, order))?.[0] ?? null;
}

/**
 * Returns a date with the time from its separate column, in the form of a JSON file, or the problem
 * of one of them.
 */
export function joinMoment(
  date: string,
  time: string,
  dates: DateOrder,
  isEnd = false,
): string | FoundProblem {
  const timeText = isEnd ? time.replace(midnight, '00:00').replace(endOfDay, '00:00') : time;
  const clock = isNoTime(time) ? '' : readTime(timeText);
  if (clock === null) return { code: 'bad-time', found: time, reason: findZoneFault(time) };
  // A time alone is the end on the day of the start.
  if (date === '') return clock;
  const moment = readDate(date, dates) ?? (isEnd ? readTime(date) : null);
  if (moment === null) {
    const reason = findDateFault(date, dates);
    const isOpen = dates === 'iso' && reason === null;
    return isOpen ? date : { code: 'bad-date', found: date, dates, reason };
  }
  const isWhole = clock === '' || !withoutOffset.test(moment);
  return isWhole ? moment : `${moment.slice(0, dateLength)}T${clock}`;
}

const midnight = /^(?:midnight|mitternacht|minuit|medianoche)$/i;
const withoutOffset = /^\d{4}-\d\d-\d\d(?!T.*(?:Z|[+-]\d\d:\d\d)$)/;

const dateLength = 'yyyy-mm-dd'.length;
const slash = /(?<=^\d{4}-\d\d-\d\d|^\d\d?\.\d\d?\.)\//;
const separators = [/ (?:[-–—~〜～→]|to|bis|until|au|al|a) /i, /[–—~〜～]/, /\.\./, slash, /-/];
/** A day, and a later one, perhaps with its weekday, without a month in between. */
const dayAndDay =
  /^(.*?(?<!\d))(\d\d?)(?:st|nd|rd|th|\.)? ?(?:[-–—~〜～&+]|\/(?=\d\d?(?:\.| [a-z]))|to|bis(?: zum)?|until|au|al|a|and|und|et|y) ?((?:[a-z]{2,}[.,]{0,2} )?)(\d\d?)(?!\d)/i;

const timeSpan =
  /^(?:(?:from|von|de) )?([^-–—~〜～→]{1,20}?) ?(?:[-–—~〜～→]| (?:to|bis|à|a) ) ?([^-–—~〜～→]{3,20})$/i;

/** Whether a cell is a time, two times, or says that there is none. */
export function isTimeCell(text: string): boolean {
  if (isNoTime(text) || endOfDay.test(text)) return true;
  return readTime(text) !== null || splitTimes(text)[1] !== '';
}

/** Whether a cell says that a time is not known, or that there is none. */
export function isNoTime(text: string): boolean {
  return /^[-–—?]*$/.test(text) || noTimes.has(plainWords(text.replace(/-/g, ' ')));
}

const ianaName = String.raw`(?:Africa|America|Asia|Atlantic|Australia|Europe|Indian|Pacific)/[\w/-]+`;

/**
 * The zone at the end of a text: an abbreviation or a name. An abbreviation has no offset, because
 * many say EST in summer. GMT has one.
 */
export const zoneWord = new RegExp(
  String.raw` \(?(?!GMT)(${Object.keys(abbreviations).join('|')}|${ianaName})\)?$`,
);

/** Returns the zone at the end of a time, such as `14:00 EST` or `14:00 Asia/Tokyo`. Empty if none. */
export function zoneOfText(text: string): string {
  const [, word = ''] = zoneWord.exec(text) ?? [];
  return abbreviations[word] ?? word;
}

/** Returns a time without its zone, if that is `zone`. */
export function withoutZone(text: string, zone: string): string {
  return zone !== '' && zoneOfText(text) === zone ? text.replace(zoneWord, '') : text;
}

const noTimes = wordSet(columnWords.noTimes);

/** The forms of a JSON file, which most tables have. A space may stand for the T. */
const jsonDate =
  /^\d{4}(?:-\d\d(?:-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)?)?)?|-Q\d|-H\d)?$/;

/**
 * Returns a text in lower case, with plain digits, letters, spaces and separators, and without
 * notes in brackets.
 */
function simplify(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain
    .replace(footnote, ' ')
    .replace(
      /(gmt[+-]\d{4} )?\(([^()]*)\)/g,
      (_, gmt, note) => gmt ?? (zoneNote.test(note) ? ` ${note}` : ' '),
    )
    .replace(/\b(?:12 ?)?(?:noon|midday)\b/, '12:00')
    .replace(/(\d) ?[年月] ?(?=\d)/g, '$1/')
    .replace(/(\d) ?日/g, '$1 ')
    .replace(/\s+/g, ' ')
    .replace(/[.,;]$/, '')
    .trim();
}

/** Wikipedia marks footnotes so. */
export const footnote = /\[(?:[a-z]|\d{1,3})\]/g;
/** A zone in brackets is not a note. */
const zoneNote = /^(?:utc|gmt|mes?z$|(?!sat$|oct$|okt$|sept$)[a-z]{1,4}t$)/;
const raw = String.raw;
const pattern = (...parts: readonly string[]) => new RegExp(parts.join(''), 'u');
const end = raw`(?:(?:[ ,t]|, |,? (?:at|um|ab|from|des|a|a las|a partir de|-|–) )(?<time>\d.*))?$`;
const year = raw`(?<year>\d{4}|\d\d)(?!\d)`;
const monthWord = raw`(?<month>\p{L}{3,})\.?`;
const yearFirst = pattern(
  raw`^(?<year>\d{4})`,
  raw`(?:(?<by>[-/. ])(?<month>\d\d?)\k<by>(?<day>\d\d?)(?!\d))`,
  end,
);
const withoutSeparators = pattern(raw`^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)`, end);
const yearLast = pattern(
  raw`^(?<first>\d\d?) ?(?<by>[-/.]) ?(?<second>\d\d?) ?\k<by> ?`,
  year,
  end,
);
const dayFirst = pattern(
  raw`^(?<day>\d\d?)(?:st|nd|rd|th|er|o|\.)?,?[ -]?`,
  raw`(?:de |of )?${monthWord}[ ,-]{0,2}`,
  `(?:de |del )?`,
  year,
  end,
);
const monthFirst = pattern(raw`^${monthWord} (?<day>\d\d?)(?:st|nd|rd|th)?,? (?<year>\d{4})`, end);
const periodOnly = pattern(raw`^(?:${monthWord}|(?<part>[qh]\d)) (?:de )?(?<year>\d{4})$`);
const clockTime = pattern(
  `^(?:(?:ab|from|a partir de|des) )?`,
  raw`(?<hours>\d\d?)`,
  raw`(?: ?[:.h時] ?(?<minutes>\d\d)`,
  raw`(?::(?<seconds>\d\d)(?:\.0+|\.\d{6})?)?分?)? ?`,
  raw`(?:(?<half>[ap])\.? ?m\.?|(?<unit>uhr|hrs?|hs?|時))? ?`,
  raw`(?<offset>z|utc|gmt|(?:utc|gmt)?[+-]\d\d:?\d\d`,
  // An offset in hours alone follows seconds.
  raw`|(?<=:\d\d:\d\d(?:\.\d+)? ?)[+-]\d\d`,
  raw`|(?:utc|gmt)[+-]\d\d?(?::\d\d)?)?$`,
);

type Parts = Readonly<Partial<Record<'year' | 'month' | 'day' | 'time', string>>>;

function readPlain(plain: string, order: DateOrder): string | null {
  const period = periodOnly.exec(plain)?.groups;
  const periodPart = period?.['part']?.toUpperCase() ?? monthOf(period?.['month']);
  if (periodPart !== null) return `${period?.['year']}-${two(periodPart)}`;
  const { year: digits = '', month = '', day = '', time } = partsOf(plain, order);
  if (!isBetween(month, 12) || !isBetween(day, 31)) return null;
  const clock = time === undefined ? '' : readTime(time);
  if (clock === null) return null;
  const century = Number(digits) < 69 ? '20' : '19';
  const fullYear = digits.length === 4 ? digits : century + digits;
  const date = `${fullYear}-${two(month)}-${two(day)}`;
  return clock === '' ? date : `${date}T${clock}`;
}

function partsOf(plain: string, order: DateOrder): Parts {
  const numbers = (yearFirst.exec(plain) ?? withoutSeparators.exec(plain))?.groups;
  if (numbers !== undefined) return numbers;
  const dateParts = (dayFirst.exec(plain) ?? monthFirst.exec(plain))?.groups;
  if (dateParts !== undefined) return { ...dateParts, month: monthOf(dateParts['month']) ?? '' };
  const { first = '', second = '', ...rest } = yearLast.exec(plain)?.groups ?? {};
  if (order === 'iso') return {};
  return order === 'm/d/y'
    ? { ...rest, month: first, day: second }
    : { ...rest, month: second, day: first };
}

function isBetween(number: string, most: number): boolean {
  return Number(number) >= 1 && Number(number) <= most;
}

function hourOf(hours: number, half: string): number | null {
  if (hours > 12 && half === 'p') return hours;
  if (hours < 1 || hours > 12) return null;
  return (hours % 12) + (half === 'p' ? 12 : 0);
}

function offsetOf(offset: string): string {
  const [, sign = '', hours = '', minutes = '00'] = /([+-])(\d\d?):?(\d\d)?$/.exec(offset) ?? [];
  if (sign !== '') return `${sign}${two(hours)}:${minutes}`;
  return offset === '' ? '' : 'Z';
}

function two(number: string): string {
  return number.padStart(2, '0');
}

/** Returns the names of the months or weekdays in a language, with their numbers. */
function namesIn(language: string, kind: 'month' | 'weekday') {
  const [length, days] = kind === 'month' ? [12, 31] : [7, 1];
  const format = new Intl.DateTimeFormat(language, { [kind]: 'long', timeZone: 'UTC' });
  return Array.from({ length }, (_, index) => {
    const name = format.format(Date.UTC(2024, 0, 1 + index * days));
    return [plainWords(name), index + 1] as const;
  });
}

/** The same in all languages of the pages. */
const namesOf = memoize((kind: 'month' | 'weekday') =>
  languages.flatMap((language) => namesIn(language, kind)),
);

/** Returns the numbers of the months or weekdays whose names begin with a word. */
function numbersOf(kind: 'month' | 'weekday', word: string): ReadonlySet<number> {
  const names = namesOf(kind).filter(([name]) => word !== '' && name.startsWith(word));
  return new Set(names.map(([, number]) => number));
}

function monthOf(word = ''): string | null {
  const numbers = numbersOf('month', word);
  const [month] = numbers;
  return numbers.size === 1 ? `${month}` : null;
}

function splitWeekday(text: string): readonly [rest: string, word: string] {
  const plain = text.replace(/^(?:le|el|den|der|am) /, '');
  const [front = '', word = ''] = /^(\p{L}{2,})[.,]{0,2} ?/u.exec(plain) ?? [];
  const isNamed = numbersOf('weekday', word).size > 0;
  return isNamed ? [plain.slice(front.length), word] : [plain, ''];
}
