import { countDays, daysPath, startsPath, sumOfStarts, unpackStarts, type StartsFile } from '../heat.ts';
import { dayOf } from './clock.ts';
import { site } from './page.ts';
import type { DayCounts } from './views.ts';

/** When the events of a genre start. */
interface GenreStarts {
  readonly id: string;
  readonly name: string;
  /** The number of its upcoming events. */
  readonly total: number;
  readonly packed: string;
}

let file: StartsFile = {};
const loading = new Map<string, Promise<string>>();

/** Returns the genres of a category, or the genre of `{category}/{genre}`: none before they have been loaded. */
export function startsIn(scope: string): GenreStarts[] {
  const [category = '', genre] = scope.split('/');
  return Object.entries(file[category] ?? {})
    .filter(([id]) => genre === undefined || id === genre)
    .map(([id, [name, total, packed]]) => ({ id, name, total, packed }));
}

/**
 * Counts the events of each day of the reader in a category or genre. `all` are the packed starts of everything, empty
 * if they are too long for the page.
 */
export async function dayCounts(scope: string, all: string): Promise<DayCounts> {
  if (scope === '') return countDays(unpackStarts(all || (await load(daysPath))), dayOf);
  file = JSON.parse(await load(startsPath)) as StartsFile;
  return countDays(sumOfStarts(startsIn(scope).map(({ packed }) => unpackStarts(packed))), dayOf);
}

/** Loads the files again, the next time that they are needed. */
export function forgetStarts(): void {
  loading.clear();
}

async function load(path: string): Promise<string> {
  const known = loading.get(path) ?? fetchText(path);
  loading.set(path, known);
  known.catch(() => loading.delete(path));
  return known;
}

async function fetchText(path: string): Promise<string> {
  const response = await fetch(new URL(path, site));
  if (!response.ok) throw new Error(`${response.status}`);
  return response.text();
}
