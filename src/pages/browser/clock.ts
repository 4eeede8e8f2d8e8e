import { memoize } from '../../catalogue/time/memoize.ts';
import { day, hour, minute } from '../../catalogue/time/time.ts';
import { html } from '../../render/html.ts';
import { dateAfter } from '../dates.ts';
import { zoneName } from '../row-time.ts';
import { locale, speech } from './page.ts';
import { create, find } from './dom.ts';
import { remember, remembered } from './memory.ts';

/** The reader's own time zone. */
const deviceZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
/** The zone of a local catalogue, which shows the time at the place. */
const placeZone = document.body.dataset['zone'] ?? null;
const chosenZone = browserZone(remembered().zone);
/**
 * The zone in which times are shown, except for those that a local catalogue shows as at their
 * place.
 */
export const zone = chosenZone ?? browserZone(placeZone) ?? deviceZone;
/** Whether times are shown as at their places. */
export const isAtPlace = chosenZone === null && placeZone !== null;
const namedZone = chosenZone ?? placeZone ?? zone;

/** Says in which zone times are. */
export const zoneNote = speech.text('inZone', { zone: nameOfZone(namedZone) });

/** A clock that shows the time of a zone. */
export interface Clock {
  readonly zone: string;
  /** By how many milliseconds it is ahead of its zone. */
  readonly ahead: number;
}

/** The clock of the reader, also where a local catalogue shows others. */
export const readerClock: Clock = {
  zone: chosenZone ?? deviceZone,
  ahead: 0,
};
export const shownClock: Clock = { zone, ahead: 0 };

/**
 * Returns the clock at the place of a row. The build knows what it shows, whatever the browser
 * knows of zones.
 */
export function clockAtPlace({ dataset }: HTMLElement): Clock {
  return {
    zone: 'UTC',
    ahead: Number(dataset['ahead'] ?? 0) * minute,
  };
}

/** Returns the clock on which the time of a row is shown. */
export function clockOfRow(row: HTMLElement): Clock {
  return isAtPlace ? clockAtPlace(row) : shownClock;
}

/** Returns what a clock shows at an instant, as `2027-01-16 02:00:00`. */
export function wallTime(instant: number, clock: Clock): string {
  return wallFormat(clock.zone).format(instant + clock.ahead);
}

/**
 * Names the place of a row of a local catalogue if the clocks there do not show the time of the
 * reader.
 */
export function placeOf(row: HTMLElement, instant: number): string {
  const isSame = wallTime(instant, clockOfRow(row)) === wallTime(instant, readerClock);
  return !isAtPlace || isSame ? '' : zoneName(row.dataset['zone'] ?? placeZone);
}

/** `New York (America)` for `America/New_York`. */
function nameOfZone(place: string): string {
  const [area = '', ...rest] = place.split('/');
  return rest.length === 0 ? place : `${zoneName(place)} (${area.replaceAll('_', ' ')})`;
}

/** Returns the calendar date of an instant, as `YYYY-MM-DD`. */
export function dayOf(instant: number, clock = shownClock): string {
  return wallTime(instant, clock).slice(0, 'yyyy-mm-dd'.length);
}

export function today(): string {
  return dayOf(Date.now());
}

/** Names today and tomorrow. */
export function nameOfDay(date: string): string | undefined {
  const current = today();
  if (date === current) return speech.text('today');
  return date === dateAfter(current) ? speech.text('tomorrow') : undefined;
}

const wallFormat = memoize(
  // Swedish dates are written YYYY-MM-DD hh:mm:ss.
  (timeZone: string) =>
    new Intl.DateTimeFormat('sv', {
      dateStyle: 'short',
      timeStyle: 'medium',
      timeZone,
    }),
);
const clockFormat = memoize((key: string) => {
  const [finest, timeZone] = key.split(' ');
  return new Intl.DateTimeFormat(locale.lang, {
    hour: 'numeric',
    numberingSystem: 'latn',
    ...(finest !== 'hour' && { minute: '2-digit' }),
    ...(finest === 'second' && { second: '2-digit' }),
    timeZone,
  });
});

/**
 * Formats a start to its precision: `21:00`, `21:00:30`, and `21 h` or `9 PM` if the minutes are
 * not known.
 */
export function timeOf(instant: number, precision: string, clock = shownClock): string {
  // A full hour in one zone is half past the hour in some others.
  const isFull = wallTime(instant, clock).slice('yyyy-mm-dd hh:'.length).startsWith('00');
  const finest = precision === 'hour' && !isFull ? 'minute' : precision;
  const time = clockFormat(`${finest} ${clock.zone}`).format(instant + clock.ahead);
  return /^\d+$/.test(time) ? `${time} h` : time;
}

/**
 * Returns the browser's name of a zone, which may be an older one, or null if it does not know the
 * zone.
 */
function browserZone(place: string | null = null): string | null {
  if (place === null) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: place }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

const latinDigits = new Intl.Locale(locale.lang, { numberingSystem: 'latn' });
const relative = new Intl.RelativeTimeFormat(latinDigits, { numeric: 'auto' });

/**
 * Describes the time left until an event of the next 24 hours, in milliseconds: `in 5 hours`, `in
 * 20 minutes`.
 */
export function timeLeft(left: number): string {
  return left < hour
    ? relative.format(Math.floor(left / minute), 'minute')
    : relative.format(Math.floor(left / hour), 'hour');
}

/**
 * Describes how far a date is from today, by the calendar: in days up to 90, then in months and
 * years.
 */
export function daysLeft(date: string): string {
  const current = today();
  const days = Math.round((Date.parse(date) - Date.parse(current)) / day);
  if (days <= 90) return relative.format(days, 'day');
  const begun =
    (+date.slice(0, 4) - +current.slice(0, 4)) * 12 + +date.slice(5, 7) - +current.slice(5, 7);
  const months = date.slice(8) < current.slice(8) ? begun - 1 : begun;
  return months < 24
    ? relative.format(months, 'month')
    : relative.format(Math.floor(months / 12), 'year');
}

/**
 * Offers the choice of a time zone where the page says in which zone its times are. The choice is
 * remembered.
 */
export function startZone(): void {
  const note = find('zone');
  const label = speech.text('zone');
  if (note === null) return;
  const select = create(
    html`<select id="zones" aria-label="${label}">
      <option value="${zone}">${isAtPlace ? speech.text('ofPlaces') : nameOfZone(zone)}</option>
    </select>`,
  ) as HTMLSelectElement;
  note.textContent = zoneNote;
  note.after(' ', select);
  // There are hundreds of zones, so the list is filled when it is about to open.
  for (const type of ['focus', 'pointerdown']) select.addEventListener(type, () => fill(select));
  select.addEventListener('change', () => {
    remember({ zone: select.value === '' ? undefined : select.value });
    location.reload();
  });
}

function fill(select: HTMLSelectElement): void {
  if (select.options.length > 1) return;
  const isLocal = placeZone !== null;
  const readerZone = speech.text('ownZone', { zone: nameOfZone(deviceZone) });
  select.append(new Option(readerZone, isLocal ? deviceZone : ''));
  if (isLocal && !isAtPlace) select.append(new Option(speech.text('ofPlaces'), ''));
  const names = ['UTC', ...Intl.supportedValuesOf('timeZone')].filter((name) => name !== zone);
  select.append(...names.map((name) => new Option(nameOfZone(name), name)));
}
