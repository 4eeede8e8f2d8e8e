import type { Collection } from '../catalogue/collection.ts';
import type { Category, Genre, Subject } from '../catalogue/model.ts';
import { nearest } from '../problem/nearest.ts';
import { collectionsFile } from './folder.ts';
import { placeAll, type JsonPath, type ValueFinding } from '../readers/schema/finding.ts';
import type { CollectionSource } from '../readers/schema/source-types.ts';
import { locateIn } from '../readers/schema/json-syntax.ts';
import { readSource } from './validate.ts';
import { textRules } from '../readers/schema/rules.ts';
import { readDataText, type SourceFolder } from './text.ts';

/**
 * Reads collections.json if there is one, and reports everything that is wrong with it. The
 * collections are ordered by id. `checkSubjects` reports the subjects that they name and a genre
 * does not have; `members` are those that it has.
 */
export function readCollections(
  folder: SourceFolder,
  categories: readonly Category[],
  genres: readonly Genre[],
  isPresent: boolean,
) {
  const source = isPresent ? readSource(folder, collectionsFile, 'collections') : null;
  const { $schema: _, ...byId } = (source ?? {}) as Record<string, CollectionSource>;
  reportFindings(folder, findProblems(byId, categories.map(idOf), genres.map(idOf)));
  const collections = Object.entries(byId).map(([id, definition]): Collection => {
    const { name, categories: categoryIds = [], genres: genreIds = [] } = definition;
    const { subjects: paths = [], tags = [], countries = [] } = definition;
    return {
      id,
      name,
      categories: categoryIds,
      genres: genreIds,
      subjects: paths,
      tags,
      countries,
    };
  });
  const subjects = collections.flatMap(({ id, subjects: paths }) =>
    paths.map((path, index) => ({
      path,
      at: [id, 'subjects', index],
    })),
  );
  return {
    collections: collections.sort((a, b) => (a.id < b.id ? -1 : 1)),
    checkSubjects: (genre: string, members: readonly Subject[]): void => {
      const genreSubjects = subjects.filter(({ path }) => path.startsWith(`${genre}/`));
      if (genreSubjects.length === 0) return;
      const paths = members.map(({ id }) => `${genre}/${id}`);
      const findings = genreSubjects.flatMap(({ path, at }) =>
        findUnknown('subject', path, paths, at),
      );
      reportFindings(folder, findings);
    },
  };
}

function idOf({ id }: { readonly id: string }): string {
  return id;
}

function findProblems(
  byId: Readonly<Record<string, CollectionSource>>,
  categoryIds: readonly string[],
  genreIds: readonly string[],
): ValueFinding[] {
  const findings: ValueFinding[] = [];
  for (const [id, { categories = [], genres = [], subjects = [] }] of Object.entries(byId)) {
    const badId = textRules.id(id);
    if (badId !== null)
      findings.push({
        problem: { ...badId, key: id },
        path: [],
        key: id,
      });
    for (const [index, category] of categories.entries())
      findings.push(...findUnknown('category', category, categoryIds, [id, 'categories', index]));
    for (const [index, genre] of genres.entries())
      findings.push(...findUnknown('genre', genre, genreIds, [id, 'genres', index]));
    for (const [index, subject] of subjects.entries()) {
      const [genre = '', ...rest] = subject.split('/');
      if (rest.length === 1 && genreIds.includes(genre)) continue;
      const paths = rest.length === 1 ? genreIds.map((name) => `${name}/${rest[0]}`) : [];
      findings.push(...findUnknown('subject', subject, paths, [id, 'subjects', index]));
    }
  }
  return findings;
}

function findUnknown(
  what: string,
  id: string,
  ids: readonly string[],
  path: JsonPath,
): ValueFinding[] {
  if (ids.includes(id)) return [];
  const code = 'unknown-in-collection';
  return [
    {
      problem: { code, what, found: id, nearest: nearest(id, ids) },
      path,
    },
  ];
}

function reportFindings(folder: SourceFolder, findings: readonly ValueFinding[]): void {
  const text = findings.length === 0 ? null : readDataText(folder, collectionsFile);
  if (text === null) return;
  const offsetOf = locateIn(text);
  const located = findings.map(({ problem, path, key }) => ({
    problem,
    offset: offsetOf(path, key),
  }));
  for (const problem of placeAll(located, text, folder.displayPath(collectionsFile)))
    folder.report(problem);
}
