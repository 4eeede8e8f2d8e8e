const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

/** `2027-01` or any date in it as `January`. */
export function monthName(date: string): string {
  return months[+date.slice(5, 7) - 1] ?? '';
}

/** `2027-01` or any date in it as `January 2027`. */
export function monthTitle(date: string): string {
  return `${monthName(date)} ${+date.slice(0, 4)}`;
}

/** `2027-01-15` as `Friday`, independent of any time zone. */
export function weekday(date: string): string {
  return weekdays[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? '';
}

/** `2027-01-15` as `Friday, 15 January 2027`. */
export function longDate(date: string): string {
  return `${weekday(date)}, ${+date.slice(8)} ${monthTitle(date)}`;
}

/** Returns the day after a date, both as `2027-01-15`. */
export function dateAfter(date: string): string {
  return new Date(Date.parse(date) + 24 * 3600_000).toISOString().slice(0, date.length);
}

/** Returns the month `count` months after another, both as `2027-01`. */
export function monthAfter(month: string, count: number): string {
  const index = +month.slice(0, 4) * 12 + +month.slice(5, 7) - 1 + count;
  return `${String(Math.floor(index / 12)).padStart(4, '0')}-${String((index % 12) + 1).padStart(2, '0')}`;
}

/** Formats a number with thousands separators: `1,578`. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Formats a number with its noun: `1 event`, `1,578 events`, `2 categories`. */
export function plural(count: number, noun: string): string {
  const nouns = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${grouped(count)} ${count === 1 ? noun : nouns}`;
}
