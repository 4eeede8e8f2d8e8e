import { root } from '../api/paths.ts';
import { groupBy } from '../catalogue/group.ts';
import type { FormerIds, FormerSubject } from '../catalogue/model.ts';

/** All former ids of a catalogue. */
export interface FormerCatalogue extends FormerIds {
  readonly subjects: readonly Pick<FormerSubject, 'old' | 'id'>[];
}

/** The ids in the path of a file, which are null if it has none. */
type Ids = Readonly<Record<'category' | 'genre' | 'subject', string | null>>;

/**
 * Returns the former addresses of files, in any order, and what they are now. Both are relative to
 * `{base_url}`.
 */
export function* formerFiles(paths: readonly string[], former: FormerCatalogue) {
  const { categories, genres, subjects } = former;
  if (categories.size + genres.size + subjects.length === 0) return;
  const formerOf = formerAddresses(former);
  for (const path of paths) {
    const match = documentPattern.exec(path) ?? pagePattern.exec(path);
    const { head = '', end = '', ...groups } = match?.groups ?? {};
    const { category = null, genre = null, subject = null } = groups;
    const ids = { category, genre, subject };
    const pathOf = (some: Ids) => `${head}${folderOf(some, head === '')}${end}`;
    for (const formerIds of formerOf(ids))
      yield {
        path: pathOf(formerIds),
        source: pathOf(sourceOf(formerIds, ids, genres)),
      };
  }
}

const documentPattern = new RegExp(
  `^(?<head>${root}/)(?:category/(?<category>[^/]+)/)?(?:genre/(?<genre>[^/]+)/)?(?:subject/(?<subject>[^/.]+))?(?<end>.+)$`,
);
const pagePattern =
  /^(?:category\/(?<category>[^/]+)\/|genre\/(?<genre>[^/]+)\/(?:(?!page\/)(?<subject>[^/]+)\/)?)(?<end>.*index\.html)$/;

/** Returns the part of a path that has the ids. Pages have no folder for subjects. */
function folderOf({ category, genre, subject }: Ids, isPage: boolean): string {
  let folder = category === null ? '' : `category/${category}/`;
  if (genre !== null) folder += `genre/${genre}/`;
  if (subject !== null) folder += isPage ? `${subject}/` : `subject/${subject}`;
  return folder;
}

function formerAddresses({ categories, genres, subjects }: FormerCatalogue): (ids: Ids) => Ids[] {
  const oldCategoryIds = inverse(categories);
  const oldGenreIds = inverse(new Map(Array.from(genres, ([old, genre]) => [old, genre.id])));
  const owners = new Map(subjects.map(({ old, id }) => [old, id]));
  const oldSubjectIds = inverse(owners);
  const subjectsOf = (genre: string, subject: string) => {
    const id = `${genre}/${subject}`;
    const ids = [id, ...(oldSubjectIds.get(id) ?? [])];
    // A genre kept its subjects when its id changed, unless another subject claims their old ids.
    for (const old of oldGenreIds.get(genre) ?? [])
      for (const subjectKey of [...ids].filter((key) => key.startsWith(`${genre}/`))) {
        const oldKey = old + subjectKey.slice(genre.length);
        if ((owners.get(oldKey) ?? id) === id) ids.push(oldKey);
      }
    return [...new Set(ids)].slice(1);
  };
  return (ids) => {
    const { category, genre, subject } = ids;
    if (genre !== null && subject !== null) {
      const keys = subjectsOf(genre, subject).map((key) => key.split('/'));
      return keys.map(([oldGenre = '', oldSubject = '']) => ({
        category,
        genre: oldGenre,
        subject: oldSubject,
      }));
    }
    const oldCategories = category === null ? [] : (oldCategoryIds.get(category) ?? []);
    const oldGenres = genre === null ? [] : (oldGenreIds.get(genre) ?? []);
    const combinations: Ids[] = [];
    for (const anyCategory of [category, ...oldCategories])
      for (const anyGenre of [genre, ...oldGenres])
        combinations.push({
          category: anyCategory,
          genre: anyGenre,
          subject,
        });
    return combinations.slice(1);
  };
}

/**
 * Returns the ids of the file that a former address has. A genre that changed its category also
 * keeps its address in the old one, which its old public id ends with.
 */
function sourceOf(old: Ids, ids: Ids, genres: FormerIds['genres']): Ids {
  if (old.category === null || old.genre === null || !old.genre.endsWith(`-${old.category}`))
    return ids;
  return {
    ...ids,
    category: genres.get(old.genre)?.category ?? ids.category,
  };
}

function inverse(owners: ReadonlyMap<string, string>): ReadonlyMap<string, string[]> {
  const groups = groupBy(owners, ([, id]) => id);
  return new Map(Array.from(groups, ([id, pairs]) => [id, pairs.map(([old]) => old)]));
}
