import { formatPath, hasFormat } from '../api/formats.ts';
import { idsOf, kindOf, publishedFilters, scopesOf, type Filters } from '../api/scopes.ts';
import type { FileChunk } from '../api/site-file.ts';
import { joinedFormats } from './formats.ts';
import type { WholeGenre } from './joined.ts';
import type { Summary } from './summary.ts';

/** Renders the files of a genre that hold all events or subjects of it, part by part. */
export function* renderGenreFiles(genre: WholeGenre, isBulk: boolean): Generator<FileChunk> {
  const filters = { genre: genre.genre.id };
  for (const format of joinedFormats) {
    if (!hasFormat(format, 'genre', isBulk)) continue;
    const paths = [formatPath(format, filters)];
    yield { paths, content: format.frame.head(publishedFilters(filters)) };
    for (const content of format.render(genre)) yield { paths, content };
    yield { paths, content: format.frame.tail, isLast: true };
  }
}

/** Joins the files of all genres, by id, to those of the scopes above, without memory. `bytesOf`: the size of a file. */
export function* joinGenreFiles(
  { genres, scopes }: Summary,
  isBulk: boolean,
  bytesOf: (path: string) => number,
): Generator<FileChunk> {
  for (const format of joinedFormats) {
    const { head, separator, tail } = format.frame;
    const isJoined = (filters: Filters): boolean => !filters.genre && hasFormat(format, kindOf(filters), isBulk);
    const joined = scopes.map(({ filters }) => filters).filter(isJoined);
    if (joined.length === 0) continue;
    for (const filters of joined) {
      yield { paths: [formatPath(format, filters)], content: head(publishedFilters(filters)) };
    }
    /** The paths of the files that have a record. */
    const begun = new Set<string>();
    for (const { id: genre, category } of genres) {
      const file = formatPath(format, { genre });
      const start = bytesIn(head(publishedFilters({ genre })));
      const end = bytesOf(file) - bytesIn(tail);
      if (start >= end) continue;
      const paths = scopesOf(idsOf({ genre, category }))
        .filter(isJoined)
        .map((filters) => formatPath(format, filters));
      yield { paths: paths.filter((path) => begun.has(path)), content: separator };
      yield { paths, content: { file, start, end } };
      for (const path of paths) begun.add(path);
    }
    for (const filters of joined) yield { paths: [formatPath(format, filters)], content: tail, isLast: true };
  }
}

function bytesIn(text: string): number {
  return new TextEncoder().encode(text).length;
}
