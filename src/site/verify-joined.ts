import { createHash } from 'node:crypto';
import type { EventRecord, GenreRecord, Manifest, SubjectsDocument } from '../api/documents.ts';
import { formatPath, formats } from '../api/formats.ts';
import { frames, headOf, joinedFormats, type JoinedFormat } from '../api/joined.ts';
import { documentPath, type Filters } from '../api/paths.ts';
import { schemas } from '../api/schemas.ts';
import { inParallel } from '../system/parallel.ts';
import type { Overview } from './documents.ts';
import type { Site } from './site.ts';
import { parseJson } from './verify-files.ts';
import { checkOrder, hashOf, listedRecord, type CheckedList } from './verify-lists.ts';
import { isAsPublished, type Report } from './verify-report.ts';

/**
 * Checks the files that contain all events or subjects. It compares those of a genre with its list, and verifies those
 * of categories and of the whole catalogue by the hash of the texts of their genres. So only a few genres are in memory
 * at a time.
 *
 * @param lists by path
 */
export async function checkJoined(
  report: Report,
  site: Site,
  manifest: Manifest,
  { genres, categories }: Overview,
  lists: ReadonlyMap<string, CheckedList>,
): Promise<void> {
  const scopes: Filters[] = [{}, ...categories.map(({ id }) => ({ category: id }))];
  const joins = new Map(
    joinedFormats.flatMap(({ name, format }) =>
      scopes.map((filters) => [formatPath(format, filters), new Join(name, filters)] as const),
    ),
  );
  for (let start = 0; start < genres.length; start += site.concurrency) {
    const batch = genres.slice(start, start + site.concurrency);
    const texts = await inParallel(batch, site.concurrency, async ({ id }) => readTexts(report, site, manifest, id));
    batch.forEach((genre, index) => {
      const ofGenre = texts[index] ?? {};
      for (const { name, format } of joinedFormats) {
        for (const filters of [{ category: genre.category }, {}])
          joins.get(formatPath(format, filters))?.add(ofGenre[name]);
      }
      checkGenre(report, genre, ofGenre, lists.get(documentPath({ operation: 'events', genre: genre.id })));
    });
  }
  for (const [path, join] of joins) {
    const sha256 = join.digest();
    const entry = manifest.files[path];
    if (entry !== undefined && sha256 !== null)
      report.requireSame(path, 'the SHA-256 of the texts of its genres', entry.sha256, sha256);
  }
}

/** Computes the hash of a file that is joined from the texts of genres. */
class Join {
  readonly #name: JoinedFormat;
  readonly #hash = createHash('sha256');
  #isBegun = false;
  #isKnown = true;

  constructor(name: JoinedFormat, filters: Filters) {
    this.#name = name;
    this.#hash.update(headOf(name, filters));
  }

  /** @param text undefined if unknown */
  add(text: string | undefined): void {
    this.#isKnown &&= text !== undefined;
    if (text === undefined || text === '') return;
    this.#hash.update((this.#isBegun ? frames[this.#name].separator : '') + text);
    this.#isBegun = true;
  }

  /** Returns null if a text is unknown. */
  digest(): string | null {
    return this.#isKnown ? this.#hash.update(frames[this.#name].tail).digest('hex') : null;
  }
}

/** The records of a genre in each format, without the head and tail of their files. */
type Texts = Partial<Record<JoinedFormat, string>>;

async function readTexts(report: Report, site: Site, { files }: Manifest, genre: string): Promise<Texts> {
  const texts: Texts = {};
  for (const { name, format } of joinedFormats) {
    const path = formatPath(format, { genre });
    const entry = files[path];
    if (entry === undefined) continue;
    const bytes = await site.read(path, Infinity);
    report.files++;
    if (bytes === null || !isAsPublished(bytes, entry)) {
      report.addDifference(path, bytes?.length ?? null, entry);
      continue;
    }
    report.documents++;
    const [text, head, { tail }] = [bytes.toString(), headOf(name, { genre }), frames[name]];
    if (text.startsWith(head) && text.endsWith(tail)) texts[name] = text.slice(head.length, text.length - tail.length);
    else report.requireSame(path, 'its beginning', text.slice(0, head.length), head);
  }
  return texts;
}

