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
    const {
      head = '',
      end = '',
      ...groups
    } = (documentPattern.exec(path) ?? pagePattern.exec(path))?.groups ?? {};
    const { category = null, genre = null, subject = null } = groups;
    const pathOf = (ids: Ids): string => `${head}${folderOf(ids, head === '')}${end}`;
    for (const ids of formerOf({ category, genre, subject }))
      yield {
        path: pathOf(ids),
        source: pathOf(sourceOf(ids, { category, genre, subject }, genres)),
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
  const scope = `${category === null ? '' : `category/${category}/`}${genre === null ? '' : `genre/${genre}/`}`;
  return subject === null ? scope : `${scope}${isPage ? `${subject}/` : `subject/${subject}`}`;
}

function formerAddresses({ categories, genres, subjects }: FormerCatalogue): (ids: Ids) => Ids[] {
  const oldCategoryIds = inverse(categories);
  const oldGenreIds = inverse(new Map(Array.from(genres, ([old, { id }]) => [old, id])));
  const owners = new Map(subjects.map(({ old, id }) => [old, id]));
  const oldSubjectIds = inverse(owners);
  const subjectsOf = (genre: string, subject: string): string[] => {
    const id = `${genre}/${subject}`;
    const ids = [id, ...(oldSubjectIds.get(id) ?? [])];
    // A genre kept its subjects when its id changed, unless another subject claims their old ids.
    const subjectIds = ids
      .filter((one) => one.startsWith(`${genre}/`))
      .map((one) => one.slice(genre.length + 1));
    const moved = (oldGenreIds.get(genre) ?? []).flatMap((old) =>
      subjectIds.map((one) => `${old}/${one}`),
    );
    return [...new Set([...ids, ...moved.filter((one) => (owners.get(one) ?? id) === id)])].slice(
      1,
    );
  };
  return ({ category, genre, subject }) => {
    if (genre !== null && subject !== null)
      return subjectsOf(genre, subject).map((id) => {
        const [oldGenre = '', oldSubject = ''] = id.split('/');
        return { category, genre: oldGenre, subject: oldSubject };
      });
    const oldCategories = category === null ? [] : (oldCategoryIds.get(category) ?? []);
    const oldGenres = genre === null ? [] : (oldGenreIds.get(genre) ?? []);
    const combinations = [category, ...oldCategories].flatMap((one) =>
      [genre, ...oldGenres].map((other) => ({ category: one, genre: other, subject })),
    );
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
  return { ...ids, category: genres.get(old.genre)?.category ?? ids.category };
}

function inverse(owners: ReadonlyMap<string, string>): ReadonlyMap<string, string[]> {
  const groups = groupBy(owners, ([, id]) => id);
  return new Map(Array.from(groups, ([id, pairs]) => [id, pairs.map(([old]) => old)]));
}
