import { type FormatHolding, formatPath, formats, hasFormat, isWritten } from '../api/formats.ts';
import { kindOf, publishedFilters, type Filters } from '../api/scopes.ts';
import type { Parts, SiteFile } from '../api/site-file.ts';
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

/** The files of a genre that hold all events or subjects of it. */
export function* renderGenreFiles(genre: GenreRecords, service: Service): Generator<SiteFile> {
  const filters = { genre: genre.genre.id };
  for (const name of writtenFormats(service)) {
    const renderer: JoinedRenderer = renderers[name];
    const isPart = !hasFormat(name, 'genre', service);
    const head = isPart ? '' : renderer.head(publishedFilters(filters));
    const tail = isPart ? '' : renderer.tail;
    const content = function* (): Parts {
      yield head;
      yield* renderer.render(genre);
      yield tail;
    };
    yield {
      path: formatPath(formats[name], filters),
      content,
      isPart,
    };
  }
}

/** The files of the scopes above genres, joined from those of all their genres in order of ids. */
export function* joinGenreFiles(summary: Summary, service: Service): Generator<SiteFile> {
  for (const name of writtenFormats(service)) {
    for (const { filters } of summary.scopes) {
      if (filters.genre || !hasFormat(name, kindOf(filters), service)) continue;
      const content = (): Parts => joinFiles(name, filters, summary, service);
      yield { path: formatPath(formats[name], filters), content };
    }
  }
}

function* joinFiles(
  name: JoinedFormat,
  filters: Filters,
  summary: Summary,
  service: Service,
): Parts {
  const { head, separator, tail, widen }: JoinedRenderer = renderers[name];
  const { genres, extraKeys } = summary;
  const isPart = !hasFormat(name, 'genre', service);
  const map = widen && extraKeys.length > 0 ? (text: string) => widen(text, extraKeys) : undefined;
  yield head(publishedFilters(filters), extraKeys);
  let isFirst = true;
  for (const { id: genre, category, subjects: count } of genres) {
    // A genre without subjects has no events either.
    if (count === 0 || (filters.category && filters.category !== category)) continue;
    if (!isFirst) yield separator;
    isFirst = false;
    const skip = isPart ? 0 : bytesIn(head(publishedFilters({ genre })));
    const leave = isPart ? 0 : bytesIn(tail);
    yield {
      file: formatPath(formats[name], { genre }),
      skip,
      leave,
      map,
    };
  }
  yield tail;
}

function writtenFormats(service: Service): JoinedFormat[] {
  return (Object.keys(renderers) as JoinedFormat[]).filter((name) => isWritten(name, service));
}

function bytesIn(text: string): number {
  return new TextEncoder().encode(text).length;
}
