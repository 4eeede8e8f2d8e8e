import { formatPath, formats, hasFormat, scopeOf } from '../api/formats.ts';
import { headOf, joinedFormats, joints, type JoinedFormat } from '../api/joined.ts';
import type { Filters } from '../api/paths.ts';
import type { FilePart } from '../api/site-file.ts';
import type { Category, Genre, GenreSummary, Subject } from '../catalogue/model.ts';
import { bySoonest } from '../catalogue/soonest.ts';
import { eventJson, type EventTexts } from './event-texts.ts';
import { csvRow } from './formats/csv.ts';
import { subjectJson } from './formats/subjects.ts';

/** The number of events that are serialized at a time. */
const eventsPerPart = 1024;

/**
 * Renders the files that hold every event or subject of a scope, genre by genre in the order of their ids. Only what the
 * files of categories and of everything have so far is kept, not their contents.
 */
export class JoinedFiles {
  readonly #categories: readonly Category[];
  readonly #isBulk: boolean;
  /** The paths of the files that have a record. */
  readonly #begun = new Set<string>();

  /** @param isBulk whether the site has bulk files */
  constructor(categories: readonly Category[], isBulk: boolean) {
    this.#categories = categories;
    this.#isBulk = isBulk;
  }

  /** Renders the files of a genre, and its part of those of its category and of everything. */
  *addGenre({ genre, events: upcoming, current, members }: GenreSummary, texts: EventTexts): Generator<FilePart> {
    const begun = new Set(current);
    const events = current.length === 0 ? upcoming : [...current, ...upcoming].sort(bySoonest);
    const next = new Map<Subject, { upcoming: number; readonly json: string }>();
    const known = new Map(texts.upcoming.map(({ id, json }) => [id, json]));
    for (let start = 0; start < events.length; start += eventsPerPart) {
      const some = events.slice(start, start + eventsPerPart);
      const lines: string[] = [];
      for (const event of some) {
        const subject = next.get(event.subject);
        const json = this.#isBulk || subject === undefined ? (known.get(event.id) ?? eventJson(event)) : '';
        if (this.#isBulk) lines.push(json, '\n');
        if (begun.has(event)) continue;
        if (subject === undefined) next.set(event.subject, { upcoming: 1, json });
        else subject.upcoming++;
      }
      yield* this.#add('ndjson', genre, lines);
      if (this.#isBulk) yield* this.#add('csv', genre, some.map(csvRow));
    }
    const records = members.map((subject) => subjectJson(subject, genre, next.get(subject) ?? null));
    yield* this.#add('subjects', genre, records.length === 0 ? [] : [records.join(',')]);
    yield* this.#end({ genre: genre.id });
  }

  /** Completes the files of categories and of everything. */
  *end(): Generator<FilePart> {
    for (const { id } of this.#categories) yield* this.#end({ category: id });
    yield* this.#end({});
  }

  *#add(name: JoinedFormat, { id, category }: Genre, content: readonly string[]): Generator<FilePart> {
    if (content.length === 0) return;
    const paths: string[] = [];
    for (const filters of [{ genre: id }, { category }, {}]) {
      if (!hasFormat(formats[name], scopeOf(filters), this.#isBulk)) continue;
      const path = formatPath(formats[name], filters);
      const lead = this.#begun.has(path) ? joints[name].separator : headOf(name, filters);
      if (lead !== '') yield { paths: [path], content: lead };
      this.#begun.add(path);
      paths.push(path);
    }
    yield { paths, content };
  }

  *#end(filters: Filters): Generator<FilePart> {
    for (const { name, format } of joinedFormats) {
      if (!hasFormat(format, scopeOf(filters), this.#isBulk)) continue;
      const path = formatPath(format, filters);
      const head = this.#begun.delete(path) ? '' : headOf(name, filters);
      yield { paths: [path], content: head + joints[name].tail, isLast: true };
    }
  }
}
