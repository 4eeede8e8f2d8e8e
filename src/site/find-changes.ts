import { addToLog, compareEvents, isDated, limitChanges, type Change, type PublishedEvent } from '../api/changes.ts';
import type { AnnouncementRecord, ChangesDocument, EventRecord, ManifestEntry } from '../api/documents.ts';
import { formatPath, formats } from '../api/formats.ts';
import { changesPath } from '../api/paths.ts';
import { minute } from '../catalogue/time/time.ts';
import { endOfDate } from '../catalogue/time/zone.ts';
import { ProblemError, wholeFile } from '../problem/problem.ts';
import { inParallel } from '../system/parallel.ts';
import { AnnouncedEvents } from './announced-events.ts';
import { readDocument, type ComparedSite } from './documents.ts';
import { GenreEvents, isOver } from './events.ts';
import { openSite, unreadable, type Site } from './site.ts';

/** The events without a record that a change log needs. */
export interface UnlistedEvents {
  /** The JSON of announcements by their ids. */
  readonly announced: ReadonlyMap<string, string>;
  /** The ids of cancelled events and announcements. */
  readonly cancelled: readonly string[];
}

/** Genres of a new site, as far as its change log depends on them. */
export interface NewGenres extends UnlistedEvents {
  readonly ids: readonly string[];
  /** Where their files are. Without folders it is a dry run, in which nothing is compared. */
  readonly staging: {
    readonly folders: { readonly folder: string } | null;
    readonly entries: ReadonlyMap<string, ManifestEntry>;
  };
}

/** The changes of some genres. */
export interface GenreChanges {
  /** The identity of the previous site. */
  readonly comparedWith: string;
  readonly changes: readonly Change[];
}

/**
 * Compares the events of genres with those of the previous site, one genre at a time. Returns no more changes than a
 * log holds, or null unless both sites publish every event. Throws the problems `site-unreadable` and
 * `site-line-invalid`.
 *
 * @param now milliseconds since the Unix epoch
 */
export async function findChanges(
  against: ComparedSite | null,
  { ids, staging, ...unlisted }: NewGenres,
  now: number,
): Promise<GenreChanges | null> {
  if (against === null || staging.folders === null) return null;
  const previous = await against.open();
  if (previous?.hasEveryEvent !== true) return null;
  const { site, files, identity: comparedWith } = previous;
  if (ids.length === 0) return { comparedWith, changes: [] };
  const staged = openSite(staging.folders.folder, '');
  const announced = await AnnouncedEvents.open(site);
  const cancelled = new Set(unlisted.cancelled);
  const fresh = byGenre(unlisted.announced);
  const compare = async (genre: string): Promise<Change[]> => {
    const paths = [formats.ndjson, formats.announced].map((format) => formatPath(format, { genre }));
    if (paths.every((path) => files[path]?.sha256 === staging.entries.get(path)?.sha256)) return [];
    const [old, latest] = [await GenreEvents.read(site, genre), await GenreEvents.read(staged, genre)];
    return compareEvents(
      { events: recordsOf(old, latest), ...(await announced.of(genre)) },
      { events: recordsOf(latest, old), announced: fresh.get(genre) ?? new Map(), cancelled },
      (one) => hasPassed(one, now),
    );
  };
  const changes = await inParallel(ids, site.concurrency, compare);
  return { comparedWith, changes: limitChanges(changes.flat()) };
}

/** Adds up the changes of different genres. Returns null unless all were compared with the same site. */
export function addUpChanges(parts: readonly (GenreChanges | null)[]): GenreChanges | null {
  const comparedWith = parts[0]?.comparedWith;
  if (comparedWith === undefined || parts.some((part) => part?.comparedWith !== comparedWith)) return null;
  return { comparedWith, changes: limitChanges(parts.flatMap((part) => part?.changes ?? [])) };
}

