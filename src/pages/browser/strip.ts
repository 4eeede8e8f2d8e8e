import { idPattern } from '../../catalogue/id.ts';
import { categoryPage, genrePage } from '../../render/links.ts';
import { rangeOfChoice, type Range } from '../search/ranges.ts';
import { dayWords } from '../strip.ts';
import { today } from './clock.ts';
import { all, find, write } from './dom.ts';
import { countByCategory, countOn, rowsOn, type Row } from './row.ts';
import { locale, site, speech } from './page.ts';

/** What the reader chose on the home page. An empty text stands for everything. */
export interface Choice {
  /** `{category}` or `{category}/{genre}` (`?in=`). */
  readonly scope: string;
  /** `today`, `weekend`, `2027-03-06`, `2027-03` and so on (`?on=`). */
  readonly when: string;
}

/** Reads a choice from the query of an address. */
export function readChoice(query: string): Choice {
  const values = new URLSearchParams(query);
  const [scope, when] = [values.get('in') ?? '', values.get('on') ?? ''];
  // Anything else could lead to another place of the host.
  const isScope = scope.split('/').length <= 2 && scope.split('/').every(isId);
  return {
    scope: isScope ? scope : '',
    when: rangeOf(when) === null ? '' : when,
  };
}

function isId(text: string): boolean {
  return idPattern.test(text);
}

function queryOf({ scope, when }: Choice): string {
  const parts = [scope && `in=${scope}`, when && `on=${when}`].filter((part) => part !== '');
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

/** Returns the address of everything in a category or genre. */
export function pageOf(scope: string): string {
  const [category, genre] = scope.split('/');
  const path = genre === undefined ? category && categoryPage(category) : genrePage(genre);
  return new URL(path ?? '', site).href;
}

/** Returns the dates of a choice of days, or null for all. */
export function rangeOf(when: string): Range | null {
  return rangeOfChoice(when, today());
}

/** Names a choice of days in a category or genre, or in everything: `Sports · Weekend`. */
export function nameOfChoice(scope: string, when: string): string {
  return [scope, nameOfDays(when)].filter((part) => part !== '').join(' · ');
}

function nameOfDays(when: string): string {
  if (when === '') return '';
  const word = dayWords[when as keyof typeof dayWords];
  if (word !== undefined) return speech.text(word);
  return when.length === 'yyyy-mm'.length ? locale.month(when) : locale.longDate(when);
}

const chips = all('.chips [data-when]');
const scopeOfPage = document.querySelector<HTMLElement>('.chips')?.dataset['scope'] ?? '';

/** The entries of the categories by id, and that of everything, which has an empty one. */
const entries = new Map(
  all('.rail > ul > li > a').flatMap((link) => {
    const id =
      link.closest('.all') === null
        ? /category\/([^/]+)\/$/.exec((link as HTMLAnchorElement).href)?.[1]
        : '';
    return id === undefined ? [] : [[id, link] as const];
  }),
);
/** Makes the chips of days, and the links of busy days, lead to a choice. */
export function startStrip(): void {
  const address = (choice: Choice) => new URL(queryOf(choice), site).href;
  for (const chip of chips) {
    const { when = '' } = chip.dataset;
    if (when !== '') chip.setAttribute('href', address({ scope: scopeOfPage, when }));
  }
  for (const { dataset, firstElementChild } of all('.many'))
    firstElementChild?.setAttribute(
      'href',
      address({
        scope: dataset['g'] ?? '',
        when: dataset['on'] ?? '',
      }),
    );
  const picker = find('day') as HTMLInputElement | null;
  picker?.addEventListener('change', () =>
    location.assign(
      address({
        scope: scopeOfPage,
        when: picker.value,
      }),
    ),
  );
  picker?.addEventListener('click', () => picker.showPicker());
}

/**
 * Counts the events of each chip whose days the rows have: those up to a day, or all if it is
 * empty. What would choose nothing is not offered.
 */
export function countChips(rows: readonly Row[], until: string): void {
  const isPart = document.querySelector('.rest, template[data-more]') !== null;
  for (const chip of chips) {
    const range = rangeOf(chip.dataset['when'] ?? '');
    if (range === null) continue;
    const isCounted = !isPart && (until === '' || range.until < until);
    const count = countOn(rowsOn(rows, range));
    write(chip.querySelector('.count'), isCounted ? locale.number(count) : '');
    chip.hidden = isCounted && count === 0 && chip.ariaCurrent !== 'true';
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
    if (day === when)
      chip.scrollIntoView({
        block: 'nearest',
        inline: 'center',
      });
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
