import { countdown } from './clock.ts';
import { element } from './dom.ts';

const list = element('list');
const countdowns = element('countdowns', HTMLInputElement);
const isCalm = matchMedia('(prefers-reduced-motion: reduce)');

/** Once a second: countdowns go on, and events that began go away. */
export function tick(): void {
  const now = Date.now();
  for (const place of list.querySelectorAll<HTMLElement>('.countdown')) {
    const left = Date.parse(place.dataset['at'] ?? '') - now;
    const text = countdowns.checked ? countdown(left, !isCalm.matches) : '';
    if (place.textContent !== text) place.textContent = text;
  }
  for (const row of list.querySelectorAll<HTMLElement>('[data-until]')) {
    if (Date.parse(row.dataset['until'] ?? '') <= now) remove(row);
  }
}

function remove(row: HTMLElement): void {
  if (row.contains(document.activeElement)) element('heading').focus();
  const [day, month] = [row.closest('.day'), row.closest('.month')];
  row.remove();
  if (day?.querySelector('.event') === null) day.remove();
  if (month?.querySelector('.event') === null) month.remove();
}
