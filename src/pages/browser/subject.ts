import { daysLeft, isSameClock, nameOfDay, ownClock, timeLeft, timeOf, today } from './clock.ts';
import { all, find, write } from './dom.ts';
import { localize, readRow, rowsIn, update, type Row } from './list.ts';
import { locale, speech } from './page.ts';

/** Writes the reader's times into the page of a subject. */
export function showSubject(list: HTMLElement): void {
  for (const row of rowsIn(document)) localize(row, 'whole');
  tickSubject(list);
}

/** Updates the countdowns of the page of a subject, and its card. */
export function tickSubject(list: HTMLElement): void {
  update(list);
  const card = document.querySelector<HTMLElement>('.card:is([data-on], :has(time))');
  if (card !== null) showCard(card, readRow(card));
}

/** Shows the event of the card or, once it is over, the next one of the list. */
function showCard(card: HTMLElement, built: Row): void {
  const current = Date.now();
  const isOver = (built.over ?? built.until) <= current;
  const next = isOver
    ? rowsIn(find('list') ?? document).find(({ until }) => until > current)
    : built;
  if (next === undefined) {
    card.hidden = true;
    return;
  }
  if (next !== built) {
    write(card.querySelector('.about'), next.node.querySelector('.t')?.textContent ?? '');
    for (const part of all('.where, .there, .actions', card)) part.hidden = true;
    card.classList.remove('begun');
  }
  const { at, day, until } = next;
  if (until <= current) return;
  const heading = card.querySelector('h2');
  write(heading, (at === null ? undefined : nameOfDay(day)) ?? locale.longDate(day));
  const isSoon = at !== null && at - current < 24 * 3600_000;
  write(
    card.querySelector('.count'),
    isSoon ? timeLeft(at - current) : day >= today() ? daysLeft(day) : '',
  );
  const { p = 'minute' } = next.node.dataset;
  const there = card.querySelector<HTMLElement>('.there:not([hidden])')?.dataset['zone'];
  const isSaid = at === null || isSameClock(at, there);
  write(
    card.querySelector('.here'),
    isSaid ? '' : speech.text('yourTime', { time: timeOf(at, p, ownClock) }),
  );
}
