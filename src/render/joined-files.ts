import { formatPath, formats, hasFormat, scopeOf } from '../api/formats.ts';
import { frames, headOf, joinedFormats, type JoinedFormat } from '../api/joined.ts';
import type { Filters } from '../api/paths.ts';
import type { FilePart } from '../api/site-file.ts';
import type { GenreSummary, Subject } from '../catalogue/model.ts';
import { bySoonest } from '../catalogue/soonest.ts';
import { eventJson, type EventTexts } from './event-texts.ts';
import { csvRow } from './csv.ts';
import { subjectJson } from './subjects.ts';
import type { Summary } from './summary.ts';

/** The number of events that are serialized at a time. */
const eventsPerPart = 1024;

/** Renders the files of a genre that contain all of its events or subjects, part by part. */
export function* renderGenreFiles(
  { genre, events: upcoming, current, members }: GenreSummary,
  texts: EventTexts,
  isBulk: boolean,
): Generator<FilePart> {
  const filters = { genre: genre.id };
  yield* begin(filters, isBulk);
  const paths = (name: JoinedFormat): string[] => [formatPath(formats[name], filters)];
  const begun = new Set(current);
  const events = current.length === 0 ? upcoming : [...current, ...upcoming].sort(bySoonest);
  const next = new Map<Subject, { upcoming: number; readonly json: string }>();
  const known = new Map(texts.upcoming.map(({ id, json }) => [id, json]));
  for (let start = 0; start < events.length; start += eventsPerPart) {
    const batch = events.slice(start, start + eventsPerPart);
    const lines: string[] = [];
    for (const event of batch) {
      const subject = next.get(event.subject);
      const json = isBulk || subject === undefined ? (known.get(event.id) ?? eventJson(event)) : '';
      if (isBulk) lines.push(json, '\n');
      if (begun.has(event)) continue;
      if (subject === undefined) next.set(event.subject, { upcoming: 1, json });
      else subject.upcoming++;
    }
    if (isBulk) yield { paths: paths('ndjson'), content: lines };
    if (isBulk) yield { paths: paths('csv'), content: batch.map(csvRow) };
  }
  const records = members.map((subject) => subjectJson(subject, genre, next.get(subject) ?? null));
  yield { paths: paths('subjects'), content: records.join(',') };
  yield* end(filters, isBulk);
}

/**
 * Joins the files of all genres, in the order of their ids, to those of each category and of everything. So the files
 * are never held in memory, and the genres can be rendered in any order.
 *
 * @param bytesOf returns the size of a file of the site
 */
export function* joinGenreFiles(
  { genres, categories }: Summary,
  isBulk: boolean,
  bytesOf: (path: string) => number,
): Generator<FilePart> {
  const scopes: readonly Filters[] = [{}, ...categories.map(({ id }) => ({ category: id }))];
  for (const filters of scopes) yield* begin(filters, isBulk);
  /** The paths of the files that have a record. */
  const begun = new Set<string>();
  for (const { id: genre, category } of genres) {
    for (const { name, format } of joinedFormats) {
      const scopesOfGenre = [{ category }, {}].filter((filters) => hasFormat(format, scopeOf(filters), isBulk));
      const file = formatPath(format, { genre });
      const range = { file, start: bytesIn(headOf(name, { genre })), end: bytesOf(file) - bytesIn(frames[name].tail) };
      if (scopesOfGenre.length === 0 || range.start >= range.end) continue;
      const paths = scopesOfGenre.map((filters) => formatPath(format, filters));
      yield { paths: paths.filter((path) => begun.has(path)), content: frames[name].separator };
      yield { paths, content: range };
      for (const path of paths) begun.add(path);
    }
  }
  for (const filters of scopes) yield* end(filters, isBulk);
}

function* begin(filters: Filters, isBulk: boolean): Generator<FilePart> {
  for (const { name, path } of joinedFilesOf(filters, isBulk)) yield { paths: [path], content: headOf(name, filters) };
}

function* end(filters: Filters, isBulk: boolean): Generator<FilePart> {
  for (const { name, path } of joinedFilesOf(filters, isBulk)) {
    yield { paths: [path], content: frames[name].tail, isLast: true };
  }
}

function joinedFilesOf(filters: Filters, isBulk: boolean) {
  return joinedFormats
    .filter(({ format }) => hasFormat(format, scopeOf(filters), isBulk))
    .map(({ name, format }) => ({ name, path: formatPath(format, filters) }));
}

function bytesIn(text: string): number {
  return new TextEncoder().encode(text).length;
}