function checkGenre(report: Report, genre: GenreRecord, texts: Texts, list: CheckedList | undefined): void {
  const events = texts.ndjson === undefined ? null : checkLines(report, genre, texts.ndjson, list);
  if (texts.csv !== undefined && events !== null) {
    const lines = texts.csv.split('\r\n').slice(0, -1);
    const [found, expected] = [lines.map((line) => line.split(',', 1)[0]), events.map(({ id }) => id)];
    report.requireSame(formatPath(formats.csv, { genre: genre.id }), 'the ids of its rows', found, expected);
  }
  if (texts.subjects !== undefined) checkSubjects(report, genre, texts.subjects, events);
}

/** Checks the events of a genre, one per line. Returns null if one of them is invalid. */
function checkLines(
  report: Report,
  { id: genre, upcoming }: GenreRecord,
  text: string,
  list: CheckedList | undefined,
): EventRecord[] | null {
  const path = formatPath(formats.ndjson, { genre });
  const events: EventRecord[] = [];
  for (const [index, line] of text.split('\n').slice(0, -1).entries()) {
    const event = parseJson(line);
    if (!report.requireSchema(path, schemas.Event, event, { line: index + 1, list: 'events' })) return null;
    events.push(event as EventRecord);
  }
  const listed = events.map((event) => listedRecord(event, 'Events'));
  checkOrder(report, path, listed);
  const misplaced = events.filter((event) => event.genre !== genre).map(({ id }) => id);
  report.requireSame(path, 'the events of another genre', misplaced, []);
  const begun = begunOf(events, upcoming);
  const upcomingRecords = listed.filter((_, index) => !begun.has(events[index]));
  report.requireSame(path, 'the number of upcoming events', upcomingRecords.length, upcoming);
  if (list !== undefined && !list.isUpdated)
    report.requireSame(path, 'its first upcoming events', hashOf(upcomingRecords.slice(0, list.length)), list.contents);
  return events;
}

/** Returns the events that had begun when the site was built, which are those that stop being upcoming first. */
function begunOf(events: readonly EventRecord[], upcoming: number): ReadonlySet<EventRecord | undefined> {
  const expiry = ({ upcoming_until }: EventRecord): number => Date.parse(upcoming_until);
  const sorted = events.toSorted((a, b) => expiry(a) - expiry(b));
  return new Set(sorted.slice(0, Math.max(0, events.length - upcoming)).filter(({ over_at }) => over_at !== null));
}

function checkSubjects(
  report: Report,
  { id: genre, category, subjects: count, upcoming }: GenreRecord,
  text: string,
  events: readonly EventRecord[] | null,
): void {
  const path = formatPath(formats.subjects, { genre });
  const document = parseJson(`${headOf('subjects', { genre })}${text}${frames.subjects.tail}`);
  if (!report.requireSchema(path, schemas.Subjects, document)) return;
  const { subjects } = document as SubjectsDocument;
  const ids = subjects.map(({ id }) => id);
  report.requireSame(path, 'the number of subjects', ids.length, count);
  report.requireSame(path, 'the order of subjects', ids, [...new Set(ids)].sort());
  const total = subjects.reduce((sum, one) => sum + one.upcoming, 0);
  report.requireSame(path, 'the number of upcoming events', total, upcoming);
  const bySubject = new Map<string, EventRecord[]>(ids.map((id) => [id, []]));
  const begun = begunOf(events ?? [], upcoming);
  for (const event of events ?? []) if (!begun.has(event)) bySubject.get(event.subject.id)?.push(event);
  for (const subject of subjects) {
    const { id, upcoming: found, next } = subject;
    report.requireSame(path, `the genre of ${id}`, [subject.genre, subject.category], [genre, category]);
    if (events === null) continue;
    const ofSubject = bySubject.get(id) ?? [];
    const expected = { upcoming: ofSubject.length, next: ofSubject[0] ?? null };
    report.requireSame(path, `the events of ${id}`, { upcoming: found, next }, expected);
  }
}
