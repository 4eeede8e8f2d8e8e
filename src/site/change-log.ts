import type { ChangeRecord, ChangesDocument } from '../api/documents.ts';
import { changesPath } from '../api/paths.ts';
import type { FindCollections } from '../catalogue/collection.ts';
import { compareTexts } from '../catalogue/soonest.ts';
import { day, isoInstant, minute } from '../catalogue/time/time.ts';
import type { Difference } from './compare.ts';
import type { ComparedSite, EarlierSite } from './earlier-site.ts';
import { isTime, readChange } from './foreign.ts';

/** An entry of a change log without the time at which it was seen. */
export type Change = Omit<ChangeRecord, 'at'>;

/** Returns the entry of a difference. An event that is merely over has none. */
export function changesOf(
  { kind, before, after, event, fields: differing }: Difference,
  findCollections: FindCollections,
): Change[] {
  if (kind === 'passed') return [];
  const fields = new Set(differing);
  // Without these, a reader of a start or an end could not tell whether its clock time is real.
  if (fields.has('starts_at') || fields.has('ends_at'))
    for (const field of ['date', 'time_known', 'precision', 'zone']) fields.add(field);
  const { id, title, subject, genre, category } = event;
  const published = { id, title, subject: { id: subject.id, name: subject.name }, genre, category };
  const collections = [...findCollections(event)];
  const change = { kind, ...published, before: before && pick(before, fields), after: after && pick(after, fields) };
  return [{ ...change, ...(collections.length > 0 && { collections }) }];
}

function pick(record: object, fields: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => fields.has(name)));
}

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
  /** The upcoming events, less those of the previous site that are still upcoming and not cancelled. */
  readonly growth: number;
  /** Why files of the previous site could not be compared, by their paths. */
  readonly damage: ReadonlyMap<string, string>;
}

/** Adds up the changes of different genres. Returns null unless all were compared with the same site. */
export function addUpChanges(parts: readonly (GenreChanges | null)[]): GenreChanges | null {
  const comparedWith = parts[0]?.comparedWith;
  if (comparedWith === undefined || parts.some((part) => part?.comparedWith !== comparedWith)) return null;
  const growth = parts.reduce((sum, part) => sum + (part?.growth ?? 0), 0);
  const damage = new Map(parts.flatMap((part) => [...(part?.damage ?? [])]));
  return { comparedWith, changes: limitChanges(parts.flatMap((part) => part?.changes ?? [])), growth, damage };
}

/** A change log before a build adds to it. Plain data, with times as ISO 8601 UTC with milliseconds. */
export interface OpenLog {
  /** When the log begins. */
  readonly since: string;
  /** The time that this build gives to what it sees changed. */
  readonly at: string;
  /** The entries of the previous site, newest first. */
  readonly changes: readonly ChangeRecord[];
}

/** Opens the change log that a new site continues: empty without a previous one. Throws `site-unreadable`. */
export async function openLog(against: ComparedSite | null, now: number): Promise<OpenLog> {
  const previous = against && (await against.open());
  if (previous === null) return { since: isoInstant(now), at: isoInstant(now), changes: [] };
  const { since, changes } = await readLog(previous, now);
  // A reader asks for what is later than the newest entry that it has, so two builds never use the same time.
  const at = Math.max(now, ...changes.slice(0, 1).map((newest) => Date.parse(newest.at) + 1));
  return { since, at: isoInstant(at), changes };
}

/** Adds the changes that a build saw to a log. */
export function continueLog({ since, at, changes: old }: OpenLog, found: GenreChanges | null): ChangesDocument {
  const changes = found?.changes ?? [];
  // Until there is a change, a build changes no byte of the log.
  if (changes.length === 0) return { since, changes: [...old] };
  const entries = [...changes.map((change) => ({ at, ...change })), ...old]
    .filter((change) => !isOld(change, at))
    .sort(byTime);
  return { since, changes: entries.slice(0, maxChanges) };
}

/** Returns the entries of one genre in a log with the changes that a build found in it, newest first. */
export function changesOfGenre({ at, changes: old }: OpenLog, genre: string, found: readonly Change[] = []) {
  const entries: ChangeRecord[] = found.map((change) => ({ at, ...change }));
  for (const change of old) if (change.genre === genre && !isOld(change, at)) entries.push(change);
  return entries;
}

/** Whether an entry is too old for a log to which another is added at a time. */
function isOld(change: ChangeRecord, at: string): boolean {
  return Date.parse(change.at) < Date.parse(at) - maxAge;
}

/** Returns the entries of a log that a build added to it, which are the newest ones. */
export function newestOf({ since, changes }: ChangesDocument, found: GenreChanges | null): ChangesDocument {
  return { since, changes: changes.slice(0, found?.changes.length ?? 0) };
}

/** Builds may follow one another within a minute on machines whose clocks differ. */
const maxClockError = minute;

/** Reads the log of a previous site, without entries that are of the future, of an unknown kind or not valid. */
async function readLog(previous: EarlierSite, now: number) {
  const isLog = ({ changes }: Partial<ChangesDocument>): boolean => Array.isArray(changes);
  const log = (await previous.document<ChangesDocument>(changesPath, isLog))?.document;
  const isPast = (at: string): boolean => Date.parse(at) <= now + maxClockError;
  const entries = (log?.changes ?? []).slice(0, maxChanges).map(readChange);
  const valid = entries.filter((entry) => entry !== null && isPast(entry.at)) as ChangeRecord[];
  const changes = [...new Map(valid.map((entry) => [`${entry.id}@${entry.at}`, entry])).values()].sort(byTime);
  const dropped = (log?.changes.length ?? 0) - changes.length;
  if (dropped > 0)
    previous.damage.note(changesPath, `${dropped} of its entries are of the future, of an unknown kind or not valid`);
  const begins = [log?.since, changes.at(-1)?.at, previous.overview.totals.last_sync];
  const since = begins.find((one): one is string => isTime(one) && isPast(one)) ?? isoInstant(now);
  return { since, changes };
}

/** Orders entries as a log does: newest first, those of one build by their ids. */
function byTime(a: ChangeRecord, b: ChangeRecord): number {
  return compareTexts(b.at, a.at) || compareTexts(a.id, b.id);
}
