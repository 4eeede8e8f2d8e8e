import { idPattern } from '../../../api/paths.ts';

/** The filters that the reader chose. The URL of the page contains them, so links and the back button restore them. */
export interface Choice {
  readonly category: string | null;
  readonly genre: string | null;
  /** `2027-01`, or `2027-01-on` for that month and all later ones. */
  readonly month: string | null;
  readonly search: string;
}

/** Reads a choice from the query of a URL. Ignores invalid values. */
export function choiceIn(query: string): Choice {
  const given = new URLSearchParams(query);
  const matching = (name: string, pattern: RegExp): string | null => {
    const value = given.get(name);
    return value !== null && pattern.test(value) ? value : null;
  };
  return {
    category: matching('category', idPattern),
    genre: matching('genre', idPattern),
    month: matching('month', /^\d{4}-(0[1-9]|1[0-2])(-on)?$/),
    search: given.get('search')?.trim() ?? '',
  };
}

/** Returns the URL of a choice, relative to the page. */
export function addressOf({ category, genre, month, search }: Choice): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ category, genre, month, search })) if (value) query.set(name, value);
  return query.size === 0 ? './' : `?${query}`;
}
