import type { AnnouncedDocument, ManifestEntry } from '../api/documents.ts';
import { formatPath, formats } from '../api/formats.ts';
import { inParallel } from '../system/parallel.ts';
import { changesOf, limitChanges, type Change, type GenreChanges } from './change-log.ts';
import { compareRecords, isDated, recordsOf, type PublishedEvent, type Records } from './compare.ts';
import type { ComparedSite, EarlierSite } from './earlier-site.ts';
import { readEvents } from './events.ts';
import { isAnnouncement, isEventRecord } from './foreign.ts';
import { openSite } from './site.ts';

/** A genre of a new site. */
export interface NewGenre {
  readonly id: string;
  /** The ids of cancelled events and announcements. */
  readonly cancelled: ReadonlySet<string>;
  /** Returns the records of all events and announcements. Called if they are not those of the previous site. */
  readonly read: () => Records | Promise<Records>;
}

type Entries = ReadonlyMap<string, ManifestEntry>;

/** Compares genres of a new site with those of the previous site, and adds up the changes. */
export class GenreComparison {
  readonly #previous: EarlierSite;
  readonly #entries: Entries;
  readonly #now: number;
  /** The first list of what the previous site announces. Null if it has none, or if that is damaged. */
  #announced: Promise<AnnouncedDocument | null> | undefined;
  readonly #waiting: NewGenre[] = [];
  /** The bytes that the previous site lists for what waits. */
  #waitingBytes = 0;
  /** What other threads or parts found damaged, by the paths of the files. */
  readonly #damage = new Map<string, string>();
  readonly #changes: Change[] = [];
  #growth = 0;

  private constructor(previous: EarlierSite, entries: Entries, now: number) {
    this.#previous = previous;
    this.#entries = entries;
    this.#now = now;
  }

  /**
   * Returns null if there is no previous site, or if it lists only some of its events. Like the other methods, throws
   * the problem `site-unreadable` if its host fails.
   *
   * @param entries the files of the new site so far
   * @param now milliseconds since the Unix epoch
   */
  static async open(against: ComparedSite | null, entries: Entries, now: number): Promise<GenreComparison | null> {
    const previous = against && (await against.open());
    return previous?.hasEveryEvent === true ? new GenreComparison(previous, entries, now) : null;
  }

  get comparedWith(): string {
    return this.#previous.identity;
  }

