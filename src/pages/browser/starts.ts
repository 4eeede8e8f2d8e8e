import { countDays, startsPath, sumOfStarts, unpackStarts, type StartsFile } from '../heat.ts';
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
let loading: Promise<StartsFile> | null = null;

/** Returns the genres of a category, or the genre of `{category}/{genre}`: none before they have been loaded. */
export function startsIn(scope: string): GenreStarts[] {
  const [category = '', genre] = scope.split('/');
  return Object.entries(file[category] ?? {})
    .filter(([id]) => genre === undefined || id === genre)
    .map(([id, [name, total, packed]]) => ({ id, name, total, packed }));
}

/** Counts the events of each day of the reader in a category or genre. `all` are the packed starts of everything. */
export async function dayCounts(scope: string, all: string): Promise<DayCounts> {
  if (scope === '') return countDays(unpackStarts(all), dayOf);
  file = await load();
  return countDays(sumOfStarts(startsIn(scope).map(({ packed }) => unpackStarts(packed))), dayOf);
}

/** Loads the starts of the genres again, the next time that they are needed. */
export function forgetStarts(): void {
  loading = null;
}

async function load(): Promise<StartsFile> {
  loading ??= fetchStarts();
  loading.catch(() => (loading = null));
  return loading;
}

async function fetchStarts(): Promise<StartsFile> {
  const response = await fetch(new URL(startsPath, site));
  if (!response.ok) throw new Error(`${response.status}`);
  return (await response.json()) as StartsFile;
}
