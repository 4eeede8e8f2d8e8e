import type { ChangeRecord, ChangesDocument } from '../api/documents.ts';
import { changesPath } from '../api/paths.ts';
import { day, minute } from '../catalogue/time/time.ts';
import { ProblemError, wholeFile } from '../problem/problem.ts';
import type { Difference } from './compare.ts';
import { readDocument, type ComparedSite } from './documents.ts';
import { unreadable, type Site } from './site.ts';

/** An entry of a change log without the time at which it was seen. */
export type Change = Omit<ChangeRecord, 'at'>;

/** Returns the entry of a difference. An event that is merely over has none. */
export function changesOf({ kind, before, after, event, fields: differing }: Difference): Change[] {
  if (kind === 'passed') return [];
  const fields = new Set(differing);
  // Without these, a reader of a start or an end could not tell whether its clock time is real.
  if (fields.has('starts_at') || fields.has('ends_at'))
    for (const field of ['date', 'time_known', 'precision']) fields.add(field);
  const { id, title, subject, genre, category } = event;
  const published = { id, title, subject: { id: subject.id, name: subject.name }, genre, category };
  return [{ kind, ...published, before: before && pick(before, fields), after: after && pick(after, fields) }];
}

function pick(record: object, fields: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => fields.has(name)));
}

/** The maximum number of entries of a change log. */
const maxChanges = 1000;

/** The maximum age of an entry. Older ones are dropped when another is added. */
const maxAge = 60 * day;

/** Returns the changes that a log keeps of those that were seen at the same time: the first ones by their ids. */
export function limitChanges(changes: readonly Change[]): Change[] {
  return changes.toSorted((a, b) => compareTexts(a.id, b.id)).slice(0, maxChanges);
}

/** The changes of some genres. Plain data. */
export interface GenreChanges {
  /** The identity of the previous site. */
  readonly comparedWith: string;
  /** At most as many as a log holds. */
  readonly changes: readonly Change[];
  /** The upcoming events, less those of the previous site that are still upcoming. */
  readonly growth: number;
}

/** Adds up the changes of different genres. Returns null unless all were compared with the same site. */
export function addUpChanges(parts: readonly (GenreChanges | null)[]): GenreChanges | null {
  const comparedWith = parts[0]?.comparedWith;
  if (comparedWith === undefined || parts.some((part) => part?.comparedWith !== comparedWith)) return null;
  const growth = parts.reduce((sum, part) => sum + (part?.growth ?? 0), 0);
  return { comparedWith, changes: limitChanges(parts.flatMap((part) => part?.changes ?? [])), growth };
}

/**
 * Returns the change log of a new site: that of the previous site with the changes since. Without a previous site, the
 * log is empty. Throws the problems `site-unreadable` and `change-log-ahead`.
 *
 * @param now milliseconds since the Unix epoch
 * @param at the `last_sync` of the new site
 */
export async function continueLog(
  against: ComparedSite | null,
  found: GenreChanges | null,
  { now, lastSync: at }: { readonly now: number; readonly lastSync: string },
): Promise<ChangesDocument> {
  const previous = against && (await against.open());
  if (previous === null) return { since: null, changes: [] };
  const previousSync = new Date(previous.overview.totals.last_sync).toISOString();
  const log = (await readLog(previous.site, now)) ?? { since: previousSync, changes: [] };
  const changes = found?.changes ?? [];
  if (changes.length === 0) return log;
  const oldest = Date.parse(at) - maxAge;
  const entries = [...changes.map((change) => ({ at, ...change })), ...log.changes]
    .filter((change) => Date.parse(change.at) >= oldest)
    .sort((a, b) => compareTexts(b.at, a.at) || compareTexts(a.id, b.id));
  // The first entry of a new log is compared with the previous site. Until then, a quiet night changes no byte.
  return { since: log.since ?? previousSync, changes: entries.slice(0, maxChanges) };
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
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
