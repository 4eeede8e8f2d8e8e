import { join } from 'node:path';
import type { Category, Genre, Service } from '../catalogue/model.ts';
import { wholeFile, type Problem, type DisplayPath } from '../problem/problem.ts';
import { listData, nameFiles, type CategoryFolder, type GenreFolder, type NameFile } from './folder.ts';
import { readSource, type Suspect } from './json/read-source.ts';
import { categoryShape, genreShape, remoteShape, serviceShape, type NamedSource, type Shape } from './json/validate.ts';
import { sortSubjectFiles, type SubjectFile } from './subject-files.ts';
import type { TextFormat } from './formats.ts';

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
export function readOutline(data: string, displayPath: DisplayPath): Outline {
  const listing = listData(data, displayPath);
  const reading: Reading = {
    data,
    displayPath,
    problems: [...listing.problems],
    suspects: [],
    remotes: [],
    formats: new Set(),
  };
  const service = listing.isThere
    ? readNameFile(reading, nameFiles.service, listing.service, '"name" and "license"', serviceShape)
    : null;
  const categories = listing.categories.map((folder) => categoryOf(reading, folder));
  const genres = categories.flatMap((category) => category.genres);
  reading.problems.push(...findCollisions(genres, displayPath));
  const { problems, suspects, remotes, formats } = reading;
  return {
    service: { name: service?.name ?? '', license: service?.license ?? '', baseUrl: service?.base_url ?? null },
    categories,
    remotes,
    formats,
    problems,
    suspects,
  };
}

/** What is met while the names are read. */
interface Reading {
  readonly data: string;
  readonly displayPath: DisplayPath;
  readonly problems: Problem[];
  readonly suspects: Suspect[];
  readonly remotes: string[];
  readonly formats: Set<TextFormat>;
}

/** A file that names something, as a value; null where it is missing or wrong. */
function readNameFile<T>(
  { data, displayPath, problems, suspects }: Reading,
  path: string,
  naming: NameFile,
  holds: string,
  shape: Shape<T>,
): T | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (naming === 'missing') problems.push({ code: 'missing-file', place: wholeFile(displayPath(path)), name, holds });
  if (naming !== 'there') return null;
  const value = readSource(join(data, path), shape);
  if (value === null) suspects.push({ path, shape });
  return value;
}

function nameIn(reading: Reading, path: string, naming: NameFile, shape: Shape<NamedSource>): string {
  return readNameFile(reading, path, naming, '"name"', shape)?.name ?? '';
}

function categoryOf(reading: Reading, { id, naming, genres }: CategoryFolder): Outline['categories'][number] {
  const name = nameIn(reading, `${id}/${nameFiles.category}`, naming, categoryShape);
  const outlines = genres.map((genre) => genreOf(reading, id, genre));
  return { id, name, genres: outlines.sort((a, b) => (a.genre.id < b.genre.id ? -1 : 1)) };
}

function genreOf(
  reading: Reading,
  category: string,
  { folder, path, naming, files: names }: GenreFolder,
): GenreOutline {
  const { data, displayPath, problems, suspects, remotes, formats } = reading;
  const name = nameIn(reading, `${path}/${nameFiles.genre}`, naming, genreShape);
  const { files, twice } = sortSubjectFiles(path, names);
  for (const file of files) {
    if (file.format === 'remote') remotes.push(file.path);
    else if (file.format !== 'json') formats.add(file.format);
  }
  for (const { id, path: second, other } of twice) {
    problems.push({ code: 'subject-twice', place: wholeFile(displayPath(second)), id, other: displayPath(other) });
    // Beside a file of the same subject it can only be a remote source; the same run tells what is wrong inside it.
    if (readSource(join(data, second), remoteShape) === null) suspects.push({ path: second, shape: remoteShape });
  }
  return { genre: { id: `${folder}-${category}`, name, category }, path, names };
}

function findCollisions(genres: readonly GenreOutline[], displayPath: DisplayPath): Problem[] {
  const first = new Map<string, string>();
  return genres.flatMap(({ genre: { id }, path }) => {
    const other = first.get(id);
    if (other === undefined) first.set(id, path);
    return other === undefined
      ? []
      : [{ code: 'genre-collision', place: wholeFile(displayPath(path)), id, other: displayPath(other) }];
  });
}
