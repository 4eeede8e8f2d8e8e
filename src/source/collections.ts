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
  const known = { categories: categories.map(({ id }) => id), genres: genres.map(({ id }) => id) };
  reportFindings(folder, findProblems(byId, known));
  const collections = Object.entries(byId).map(([id, one]): Collection => {
    const { name, subjects: some = [], tags = [], countries = [] } = one;
    return {
      id,
      name,
      categories: one.categories ?? [],
      genres: one.genres ?? [],
      subjects: some,
      tags,
      countries,
    };
  });
  const subjects = collections.flatMap((one) =>
    one.subjects.map((path, index) => ({ path, at: [one.id, 'subjects', index] })),
  );
  return {
    collections: collections.sort((a, b) => (a.id < b.id ? -1 : 1)),
    checkSubjects: (genre: string, members: readonly Subject[]): void => {
      const own = subjects.filter(({ path }) => path.startsWith(`${genre}/`));
      if (own.length === 0) return;
      const paths = members.map(({ id }) => `${genre}/${id}`);
      const findings = own.flatMap(({ path, at }) => unknown('subject', path, paths, at));
      reportFindings(folder, findings);
    },
  };
}

type Known = Readonly<Record<'categories' | 'genres', readonly string[]>>;

function findProblems(
  byId: Readonly<Record<string, CollectionSource>>,
  known: Known,
): ValueFinding[] {
  const findings: ValueFinding[] = [];
  for (const [id, { categories = [], genres = [], subjects = [] }] of Object.entries(byId)) {
    const badId = textRules.id(id);
    if (badId !== null) findings.push({ problem: { ...badId, key: id }, path: [], key: id });
    categories.forEach((one, n) =>
      findings.push(...unknown('category', one, known.categories, [id, 'categories', n])),
    );
    genres.forEach((one, n) =>
      findings.push(...unknown('genre', one, known.genres, [id, 'genres', n])),
    );
    subjects.forEach((one, n) => {
      const [genre = '', ...rest] = one.split('/');
      if (rest.length === 1 && known.genres.includes(genre)) return;
      const paths = rest.length === 1 ? known.genres.map((name) => `${name}/${rest[0]}`) : [];
      findings.push(...unknown('subject', one, paths, [id, 'subjects', n]));
    });
  }
  return findings;
}

function unknown(
  what: string,
  found: string,
  known: readonly string[],
  path: JsonPath,
): ValueFinding[] {
  if (known.includes(found)) return [];
  return [
    {
      problem: { code: 'unknown-in-collection', what, found, nearest: nearest(found, known) },
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