/**
 * Returns the change log of a new site: the log of the previous site, extended by the differences between the two.
 * Without a previous site, the log is empty. If nothing can be compared, the log is that of the previous site. Throws
 * the problems `site-unreadable`, `site-line-invalid` and `change-log-ahead`.
 *
 * @param found the changes of all of its genres, unless they were compared with another site or not at all
 * @param now milliseconds since the Unix epoch
 */
export async function continueLog(
  against: ComparedSite | null,
  next: NewGenres,
  found: GenreChanges | null,
  { now, lastSync }: { readonly now: number; readonly lastSync: string },
): Promise<ChangesDocument> {
  const previous = against && (await against.open());
  if (previous === null) return { since: null, changes: [] };
  const previousSync = new Date(previous.overview.totals.last_sync).toISOString();
  const log = (await readLog(previous.site, now)) ?? { since: previousSync, changes: [] };
  const compared = found?.comparedWith === previous.identity ? found : null;
  const ids = new Set(next.ids);
  const gone = previous.overview.genres.map(({ id }) => id).filter((id) => !ids.has(id));
  const rest = await findChanges(against, { ...next, ids: compared ? gone : [...ids, ...gone] }, now);
  const changes = [...(compared?.changes ?? []), ...(rest?.changes ?? [])];
  // The first entry of a new log is compared with the previous site. Until then, a quiet night changes no byte.
  return changes.length === 0 ? log : addToLog({ ...log, since: log.since ?? previousSync }, changes, lastSync);
}

/** Parses the events that are not the same in another site. Parsing takes far longer than comparing. */
function recordsOf(events: GenreEvents, other: GenreEvents): Map<string, EventRecord> {
  const records = new Map<string, EventRecord>();
  for (const [id, line] of events.lines)
    if (line.text !== other.lines.get(id)?.text) records.set(id, events.parse(line));
  return records;
}

/** Parses announcements and groups them by their genre, which their ids begin with. */
function byGenre(announced: ReadonlyMap<string, string>): Map<string, Map<string, AnnouncementRecord>> {
  const groups = new Map<string, Map<string, AnnouncementRecord>>();
  for (const [id, text] of announced) {
    const genre = id.slice(0, id.indexOf('/'));
    const group = groups.get(genre) ?? new Map<string, AnnouncementRecord>();
    groups.set(genre, group.set(id, JSON.parse(text) as AnnouncementRecord));
  }
  return groups;
}

/** Whether an event, or the period of an announcement, is over. */
function hasPassed(published: PublishedEvent, now: number): boolean {
  if (isDated(published)) return isOver(published, now);
  return endOfDate(published.zone, Date.parse(published.window.until)) <= now;
}

/** Builds may follow one another within a minute on machines whose clocks differ. */
const maxClockError = minute;

async function readLog(site: Site, now: number): Promise<ChangesDocument | null> {
  const log = await readDocument<ChangesDocument>(site, changesPath);
  if (log === null) return null;
  const file = `${site.name}/${changesPath}`;
  if (!isLog(log)) throw unreadable(file, 'it is not a change log');
  const times = [log.since, ...log.changes.map(({ at }) => at)].filter((at) => at !== null);
  const ahead = times.find((at) => Date.parse(at) > now + maxClockError);
  if (ahead === undefined) return log;
  const details = { at: ahead, now: new Date(now).toISOString() };
  throw new ProblemError([{ code: 'change-log-ahead', place: wholeFile(file), ...details }]);
}

function isLog({ since, changes }: Partial<ChangesDocument>): boolean {
  const isTime = (text: unknown): boolean => typeof text === 'string' && !Number.isNaN(Date.parse(text));
  return (since === null || isTime(since)) && Array.isArray(changes) && changes.every(isEntry);

  function isEntry(entry: Partial<ChangesDocument['changes'][number]> | null): boolean {
    const { at, kind, id, title, genre, category, subject } = entry ?? {};
    const texts: readonly unknown[] = [kind, id, title, genre, category, subject?.id, subject?.name];
    return isTime(at) && texts.every((text) => typeof text === 'string');
  }
}
