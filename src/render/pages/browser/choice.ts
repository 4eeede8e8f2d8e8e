import { idPattern } from '../../../api/paths.ts';

/** What the reader chose to see. The address bar holds it, so that a link or the back button brings it again. */
export interface Choice {
  readonly category: string | null;
  readonly genre: string | null;
  /** `2027-01`, or `2027-01-on` for all from there on. */
  readonly month: string | null;
  readonly search: string;
}

/** Reads a choice from the query of an address; what can't be one is as if it were not there. */
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

/** The address of a choice, relative to the page. */
export function addressOf({ category, genre, month, search }: Choice): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ category, genre, month, search })) if (value) query.set(name, value);
  return query.size === 0 ? './' : `?${query}`;
}