  /** Compares a genre whose files are among the entries, at the latest when the changes are built. */
  async add(genre: NewGenre): Promise<void> {
    const paths = [formats.ndjson, formats.announced].map((format) => formatPath(format, { genre: genre.id }));
    if (paths.every((path) => this.#previous.files[path]?.sha256 === this.#entries.get(path)?.sha256)) return;
    this.#waiting.push(genre);
    this.#waitingBytes += paths.reduce((sum, path) => sum + (this.#previous.files[path]?.bytes ?? 0), 0);
    const isFull = this.#waiting.length >= this.#previous.site.concurrency || this.#waitingBytes > maxWaitingBytes;
    if (isFull) await this.#compareWaiting();
  }

  /** Adds the genres of the previous site that are not among these. */
  async addMissing(genres: ReadonlyMap<string, unknown>): Promise<void> {
    const none = { cancelled: new Set<string>(), read: () => recordsOf(new Map()) };
    for (const { id } of this.#previous.overview.genres) if (!genres.has(id)) await this.add({ id, ...none });
  }

  addChanges({ changes, growth, damage }: GenreChanges): void {
    for (const change of changes) this.#changes.push(change);
    for (const [path, reason] of damage) this.#damage.set(path, reason);
    this.#growth += growth;
  }

  /** Returns the changes of what was added. */
  async build(): Promise<GenreChanges> {
    await this.#compareWaiting();
    const damage = new Map([...this.#damage, ...this.#previous.damage.reasons]);
    return { comparedWith: this.comparedWith, changes: limitChanges(this.#changes), growth: this.#growth, damage };
  }

  /** Reads as many genres at a time as the previous site allows, so that those in memory are few. */
  async #compareWaiting(): Promise<void> {
    const { concurrency } = this.#previous.site;
    this.#waitingBytes = 0;
    await inParallel(this.#waiting.splice(0), concurrency, async (genre) => this.#compare(genre));
  }

  async #compare({ id, cancelled, read }: NewGenre): Promise<void> {
    const after = await read();
    const { hasAllEvents, hasAllAnnounced, ...before } = await this.#readPrevious(id, after.texts);
    const isCancelled = (event: PublishedEvent): boolean => cancelled.has(event.id);
    let growth = 0;
    for (const difference of compareRecords(before, after, isCancelled, this.#now)) {
      growth += this.#upcomingIn(difference.after) - this.#upcomingIn(difference.before);
      // What is new and what cannot be read of the previous site look the same.
      const isKnown = isDated(difference.event) ? hasAllEvents : hasAllAnnounced && hasAllEvents;
      if (isKnown || difference.kind !== 'added') this.#changes.push(...changesOf(difference));
    }
    this.#growth += hasAllEvents ? growth : this.#growthOf(id, after);
  }

  /** Returns the growth of a genre whose previous events cannot all be read, by the count in the list of genres. */
  #growthOf(genre: string, after: Records): number {
    const ids = [...after.texts.keys()];
    const upcoming = ids.reduce((sum, id) => sum + this.#upcomingIn(after.parse(id)), 0);
    return upcoming - (this.#previous.overview.genres.find(({ id }) => id === genre)?.upcoming ?? 0);
  }

  #upcomingIn(event: PublishedEvent | null): number {
    return event !== null && isDated(event) && Date.parse(event.upcoming_until) > this.#now ? 1 : 0;
  }

  /**
   * Reads what the previous site publishes about a genre, and whether that is all of it. Only records that differ from
   * the new ones are parsed.
   */
  async #readPrevious(genre: string, next: ReadonlyMap<string, string>) {
    const { texts, isWhole, onDamage } = await this.#previous.events(genre);
    const ofAll = await (this.#announced ??= this.#readAnnounced(null));
    const list = ofAll === null || isComplete(ofAll) ? ofAll : await this.#readAnnounced(genre);
    const announced = (list?.announced ?? []).filter((record) => record?.genre === genre && isAnnouncement(record));
    const records = new Map<string, PublishedEvent>(announced.map((record) => [record.id, record]));
    for (const [id, text] of texts) {
      if (next.get(id) === text) continue;
      const record = parseRecord(text);
      if (isEventRecord(record) && record.id === id && record.genre === genre) records.set(id, record);
      else {
        texts.delete(id);
        onDamage(`found a record of ${id} that is not valid`);
      }
    }
    for (const record of announced) if (!texts.has(record.id)) texts.set(record.id, JSON.stringify(record));
    const parse = (id: string): PublishedEvent =>
      records.get(id) ?? (JSON.parse(texts.get(id) ?? 'null') as PublishedEvent);
    const hasAllAnnounced = ofAll !== null && list !== null && isComplete(list);
    return { texts, parse, hasAllEvents: isWhole(), hasAllAnnounced };
  }

  async #readAnnounced(genre: string | null): Promise<AnnouncedDocument | null> {
    const path = formatPath(formats.announced, { genre });
    const isList = ({ announced, total }: Partial<AnnouncedDocument>): boolean =>
      Array.isArray(announced) && Number.isInteger(total);
    return (await this.#previous.document<AnnouncedDocument>(path, isList))?.document ?? null;
  }
}

/** The listed bytes of genres that are compared at the same time. */
const maxWaitingBytes = 256 * 1024 ** 2;

function parseRecord(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The JSON of announcements by their ids, and the ids of cancelled events and announcements. */
export interface UnlistedEvents {
  readonly announced: ReadonlyMap<string, string>;
  readonly cancelled: readonly string[];
}

/**
 * Returns the changes of a whole site: those that were found while its genres were rendered, with those of the genres
 * that are gone. Reads the written genres only if they were not compared, or with another site. Returns null if nothing
 * can be compared.
 */
export async function completeChanges(
  against: ComparedSite | null,
  { changes, unlisted }: { changes: GenreChanges | null; unlisted: ReadonlyMap<string, UnlistedEvents> },
  { entries, folders }: { entries: Entries; folders: { folder: string } | null },
  now: number,
): Promise<GenreChanges | null> {
  const comparison = await GenreComparison.open(against, entries, now);
  if (comparison === null) return null;
  if (changes?.comparedWith === comparison.comparedWith) comparison.addChanges(changes);
  else if (folders === null) return null;
  else {
    const site = openSite(folders.folder, '');
    for (const [id, { announced, cancelled }] of unlisted) {
      const read = async () => recordsOf(new Map([...(await readEvents(site, id)).texts, ...announced]));
      await comparison.add({ id, cancelled: new Set(cancelled), read });
    }
  }
  await comparison.addMissing(unlisted);
  return comparison.build();
}

function isComplete({ total, announced }: AnnouncedDocument): boolean {
  return total <= announced.length;
}
