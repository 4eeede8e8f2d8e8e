import { type FormatHolding, formatPath, formats, hasFormat, isWritten } from '../api/formats.ts';
import { idsOf, kindOf, publishedFilters, scopesOf, type Filters } from '../api/scopes.ts';
import type { FileChunk } from '../api/site-file.ts';
import type { Service } from '../catalogue/model.ts';
import { csv } from './csv.ts';
import { type JoinedRenderer, ndjson, subjects } from './joined.ts';
import type { GenreRecords } from './records.ts';
import type { Summary } from './summary.ts';

/** How each format that holds all events is joined. Only a map is in an order across genres. */
const renderers = { ndjson, csv, subjects } as const satisfies Readonly<
  Record<Exclude<FormatHolding<'all'>, 'geojson'>, JoinedRenderer>
>;
type JoinedFormat = keyof typeof renderers;

/** Renders the files of a genre that hold all events or subjects of it, part by part. */
export function* renderGenreFiles(genre: GenreRecords, service: Service): Generator<FileChunk> {
  const filters = { genre: genre.genre.id };
  for (const name of writtenFormats(service)) {
    const { head, tail, render }: JoinedRenderer = renderers[name];
    const isPart = !hasFormat(name, 'genre', service);
    const paths = [formatPath(formats[name], filters)];
    yield { paths, content: isPart ? '' : head(publishedFilters(filters)) };
    for (const content of render(genre)) yield { paths, content };
    yield { paths, content: isPart ? '' : tail, isLast: true };
  }
}

/**
 * Joins the files of all genres, by id, to those of the scopes above them. `bytesOf` returns the
 * size of a file.
 */
export function* joinGenreFiles(
  { genres, scopes, extraKeys }: Summary,
  service: Service,
  bytesOf: (path: string) => number,
): Generator<FileChunk> {
  for (const name of writtenFormats(service)) {
    const { head, separator, tail, widen }: JoinedRenderer = renderers[name];
    const map =
      widen && extraKeys.length > 0 ? (text: string): string => widen(text, extraKeys) : undefined;
    const isJoined = (filters: Filters): boolean =>
      !filters.genre && hasFormat(name, kindOf(filters), service);
    const pathOf = (filters: Filters): string => formatPath(formats[name], filters);
    const joined = scopes.map(({ filters }) => filters).filter(isJoined);
    for (const filters of joined)
      yield { paths: [pathOf(filters)], content: head(publishedFilters(filters), extraKeys) };
    /** The paths of the files that have a record. */
    const begun = new Set<string>();
    for (const { id: genre, category } of genres) {
      const file = pathOf({ genre });
      const isPart = !hasFormat(name, 'genre', service);
      const start = isPart ? 0 : bytesIn(head(publishedFilters({ genre })));
      const end = bytesOf(file) - (isPart ? 0 : bytesIn(tail));
      if (start >= end) continue;
      const paths = scopesOf(idsOf({ genre, category })).filter(isJoined).map(pathOf);
      yield { paths: paths.filter((path) => begun.has(path)), content: separator };
      yield { paths, content: { file, start, end, map } };
      for (const path of paths) begun.add(path);
    }
    for (const filters of joined) yield { paths: [pathOf(filters)], content: tail, isLast: true };
  }
}

/**
 * Returns the paths of the files of genres that exist only to be joined, and are no part of the
 * site.
 */
export function partFiles({ genres }: Summary, service: Service): string[] {
  const parts = writtenFormats(service).filter((name) => !hasFormat(name, 'genre', service));
  return parts.flatMap((name) => genres.map(({ id }) => formatPath(formats[name], { genre: id })));
}

function writtenFormats(service: Service): JoinedFormat[] {
  return (Object.keys(renderers) as JoinedFormat[]).filter((name) => isWritten(name, service));
}

function bytesIn(text: string): number {
  return new TextEncoder().encode(text).length;
}
