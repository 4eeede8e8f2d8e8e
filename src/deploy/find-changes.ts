import { addToLog, compareEvents, isDated, type Change, type PublishedEvent } from '../api/changes.ts';
import type { AnnouncementRecord, ChangesDocument, EventRecord } from '../api/documents.ts';
import { changesPath } from '../api/paths.ts';
import { minute } from '../catalogue/time/time.ts';
import { endOfDate } from '../catalogue/time/zone.ts';
import { ProblemError, wholeFile } from '../problem/problem.ts';
import { AnnouncedEvents } from './announced-events.ts';
import { isOver, SiteEvents, type Line } from './site-events.ts';
import { limitToManifest, readDocument, requireOverview } from './site-documents.ts';
import { unreadable, type Site } from './site.ts';

/** The parts of the new site that its change log depends on. */
export interface NewSite {
  /** Null in a dry run, in which nothing is compared. */
  readonly events: SiteEvents | null;
  /** The JSON of its announcements by the ids of the events. */
  readonly announced: ReadonlyMap<string, string>;
  /** The ids of the events that are cancelled. */
  readonly cancelled: ReadonlySet<string>;
  /** ISO 8601 UTC with milliseconds. */
  readonly lastSync: string;
}

/**
 * Returns the change log of a new site: that of the previous site, continued with what differs between the two. Only
 * one genre of each is in memory at a time. Without a previous site, the log is empty. If the previous site has no file
 * of all events, its log is returned unchanged. Throws the problems `site-unreadable`, `site-line-invalid` and
 * `change-log-ahead`.
 *
 * @param against null if no previous site is named
 * @param now milliseconds since the Unix epoch
 */
export async function findChanges(against: Site | null, next: NewSite, now: number): Promise<ChangesDocument> {
  const { site, manifest } = against === null ? { site: null, manifest: null } : await limitToManifest(against);
  if (site === null || manifest === null) return { since: null, changes: [] };
  const previousSync = new Date((await requireOverview(site)).totals.last_sync).toISOString();
  const log = (await readLog(site, now)) ?? { since: previousSync, changes: [] };
  const previous = await SiteEvents.open(site);
  if (previous === null || next.events === null) return log;
  const announced = await AnnouncedEvents.open(site);
  const fresh = byGenre(next.announced);
  const changes: Change[] = [];
  const compare = async (genre: string, lines: LinesOfBoth): Promise<void> => {
    const before = { events: recordsOf(previous, lines.old, lines.fresh), ...(await announced.take(genre)) };
    const after = {
      events: recordsOf(next.events, lines.fresh, lines.old),
      announced: fresh.get(genre) ?? new Map<string, AnnouncementRecord>(),
      cancelled: next.cancelled,
    };
    fresh.delete(genre);
    changes.push(...compareEvents(before, after, (one) => hasPassed(one, now)));
  };
  for await (const { genre, ...lines } of genresOf(previous, next.events)) await compare(genre, lines);
  // What remains has announcements only.
  for (const genre of new Set([...announced.remainingGenres(), ...fresh.keys()])) await compare(genre, noLines);
  // The first entry of a new log is compared with the previous site. Until then, a quiet night changes no byte.
  return changes.length === 0 ? log : addToLog({ ...log, since: log.since ?? previousSync }, changes, next.lastSync);
}

type Lines = ReadonlyMap<string, Line>;

/** The lines of a genre in the previous site and in the new one. */
interface LinesOfBoth {
  readonly old: Lines;
  readonly fresh: Lines;
}

const noLines: LinesOfBoth = { old: new Map(), fresh: new Map() };

/** Reads the genres of both sites, in the order of their ids. */
async function* genresOf(
  previous: SiteEvents,
  next: SiteEvents,
): AsyncGenerator<LinesOfBoth & { readonly genre: string }> {
  let [old, fresh] = [await previous.next(), await next.next()];
  while (old !== null || fresh !== null) {
    const [genre = ''] = [old?.genre, fresh?.genre].filter((id) => id !== undefined).sort();
    const [isOld, isFresh] = [old?.genre === genre, fresh?.genre === genre];
    yield {
      genre,
      old: isOld && old !== null ? old.lines : noLines.old,
      fresh: isFresh && fresh !== null ? fresh.lines : noLines.fresh,
    };
    if (isOld) old = await previous.next();
    if (isFresh) fresh = await next.next();
  }
}

/**
 * Parses the lines that the other site does not have. Parsing takes far longer than comparing, and most are the same.
 */
function recordsOf(events: SiteEvents | null, lines: Lines, otherLines: Lines): Map<string, EventRecord> {
  const records = new Map<string, EventRecord>();
  for (const [id, line] of lines)
    if (events !== null && line.text !== otherLines.get(id)?.text) records.set(id, events.parse(line));
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
