import type { IndexDocument } from '../api/documents.ts';
import { documentPath } from '../api/paths.ts';
import { ProblemError } from '../problem/problem.ts';
import { inParallel } from '../system/parallel.ts';
import { compareGenre, type AddedAndRemoved, type CappedGenre, type Changes } from './diff-genre.ts';
import { readManifest, readOverview, type Overview, type Site } from './site.ts';

/** The changes from an old site to a new one, as far as their documents show them. */
export interface Comparison extends Changes {
  readonly totals: { readonly old: IndexDocument['catalogue']; readonly new: IndexDocument['catalogue'] };
  readonly categories: AddedAndRemoved;
  readonly genres: AddedAndRemoved;
  readonly capped: readonly CappedGenre[];
}

/**
 * Compares two sites event by event. Events that have expired are counted, not listed as removed. Throws the problem
 * `site-missing` if one of them is not a site.
 *
 * @param now milliseconds since the Unix epoch; null for the time of the new site's last synchronisation
 */
export async function compareSites(before: Site, after: Site, now: number | null): Promise<Comparison> {
  const [older, newer] = [await requireOverview(before), await requireOverview(after)];
  const instant = now ?? Date.parse(newer.totals.last_sync);
  const genres = await changedGenres(before, after, [older, newer]);
  const parts = await inParallel(genres, Math.max(before.concurrency, after.concurrency), async (genre) =>
    compareGenre(genre, { before, older, after, newer, now: instant }),
  );
  return {
    totals: { old: older.totals, new: newer.totals },
    added: parts.flatMap(({ added }) => added),
    removed: parts.flatMap(({ removed }) => removed),
    moved: parts.flatMap(({ moved }) => moved),
    changed: parts.flatMap(({ changed }) => changed),
    cancelled: parts.flatMap(({ cancelled }) => cancelled),
    passed: parts.reduce((total, { passed }) => total + passed, 0),
    categories: compareIds(older.categories, newer.categories),
    genres: compareIds(older.genres, newer.genres),
    subjects: {
      added: parts.flatMap(({ subjects }) => subjects.added),
      removed: parts.flatMap(({ subjects }) => subjects.removed),
    },
    capped: parts.flatMap(({ capped }) => capped ?? []),
  };
}

async function requireOverview(site: Site): Promise<Overview> {
  const overview = await readOverview(site);
  if (overview === null) throw new ProblemError([{ code: 'site-missing', place: null, site: site.name }]);
  return overview;
}

type Identified = readonly { readonly id: string }[];

function compareIds(old: Identified, next: Identified): AddedAndRemoved {
  const [before, after] = [new Set(old.map(({ id }) => id)), new Set(next.map(({ id }) => id))];
  return { added: [...after].filter((id) => !before.has(id)), removed: [...before].filter((id) => !after.has(id)) };
}

/** Returns the genres of either site, without those whose lists have the same hash in both manifests. */
async function changedGenres(before: Site, after: Site, overviews: readonly Overview[]): Promise<string[]> {
  const [old, next] = [(await readManifest(before))?.files, (await readManifest(after))?.files];
  const ids = new Set(overviews.flatMap(({ genres }) => genres.map(({ id }) => id)));
  return [...ids].sort().filter((genre) => {
    const path = documentPath({ operation: 'events', genre });
    return old?.[path] === undefined || old[path].sha256 !== next?.[path]?.sha256;
  });
}
