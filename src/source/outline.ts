import { join } from 'node:path';
import type { Category, Genre, Service } from '../catalogue/model.ts';
import { wholeFile, type Problem, type Naming } from '../problem.ts';
import { hasDuplicateKeys, parseJson } from './json-text.ts';
import { listData, nameFiles, type CategoryFolder, type GenreFolder, type NameFile } from './listing.ts';
import type { Finding } from './finding.ts';
import { readText } from './read-text.ts';
import { categoryShape, genreShape, serviceShape, type NamedSource, type ServiceSource, type Shape } from './shapes.ts';
import { sortSubjectFiles, type SubjectFile } from './subject-files.ts';
import type { TextFormat } from './text-formats.ts';

/**
 * A file that is not as it should be; what is wrong with it is found out in a second, slower look: at the shape of a
 * JSON file, or at where the findings of another format stand. The path is relative to the data folder.
 */
export type Suspect = { readonly path: string } & (
  { readonly shape: Shape<unknown> } | { readonly findings: readonly Finding[] }
);

/** A genre and where its subjects lie, relative to the data folder. */
export interface GenreOutline {
  readonly genre: Genre;
  readonly path: string;
  /** The names of its subject files; {@link subjectFilesIn} tells what they are. A large catalogue has many. */
  readonly names: readonly string[];
}

/** The files that the subjects of a genre are read from. */
export function subjectFilesIn({ path, names }: GenreOutline): readonly SubjectFile[] {
  return sortSubjectFiles(path, names).files;
}

/** Everything that the names in a data folder tell before a subject is read. Categories and genres ordered by id. */
export interface Outline {
  readonly service: Service & { readonly baseUrl: string | null };
  readonly categories: readonly (Category & { readonly genres: readonly GenreOutline[] })[];
  /** The paths of remote source files, and the formats beside JSON of the others. */
  readonly remotes: readonly string[];
  readonly formats: ReadonlySet<TextFormat>;
  readonly problems: readonly Problem[];
  readonly suspects: readonly Suspect[];
}

/** Reads the names in a data folder: the service, its categories and its genres. */
export function readOutline(data: string, nameOf: Naming): Outline {
  const listing = listData(data, nameOf);
  const problems = [...listing.problems];
  const suspects: Suspect[] = [];
  const [remotes, formats]: [string[], Set<TextFormat>] = [[], new Set()];
  const read = <T>(path: string, naming: NameFile, holds: string, shape: Shape<T>): T | null => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (naming === 'missing') problems.push({ code: 'missing-file', place: wholeFile(nameOf(path)), name, holds });
    const value = naming === 'there' ? readSource(join(data, path), shape) : null;
    if (naming === 'there' && value === null) suspects.push({ path, shape });
    return value;
  };
  const service: ServiceSource | null = listing.isThere
    ? read(nameFiles.service, listing.service, '"name" and "license"', serviceShape)
    : null;
  const nameIn = (path: string, naming: NameFile, shape: Shape<NamedSource>): string =>
    read(path, naming, '"name"', shape)?.name ?? '';
  const genreOf = (category: CategoryFolder, { folder, path, naming, files: names }: GenreFolder): GenreOutline => {
    const name = nameIn(`${path}/${nameFiles.genre}`, naming, genreShape);
    const { files, twice } = sortSubjectFiles(path, names);
    for (const file of files) {
      if (file.format === 'remote') remotes.push(file.path);
      else if (file.format !== 'json') formats.add(file.format);
    }
    for (const { id, path: second, other } of twice) {
      problems.push({ code: 'subject-twice', place: wholeFile(nameOf(second)), id, other: nameOf(other) });
    }
    return { genre: { id: `${folder}-${category.id}`, name, category: category.id }, path, names };
  };
  const categories = listing.categories.map((folder) => ({
    id: folder.id,
    name: nameIn(`${folder.id}/${nameFiles.category}`, folder.naming, categoryShape),
    genres: folder.genres.map((genre) => genreOf(folder, genre)).sort((a, b) => (a.genre.id < b.genre.id ? -1 : 1)),
  }));
  problems.push(
    ...findCollisions(
      categories.flatMap(({ genres }) => genres),
      nameOf,
    ),
  );
  return {
    service: { name: service?.name ?? '', license: service?.license ?? '', baseUrl: service?.base_url ?? null },
    categories,
    remotes,
    formats,
    problems,
    suspects,
  };
}

/** A source file as a value where it is as it should be; null where it needs a second look. */
export function readSource<T>(path: string, shape: Shape<T>): T | null {
  const text = readText(path);
  if (typeof text !== 'string') return null;
  const value = parseJson(text);
  return shape.fits(value) && !hasDuplicateKeys(text, value) ? value : null;
}

function findCollisions(genres: readonly GenreOutline[], nameOf: Naming): Problem[] {
  const first = new Map<string, string>();
  return genres.flatMap(({ genre: { id }, path }) => {
    const other = first.get(id);
    if (other === undefined) first.set(id, path);
    return other === undefined
      ? []
      : [{ code: 'genre-collision', place: wholeFile(nameOf(path)), id, other: nameOf(other) }];
  });
}
