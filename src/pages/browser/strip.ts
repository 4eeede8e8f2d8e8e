import { pageOf, queryOf, rangeOf, type Choice } from './choice.ts';
import { all, find, write } from './dom.ts';
import { countByCategory, countEvents, type Row } from './list.ts';
import { locale, site } from './page.ts';

const chips = all('.chips [data-when]');
const scopeOfPage = document.querySelector<HTMLElement>('.chips')?.dataset['scope'] ?? '';

/** The entries of the categories by id, and that of everything, which has an empty one. */
const entries = new Map(
  all('.rail > ul > li > a').flatMap((link) => {
    const id = link.closest('.all') === null ? /category\/([^/]+)\/$/.exec((link as HTMLAnchorElement).href)?.[1] : '';
    return id === undefined ? [] : [[id, link] as const];
  }),
);
/** Makes the chips of days, and the links of busy days, lead to a choice. */
export function startStrip(): void {
  const address = (choice: Choice): string => new URL(queryOf(choice), site).href;
  for (const chip of chips) {
    const { when = '' } = chip.dataset;
    if (when !== '') chip.setAttribute('href', address({ scope: scopeOfPage, when }));
  }
  for (const { dataset, firstElementChild } of all('.many'))
    firstElementChild?.setAttribute('href', address({ scope: dataset['g'] ?? '', when: dataset['on'] ?? '' }));
  const picker = find('day') as HTMLInputElement | null;
  picker?.addEventListener('change', () => location.assign(address({ scope: scopeOfPage, when: picker.value })));
  picker?.addEventListener('click', () => picker.showPicker());
}

/** Counts the events of each chip whose days the rows have: those up to a day, or all if it is empty. */
export function countChips(rows: readonly Row[], until: string): void {
  for (const chip of chips) {
    const range = rangeOf(chip.dataset['when'] ?? '');
    if (range === null) continue;
    const isKnown = until === '' || range.until < until;
    const count = countEvents(
      rows.filter(({ day, isUnderWay }) => day >= range.from && day <= range.until && !isUnderWay),
    );
    write(chip.querySelector('.count'), isKnown ? ` ${locale.number(count)}` : '');
  }
}

/**
 * Marks a choice of days, and makes the categories keep its days.
 *
 * @param rows those of the days, or null if they are only those of a genre
 */
export function showChoice({ scope, when }: Choice, rows: readonly Row[] | null): void {
  for (const chip of chips) {
    const { when: day = '' } = chip.dataset;
    chip.ariaCurrent = day === when ? 'true' : null;
    if (day === when) chip.scrollIntoView({ block: 'nearest', inline: 'center' });
    chip.setAttribute('href', day === '' ? pageOf(scope) : queryOf({ scope, when: day }));
  }
  const counts = countByCategory(rows ?? []);
  for (const [id, link] of entries) {
    const count = counts.get(id) ?? 0;
    if (rows !== null) write(link.querySelector('.count'), locale.number(count));
    link.classList.toggle('none', rows !== null && count === 0);
    link.ariaCurrent = id === scope.split('/')[0] ? 'page' : null;
    link.setAttribute('href', queryOf({ scope: id, when }));
  }
}
