import { dateAfter } from '../dates.ts';
import { countdown, readersDay } from './clock.ts';
import { element } from './dom.ts';

const list = element('list');
const countdowns = element('countdowns', HTMLInputElement);
const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');

/** Updates countdowns and the names of days, and removes events that began. Runs once a second. */
export function tick(): void {
  const now = Date.now();
  for (const place of list.querySelectorAll<HTMLElement>('.countdown')) {
    const left = Date.parse(place.dataset['at'] ?? '') - now;
    write(place, countdowns.checked ? countdown(left, !reducedMotion.matches) : '');
  }
  noteDays(now);
  const rows = [...list.querySelectorAll<HTMLElement>('[data-until]')];
  const over = rows.filter(({ dataset }) => Date.parse(dataset['until'] ?? '') <= now);
  over.forEach(remove);
}

/** Marks today and tomorrow. A page may stay open over midnight. */
function noteDays(now: number): void {
  const today = readersDay(now);
  const tomorrow = dateAfter(today);
  for (const note of list.querySelectorAll<HTMLElement>('.note')) {
    const { day } = note.dataset;
    write(note, day === today ? 'Today' : day === tomorrow ? 'Tomorrow' : '');
  }
}

function write(place: HTMLElement, text: string): void {
  if (place.textContent !== text) place.textContent = text;
}

function remove(row: HTMLElement): void {
  if (row.contains(document.activeElement)) element('heading').focus();
  const [day, month] = [row.closest('.day'), row.closest('.month')];
  row.remove();
  if (day?.querySelector('.event') === null) day.remove();
  if (month?.querySelector('.event') === null) month.remove();
}
