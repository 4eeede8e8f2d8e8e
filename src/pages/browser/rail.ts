import { html } from '../../render/html.ts';
import type { Choice } from './choice.ts';
import { all, create, write } from './dom.ts';
import type { Row } from './list.ts';
import { locale } from './page.ts';
import { startsIn } from './starts.ts';

/** The entries of the categories by id, and that of everything, which has an empty one. */
const entries = new Map(
  all('.rail > ul > li > a').flatMap((link) => {
    const id = link.closest('.all') === null ? /category\/([^/]+)\/$/.exec((link as HTMLAnchorElement).href)?.[1] : '';
    return id === undefined ? [] : [[id, link] as const];
  }),
);
const totals = new Map(Array.from(entries, ([id, link]) => [id, link.querySelector('.count')?.textContent ?? '']));

/** Returns the name of a category, or of the genre of `{category}/{genre}`. */
export function nameOfScope(scope: string): string {
  const [category = '', genre] = scope.split('/');
  if (scope === '') return '';
  if (genre !== undefined) return startsIn(scope)[0]?.name ?? genre;
  return entries.get(category)?.querySelector('bdi')?.textContent ?? category;
}

/** Returns the class of a category, which gives it its colour. */
export function colourOf(scope: string): string {
  return entries.get(scope.split('/')[0] ?? '')?.parentElement?.classList[0] ?? '';
}

/** Marks the choice in the rail, with the genres of its category. `rows` are those of the chosen days, or null for all. */
export function showRail({ scope }: Choice, rows: readonly Row[] | null): void {
  const [category = ''] = scope.split('/');
  const counts = new Map<string, number>();
  for (const row of rows ?? []) {
    for (const key of ['', row.scope.split('/')[0] ?? '', row.scope])
      counts.set(key, (counts.get(key) ?? 0) + row.count);
  }
  for (const [id, link] of entries) {
    const count = counts.get(id) ?? 0;
    write(link.querySelector('.count'), rows === null ? (totals.get(id) ?? '') : locale.number(count));
    link.classList.toggle('none', rows !== null && count === 0);
    link.ariaCurrent = id === scope ? 'page' : null;
  }
  for (const old of all('.rail ul ul')) old.remove();
  const current = entries.get(category);
  // On a narrow screen, the rail is a line that scrolls.
  const line = current?.closest<HTMLElement>('.rail > ul');
  if (current !== undefined && line) line.scrollLeft = current.offsetLeft - line.offsetLeft - 40;
  if (category !== '') entries.get(category)?.after(genresOf(scope, category, rows === null ? null : counts));
}

function genresOf(scope: string, category: string, counts: ReadonlyMap<string, number> | null): HTMLElement {
  const links = startsIn(category)
    .map(({ id, name, total }) => ({
      key: `${category}/${id}`,
      name,
      count: counts?.get(`${category}/${id}`) ?? total,
    }))
    .filter(({ key }) => counts === null || counts.has(key) || key === scope);
  return create(
    html`<ul>
      ${links.map(
        ({ key, name, count }) =>
          html`<li>
            <a href="?in=${key}" data-in="${key}" ${key === scope && html` aria-current="page"`}
              ><bdi>${name}</bdi> <span class="count">${locale.number(count)}</span></a
            >
          </li>`,
      )}
    </ul>`,
  );
}
