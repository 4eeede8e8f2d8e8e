import type { IndexDocument } from '../api/documents.ts';
import { formatPath, formats } from '../api/formats.ts';
import { documentPath } from '../api/paths.ts';
import { ProblemError } from '../problem/problem.ts';
import { inParallel } from '../system/parallel.ts';
import { compareGenre, type AddedAndRemoved, type CappedGenre, type Changes } from './diff-genre.ts';
import { limitToManifest, readOverview, type PublishedSite } from './documents.ts';
import type { Site } from './site.ts';

/** The changes from an old site to a new one that their documents show. */
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
  const [old, next] = [await openCatalogue(before), await openCatalogue(after)];
  const [older, newer] = [old.overview, next.overview];
  const instant = now ?? Date.parse(newer.totals.last_sync);
  const concurrency = Math.max(before.concurrency, after.concurrency);
  const parts = await inParallel(changedGenres(old, next), concurrency, async (genre) =>
    compareGenre(
      genre,
      { before: old.site, older, after: next.site, newer, now: instant },
      hasAllEvents(old, next, genre),
    ),
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

async function openCatalogue(opened: Site): Promise<PublishedSite> {
  const { site, manifest } = await limitToManifest(opened);
  const overview = await readOverview(site);
  if (overview === null) throw new ProblemError([{ code: 'site-missing', place: null, site: site.name }]);
  return { site, files: manifest?.files ?? {}, overview };
}

type Identified = readonly { readonly id: string }[];

function compareIds(old: Identified, next: Identified): AddedAndRemoved {
  const [before, after] = [new Set(old.map(({ id }) => id)), new Set(next.map(({ id }) => id))];
  return { added: [...after].filter((id) => !before.has(id)), removed: [...before].filter((id) => !after.has(id)) };
}

/** Returns the genres of either site, without those whose files have the same hash in both manifests. */
function changedGenres(old: PublishedSite, next: PublishedSite): string[] {
  const ids = new Set([old, next].flatMap(({ overview }) => overview.genres.map(({ id }) => id)));
  return [...ids].sort().filter((genre) => {
    const paths = [documentPath({ operation: 'events', genre }), formatPath(formats.ndjson, { genre })];
    const hashes = [old, next].map(({ files }) => paths.map((path) => files[path]?.sha256));
    return hashes[0]?.[0] === undefined || JSON.stringify(hashes[0]) !== JSON.stringify(hashes[1]);
  });
}

/** Whether both sites have the file with every event, of a genre if they have that. */
function hasAllEvents(old: PublishedSite, next: PublishedSite, genre: string): boolean {
  return [old, next].every(({ files, overview }) => {
    const isKnown = overview.genres.some(({ id }) => id === genre);
    return Object.hasOwn(files, formatPath(formats.ndjson, isKnown ? { genre } : {}));
  });
}
