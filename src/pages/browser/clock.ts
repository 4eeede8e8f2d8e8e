import { memoize } from '../../catalogue/time/memoize.ts';
import { day, hour, minute } from '../../catalogue/time/time.ts';
import { html } from '../../render/html.ts';
import { dateAfter } from '../dates.ts';
import { zoneName } from '../rows.ts';
import { locale, speech } from './page.ts';
import { create, find } from './dom.ts';
import { remember, remembered } from './memory.ts';

/** The reader's own time zone. */
const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
/** The zone of a local catalogue, which shows the time at the place. */
const placeZone = knownZone(document.body.dataset['zone']);
const chosenZone = knownZone(remembered().zone);
/**
 * The zone in which times are shown, except for those that a local catalogue shows as at their
 * place.
 */
export const zone = chosenZone ?? placeZone ?? ownZone;
/** Whether times are shown as at their places. */
export const isAtPlace = chosenZone === null && placeZone !== null;

/** Says in which zone times are. */
export const zoneNote = speech.text('inZone', { zone: nameOfZone(zone) });

/** Returns the zone in which the time of a row is shown. */
export function rowZone({ dataset }: HTMLElement): string {
  return (isAtPlace ? knownZone(dataset['zone']) : null) ?? zone;
}

/** The zone of the reader's own times, also where a local catalogue shows others. */
export const ownClock = chosenZone ?? ownZone;

/** Returns what the clocks of a zone show at an instant, as if it were in UTC. */
export function wallTime(instant: number, timeZone: string): number {
  return Date.parse(`${wallFormat(timeZone).format(instant)}Z`);
}

/**
 * Names the place of a row of a local catalogue if the clocks there do not show the time of the
 * reader.
 */
export function placeOf(row: HTMLElement, instant: number): string {
  const place = rowZone(row);
  return isAtPlace && wallTime(instant, place) !== wallTime(instant, ownClock)
    ? zoneName(place)
    : '';
}

/** `New York (America)` for `America/New_York`. */
function nameOfZone(place: string): string {
  const [area = '', ...rest] = place.split('/');
  return rest.length === 0 ? place : `${zoneName(place)} (${area.replaceAll('_', ' ')})`;
}

/** Returns the calendar date of an instant in the reader's zone, as `YYYY-MM-DD`. */
export function dayOf(instant: number, timeZone = zone): string {
  return wallFormat(timeZone).format(instant).slice(0, 'yyyy-mm-dd'.length);
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
    new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeStyle: 'medium', timeZone }),
);
const clocks = memoize((key: string) => {
  const [finest, timeZone] = key.split(' ');
  return new Intl.DateTimeFormat(locale.lang, {
    hour: 'numeric',
    ...(finest !== 'hour' && { minute: '2-digit' }),
    ...(finest === 'second' && { second: '2-digit' }),
    timeZone,
  });
});

/**
 * Formats a start to its precision: `21:00`, `21:00:30`, and `21 h` or `9 PM` if the minutes are
 * not known.
 */
export function timeOf(instant: number, precision: string, timeZone = zone): string {
  // A full hour in one zone is half past the hour in some others.
  const parts = clocks(`minute ${timeZone}`).formatToParts(instant);
  const isHour =
    precision === 'hour' && parts.some(({ type, value }) => type === 'minute' && +value === 0);
  const time = clocks(
    `${isHour || precision === 'second' ? precision : 'minute'} ${timeZone}`,
  ).format(instant);
  return /^\d+$/.test(time) ? `${time} h` : time;
}

/**
 * Returns the browser's name of a zone, which may be an older one, or null if it does not know the
 * zone.
 */
function knownZone(place: string | undefined): string | null {
  if (place === undefined) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: place }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

const relative = new Intl.RelativeTimeFormat(locale.lang, { numeric: 'auto' });

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
  const own = document.body.dataset['zone'] === undefined ? '' : ownZone;
  select.append(new Option(speech.text('ownZone', { zone: nameOfZone(ownZone) }), own));
  if (own !== '' && !isAtPlace) select.append(new Option(speech.text('ofPlaces'), ''));
  const others = ['UTC', ...Intl.supportedValuesOf('timeZone')].filter((name) => name !== zone);
  select.append(...others.map((name) => new Option(nameOfZone(name), name)));
}
