import type { GenresDocument, IndexDocument, Manifest } from '../api/documents.ts';
import { documentPath, indexPath, operationPath, operations, root } from '../api/paths.ts';
import { readDocument, type Overview } from './documents.ts';
import type { Site } from './site.ts';
import type { Report } from './verify-report.ts';

/** Checks that the totals add up from genres to categories to the index, and that documents agree with their copies. */
export async function checkTotals(report: Report, site: Site, { files }: Manifest, overview: Overview): Promise<void> {
  const { totals, categories, genres } = overview;
  const { last_sync: _, ...counts } = totals;
  report.requireSame(indexPath, 'catalogue', counts, {
    genres: genres.length,
    subjects: sum(genres.map(({ subjects }) => subjects)),
    upcoming: sum(categories.map(({ upcoming }) => upcoming)),
    categories: categories.length,
  });
  checkIndex(report, await readDocument<IndexDocument>(site, indexPath));
  for (const { id, genres: genreCount, upcoming } of categories) {
    const members = genres.filter(({ category }) => category === id);
    const path = documentPath({ operation: 'genres', category: id });
    const document = await readDocument<GenresDocument>(site, path);
    if (document !== null)
      report.requireSame(path, 'contents', document, { filters: { category: id }, genres: members });
    const counted = { genres: members.length, upcoming: sum(members.map((genre) => genre.upcoming)) };
    const categoriesPath = documentPath({ operation: 'categories' });
    report.requireSame(categoriesPath, `counts of ${id}`, { genres: genreCount, upcoming }, counted);
  }
  for (const operation of operations) {
    const [path, alias] = [documentPath({ operation }), operationPath(operation)];
    report.requireSame(alias, `the same bytes as ${path}`, files[alias]?.sha256, files[path]?.sha256);
  }
}

function checkIndex(report: Report, index: IndexDocument | null): void {
  const labels = Object.keys(index?.endpoints ?? {}).map((label) => label.split('?')[0] ?? '');
  const paths = operations.map((name) => `GET /${operationPath(name)}`);
  report.requireSame(indexPath, 'operations', labels, paths);
  const end = `/${root}/`;
  report.requireSame(indexPath, 'the end of documentation', index?.documentation.slice(-end.length), end);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
