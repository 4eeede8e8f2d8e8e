import type { AnnouncedDocument, ManifestEntry } from '../api/documents.ts';
import { formatPath, formats } from '../api/formats.ts';
import { inParallel } from '../system/parallel.ts';
import { changesOf, limitChanges, type Change, type GenreChanges } from './change-log.ts';
import { compareRecords, isDated, recordsOf, type PublishedEvent, type Records } from './compare.ts';
import { readDocument, type ComparedSite, type EarlierSite } from './documents.ts';
import { readEvents } from './events.ts';
import { openSite, unreadable, type Site } from './site.ts';

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
  /** The first list of what the previous site announces. Null if an older version built it, without such lists. */
  #announced: Promise<AnnouncedDocument | null> | undefined;
  readonly #waiting: NewGenre[] = [];
  readonly #changes: Change[] = [];
  #growth = 0;

  private constructor(previous: EarlierSite, entries: Entries, now: number) {
    this.#previous = previous;
    this.#entries = entries;
    this.#now = now;
  }

  /**
   * Returns null if there is no previous site, or if it lists only some of its events. Like the other methods, throws
   * the problems `site-unreadable` and `site-line-invalid`.
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
    if (this.#waiting.length >= this.#previous.site.concurrency) await this.#compareWaiting();
  }

  /** Adds the genres of the previous site that are not among these. */
  async addMissing(genres: ReadonlyMap<string, unknown>): Promise<void> {
    const none = { cancelled: new Set<string>(), read: () => recordsOf(new Map()) };
    for (const { id } of this.#previous.overview.genres) if (!genres.has(id)) await this.add({ id, ...none });
  }

  addChanges({ changes, growth }: GenreChanges): void {
    for (const change of changes) this.#changes.push(change);
    this.#growth += growth;
  }

  /** Returns the changes of what was added. */
  async build(): Promise<GenreChanges> {
    await this.#compareWaiting();
    return { comparedWith: this.comparedWith, changes: limitChanges(this.#changes), growth: this.#growth };
  }

  /** Reads as many genres at a time as the previous site allows, so that those in memory are few. */
  async #compareWaiting(): Promise<void> {
    const { concurrency } = this.#previous.site;
    await inParallel(this.#waiting.splice(0), concurrency, async ({ id, cancelled, read }) => {
      const { hasAllAnnounced, ...before } = await this.#readPrevious(id);
      const isCancelled = (event: PublishedEvent): boolean => cancelled.has(event.id);
      for (const difference of compareRecords(before, await read(), isCancelled, this.#now)) {
        this.#growth += this.#upcomingIn(difference.after) - this.#upcomingIn(difference.before);
        const isKnown = hasAllAnnounced || difference.kind !== 'added' || isDated(difference.event);
        if (isKnown) this.#changes.push(...changesOf(difference));
      }
    });
  }

  #upcomingIn(event: PublishedEvent | null): number {
    return event !== null && isDated(event) && Date.parse(event.upcoming_until) > this.#now ? 1 : 0;
  }

  /** Reads what the previous site publishes about a genre, and whether it is all that it announces. */
  async #readPrevious(genre: string): Promise<Records & { readonly hasAllAnnounced: boolean }> {
    const { site } = this.#previous;
    const events = await readEvents(site, genre);
    const ofAll = await (this.#announced ??= readAnnounced(site, null));
    const list = ofAll === null || isComplete(ofAll) ? ofAll : await readAnnounced(site, genre);
    const announced = (list?.announced ?? []).filter((record) => record.genre === genre);
    for (const record of announced) events.texts.set(record.id, JSON.stringify(record));
    const byId = new Map(announced.map((record) => [record.id, record]));
    const hasAllAnnounced = ofAll !== null && (list === null || isComplete(list));
    return { texts: events.texts, parse: (id) => byId.get(id) ?? events.parse(id), hasAllAnnounced };
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

async function readAnnounced(site: Site, genre: string | null): Promise<AnnouncedDocument | null> {
  const path = formatPath(formats.announced, { genre });
  const list = await readDocument<AnnouncedDocument>(site, path);
  if (list === null || (Array.isArray(list.announced) && Number.isInteger(list.total))) return list;
  throw unreadable(`${site.name}/${path}`, 'it lists no announced events');
}
