import { changeKinds } from '../api/change-kinds.ts';
import type { ChangeRecord, ChangesDocument } from '../api/documents.ts';
import { compareTexts, type Compare } from '../catalogue/soonest.ts';
import { day, isoInstant } from '../catalogue/time/time.ts';
import type { Change } from './difference.ts';
import type { Memory } from './memory.ts';

const maxChanges = 1000;

/** The order in which changes stay in a log that cannot hold all: by kind, then by id. */
const byKind: Compare<Change> = (a, b) =>
  changeKinds.indexOf(a.kind) - changeKinds.indexOf(b.kind) || compareTexts(a.id, b.id);

/** Returns the changes that a log keeps of one build. */
export function limitChanges(changes: readonly Change[]): Change[] {
  return changes.toSorted(byKind).slice(0, maxChanges);
}

/**
 * A change log before a build adds to it. Plain data, with times as ISO 8601 UTC with milliseconds.
 */
export interface OpenLog {
  /** When the log begins. */
  readonly since: string;
  /** The instant after which no entry is missing. */
  readonly completeSince: string;
  /** The time that this build gives to its changes. */
  readonly at: string;
  /** The entries of the previous site, newest first. */
  readonly changes: readonly ChangeRecord[];
}

/**
 * Opens the change log that a new site continues: the log of the previous site, if there is one and
 * it is whole.
 */
export function openLog(memory: Memory | null, now: number): OpenLog {
  const previous = memory?.log ?? null;
  const changes = previous?.changes ?? [];
  const newest = changes[0]?.at;
  // Readers poll for entries newer than their last one, so each build needs a time of its own.
  const at = newest === undefined ? now : Math.max(now, Date.parse(newest) + 1);
  const since = previous?.since ?? isoInstant(now);
  const thisTime = isoInstant(at);
  const completeSince = previous?.complete_since ?? since;
  return {
    since,
    completeSince: completeSince < thisTime ? completeSince : thisTime,
    at: thisTime,
    changes,
  };
}

/**
 * Adds the changes that a build saw to a log.
 *
 * @param count the number of all changes of the build, of which `changes` are those that a log
 *   keeps
 */
export function continueLog(
  { since, completeSince, at, changes: old }: OpenLog,
  changes: readonly Change[],
  count: number,
): ChangesDocument {
  // Until there is a change, a build changes no byte of the log.
  if (changes.length === 0)
    return {
      since,
      complete_since: completeSince,
      changes: [...old],
    };
  const entries = [...changes.map((change) => ({ at, ...change })), ...old];
  const isCut = count > changes.length;
  const newestFirst = entries.toSorted((a, b) => compareTexts(b.at, a.at) || byKind(a, b));
  const latest = newestFirst.filter((entry) => !isOld(entry, at)).slice(0, maxChanges);
  const dropped = newestFirst[latest.length];
  // What is dropped is never newer than what is kept.
  const newestLost = isCut ? at : (dropped?.at ?? completeSince);
  return {
    since,
    complete_since: newestLost > completeSince ? newestLost : completeSince,
    changes: latest.sort((a, b) => compareTexts(b.at, a.at) || compareTexts(a.id, b.id)),
  };
}

/**
 * Returns the entries of one genre in a log with the changes that a build found in it, newest
 * first.
 */
export function changesOfGenre(
  { at, changes: old }: OpenLog,
  genre: string,
  changes: readonly Change[],
): ChangeRecord[] {
  const entries: ChangeRecord[] = changes.map((change) => ({ at, ...change }));
  for (const change of old) if (change.genre === genre && !isOld(change, at)) entries.push(change);
  return entries;
}

function isOld(change: ChangeRecord, at: string): boolean {
  return Date.parse(change.at) < Date.parse(at) - 60 * day;
}
