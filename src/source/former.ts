import type { FormerIds, FormerSubject, Genre } from '../catalogue/model.ts';
import { compareProblems, type Place, type Problem } from '../problem/problem.ts';
import type { GenreFolder } from './folder.ts';
import { parseJson } from '../readers/schema/json-parse.ts';
import { locateIn } from '../readers/schema/json-syntax.ts';
import { positionsIn } from '../readers/schema/finding.ts';
import { readDataText, type SourceFolder } from './text.ts';

/** The former ids of a category, a genre or a subject in a metadata file. */
export interface Claim {
  readonly id: string;
  readonly formerly: readonly string[];
  readonly path: string;
  /** Whether the file is the mapping of a table, which says it for each subject. */
  readonly isMapping?: true;
}

/** The claims of a catalogue, and the folder of each genre: `{category}/{genre}`. */
export interface Claims {
  readonly categories: readonly Claim[];
  readonly genres: readonly (Claim & Pick<Genre, 'category'> & { readonly folder: string })[];
}

/**
 * Finds the present ids for the former ids of categories and genres. A genre's former ids follow
 * its category's. Reports ids that exist or are claimed twice.
 */
export function findFormerIds(folder: SourceFolder, { categories, genres }: Claims): FormerIds {
  const genreOwners = new Map<string, (typeof genres)[number]>(findOwners(folder, genres));
  const categoryOwners = findOwners(folder, categories);
  const ids = new Set(genres.map(({ id }) => id));
  for (const [old, { id: category }] of categoryOwners) {
    for (const genre of genres.filter((claim) => claim.category === category)) {
      const id = `${genre.folder.slice(category.length + 1)}-${old}`;
      if (!ids.has(id) && !genreOwners.has(id)) genreOwners.set(id, genre);
    }
  }
  return {
    categories: new Map(Array.from(categoryOwners, ([old, category]) => [old, category.id])),
    genres: genreOwners,
  };
}

function findOwners<C extends Claim>(folder: SourceFolder, claims: readonly C[]): Map<string, C> {
  const ids = new Set(claims.map(({ id }) => id));
  const owners = new Map<string, C>();
  for (const claim of claims) {
    for (const [index, old] of claim.formerly.entries()) {
      const first = owners.get(old);
      if (first === undefined) owners.set(old, claim);
      if (first === undefined && !ids.has(old)) continue;
      const place = placeOf(folder, claim, index);
      folder.report(
        first === undefined
          ? {
              code: 'former-id-exists',
              place,
              id: old,
            }
          : {
              code: 'former-id-twice',
              place,
              id: old,
              other: folder.displayPath(first.path),
            },
      );
    }
  }
  return owners;
}

/**
 * Returns the former ids of the subjects of a genre. Reports former ids that are in use.
 *
 * @param subjectsOf returns the ids of the subjects of a genre; none if there is no such genre
 */
export async function formerSubjects(
  folder: SourceFolder,
  genre: string,
  claims: readonly Claim[],
  subjectsOf: (genre: string) => Promise<ReadonlySet<string>>,
): Promise<FormerSubject[]> {
  const former: FormerSubject[] = [];
  for (const claim of claims) {
    const { id, formerly } = claim;
    for (const [index, claimed] of formerly.entries()) {
      const [oldSubject = '', oldGenre = genre] = claimed.split('/').toReversed();
      const old = `${oldGenre}/${oldSubject}`;
      const place = placeOf(folder, claim, index);
      if ((await subjectsOf(oldGenre)).has(oldSubject))
        folder.report({
          code: 'former-id-exists',
          place,
          id: old,
        });
      else
        former.push({
          old,
          id: `${genre}/${id}`,
          place,
        });
    }
  }
  return former;
}

/**
 * Returns the former ids of the subjects of a genre without reading their events. Reports nothing.
 */
export function claimsIn(folder: SourceFolder, { id, path, files }: GenreFolder): string[] {
  return files.flatMap((name) => {
    const text = name.endsWith('.json')
      ? readDataText({ ...folder, report: () => {} }, `${path}/${name}`)
      : null;
    // Parsing takes far longer than searching.
    const value = text?.includes('"formerly"')
      ? (parseJson(text) as { readonly formerly?: unknown } | null)
      : null;
    const claims: unknown[] = [Object.values(value?.formerly ?? {})].flat(2);
    return claims.map(String).map((old) => (old.includes('/') ? old : `${id}/${old}`));
  });
}

/** Returns the problems of former ids that several subjects claim. */
export function repeatedClaims(former: readonly FormerSubject[]): Problem[] {
  const problems = former.map(
    ({ old, place }) =>
      ({
        code: 'former-id-twice',
        place,
        id: old,
        other: '',
      }) as const,
  );
  const first = new Map<string, string>();
  return problems.sort(compareProblems).flatMap((problem) => {
    const other = first.get(problem.id);
    if (other === undefined) first.set(problem.id, problem.place.file);
    return other === undefined ? [] : { ...problem, other };
  });
}

function placeOf(folder: SourceFolder, { id, path, isMapping }: Claim, index: number): Place {
  const text = readDataText(folder, path) ?? '';
  return {
    file: folder.displayPath(path),
    ...positionsIn(text)(locateIn(text)(['formerly', ...(isMapping === true ? [id] : []), index])),
  };
}
